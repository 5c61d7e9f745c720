/* What the core needs of the hardware. chip/ provides it for the ATmega2560 on a RAMPS 1.4, the tests for Linux. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

/* The reed matrix as one pass has seen it: bit n of a row is the switch in column n. */
struct matrix {
    uint16_t rows[MATRIX_ROWS];
    bool summit;
};

/* Lines of the matrix for the self-test: rows first, then columns. */
#define MATRIX_LINES (MATRIX_ROWS + MATRIX_COLUMNS)

/* Bytes that may be on their way to the board unacknowledged, and those free in its buffer to the host. */
#define RECEIVE_BYTES 512
uint16_t wire_room(void);
void wire_write(const uint8_t *data, uint8_t length);

/* Writes all LEDs, red green blue each, every byte multiplied by (level + 1)/256. Returns when they are lit. */
void led_write(const uint8_t *colours, uint8_t level);

/* Whether rows or columns are driven depends on which way round the diodes are: SCAN_ORDER_… */
void matrix_set_order(uint8_t order);

/* Between begin and end no line is scanned; all are pulled up, and at most one is driven low. */
void lines_begin(void);
void line_drive(uint8_t line);
void line_release(uint8_t line);
bool line_is_high(uint8_t line);
void lines_end(void);

void motor_power(uint8_t axis, bool on);
void motor_direction(uint8_t axis, bool north);
/* The clock that calls stepper_due for every axis, STEP_RATE_HZ times a second. */
void step_clock(bool running);
bool endstop_closed(uint8_t axis);

/* The emergency button's loop: closed while nobody presses it, open also where there is no button. */
bool button_loop_closed(void);
/* Whether a closed loop has ever been seen; kept without power. */
bool button_known(void);
void button_remember(void);

/* What an interrupt also writes must be read and changed with interrupts off. */
uint8_t interrupts_lock(void);
void interrupts_unlock(uint8_t before);

#endif
