/* What the board can find out about its own parts. */
#ifndef SELFTEST_H
#define SELFTEST_H

#include <stdint.h>

/* Tests PART_… and tells the host: every failure that there is room for, then how many there were. */
void selftest_run(uint16_t parts);

#endif
