/* The LEDs' data line; see led_write in board.h. */
#ifndef LEDS_H
#define LEDS_H

void leds_start(void);

#endif
