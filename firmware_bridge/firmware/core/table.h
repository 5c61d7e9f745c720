/* The table's parts together: what goes on by itself, and what the host is told of it. */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/* `seen`: the switches as they are now. `cause`: RESET_CAUSE_…; `boots`: see identity.h. */
void table_start(uint8_t cause, uint16_t boots, const struct matrix *seen);
/* One pass over the matrix at `now`; `passed_ms` since the last one. */
void table_advance(const struct matrix *seen, uint8_t passed_ms, uint32_t now);

/* A session has begun, or ended. */
void table_connected(void);
void table_lost(void);

/* The host is told as soon as there is room. */
void table_reed_changed(uint8_t index, bool closed, uint32_t since);
void table_axis_changed(uint8_t axis);
void table_emergency_changed(void);
void table_snapshot_asked(void);

#endif
