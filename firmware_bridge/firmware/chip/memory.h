/* What the board remembers without power. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdint.h>

/* Counts a start; returns how many there were since the firmware was programmed, 1 for the first. */
uint16_t memory_count_start(void);

#endif
