#include "carriages.h"

#include "chip.h"
#include "pins.h"

#define STEPS_PER_MM 80
#define PULSE_LEAST CYCLES(1)
/* The endstop closes at the lane's southern end; the carriage can go a little further either way. */
#define SPARE (3 * STEPS_PER_MM)

static const int32_t ends[CARRIAGES][2] = {
    {-180 * STEPS_PER_MM, 180 * STEPS_PER_MM}, {-180 * STEPS_PER_MM, 180 * STEPS_PER_MM},
    {-180 * STEPS_PER_MM, 180 * STEPS_PER_MM}, {-180 * STEPS_PER_MM, 180 * STEPS_PER_MM},
    {-20 * STEPS_PER_MM, 20 * STEPS_PER_MM},
};

struct pin {
    char port;
    uint8_t bit;
};
#define PIN(number, letter, bit) {#letter[0], bit},
static const struct pin direction_pins[CARRIAGES] = {DIRECTION_PINS(PIN)};
static const struct pin enable_pins[CARRIAGES] = {ENABLE_PINS(PIN)};
static const struct pin endstop_pins[CARRIAGES] = {ENDSTOP_PINS(PIN)};

static struct carriage carriages[CARRIAGES];
static enum endstop_kind kinds[CARRIAGES];
static avr_cycle_count_t rose_at[CARRIAGES], disturbed_until[CARRIAGES];

static bool is_high(const struct pin *pin) {
    return chip_port(pin->port) >> pin->bit & 1;
}

static bool is_output(const struct pin *pin) {
    return chip_ddr(pin->port) >> pin->bit & 1;
}

static void see_endstop(unsigned axis) {
    bool reached = carriages[axis].place <= ends[axis][0];
    bool closed = kinds[axis] == ENDSTOP_STUCK || (kinds[axis] == ENDSTOP_FINE && reached) ||
                  (kinds[axis] == ENDSTOP_INVERTED && !reached) || chip_now() < disturbed_until[axis];
    chip_set_input(endstop_pins[axis].port, endstop_pins[axis].bit, !closed);
}

static void rise(unsigned axis) {
    struct carriage *carriage = &carriages[axis];
    uint32_t period = chip_now() - rose_at[axis];
    if (rose_at[axis] && period < carriage->shortest_period)
        carriage->shortest_period = period;
    rose_at[axis] = chip_now();
    carriage->steps++;
    if (!carriage->powered) {
        carriage->faults++;
        return;
    }
    int32_t place = carriage->place + (is_high(&direction_pins[axis]) ? 1 : -1);
    if (place >= ends[axis][0] - SPARE && place <= ends[axis][1] + SPARE)
        carriage->place = place;
    see_endstop(axis);
}

static void step(uint8_t axis, bool high) {
    if (high)
        rise(axis);
    else if (rose_at[axis] && chip_now() - rose_at[axis] < PULSE_LEAST)
        carriages[axis].faults++;
}

static void enable(uint8_t axis, bool high) {
    carriages[axis].powered = !high && is_output(&enable_pins[axis]);
}

static avr_cycle_count_t calm(void) {
    for (unsigned axis = 0; axis < CARRIAGES; axis++)
        see_endstop(axis);
    return 0;
}

void carriages_start(void) {
#define WATCH_STEP(number, letter, bit) chip_watch_pin(#letter[0], bit, step, number);
#define WATCH_ENABLE(number, letter, bit) chip_watch_pin(#letter[0], bit, enable, number);
    STEP_PINS(WATCH_STEP)
    ENABLE_PINS(WATCH_ENABLE)
    for (unsigned axis = 0; axis < CARRIAGES; axis++) {
        carriages[axis].place = (ends[axis][0] + 3 * ends[axis][1]) / 4;
        carriages[axis].shortest_period = UINT32_MAX;
        see_endstop(axis);
    }
}

const struct carriage *carriage(unsigned axis) {
    return &carriages[axis];
}

void carriage_push(unsigned axis, int32_t place) {
    carriages[axis].place = place;
    see_endstop(axis);
}

void carriage_set_endstop(unsigned axis, enum endstop_kind kind) {
    kinds[axis] = kind;
    see_endstop(axis);
}

void carriage_disturb(unsigned axis, uint32_t us) {
    disturbed_until[axis] = chip_now() + CYCLES(us);
    see_endstop(axis);
    chip_call(CYCLES(us), calm);
}
