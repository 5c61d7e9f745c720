#include "motors.h"

#include <avr/interrupt.h>
#include <util/atomic.h>

#include "board.h"
#include "pins.h"
#include "stepper.h"

#define SET(letter, bit) (PORT_OF(letter) |= _BV(bit))
#define CLEAR(letter, bit) (PORT_OF(letter) &= ~_BV(bit))

#define PULSE_CYCLES 16 /* a driver takes a pulse of at least 1 µs */

void motors_start(void) {
#define OUTPUT(number, letter, bit) DDR_OF(letter) |= _BV(bit);
#define STEP_PIN(number, letter, bit) \
    steppers[number].toggle = &PIN_OF(letter); \
    steppers[number].mask = _BV(bit);
    STEP_PINS(STEP_PIN)
    motors_off(); /* before the pins become outputs */
    ENABLE_PINS(OUTPUT)
    STEP_PINS(OUTPUT)
    DIRECTION_PINS(OUTPUT)
    HEATER_PINS(OUTPUT)
    TCCR1A = 0;
    TCCR1B = _BV(WGM12) | _BV(CS10);
    OCR1A = F_CPU / STEP_RATE_HZ - 1;
}

void motors_off(void) {
#define DISABLE(number, letter, bit) SET(letter, bit);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        ENABLE_PINS(DISABLE)
    }
}

void motor_power(uint8_t axis, bool on) {
#define POWER(number, letter, bit) \
    case number: \
        if (on) \
            CLEAR(letter, bit); \
        else \
            SET(letter, bit); \
        break;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        switch (axis) { ENABLE_PINS(POWER) }
    }
}

void motor_direction(uint8_t axis, bool north) {
    bool high = north != (INVERTED_AXES >> axis & 1);
#define DIRECTION(number, letter, bit) \
    case number: \
        if (high) \
            SET(letter, bit); \
        else \
            CLEAR(letter, bit); \
        break;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        switch (axis) { DIRECTION_PINS(DIRECTION) }
    }
}

void step_clock(bool running) {
    if (running == motors_step())
        return;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        TCNT1 = 0;
        TIFR1 = _BV(OCF1A);
        TIMSK1 = running ? _BV(OCIE1A) : 0;
    }
}

bool motors_step(void) {
    return TIMSK1 & _BV(OCIE1A);
}

ISR(TIMER1_COMPA_vect) {
#define STEP(number, letter, bit) \
    if (stepper_due(&steppers[number])) { \
        SET(letter, bit); \
        stepper_done(&steppers[number]); \
    }
#define LOWER(number, letter, bit) CLEAR(letter, bit);
    STEP_PINS(STEP)
    __builtin_avr_delay_cycles(PULSE_CYCLES - 3);
    STEP_PINS(LOWER)
}
