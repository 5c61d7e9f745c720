/* The pseudo-terminal by which a host finds the chip, as it would find the real board's serial port. */
#ifndef PORT_H
#define PORT_H

#include <stdbool.h>
#include <stdint.h>

/* Opens one; its path is returned. */
const char *port_open(void);
/* Has a host opened it just now? */
bool port_was_opened(void);
/* Has the host written what has not been carried yet? */
bool port_waiting(void);
/* Waits until the host or whoever gives commands writes something, at most so long. */
void port_wait(uint64_t ns);
/* Carries bytes between it and the chip's serial line. */
void port_exchange(void);

#endif
