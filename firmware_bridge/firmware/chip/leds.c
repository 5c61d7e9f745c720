/* WS2812B: every bit is a pulse, short for 0 and long for 1, with interrupts off until all LEDs have theirs. */
#include "leds.h"

#include <util/atomic.h>

#include "board.h"
#include "clock.h"
#include "motors.h"
#include "pins.h"

/* LEDs show what they have got when the line has been low for so long. */
#define LATCH_US 300

void leds_start(void) {
    PORT_OF(LED_PORT) &= ~_BV(LED_BIT);
    DDR_OF(LED_PORT) |= _BV(LED_BIT);
}

/* 18 cycles a bit (1.125 µs): high for 6 (0.375 µs) in a zero, for 12 (0.75 µs) in a one. */
static inline __attribute__((always_inline)) void write_byte(uint8_t byte) {
    uint8_t bits = 8;
    __asm__ volatile("1:  sbi %[port], %[bit]  \n" /* 2: the line rises with the second cycle */
                     "    lsl %[byte]          \n" /* 1 */
                     "    nop                  \n" /* 1 */
                     "    nop                  \n" /* 1 */
                     "    brcs 2f              \n" /* 1, or 2 to skip */
                     "    cbi %[port], %[bit]  \n" /* 2: a zero falls after 6 cycles */
                     "2:  nop                  \n" /* 1 */
                     "    nop                  \n" /* 1 */
                     "    nop                  \n" /* 1 */
                     "    nop                  \n" /* 1 */
                     "    nop                  \n" /* 1 */
                     "    cbi %[port], %[bit]  \n" /* 2: a one falls after 12 */
                     "    dec %[bits]          \n" /* 1 */
                     "    brne 1b              \n" /* 2 */
                     : [byte] "+r"(byte), [bits] "+r"(bits)
                     : [port] "I"(_SFR_IO_ADDR(PORT_OF(LED_PORT))), [bit] "I"(LED_BIT));
}

/* Nothing but bytes may be between two of them: all is computed before. */
static uint8_t wire[3 * LEDS];

static inline uint8_t dim(uint8_t colour, uint8_t level) {
    return ((uint16_t)colour * level + colour) >> 8;
}

static void prepare(const uint8_t *colours, uint8_t level) {
    for (uint8_t *next = wire; next < wire + sizeof wire; next += 3, colours += 3) {
        next[0] = dim(colours[1], level); /* green goes first */
        next[1] = dim(colours[0], level);
        next[2] = dim(colours[2], level);
    }
}

void led_write(const uint8_t *colours, uint8_t level) {
    static uint16_t written_at;
    prepare(colours, level);
    while ((uint16_t)(clock_counts() - written_at) < COUNTS(LATCH_US)) {
    }
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        if (motors_step()) {
            volatile struct stepper *stepper = MOTORS_WAIT;
            for (const uint8_t *next = wire; next < wire + sizeof wire; next++) {
                write_byte(*next);
                stepper = motors_serve(stepper);
            }
            while (stepper != MOTORS_WAIT)
                stepper = motors_serve(stepper);
        } else {
            for (const uint8_t *next = wire; next < wire + sizeof wire; next++)
                write_byte(*next);
        }
    }
    written_at = clock_counts();
}
