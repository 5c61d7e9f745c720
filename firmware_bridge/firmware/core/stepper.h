/* Step pulses at an even rate: a phase grows with every tick of the step clock, and its overflow is a step.
 * The interrupt calls stepper_due; everything else is called with it locked out. */
#ifndef STEPPER_H
#define STEPPER_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

struct stepper {
    uint16_t left;  /* steps to go */
    uint16_t rate;  /* steps a tick, in 1/65536 */
    uint16_t phase;
};

extern volatile struct stepper steppers[AXES];

/* Is a step due with this tick? */
static inline __attribute__((always_inline)) bool stepper_due(volatile struct stepper *stepper) {
    uint16_t left = stepper->left;
    if (left == 0)
        return false;
    uint16_t rate = stepper->rate;
    uint16_t phase = stepper->phase + rate;
    stepper->phase = phase;
    if (phase >= rate)
        return false;
    stepper->left = left - 1;
    return true;
}

void stepper_start(uint8_t axis, uint16_t steps, uint16_t rate);
uint16_t stepper_left(uint8_t axis);
void stepper_set_rate(uint8_t axis, uint16_t rate);
/* At most so many steps to go from now on; returns how many fewer these are. */
uint16_t stepper_shorten(uint8_t axis, uint16_t most);

#endif
