/* The drivers' pins, and the clock of their steps. */
#ifndef MOTORS_H
#define MOTORS_H

#include <stdbool.h>
#include <stdint.h>

void motors_start(void);
/* All off; also from an interrupt. */
void motors_off(void);
/* The step clock runs: while interrupts are off, somebody must call motors_serve. */
bool motors_step(void);
/* One axis's share of what the step interrupt does, if that is due: at most 4 µs. Interrupts are off. */
void motors_serve(void);

#endif
