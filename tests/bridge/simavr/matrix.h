/* The reed switches with their diodes, and wires that touch where they should not. */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#define REED_BYTES 13

void matrix_start(void);
/* One bit a switch, numbered as in the protocol. */
void matrix_set(const uint8_t closed[REED_BYTES]);
/* Diodes that let rows be driven (false), or columns (true). */
void matrix_turn_diodes(bool columns);
/* Lines 0…5 rows, 6…21 columns; the same line twice: to ground. Returns false for lines that do not exist. */
bool matrix_connect(unsigned line, unsigned other);
void matrix_disconnect(void);

#endif
