#include "table.h"

#include "axis.h"
#include "emergency.h"
#include "identity.h"
#include "lights.h"
#include "outbox.h"
#include "reeds.h"
#include "session.h"

static uint32_t clock_ms;
static uint16_t lost_changes;
static bool snapshot_owed, overflowed; /* overflowed: the snapshot makes up for changes that did not fit */
static bool axis_owed[AXES];
static bool emergency_owed;

static void forget(void) {
    snapshot_owed = overflowed = emergency_owed = false;
    for (uint8_t axis = 0; axis < AXES; axis++)
        axis_owed[axis] = false;
}

void table_start(uint8_t cause, uint16_t boots, const struct matrix *seen) {
    clock_ms = 0;
    lost_changes = 0;
    forget();
    identity_start(cause, boots);
    reeds_start(seen);
    emergency_start();
    axes_start();
    lights_start();
    session_start();
}

static bool put_snapshot(void) {
    struct reed_snapshot snapshot = {REED_SNAPSHOT_ID, clock_ms, {0}, lost_changes};
    reeds_fill(snapshot.closed);
    return outbox_put(&snapshot, sizeof snapshot);
}

static bool put_axis(uint8_t axis) {
    struct axis_status status;
    axis_fill(axis, &status);
    return outbox_put(&status, sizeof status);
}

static bool put_emergency(void) {
    uint8_t source = emergency_source();
    struct emergency_state state = {EMERGENCY_STATE_ID, source != STOP_SOURCE_NONE, source};
    return outbox_put(&state, sizeof state);
}

/* Says what is owed, as far as there is room. */
static void report(void) {
    if (!session_ready())
        return;
    /* After an overflow only once all that was said before has arrived, so that the snapshot is the last word. */
    if (snapshot_owed && (!overflowed || outbox_empty()) && put_snapshot())
        snapshot_owed = overflowed = false;
    for (uint8_t axis = 0; axis < AXES; axis++)
        if (axis_owed[axis] && put_axis(axis))
            axis_owed[axis] = false;
    if (emergency_owed && put_emergency())
        emergency_owed = false;
}

void table_advance(const struct matrix *seen, uint8_t passed_ms, uint32_t now) {
    clock_ms = now;
    reeds_scan(seen, now);
    emergency_advance();
    axes_advance(passed_ms);
    if (!session_ready())
        lights_advance_no_host(passed_ms);
    report();
}

void table_connected(void) {
    snapshot_owed = true;
    overflowed = false;
    emergency_owed = emergency_source() != STOP_SOURCE_NONE;
    report();
}

void table_lost(void) {
    forget();
    for (uint8_t axis = 0; axis < AXES; axis++)
        axis_stop(axis);
    lights_show_no_host();
}

void table_reed_changed(uint8_t index, bool closed, uint32_t since) {
    if (!session_ready())
        return; /* the next session begins with a snapshot */
    struct reed_change change = {REED_CHANGE_ID, since, index, closed};
    if (!snapshot_owed && outbox_room() > OUTBOX_RESERVE && outbox_put(&change, sizeof change))
        return;
    if (lost_changes != UINT16_MAX)
        lost_changes++;
    snapshot_owed = overflowed = true;
}

void table_axis_changed(uint8_t axis) {
    axis_owed[axis] = true;
    report();
}

void table_emergency_changed(void) {
    emergency_owed = true;
    report();
}

void table_snapshot_asked(void) {
    snapshot_owed = true;
    report();
}
