/* The emergency stop: motors off, and nothing moves until it is released. */
#ifndef EMERGENCY_H
#define EMERGENCY_H

#include <stdint.h>

void emergency_start(void);
/* A millisecond has passed: watches the button. */
void emergency_advance(void);
/* STOP_SOURCE_NONE, or who has stopped. */
uint8_t emergency_source(void);
void emergency_stop(uint8_t source);
/* Stays stopped while the button is pressed. */
void emergency_release(void);

#endif
