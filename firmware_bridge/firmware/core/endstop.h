/* An endstop that bounces: a change counts when it has lasted, and then from where it was first seen. */
#ifndef ENDSTOP_H
#define ENDSTOP_H

#include <stdbool.h>
#include <stdint.h>

struct endstop {
    bool pressed;       /* settled state */
    uint8_t differing;  /* milliseconds for which it has looked otherwise */
    int32_t changed_at; /* the carriage's place, in steps, where that began */
};

/* A millisecond has passed; the carriage is at `place`. */
void endstop_advance(struct endstop *endstop, bool closed, int32_t place);

#endif
