/* The drivers' pins, and the clock of their steps. */
#ifndef MOTORS_H
#define MOTORS_H

#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>

#include "stepper.h"

void motors_start(void);
/* All off; also from an interrupt. */
void motors_off(void);
/* The step clock runs: while interrupts are off, somebody must call motors_serve. */
bool motors_step(void);

/* One axis's share of what the step interrupt does, if that is due: some 50 cycles. Interrupts are off. Begin
 * with MOTORS_WAIT, then hand in what is returned, until that is MOTORS_WAIT again. */
#define MOTORS_WAIT (steppers + AXES)
static inline __attribute__((always_inline)) volatile struct stepper *motors_serve(volatile struct stepper *next) {
    if (next == MOTORS_WAIT) {
        if (!(TIFR1 & _BV(OCF1A)))
            return next;
        TIFR1 = _BV(OCF1A);
        next = steppers;
    }
    if (stepper_due(next)) {
        volatile uint8_t *toggle = next->toggle;
        uint8_t mask = next->mask;
        *toggle = mask;
        stepper_done(next); /* takes 13 cycles, and a driver wants 16 */
        __builtin_avr_delay_cycles(3);
        *toggle = mask;
    }
    return next + 1;
}

#endif
