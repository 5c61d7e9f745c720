#include "emergency.h"

#include "axis.h"
#include "board.h"
#include "table.h"

/* The button opens a loop that is closed otherwise, so that a broken wire stops too. A table without a button
 * looks as if it were pressed: only a loop that was once seen closed can be opened. */
#define OPENED_MS 5
#define CLOSED_MS 50

static uint8_t source;
static uint8_t open_ms, closed_ms;

void emergency_start(void) {
    source = STOP_SOURCE_NONE;
    open_ms = closed_ms = 0;
}

uint8_t emergency_source(void) {
    return source;
}

static bool is_pressed(void) {
    return button_known() && !button_loop_closed();
}

void emergency_advance(void) {
    if (button_loop_closed()) {
        open_ms = 0;
        if (closed_ms < CLOSED_MS)
            closed_ms++;
        else if (!button_known())
            button_remember();
        return;
    }
    closed_ms = 0;
    if (open_ms < OPENED_MS)
        open_ms++;
    else if (button_known())
        emergency_stop(STOP_SOURCE_BUTTON);
}

void emergency_stop(uint8_t by) {
    if (source != STOP_SOURCE_NONE)
        return; /* a host's stop arrives twice */
    source = by;
    axes_cut();
    table_emergency_changed();
}

void emergency_release(void) {
    source = is_pressed() ? STOP_SOURCE_BUTTON : STOP_SOURCE_NONE;
    table_emergency_changed();
}
