#include "rig.h"

#include <string.h>

#include "board.h"
#include "session.h"
#include "stepper.h"
#include "table.h"

#define TICKS_PER_MS (STEP_RATE_HZ / 1000)

static uint8_t out[1 << 16];
static uint32_t out_length;
static bool blocked;
static uint32_t now;
static struct matrix seen;
static struct {
    int32_t place;
    uint32_t steps;
    bool powered, north;
    uint8_t endstop;
} motors[RIG_AXES];
static const int32_t lanes[AXES][2] = LANES_UM;
static bool clock_runs;
static uint32_t faults;
static uint8_t leds[3 * LEDS];
static uint32_t led_writes;
static bool button_closed, button_remembered;

void rig_start(uint8_t cause, uint16_t boots) {
    out_length = 0;
    blocked = false;
    now = 0;
    memset(&seen, 0, sizeof seen);
    memset(motors, 0, sizeof motors);
    clock_runs = false;
    faults = led_writes = 0;
    button_closed = button_remembered = false;
    table_start(cause, boots, &seen);
}

void rig_set_clock(uint32_t ms) {
    now = ms;
}

void rig_receive(const uint8_t *data, uint32_t length) {
    while (length--)
        session_receive(*data++, now);
    session_poll(now);
}

static void step(uint8_t axis) {
    motors[axis].steps++;
    if (!motors[axis].powered)
        faults++;
    int32_t place = motors[axis].place + (motors[axis].north ? 1 : -1);
    if (place >= (lanes[axis][0] - 3000) * 2 / 25 && place <= (lanes[axis][1] + 3000) * 2 / 25)
        motors[axis].place = place;
}

void rig_advance(uint32_t ms) {
    while (ms--) {
        for (int tick = 0; tick < TICKS_PER_MS && clock_runs; tick++)
            for (uint8_t axis = 0; axis < AXES; axis++)
                if (stepper_due(&steppers[axis])) {
                    stepper_done(&steppers[axis]);
                    step(axis);
                }
        now++;
        table_advance(&seen, 1, now);
        session_poll(now);
    }
}

uint32_t rig_take(uint8_t *data, uint32_t most) {
    uint32_t length = out_length < most ? out_length : most;
    memcpy(data, out, length);
    out_length = 0;
    return length;
}

void rig_set_reeds(const uint8_t bits[13]) {
    memset(&seen, 0, sizeof seen);
    for (unsigned index = 0; index < REEDS - 1; index++)
        if (bits[index / 8] >> index % 8 & 1)
            seen.rows[index % MATRIX_ROWS] |= 1U << index / MATRIX_ROWS;
    seen.summit = bits[12] & 1;
}

void rig_set_endstop(uint8_t axis, uint8_t kind) {
    motors[axis % RIG_AXES].endstop = kind;
}

void rig_set_button(bool closed) {
    button_closed = closed;
}

void rig_block(bool on) {
    blocked = on;
}

int32_t rig_place(uint8_t axis) {
    return motors[axis].place;
}

uint32_t rig_steps(uint8_t axis) {
    return motors[axis].steps;
}

bool rig_powered(uint8_t axis) {
    return motors[axis].powered;
}

uint32_t rig_faults(void) {
    return faults;
}

const uint8_t *rig_leds(void) {
    return leds;
}

uint32_t rig_led_writes(void) {
    return led_writes;
}

/* What the core asks of the board. */

uint16_t wire_room(void) {
    return blocked ? 0 : 511;
}

void wire_write(const uint8_t *data, uint8_t length) {
    if (out_length + length > sizeof out)
        return;
    memcpy(out + out_length, data, length);
    out_length += length;
}

void led_write(const uint8_t *colours, uint8_t level) {
    for (unsigned n = 0; n < sizeof leds; n++)
        leds[n] = colours[n] * (level + 1) >> 8;
    led_writes++;
}

void matrix_set_order(uint8_t order) {
    (void)order;
}

void lines_begin(void) {
}

void line_drive(uint8_t line) {
    (void)line;
}

void line_release(uint8_t line) {
    (void)line;
}

bool line_is_high(uint8_t line) {
    (void)line;
    return true;
}

void lines_end(void) {
}

void motor_power(uint8_t axis, bool on) {
    motors[axis].powered = on;
}

void motor_direction(uint8_t axis, bool north) {
    motors[axis].north = north;
}

void step_clock(bool running) {
    clock_runs = running;
}

bool endstop_closed(uint8_t axis) {
    if (motors[axis].endstop != RIG_ENDSTOP_FINE)
        return motors[axis].endstop == RIG_ENDSTOP_CLOSED;
    return motors[axis].place <= lanes[axis][0] * 2 / 25;
}

bool button_loop_closed(void) {
    return button_closed;
}

bool button_known(void) {
    return button_remembered;
}

void button_remember(void) {
    button_remembered = true;
}

uint8_t interrupts_lock(void) {
    return 0;
}

void interrupts_unlock(uint8_t before) {
    (void)before;
}
