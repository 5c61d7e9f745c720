/* Consistent overhead byte stuffing: any bytes without a zero among them, for one byte more. */
#ifndef COBS_H
#define COBS_H

#include <stdint.h>

/* Writes length + 1 bytes to `out`; for up to 253 bytes. */
void cobs_encode(const uint8_t *data, uint8_t length, uint8_t *out);

#endif
