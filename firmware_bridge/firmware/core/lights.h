/* What the LEDs show, and how bright they may be together. */
#ifndef LIGHTS_H
#define LIGHTS_H

#include <stdbool.h>
#include <stdint.h>

void lights_start(void);
/* Stores colours (red, green, blue each) from an LED on; false if there are not so many LEDs. */
bool lights_store(uint8_t offset, const uint8_t *colours, uint8_t bytes);
void lights_show(void);
/* Brightness in 1/255, and the current in mA that all LEDs may draw together. */
void lights_limit(uint8_t brightness, uint16_t budget_ma);
/* Nobody tells the board what to show: from now on, and so many milliseconds later, still. */
void lights_show_no_host(void);
void lights_advance_no_host(uint8_t passed_ms);

#endif
