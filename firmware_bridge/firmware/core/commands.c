#include "commands.h"

#include <stddef.h>

#include "axis.h"
#include "board.h"
#include "emergency.h"
#include "flash.h"
#include "lights.h"
#include "outbox.h"
#include "reeds.h"
#include "selftest.h"
#include "table.h"

static void refuse(const uint8_t *payload, uint8_t code, int32_t detail, const char *text) {
    struct error_report report = {ERROR_REPORT_ID, code, payload[0], detail, ""};
    strncpy_P(report.text, text, sizeof report.text);
    uint8_t length = strlen_P(text);
    if (length > sizeof report.text)
        length = sizeof report.text;
    outbox_put(&report, offsetof(struct error_report, text) + length);
}

static void take_pixels(const uint8_t *payload, uint8_t length) {
    const struct led_pixels *pixels = (const void *)payload; /* and struct led_show alike */
    uint8_t bytes = length - offsetof(struct led_pixels, pixels);
    if (!lights_store(pixels->offset, pixels->pixels, bytes)) {
        refuse(payload, ERROR_CODE_OUT_OF_RANGE, pixels->offset + bytes / 3 - 1, PSTR("there are 105 LEDs"));
        return;
    }
    if (payload[0] == LED_SHOW_ID)
        lights_show();
}
_Static_assert(LEDS == 105, "the text above says so");

static void take_limits(const uint8_t *payload) {
    const struct led_limits *limits = (const void *)payload;
    if (limits->budget_ma > MAX_BUDGET_MA)
        refuse(payload, ERROR_CODE_SUPPLY_LIMITED, limits->budget_ma, PSTR("the supply gives less"));
    else
        lights_limit(limits->brightness, limits->budget_ma);
}

static void take_settings(const uint8_t *payload) {
    const struct settings *settings = (const void *)payload;
    if (settings->debounce_ms < MIN_DEBOUNCE_MS || settings->debounce_ms > MAX_DEBOUNCE_MS) {
        refuse(payload, ERROR_CODE_OUT_OF_RANGE, settings->debounce_ms, PSTR("debounce must be 1...100 ms"));
        return;
    }
    reeds_set_debounce(settings->debounce_ms);
    matrix_set_order(settings->scan_order);
    outbox_put(settings, sizeof *settings);
}
_Static_assert(MIN_DEBOUNCE_MS == 1 && MAX_DEBOUNCE_MS == 100, "the text above says so");

static bool is_still(uint8_t axis) {
    uint8_t state = axis_state(axis);
    return state == AXIS_STATE_OFF || state == AXIS_STATE_FAILED;
}

static void take_move(const uint8_t *payload) {
    const struct axis_move *move = (const void *)payload;
    uint8_t axis = move->axis;
    if (!axis_reaches(axis, move->target_um))
        refuse(payload, ERROR_CODE_OUT_OF_RANGE, move->target_um, PSTR("beyond the lane"));
    else if (move->speed_um_s == 0 || move->acceleration_um_s2 == 0)
        refuse(payload, ERROR_CODE_OUT_OF_RANGE, 0, PSTR("speed and acceleration must not be 0"));
    else if (!is_still(axis))
        refuse(payload, ERROR_CODE_BUSY, axis, PSTR("the axis is moving; stop it first"));
    else if (axis_knowledge(axis) == KNOWLEDGE_UNKNOWN)
        refuse(payload, ERROR_CODE_NOT_HOMED, axis, PSTR("home the axis first"));
    else {
        axis_move(axis, move->target_um, move->speed_um_s, move->acceleration_um_s2);
        table_axis_changed(axis);
    }
}

static void take_one_axis(const uint8_t *payload, uint8_t axis) {
    if (payload[0] == AXIS_HOME_ID && is_still(axis))
        axis_home(axis);
    else if (payload[0] == AXIS_STOP_ID)
        axis_stop(axis);
    table_axis_changed(axis);
}

/* AxisHome, AxisStop, AxisQuery and AxisMove all begin with the axis. */
static void take_axis(const uint8_t *payload) {
    uint8_t axis = ((const struct axis_home *)payload)->axis;
    bool moves = payload[0] == AXIS_HOME_ID || payload[0] == AXIS_MOVE_ID;
    if (axis >= AXES && (axis != ALL_AXES || payload[0] == AXIS_MOVE_ID)) {
        refuse(payload, ERROR_CODE_OUT_OF_RANGE, axis, PSTR("there are 5 axes"));
    } else if (moves && emergency_source() != STOP_SOURCE_NONE) {
        refuse(payload, ERROR_CODE_EMERGENCY_STOPPED, axis, PSTR("release the emergency stop first"));
    } else if (payload[0] == AXIS_MOVE_ID) {
        take_move(payload);
    } else if (axis != ALL_AXES) {
        if (payload[0] == AXIS_HOME_ID && !is_still(axis) && axis_state(axis) != AXIS_STATE_HOMING)
            refuse(payload, ERROR_CODE_BUSY, axis, PSTR("the axis is moving; stop it first"));
        else
            take_one_axis(payload, axis);
    } else {
        for (axis = 0; axis < AXES; axis++)
            take_one_axis(payload, axis);
    }
}
_Static_assert(AXES == 5, "the text above says so");

bool commands_take(const uint8_t *payload, uint8_t length) {
    if (payload[0] == EMERGENCY_STOP_ID) {
        emergency_stop(STOP_SOURCE_HOST);
        return true;
    }
    if (outbox_room() < OUTBOX_RESERVE / 2)
        return false;
    switch (payload[0]) {
    case REED_QUERY_ID:
        table_snapshot_asked();
        break;
    case LED_PIXELS_ID:
    case LED_SHOW_ID:
        take_pixels(payload, length);
        break;
    case LED_LIMITS_ID:
        take_limits(payload);
        break;
    case AXIS_HOME_ID:
    case AXIS_MOVE_ID:
    case AXIS_STOP_ID:
    case AXIS_QUERY_ID:
        take_axis(payload);
        break;
    case SETTINGS_ID:
        take_settings(payload);
        break;
    case SELF_TEST_ID:
        selftest_run(((const struct self_test *)payload)->parts);
        break;
    case EMERGENCY_RELEASE_ID:
        emergency_release();
        break;
    }
    return true;
}
