/* Step pulses at an even rate: a phase grows with every tick of the step clock, and its overflow is a step.
 * The interrupt calls stepper_due; everything else is called with it locked out. */
#ifndef STEPPER_H
#define STEPPER_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

struct stepper {
    uint16_t rate; /* steps a tick, in 1/65536; 0 when there is nothing to go */
    uint16_t phase;
    uint16_t left; /* steps to go */
    volatile uint8_t *toggle; /* its pin, for whoever steps it: */
    uint8_t mask;             /* writing this there turns it over */
};

extern volatile struct stepper steppers[AXES];

/* Is a step due with this tick? If so, stepper_done must be called. */
static inline __attribute__((always_inline)) bool stepper_due(volatile struct stepper *stepper) {
    uint16_t rate = stepper->rate;
    uint16_t phase = stepper->phase + rate;
    stepper->phase = phase;
    return phase < rate;
}

static inline __attribute__((always_inline)) void stepper_done(volatile struct stepper *stepper) {
    uint16_t left = stepper->left - 1;
    stepper->left = left;
    if (left == 0)
        stepper->rate = 0;
}

void stepper_start(uint8_t axis, uint16_t steps, uint16_t rate);
uint16_t stepper_left(uint8_t axis);
/* Of one that has steps to go. */
void stepper_set_rate(uint8_t axis, uint16_t rate);
/* At most so many steps to go from now on; returns how many fewer these are. */
uint16_t stepper_shorten(uint8_t axis, uint16_t most);

#endif
