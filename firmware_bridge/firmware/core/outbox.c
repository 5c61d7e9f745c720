#include "outbox.h"

#define SIZE 2048 /* a power of two */

/* A ring of messages, each its length and its payload; the first `flight` of them have been written. */
static uint8_t ring[SIZE];
static uint16_t first, used;
static uint16_t flight_bytes; /* of the ring, taken by what is in flight */
static uint8_t flight;
static uint8_t unwritten; /* of the flight, its last ones: wait to be written again */
static uint8_t first_sequence;
static uint8_t attempts; /* since the host has acknowledged anything */
static uint16_t repeat_after;
static uint32_t repeat_at;

static uint8_t at(uint16_t offset) {
    return ring[(first + offset) % SIZE];
}

static void drop_first(void) {
    uint16_t size = 1 + at(0);
    first = (first + size) % SIZE;
    used -= size;
    flight_bytes -= size;
    flight--;
    first_sequence++;
}

static void wait_for_answer(uint32_t now) {
    repeat_at = now + repeat_after;
}

void outbox_clear(void) {
    first = used = flight_bytes = 0;
    flight = unwritten = first_sequence = attempts = 0;
    repeat_after = REPEAT_MS;
}

uint16_t outbox_room(void) {
    return SIZE - used;
}

bool outbox_empty(void) {
    return used == 0;
}

bool outbox_put(const void *payload, uint8_t length) {
    const uint8_t *bytes = payload;
    if (length >= outbox_room())
        return false;
    ring[(first + used++) % SIZE] = length;
    while (length--)
        ring[(first + used++) % SIZE] = *bytes++;
    return true;
}

uint8_t outbox_peek(uint8_t *payload, uint8_t *sequence) {
    uint16_t offset = flight_bytes;
    uint8_t index = flight;
    if (unwritten) {
        offset = 0;
        for (index = 0; index < flight - unwritten; index++)
            offset += 1 + at(offset);
    } else if (flight == WINDOW || flight_bytes == used) {
        return 0;
    }
    uint8_t length = at(offset);
    for (uint8_t n = 0; n < length; n++)
        payload[n] = at(offset + 1 + n);
    *sequence = first_sequence + index;
    return length;
}

bool outbox_written(uint32_t now) {
    bool again = unwritten > 0;
    if (again) {
        unwritten--;
    } else {
        if (flight == 0)
            wait_for_answer(now);
        flight_bytes += 1 + at(flight_bytes);
        flight++;
    }
    return !again;
}

void outbox_acknowledge(uint8_t expected, uint32_t now) {
    uint8_t count = expected - first_sequence;
    if (count == 0 || count > flight)
        return;
    while (count--)
        drop_first();
    if (unwritten > flight)
        unwritten = flight;
    attempts = 0;
    repeat_after = REPEAT_MS;
    wait_for_answer(now);
}

void outbox_go_back(uint32_t now) {
    if (flight == 0)
        return;
    unwritten = flight;
    if (attempts < ATTEMPTS)
        attempts++;
    wait_for_answer(now);
}

bool outbox_tick(uint32_t now) {
    if (flight && (int32_t)(now - repeat_at) >= 0) {
        repeat_after = repeat_after < REPEAT_MAX_MS / 2 ? 2 * repeat_after : REPEAT_MAX_MS;
        outbox_go_back(now);
    }
    return attempts < ATTEMPTS;
}
