#include "frame.h"

#include <string.h>

#include "cobs.h"
#include "crc.h"

uint8_t frame_pack(const struct frame *frame, uint8_t *out) {
    uint8_t body[MAX_DECODED];
    uint8_t length = frame->length;
    body[0] = frame->kind;
    body[1] = frame->session;
    body[2] = frame->sequence;
    body[3] = frame->acknowledged;
    body[4] = length;
    if (length) /* an acknowledgement has no payload at all */
        memcpy(body + FRAME_HEADER, frame->payload, length);
    length += FRAME_HEADER;
    uint16_t crc = CRC_START;
    for (uint8_t n = 0; n < length; n++)
        crc = crc_add(crc, body[n]);
    body[length++] = crc >> 8;
    body[length++] = crc & 0xFF;
    cobs_encode(body, length, out);
    out[length + 1] = 0;
    return length + 2;
}

void frame_begin(struct frame_parser *parser) {
    parser->length = 0;
    parser->until_zero = 0;
    parser->crc = CRC_START;
    parser->begun = parser->too_long = false;
}

static void add(struct frame_parser *parser, uint8_t byte) {
    if (parser->length == MAX_DECODED) {
        parser->too_long = true;
        return;
    }
    parser->body[parser->length++] = byte;
    parser->crc = crc_add(parser->crc, byte);
}

/* Is what has come until this delimiter a frame? */
static bool is_whole(const struct frame_parser *parser) {
    const uint8_t *body = parser->body;
    return !parser->too_long && parser->until_zero == 0 && parser->length >= FRAME_HEADER + FRAME_CRC &&
           body[4] == parser->length - FRAME_HEADER - FRAME_CRC && parser->crc == 0 && body[0] >= FRAME_DATA &&
           body[0] <= FRAME_LOOSE;
}

enum arrival frame_feed(struct frame_parser *parser, uint8_t byte, struct frame *frame) {
    if (byte == 0) {
        const uint8_t *body = parser->body;
        enum arrival arrival = FRAME_INCOMPLETE; /* two delimiters in a row */
        if (parser->begun)
            arrival = is_whole(parser) ? FRAME_WHOLE : FRAME_DAMAGED;
        if (arrival == FRAME_WHOLE)
            *frame = (struct frame){body[0], body[1], body[2], body[3], body[4], body + FRAME_HEADER};
        frame_begin(parser);
        return arrival;
    }
    if (parser->until_zero == 0) {
        if (parser->begun)
            add(parser, 0);
        parser->until_zero = byte - 1;
    } else {
        add(parser, byte);
        parser->until_zero--;
    }
    parser->begun = true;
    return FRAME_INCOMPLETE;
}
