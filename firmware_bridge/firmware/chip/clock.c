#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

static uint32_t milliseconds;
static uint16_t counted; /* counts up to which milliseconds are counted */

void clock_start(void) {
    TCCR3A = 0;
    TCCR3B = _BV(CS31) | _BV(CS30); /* a 64th of 16 MHz */
    OCR3A = COUNTS_PER_MS;
    TIMSK3 = _BV(OCIE3A);
}

/* Wakes the processor every millisecond; after a long while with interrupts off, in the next one to come. */
ISR(TIMER3_COMPA_vect) {
    do
        OCR3A += COUNTS_PER_MS;
    while ((int16_t)(OCR3A - TCNT3) <= 0);
}

uint16_t clock_counts(void) {
    uint16_t counts;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        counts = TCNT3;
    }
    return counts;
}

uint32_t clock_ms(void) {
    uint16_t passed = clock_counts() - counted;
    while (passed >= COUNTS_PER_MS) {
        passed -= COUNTS_PER_MS;
        counted += COUNTS_PER_MS;
        milliseconds++;
    }
    return milliseconds;
}
