/* Why the board has started, and the watchdog that restarts it when the program hangs. */
#ifndef RESET_H
#define RESET_H

#include <stdint.h>

/* RESET_CAUSE_…; to be asked once, first of all. */
uint8_t reset_cause(void);
/* From now on reset_alive must be called four times a second. */
void reset_watch(void);
void reset_alive(void);

#endif
