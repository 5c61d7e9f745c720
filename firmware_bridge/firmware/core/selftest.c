#include "selftest.h"

#include <stddef.h>

#include "axis.h"
#include "board.h"
#include "flash.h"
#include "outbox.h"

/* Failures that are told one by one; where a whole cable is wrong, the first few say enough. */
#define TOLD 8

static uint16_t failed;

static void fail(uint8_t part, uint8_t index, const char *text) {
    if (++failed > TOLD)
        return;
    struct self_test_failure failure = {SELF_TEST_FAILURE_ID, part, index, ""};
    uint8_t length = strlen(text);
    memcpy(failure.text, text, length);
    outbox_put(&failure, offsetof(struct self_test_failure, text) + length);
}

static uint8_t write_line(char *text, uint8_t size, uint8_t line) {
    bool is_row = line < MATRIX_ROWS;
    if (is_row)
        return snprintf_P(text, size, PSTR("row %u"), line + 1);
    return snprintf_P(text, size, PSTR("column %c"), 'a' + line - MATRIX_ROWS);
}

static void fail_line(uint8_t line, uint8_t other) {
    char text[sizeof((struct self_test_failure *)0)->text + 1];
    uint8_t length = write_line(text, sizeof text, line);
    if (other == line) {
        snprintf_P(text + length, sizeof text - length, PSTR(" is connected to ground"));
    } else {
        length += snprintf_P(text + length, sizeof text - length, PSTR(" is connected to "));
        write_line(text + length, sizeof text - length, other);
    }
    fail(PART_REEDS, line, text);
}

/* Lines of one kind must be connected to each other nowhere, and none of them to ground. A line is looked at
 * while it is pulled up; what closed switches connect is a row with a column. */
static void test_matrix(void) {
    lines_begin();
    uint32_t grounded = 0;
    for (uint8_t line = 0; line < MATRIX_LINES; line++)
        if (!line_is_high(line)) {
            grounded |= 1UL << line;
            fail_line(line, line);
        }
    for (uint8_t line = 0; line < MATRIX_LINES; line++) {
        if (grounded >> line & 1)
            continue;
        uint8_t end = line < MATRIX_ROWS ? MATRIX_ROWS : MATRIX_LINES;
        line_drive(line);
        for (uint8_t other = line + 1; other < end; other++)
            if (!(grounded >> other & 1) && !line_is_high(other))
                fail_line(line, other);
        line_release(line);
    }
    lines_end();
}

static void test_axes(void) {
    static const char names[][20] PROGMEM = {
        [AXIS_FAULT_ENDSTOP_MISSING] = "endstop missing",
        [AXIS_FAULT_ENDSTOP_STUCK] = "endstop stuck",
        [AXIS_FAULT_ENDSTOP_INVERTED] = "endstop inverted",
        [AXIS_FAULT_ENDSTOP_DISAGREES] = "endstop disagrees",
        [AXIS_FAULT_EMERGENCY_STOPPED] = "emergency stopped",
    };
    for (uint8_t axis = 0; axis < AXES; axis++) {
        uint8_t fault = axis_fault(axis);
        if (fault == AXIS_FAULT_NONE)
            continue;
        char text[sizeof *names];
        memcpy_P(text, names[fault], sizeof text);
        fail(PART_AXES, axis, text);
    }
}

void selftest_run(uint16_t parts) {
    uint16_t tested = 0;
    failed = 0;
    if (parts & PART_LEDS)
        tested += LEDS; /* nothing comes back from them */
    if (parts & PART_REEDS) {
        tested += REEDS;
        test_matrix();
    }
    if (parts & PART_AXES) {
        tested += AXES;
        test_axes();
    }
    struct self_test_done done = {SELF_TEST_DONE_ID, parts, tested, failed};
    outbox_put(&done, sizeof done);
}
