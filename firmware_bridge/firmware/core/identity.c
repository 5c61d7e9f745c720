#include "identity.h"

#include <stddef.h>

#include "board.h"
#include "flash.h"

/* The build names its sources: `make` gives the first digits of their SHA-256. */
#ifndef SOURCES
#define SOURCES "unnamed"
#endif
static const char name[] PROGMEM = "olympus " SOURCES;

static uint8_t reset_cause;
static uint16_t boot_count;

void identity_start(uint8_t cause, uint16_t boots) {
    reset_cause = cause;
    boot_count = boots;
}

uint8_t identity_fill(struct hello *hello, uint32_t nonce, uint32_t now) {
    uint16_t fitted = CAPABILITY_REEDS | CAPABILITY_LEDS | CAPABILITY_AXES;
    if (button_known())
        fitted |= CAPABILITY_EMERGENCY_BUTTON;
    *hello = (struct hello){
        .id = HELLO_ID,
        .version = PROTOCOL_VERSION,
        .table_hash = TABLE_HASH,
        .nonce = nonce,
        .boot_count = boot_count,
        .reset_cause = reset_cause,
        .uptime_ms = now,
        .capabilities = fitted,
        .leds = LEDS,
        .reeds = REEDS,
        .axes = AXES,
        .receive_bytes = RECEIVE_BYTES,
    };
    uint8_t length = sizeof name - 1;
    if (length > sizeof hello->firmware)
        length = sizeof hello->firmware;
    memcpy_P(hello->firmware, name, length);
    return offsetof(struct hello, firmware) + length;
}
