#include "strip.h"

#include <stdbool.h>
#include <string.h>

#include "chip.h"
#include "pins.h"

/* WS2812B data sheet: 0.4 µs ± 0.15 µs is a zero, 0.8 µs ± 0.15 µs a one; after 280 µs low the LEDs are lit. */
#define ZERO_LEAST 4
#define ZERO_MOST 8
#define ONE_LEAST 11
#define ONE_MOST 15
#define LATCH CYCLES(280)
/* Some LEDs take a much shorter pause for the end of a frame. */
#define PAUSE_MOST CYCLES(5)
#define BITS (24 * STRIP_LEDS)

#define TEXT_OF(letter) #letter
#define LETTER_OF(letter) TEXT_OF(letter)[0]

static uint8_t arriving[3 * STRIP_LEDS], shown[3 * STRIP_LEDS];
static uint32_t bits, frames, faults, longest_pause;
static avr_cycle_count_t rose_at, fell_at;

/* The line has been low for long enough: what has arrived is shown. */
static void latch(void) {
    if (bits == 0 || chip_now() < fell_at + LATCH)
        return;
    if (bits != BITS)
        faults++;
    bits = 0;
    frames++;
    for (unsigned led = 0; led < STRIP_LEDS; led++) { /* they are sent green first */
        shown[3 * led] = arriving[3 * led + 1];
        shown[3 * led + 1] = arriving[3 * led];
        shown[3 * led + 2] = arriving[3 * led + 2];
    }
}

static void rise(void) {
    latch();
    rose_at = chip_now();
    if (bits == 0)
        return;
    uint32_t pause = rose_at - fell_at;
    if (pause > longest_pause)
        longest_pause = pause;
    if (pause > PAUSE_MOST)
        faults++;
}

static void fall(void) {
    uint32_t width = chip_now() - rose_at;
    fell_at = chip_now();
    bool zero = width >= ZERO_LEAST && width <= ZERO_MOST;
    bool one = width >= ONE_LEAST && width <= ONE_MOST;
    if (!zero && !one)
        faults++;
    if (bits < BITS) {
        uint8_t mask = 0x80 >> bits % 8;
        uint8_t *byte = &arriving[bits / 8];
        *byte = one ? *byte | mask : *byte & ~mask;
    }
    bits++;
}

static void data_line(uint8_t tag, bool high) {
    (void)tag;
    if (high)
        rise();
    else if (rose_at)
        fall();
}

void strip_start(void) {
    chip_watch_pin(LETTER_OF(LED_PORT), LED_BIT, data_line, 0);
}

const uint8_t *strip_shown(void) {
    latch();
    return shown;
}

uint32_t strip_frames(void) {
    latch();
    return frames;
}

uint32_t strip_faults(void) {
    return faults;
}

uint32_t strip_longest_pause(void) {
    return longest_pause;
}
