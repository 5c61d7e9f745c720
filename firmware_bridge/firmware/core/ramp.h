/* Speed along a way: up with bounded acceleration, even, and down again so that it ends slowly.
 * Called once a millisecond with the steps done and to go; a late call only rounds the corners. */
#ifndef RAMP_H
#define RAMP_H

#include <stdint.h>

#include "protocol.h"

enum ramp_stage { RAMP_RISING, RAMP_EVEN, RAMP_FALLING };

/* Speeds are steps a tick of the step clock, in 1/2^32; the upper half is a stepper's rate. */
struct ramp {
    uint32_t speed, slowest, highest;
    uint32_t gain; /* a millisecond */
    uint16_t rise; /* steps it took to rise to the even speed */
    enum ramp_stage stage;
};

/* Prepares a way; speed and acceleration are brought within the limits. */
void ramp_start(struct ramp *ramp, uint32_t speed_um_s, uint32_t acceleration_um_s2);
/* A millisecond has passed. */
void ramp_advance(struct ramp *ramp, uint16_t done, uint16_t left);
/* Slow down from now on: the most steps that this takes. */
uint16_t ramp_brake(struct ramp *ramp, uint16_t done);

static inline uint16_t ramp_rate(const struct ramp *ramp) {
    return ramp->speed >> 16;
}

#endif
