/* Bytes in, frames out, and back; see docs/protocol.md for the layout. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

struct frame {
    uint8_t kind; /* FRAME_DATA … FRAME_LOOSE */
    uint8_t session;
    uint8_t sequence;
    uint8_t acknowledged; /* the sequence number expected next from the other end */
    uint8_t length;
    const uint8_t *payload;
};

/* Writes the frame with its closing delimiter to `out`, at most MAX_ENCODED + 1 bytes: how many. */
uint8_t frame_pack(const struct frame *frame, uint8_t *out);

enum arrival { FRAME_INCOMPLETE, FRAME_DAMAGED, FRAME_WHOLE };

/* Cuts any bytes at all into frames. Unstuffs and sums them as they come, so that little is left to do when the
 * last one is there; never holds more than one frame's bytes. */
struct frame_parser {
    uint8_t body[MAX_DECODED];
    uint8_t length;
    uint8_t until_zero; /* bytes to come before the next zero, which is not sent but told */
    uint16_t crc;
    bool begun, too_long;
};

void frame_begin(struct frame_parser *parser);
/* Takes one byte. A whole frame's payload stays valid until the next byte. */
enum arrival frame_feed(struct frame_parser *parser, uint8_t byte, struct frame *frame);

#endif
