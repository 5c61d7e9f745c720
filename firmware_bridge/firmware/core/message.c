#include "message.h"

#include "flash.h"
#include "protocol.h"

struct shape {
    uint8_t id, shortest, longest, unit;
};

#define SHAPE(name, shortest, longest, unit) {name##_ID, shortest, longest, unit},
static const struct shape shapes[] PROGMEM = {HOST_MESSAGES(SHAPE)};

static bool has_a_shape(uint8_t id, uint8_t length) {
    for (uint8_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
        struct shape shape;
        memcpy_P(&shape, &shapes[n], sizeof shape);
        if (shape.id == id)
            return length >= shape.shortest && length <= shape.longest &&
                   (length - shape.shortest) % shape.unit == 0;
    }
    return false;
}

bool message_valid(const uint8_t *payload, uint8_t length) {
    if (length == 0 || !has_a_shape(payload[0], length))
        return false;
#define HIGHEST(NAME, name, field, highest) \
    if (payload[0] == NAME##_ID && ((const struct name *)payload)->field > (highest)) \
        return false;
#define KNOWN(NAME, name, field, known) \
    if (payload[0] == NAME##_ID && (((const struct name *)payload)->field & (uint16_t)~(known))) \
        return false;
    HOST_FIELDS(HIGHEST, KNOWN)
    return true;
}
