#include "cobs.h"

void cobs_encode(const uint8_t *data, uint8_t length, uint8_t *out) {
    uint8_t *code = out++; /* how far it is to the next zero: known when that is met */
    uint8_t distance = 1;
    for (uint8_t n = 0; n < length; n++) {
        if (data[n] == 0) {
            *code = distance;
            code = out++;
            distance = 1;
        } else {
            *out++ = data[n];
            distance++;
        }
    }
    *code = distance;
}
