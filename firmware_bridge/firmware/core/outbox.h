/* Messages on their way to the host: queued, in flight, written again within a window. */
#ifndef OUTBOX_H
#define OUTBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "frame.h"

/* Room that only answers may use: reed changes leave it free, or a busy table could not be told anything. */
#define OUTBOX_RESERVE 1024

void outbox_clear(void);
uint16_t outbox_room(void); /* bytes; a message takes one more than its payload */
bool outbox_empty(void);    /* nothing queued, nothing unacknowledged */
bool outbox_put(const void *payload, uint8_t length);

/* The next payload to write, in `payload` of MAX_PAYLOAD bytes: its length, 0 if there is none now. */
uint8_t outbox_peek(uint8_t *payload, uint8_t *sequence);
/* What was peeked has been written; true if for the first time. */
bool outbox_written(uint32_t now);

/* The host expects this sequence number next. */
void outbox_acknowledge(uint8_t expected, uint32_t now);
/* Write everything in flight again. */
void outbox_go_back(uint32_t now);
/* Goes back when the host has been silent about the flight for too long; false: it will never answer. */
bool outbox_tick(uint32_t now);

#endif
