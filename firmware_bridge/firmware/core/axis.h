/* The five carriages: homing, moves, stops. Places are µm from the middle of the lane, to the north. */
#ifndef AXIS_H
#define AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

void axes_start(void);
/* So many milliseconds have passed. Calls table_axis_changed when an axis changes its state by itself. */
void axes_advance(uint8_t passed_ms);

void axis_fill(uint8_t axis, struct axis_status *status);
uint8_t axis_state(uint8_t axis);     /* AXIS_STATE_… */
uint8_t axis_knowledge(uint8_t axis); /* KNOWLEDGE_… */
uint8_t axis_fault(uint8_t axis);     /* AXIS_FAULT_… */
/* Is the place within the axis's lane? */
bool axis_reaches(uint8_t axis, int32_t target_um);

/* Finds the endstop by two approaches. Only for an axis that stands still. */
void axis_home(uint8_t axis);
/* Only for an axis that stands still and is not lost, to a place that it reaches. */
void axis_move(uint8_t axis, int32_t target_um, uint32_t speed_um_s, uint32_t acceleration_um_s2);
/* Slows down and stops. */
void axis_stop(uint8_t axis);
/* All motors off at once; every place is unknown after. */
void axes_cut(void);

#endif
