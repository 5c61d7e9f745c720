#include "reeds.h"

#include <string.h>

#include "table.h"

#define SUMMIT (REEDS - 1)

/* A switch that differs from its settled state: in how many passes so far, and when that was first seen. */
static uint8_t passes[REEDS];
static uint32_t since[REEDS];

static struct matrix settled;
static struct matrix bouncing; /* where `passes` is not zero */
static uint8_t debounce;

void reeds_start(const struct matrix *seen) {
    settled = *seen;
    memset(&bouncing, 0, sizeof bouncing);
    memset(passes, 0, sizeof passes);
    debounce = DEFAULT_DEBOUNCE_MS;
}

void reeds_set_debounce(uint8_t count) {
    debounce = count;
}

uint8_t reeds_debounce(void) {
    return debounce;
}

/* True when the switch's new state has lasted long enough. */
static bool settles(uint8_t index, bool differs, uint32_t now) {
    if (!differs) {
        passes[index] = 0;
        return false;
    }
    if (passes[index]++ == 0)
        since[index] = now;
    if (passes[index] < debounce)
        return false;
    passes[index] = 0;
    return true;
}

static void scan_row(uint8_t row, uint16_t seen, uint32_t now) {
    uint16_t differing = seen ^ settled.rows[row];
    uint16_t concerned = differing | bouncing.rows[row];
    if (!concerned)
        return;
    bouncing.rows[row] = differing;
    uint16_t bit = 1;
    for (uint8_t column = 0; column < MATRIX_COLUMNS; column++, bit <<= 1) {
        uint8_t index = column * MATRIX_ROWS + row;
        if ((concerned & bit) && settles(index, differing & bit, now)) {
            settled.rows[row] ^= bit;
            bouncing.rows[row] &= ~bit;
            table_reed_changed(index, settled.rows[row] & bit, since[index]);
        }
    }
}

void reeds_scan(const struct matrix *seen, uint32_t now) {
    for (uint8_t row = 0; row < MATRIX_ROWS; row++)
        scan_row(row, seen->rows[row], now);
    if (settles(SUMMIT, seen->summit != settled.summit, now)) {
        settled.summit = seen->summit;
        table_reed_changed(SUMMIT, settled.summit, since[SUMMIT]);
    }
}

void reeds_fill(uint8_t closed[(REEDS + 7) / 8]) {
    memset(closed, 0, (REEDS + 7) / 8);
    for (uint8_t index = 0; index < REEDS; index++) {
        bool is_closed = index == SUMMIT ? settled.summit
                                         : settled.rows[index % MATRIX_ROWS] >> (index / MATRIX_ROWS) & 1;
        if (is_closed)
            closed[index / 8] |= 1 << index % 8;
    }
}
