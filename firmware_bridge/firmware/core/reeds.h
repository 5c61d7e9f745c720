/* The reed switches: debounced, numbered column by column, ring 1 to 6, the summit last. */
#ifndef REEDS_H
#define REEDS_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/* Begins with these switches closed, as after a reset. */
void reeds_start(const struct matrix *seen);
/* A new state is reported when it was seen in so many passes in a row; one pass is a millisecond. */
void reeds_set_debounce(uint8_t passes);
uint8_t reeds_debounce(void);
/* One pass over the matrix; calls table_reed_changed for every switch that has settled anew. */
void reeds_scan(const struct matrix *seen, uint32_t now);
/* The settled state, one bit a switch. */
void reeds_fill(uint8_t closed[(REEDS + 7) / 8]);

#endif
