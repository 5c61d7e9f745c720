#include "ramp.h"

/* 1 mm/s is STEPS_PER_MM / STEP_RATE_HZ steps a tick: 0.005. */
#define SPEED_UNIT ((uint32_t)((4294967296.0 * STEPS_PER_MM / STEP_RATE_HZ) / 1000 + 0.5))
/* 1 mm/s² adds a thousandth of that a millisecond; in 1/256, as it is a small number. */
#define GAIN_UNIT_256 ((uint32_t)((4294967296.0 * STEPS_PER_MM / STEP_RATE_HZ) / 1e6 * 256 + 0.5))
/* Slower than this it would not arrive within an evening. */
#define MIN_SPEED_UM_S 100UL
#define MIN_ACCELERATION_UM_S2 1000UL

_Static_assert((MAX_SPEED_UM_S * (uint64_t)SPEED_UNIT) >> 32 == 0, "more than a step a tick");
_Static_assert((MAX_ACCELERATION_UM_S2 / 16 * (uint64_t)GAIN_UNIT_256) >> 32 == 0, "more than 32 bits");

static uint32_t between(uint32_t lowest, uint32_t value, uint32_t highest) {
    return value < lowest ? lowest : value > highest ? highest : value;
}

void ramp_start(struct ramp *ramp, uint32_t speed_um_s, uint32_t acceleration_um_s2) {
    speed_um_s = between(MIN_SPEED_UM_S, speed_um_s, MAX_SPEED_UM_S);
    acceleration_um_s2 = between(MIN_ACCELERATION_UM_S2, acceleration_um_s2, MAX_ACCELERATION_UM_S2);
    ramp->highest = speed_um_s * SPEED_UNIT;
    ramp->slowest = between(0, speed_um_s, START_SPEED_UM_S) * SPEED_UNIT;
    ramp->gain = acceleration_um_s2 / 16 * GAIN_UNIT_256 / 16;
    ramp->speed = ramp->slowest;
    ramp->rise = 0;
    ramp->stage = RAMP_RISING;
}

void ramp_advance(struct ramp *ramp, uint16_t done, uint16_t left) {
    if (ramp->stage == RAMP_RISING) {
        ramp->rise = done;
        if (ramp->highest - ramp->speed <= ramp->gain) {
            ramp->speed = ramp->highest;
            ramp->stage = RAMP_EVEN;
        } else {
            ramp->speed += ramp->gain;
        }
    }
    /* As many steps down as up. */
    if (ramp->stage != RAMP_FALLING && left <= ramp->rise)
        ramp->stage = RAMP_FALLING;
    if (ramp->stage == RAMP_FALLING)
        ramp->speed = ramp->speed - ramp->slowest > ramp->gain ? ramp->speed - ramp->gain : ramp->slowest;
}

uint16_t ramp_brake(struct ramp *ramp, uint16_t done) {
    uint16_t needed = ramp->stage == RAMP_FALLING ? UINT16_MAX : ramp->stage == RAMP_RISING ? done : ramp->rise;
    ramp->stage = RAMP_FALLING;
    return needed;
}
