/* The wire to the chip's UART: bytes at 250 000 baud each way, and a receiver that overruns as the real one. */
#ifndef SERIAL_H
#define SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void serial_start(void);
void serial_reset(void);
/* Bytes from the host, to be sent one after the other; false if more wait than any host writes. */
bool serial_put(const uint8_t *data, size_t length);
/* Forgets what waits: nobody listens. */
void serial_discard(void);
/* Bytes that the chip has sent and that have arrived by now. */
size_t serial_take(uint8_t *data, size_t most);
/* When the next of these arrives; 0 if none is under way. */
uint64_t serial_next_due(void);
/* No byte was under way either way for so long. */
bool serial_quiet(uint32_t us);
/* When a byte of the host has arrived last. */
uint64_t serial_heard_at(void);
/* Bytes that the receiver has lost. */
uint32_t serial_overruns(void);

#endif
