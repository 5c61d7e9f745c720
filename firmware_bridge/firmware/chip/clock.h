/* Milliseconds since the start, from a timer that runs on while interrupts are off. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);
/* To be called at least every quarter of a second. */
uint32_t clock_ms(void);
/* The timer itself: 4 µs a count, wraps after 262 ms. */
uint16_t clock_counts(void);

#define COUNTS_PER_MS 250
#define COUNTS(us) ((us) / 4)

#endif
