#include "session.h"

#include "board.h"
#include "commands.h"
#include "frame.h"
#include "identity.h"
#include "message.h"
#include "outbox.h"
#include "table.h"

static bool ready;
static uint8_t session;
static uint32_t nonce;
static uint8_t expected; /* sequence number of the host's next data frame */
static uint8_t answer;   /* FRAME_ACK or FRAME_NAK owed, 0 none */
static bool complained;  /* a NAK was sent, and nothing in order has come since */
static bool hello_owed;
static uint32_t hello_at, heartbeat_at, polled_at;
static uint16_t silence_ms;
static struct frame_parser parser;
static uint16_t damaged, repeated, overruns;

static void count(uint16_t *counter) {
    if (*counter != UINT16_MAX)
        ++*counter;
}

static bool is_due(uint32_t at, uint32_t now) {
    return (int32_t)(now - at) >= 0;
}

static void start_over(void) {
    outbox_clear();
    expected = 0;
    answer = 0;
    complained = false;
    silence_ms = 0;
}

void session_start(void) {
    ready = false;
    session = 0;
    nonce = 0;
    hello_owed = true;
    hello_at = heartbeat_at = polled_at = 0;
    frame_begin(&parser);
    damaged = repeated = overruns = 0;
    start_over();
}

bool session_ready(void) {
    return ready;
}

void session_overrun(void) {
    count(&overruns);
}

static void lose(void) {
    ready = false;
    session = 0;
    nonce = 0;
    hello_owed = true;
    start_over();
    table_lost();
}

/* Ask once, until the next frame in order, that the host goes back. */
static void complain(void) {
    if (ready && !complained) {
        complained = true;
        answer = FRAME_NAK;
    }
}

static void take_connect(const uint8_t *payload, uint32_t now) {
    const struct connect *connect = (const void *)payload;
    if (connect->nonce == 0)
        return;
    bool same_table = connect->version == PROTOCOL_VERSION && connect->table_hash == TABLE_HASH;
    if (same_table && !(ready && connect->nonce == nonce)) {
        if (ready)
            lose(); /* another host has connected */
        start_over();
        ready = true;
        nonce = connect->nonce;
        session = nonce % 255 + 1;
        heartbeat_at = now + HEARTBEAT_MS;
        table_connected();
    }
    hello_owed = true; /* answer, also a repeated one */
}

static void take_data(const struct frame *frame) {
    uint8_t ahead = frame->sequence - expected;
    if (ahead == 0) {
        if (!message_valid(frame->payload, frame->length)) {
            complain(); /* both ends have the same table, so it was damaged in spite of its check sum */
        } else if (commands_take(frame->payload, frame->length)) {
            expected++;
            complained = false;
            answer = FRAME_ACK;
        } /* else there is no room for the answer: it is not acknowledged, and will be repeated */
    } else if (ahead >= (uint8_t)(256 - 2 * WINDOW)) {
        if (!answer)
            answer = FRAME_ACK;
    } else {
        complain();
    }
}

static void take(const struct frame *frame, uint32_t now) {
    bool loose = frame->kind == FRAME_LOOSE && message_valid(frame->payload, frame->length);
    if (loose && frame->payload[0] == CONNECT_ID) {
        take_connect(frame->payload, now);
        return;
    }
    if (!ready || frame->session != session)
        return;
    silence_ms = 0;
    if (frame->kind == FRAME_LOOSE) {
        if (loose && frame->payload[0] == EMERGENCY_STOP_ID)
            commands_take(frame->payload, frame->length);
        return; /* a heartbeat has said enough by being heard */
    }
    outbox_acknowledge(frame->acknowledged, now);
    if (frame->kind == FRAME_NAK)
        outbox_go_back(now);
    else if (frame->kind == FRAME_DATA)
        take_data(frame);
}

void session_receive(uint8_t byte, uint32_t now) {
    struct frame frame;
    switch (frame_feed(&parser, byte, &frame)) {
    case FRAME_WHOLE:
        take(&frame, now);
        break;
    case FRAME_DAMAGED:
        count(&damaged);
        complain();
        break;
    case FRAME_INCOMPLETE:
        break;
    }
}

/* Writes a frame if the wire has room for it. */
static bool write_frame(uint8_t kind, uint8_t sequence, const void *payload, uint8_t length) {
    static uint8_t encoded[MAX_ENCODED + 2];
    if (wire_room() < (uint16_t)(length + FRAME_OVERHEAD + 1))
        return false;
    struct frame frame = {kind, session, sequence, expected, length, payload};
    /* An opening delimiter ends whatever noise has put into the host's buffer meanwhile. */
    encoded[0] = 0;
    wire_write(encoded, frame_pack(&frame, encoded + 1) + 1);
    heartbeat_at = polled_at + HEARTBEAT_MS;
    return true;
}

static bool write_hello(uint32_t now) {
    struct hello hello;
    uint8_t length = identity_fill(&hello, nonce, now);
    return write_frame(FRAME_LOOSE, 0, &hello, length);
}

static void write_data(uint32_t now) {
    static uint8_t payload[MAX_PAYLOAD];
    uint8_t sequence, length;
    while ((length = outbox_peek(payload, &sequence)) && write_frame(FRAME_DATA, sequence, payload, length)) {
        if (!outbox_written(now))
            count(&repeated);
        if (answer == FRAME_ACK)
            answer = 0; /* every frame carries the acknowledgement */
    }
}

static void write_heartbeat(uint32_t now) {
    struct heartbeat heartbeat = {HEARTBEAT_ID, now, damaged, repeated, overruns};
    write_frame(FRAME_LOOSE, 0, &heartbeat, sizeof heartbeat);
}

void session_poll(uint32_t now) {
    uint32_t passed = now - polled_at;
    polled_at = now;
    if (!ready) {
        if ((hello_owed || is_due(hello_at, now)) && write_hello(now)) {
            hello_owed = false;
            hello_at = now + BEACON_MS;
        }
        return;
    }
    silence_ms += passed < HEARTBEAT_MS ? passed : HEARTBEAT_MS; /* no blame for when nobody listened */
    if (silence_ms > DEAD_AFTER_MS || !outbox_tick(now)) {
        lose();
        return;
    }
    if (hello_owed && write_hello(now))
        hello_owed = false;
    write_data(now);
    if (answer && write_frame(answer, 0, 0, 0))
        answer = 0;
    if (is_due(heartbeat_at, now))
        write_heartbeat(now);
}
