/* The WS2812 LEDs: reads their data line as they do, and minds its timing. */
#ifndef STRIP_H
#define STRIP_H

#include <stdint.h>

#define STRIP_LEDS 105

void strip_start(void);
/* Red, green, blue of every LED as it is lit now. */
const uint8_t *strip_shown(void);
uint32_t strip_frames(void);
/* Pulses that are neither a zero nor a one, pauses within a frame that some LEDs take for its end. */
uint32_t strip_faults(void);
/* The longest pause within a frame, in cycles. */
uint32_t strip_longest_pause(void);

#endif
