/* The reed matrix's lines, the endstops and the emergency button. */
#include "switches.h"

#include <avr/interrupt.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "pins.h"

/* How long a line takes to rise through its pull-up, with a metre of cable and room to spare. */
#define SETTLE_US 10

struct line {
    volatile uint8_t *port, *ddr, *pin;
    uint8_t mask;
};

#define LINE(number, letter, bit) {&PORT_OF(letter), &DDR_OF(letter), &PIN_OF(letter), _BV(bit)},
static const struct line lines[MATRIX_LINES] = {ROW_PINS(LINE) COLUMN_PINS(LINE)};

static uint8_t order = SCAN_ORDER_ROWS;

static bool is_row(uint8_t line) {
    return line < MATRIX_ROWS;
}

static bool is_driven(uint8_t line) {
    return is_row(line) == (order == SCAN_ORDER_ROWS);
}

/* The step interrupt writes some of the ports too. */
static void pull_up(const struct line *line, bool on) {
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        if (on)
            *line->port |= line->mask;
        else
            *line->port &= ~line->mask;
    }
}

/* Lines to be driven are left open, the others pulled up. A line is driven by its direction alone. */
static void rest(void) {
    for (uint8_t n = 0; n < MATRIX_LINES; n++) {
        *lines[n].ddr &= ~lines[n].mask;
        pull_up(&lines[n], !is_driven(n));
    }
}

void switches_start(void) {
    rest();
    PORT_OF(SUMMIT_PORT) |= _BV(SUMMIT_BIT);
    PORT_OF(BUTTON_PORT) |= _BV(BUTTON_BIT);
#define PULL_UP(number, letter, bit) PORT_OF(letter) |= _BV(bit);
    ENDSTOP_PINS(PULL_UP)
}

void matrix_set_order(uint8_t new_order) {
    order = new_order;
    rest();
}

/* Columns that are low, while a row is driven. Every port is read once, its bits are put where they belong. */
static uint16_t read_columns(void) {
    uint8_t A = PINA, C = PINC, G = PING, H = PINH, L = PINL;
    uint16_t low = 0;
#define COLUMN(number, letter, bit) \
    if (!(letter & _BV(bit))) \
        low |= 1U << number;
    COLUMN_PINS(COLUMN)
    return low;
}

static uint8_t read_rows(void) {
    uint8_t F = PINF, G = PING, K = PINK, L = PINL;
    uint8_t low = 0;
#define ROW(number, letter, bit) \
    if (!(letter & _BV(bit))) \
        low |= 1U << number;
    ROW_PINS(ROW)
    return low;
}

void switches_read(struct matrix *seen) {
    if (order == SCAN_ORDER_ROWS) {
        for (uint8_t row = 0; row < MATRIX_ROWS; row++) {
            *lines[row].ddr |= lines[row].mask;
            _delay_us(SETTLE_US);
            seen->rows[row] = read_columns();
            *lines[row].ddr &= ~lines[row].mask;
        }
    } else {
        for (uint8_t row = 0; row < MATRIX_ROWS; row++)
            seen->rows[row] = 0;
        for (uint8_t column = 0; column < MATRIX_COLUMNS; column++) {
            const struct line *line = &lines[MATRIX_ROWS + column];
            *line->ddr |= line->mask;
            _delay_us(SETTLE_US);
            uint8_t low = read_rows();
            *line->ddr &= ~line->mask;
            for (uint8_t row = 0; row < MATRIX_ROWS; row++)
                if (low & _BV(row))
                    seen->rows[row] |= 1U << column;
        }
    }
    seen->summit = !(PIN_OF(SUMMIT_PORT) & _BV(SUMMIT_BIT));
}

void lines_begin(void) {
    for (uint8_t n = 0; n < MATRIX_LINES; n++)
        pull_up(&lines[n], true);
    _delay_us(SETTLE_US);
}

void line_drive(uint8_t line) {
    pull_up(&lines[line], false);
    *lines[line].ddr |= lines[line].mask;
    _delay_us(SETTLE_US);
}

void line_release(uint8_t line) {
    *lines[line].ddr &= ~lines[line].mask;
    pull_up(&lines[line], true);
    _delay_us(SETTLE_US);
}

bool line_is_high(uint8_t line) {
    return *lines[line].pin & lines[line].mask;
}

void lines_end(void) {
    rest();
}

bool endstop_closed(uint8_t axis) {
#define ENDSTOP(number, letter, bit) \
    case number: \
        return !(PIN_OF(letter) & _BV(bit));
    switch (axis) { ENDSTOP_PINS(ENDSTOP) }
    return false;
}

bool button_loop_closed(void) {
    return !(PIN_OF(BUTTON_PORT) & _BV(BUTTON_BIT));
}
