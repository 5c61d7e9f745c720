#include "lights.h"

#include <string.h>

#include "board.h"

static uint8_t stored[3 * LEDS], shown[3 * LEDS];
static uint8_t brightness;
static uint16_t budget_ma;

/* By (level + 1)/256 every colour is multiplied: the host's brightness, or less where the budget ends. */
static uint8_t level(void) {
    uint32_t total = 0;
    for (uint16_t n = 0; n < sizeof shown; n++)
        total += shown[n];
    if (total == 0)
        return brightness;
    uint32_t allowed = budget_ma * (255UL * 256) / (total * LED_MA);
    if (allowed > brightness)
        return brightness;
    return allowed == 0 ? 0 : allowed - 1;
}

static void write_shown(void) {
    led_write(shown, level());
}

void lights_start(void) {
    brightness = 255;
    budget_ma = DEFAULT_BUDGET_MA;
    lights_show_no_host();
}

bool lights_store(uint8_t offset, const uint8_t *colours, uint8_t bytes) {
    if (offset + bytes / 3 > LEDS)
        return false;
    memcpy(stored + 3 * offset, colours, bytes);
    return true;
}

void lights_show(void) {
    memcpy(shown, stored, sizeof shown);
    write_shown();
}

void lights_limit(uint8_t of_255, uint16_t ma) {
    brightness = of_255;
    budget_ma = ma;
    write_shown();
}

void lights_show_no_host(void) {
    static const uint8_t colour[] = NO_HOST_COLOUR;
    memset(stored, 0, sizeof stored);
    memcpy(stored + 3 * NO_HOST_LED, colour, sizeof colour);
    lights_show();
}
