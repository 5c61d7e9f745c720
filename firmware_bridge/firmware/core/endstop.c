#include "endstop.h"

#include "protocol.h"

void endstop_advance(struct endstop *endstop, bool closed, int32_t place) {
    if (closed == endstop->pressed) {
        endstop->differing = 0;
        return;
    }
    if (endstop->differing++ == 0)
        endstop->changed_at = place;
    if (endstop->differing >= ENDSTOP_DEBOUNCE_MS) {
        endstop->pressed = closed;
        endstop->differing = 0;
    }
}
