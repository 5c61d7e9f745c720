#include "matrix.h"

#include "chip.h"
#include "pins.h"

#define ROWS 6
#define COLUMNS 16
#define LINES (ROWS + COLUMNS)
#define SUMMIT 96

struct line {
    char port;
    uint8_t bit;
};

#define TEXT_OF(letter) #letter
#define LETTER_OF(letter) TEXT_OF(letter)[0]
#define LINE(number, letter, bit) {#letter[0], bit},
static const struct line lines[LINES] = {ROW_PINS(LINE) COLUMN_PINS(LINE)};

static uint16_t closed[ROWS]; /* one bit a column */
static bool summit;
static bool diodes_turned;
static bool grounded[LINES];
static struct {
    uint8_t one, other;
} wires[8];
static unsigned wire_count;
static uint32_t levels = (1UL << LINES) - 1; /* as the chip was told last */

static bool is_driven_low(const struct line *line) {
    return (chip_ddr(line->port) >> line->bit & 1) && !(chip_port(line->port) >> line->bit & 1);
}

/* Pulls low what a low line reaches: through a wire either way, through a diode one way only. */
static uint32_t spread(uint32_t low) {
    uint32_t before;
    do {
        before = low;
        for (unsigned row = 0; row < ROWS; row++) {
            if (!diodes_turned && (low >> row & 1))
                low |= (uint32_t)closed[row] << ROWS;
            if (diodes_turned && (low >> ROWS & closed[row]))
                low |= 1UL << row;
        }
        for (unsigned n = 0; n < wire_count; n++)
            if ((low >> wires[n].one & 1) || (low >> wires[n].other & 1))
                low |= 1UL << wires[n].one | 1UL << wires[n].other;
    } while (low != before);
    return low;
}

static void settle(void) {
    uint32_t low = 0;
    for (unsigned n = 0; n < LINES; n++)
        if (grounded[n] || is_driven_low(&lines[n]))
            low |= 1UL << n;
    uint32_t now = ~spread(low) & ((1UL << LINES) - 1);
    uint32_t changed = now ^ levels;
    levels = now;
    for (unsigned n = 0; n < LINES; n++)
        if (changed >> n & 1)
            chip_set_input(lines[n].port, lines[n].bit, now >> n & 1);
}

void matrix_start(void) {
    for (unsigned n = 0; n < LINES; n++)
        chip_set_input(lines[n].port, lines[n].bit, true);
    chip_set_input(LETTER_OF(SUMMIT_PORT), SUMMIT_BIT, true);
    chip_watch_ports(settle);
}

void matrix_set(const uint8_t bits[REED_BYTES]) {
    for (unsigned row = 0; row < ROWS; row++) {
        closed[row] = 0;
        for (unsigned column = 0; column < COLUMNS; column++) {
            unsigned index = column * ROWS + row;
            closed[row] |= (bits[index / 8] >> index % 8 & 1) << column;
        }
    }
    summit = bits[SUMMIT / 8] >> SUMMIT % 8 & 1;
    chip_set_input(LETTER_OF(SUMMIT_PORT), SUMMIT_BIT, !summit);
    settle();
}

void matrix_turn_diodes(bool columns) {
    diodes_turned = columns;
    settle();
}

bool matrix_connect(unsigned line, unsigned other) {
    if (line >= LINES || other >= LINES || wire_count == sizeof wires / sizeof *wires)
        return false;
    if (line == other)
        grounded[line] = true;
    else
        wires[wire_count++] = (typeof(*wires)){line, other};
    settle();
    return true;
}

void matrix_disconnect(void) {
    wire_count = 0;
    for (unsigned n = 0; n < LINES; n++)
        grounded[n] = false;
    settle();
}
