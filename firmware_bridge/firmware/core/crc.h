/* CRC-16: polynomial 0x1021, start 0xFFFF, high byte first. Over data and its own CRC it is zero. */
#ifndef CRC_H
#define CRC_H

#include <stdint.h>

#define CRC_START 0xFFFF

/* The CRC after one more byte, without a table: the eight shifts of a byte folded into three. */
static inline uint16_t crc_add(uint16_t crc, uint8_t byte) {
    uint8_t top = (uint8_t)(crc >> 8) ^ byte;
    top ^= top >> 4;
    return (uint16_t)(crc << 8) ^ (uint16_t)((uint16_t)top << 12) ^ (uint16_t)((uint16_t)top << 5) ^ top;
}

#endif
