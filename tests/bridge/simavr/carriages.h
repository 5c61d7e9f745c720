/* The five axes: drivers that count steps, carriages between hard ends, endstops with their faults. */
#ifndef CARRIAGES_H
#define CARRIAGES_H

#include <stdbool.h>
#include <stdint.h>

#define CARRIAGES 5

enum endstop_kind { ENDSTOP_FINE, ENDSTOP_MISSING, ENDSTOP_STUCK, ENDSTOP_INVERTED };

struct carriage {
    int32_t place;   /* steps from the middle of the lane */
    uint32_t steps;  /* pulses given */
    bool powered;
    uint32_t faults; /* pulses without power, or shorter than the driver takes */
    uint32_t shortest_period; /* cycles between two pulses */
};

void carriages_start(void);
const struct carriage *carriage(unsigned axis);
/* Pushes it there by hand. */
void carriage_push(unsigned axis, int32_t place);
void carriage_set_endstop(unsigned axis, enum endstop_kind kind);
/* Something, perhaps a motor's cable, makes the endstop look pressed for a while. */
void carriage_disturb(unsigned axis, uint32_t us);

#endif
