#include "lights.h"

#include <string.h>

#include "board.h"

/* Colours with their sum, by which the current goes. It is kept up to date, as a picture is wanted at once. */
struct picture {
    uint8_t colours[3 * LEDS];
    uint32_t total;
};

static struct picture stored, shown;
static uint8_t brightness;
static uint16_t budget_ma;
static uint16_t alone_ms; /* into the period of the sign of no host */

/* By (level + 1)/256 every colour is multiplied: the host's brightness, or less where the budget ends. */
static uint8_t level(void) {
    if (shown.total == 0)
        return brightness;
    uint32_t allowed = budget_ma * (255UL * 256) / (shown.total * LED_MA);
    if (allowed > brightness)
        return brightness;
    return allowed == 0 ? 0 : allowed - 1;
}

static void write_shown(void) {
    led_write(shown.colours, level());
}

void lights_start(void) {
    budget_ma = DEFAULT_BUDGET_MA;
    lights_show_no_host();
}

bool lights_store(uint8_t offset, const uint8_t *colours, uint8_t bytes) {
    if (offset + bytes / 3 > LEDS)
        return false;
    uint8_t *into = stored.colours + 3 * offset;
    uint16_t more = 0, less = 0; /* 35 LEDs at most: below 65536 */
    for (; bytes; bytes--) {
        more += *colours;
        less += *into;
        *into++ = *colours++;
    }
    stored.total += more;
    stored.total -= less;
    return true;
}

void lights_show(void) {
    shown = stored;
    write_shown();
}

void lights_limit(uint8_t of_255, uint16_t ma) {
    brightness = of_255;
    budget_ma = ma;
    write_shown();
}

void lights_show_no_host(void) {
    static const uint8_t colour[] = NO_HOST_COLOUR;
    brightness = 255; /* the last host may have wished for darkness */
    alone_ms = 0;
    memset(&stored, 0, sizeof stored);
    lights_store(NO_HOST_LED, colour, sizeof colour);
    lights_show();
}

void lights_advance_no_host(uint8_t passed_ms) {
    bool was_lit = alone_ms < NO_HOST_LIT_MS;
    alone_ms += passed_ms;
    if (alone_ms >= NO_HOST_PERIOD_MS) {
        lights_show_no_host();
    } else if (was_lit && alone_ms >= NO_HOST_LIT_MS) {
        memset(&stored, 0, sizeof stored);
        lights_show();
    }
}
