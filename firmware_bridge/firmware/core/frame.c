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

static bool unpack(struct frame_parser *parser, struct frame *frame) {
    uint8_t *body = parser->buffer;
    int16_t length = cobs_decode(body, parser->length);
    if (length < FRAME_HEADER + FRAME_CRC || length > MAX_DECODED)
        return false;
    if (body[4] != length - FRAME_HEADER - FRAME_CRC)
        return false;
    uint16_t crc = CRC_START;
    for (uint8_t n = 0; n < length; n++)
        crc = crc_add(crc, body[n]);
    if (crc != 0 || body[0] < FRAME_DATA || body[0] > FRAME_LOOSE)
        return false;
    *frame = (struct frame){body[0], body[1], body[2], body[3], body[4], body + FRAME_HEADER};
    return true;
}

enum arrival frame_feed(struct frame_parser *parser, uint8_t byte, struct frame *frame) {
    if (byte != 0) {
        if (parser->length < MAX_ENCODED)
            parser->buffer[parser->length++] = byte;
        else
            parser->too_long = true;
        return FRAME_INCOMPLETE;
    }
    if (parser->length == 0) /* two delimiters in a row */
        return FRAME_INCOMPLETE;
    bool whole = !parser->too_long && unpack(parser, frame);
    parser->length = 0;
    parser->too_long = false;
    return whole ? FRAME_WHOLE : FRAME_DAMAGED;
}
