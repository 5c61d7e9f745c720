/* The firmware's core with a table made of variables: what board.h asks for, and hands for the tests. */
#ifndef RIG_H
#define RIG_H

#include <stdbool.h>
#include <stdint.h>

#define RIG_AXES 5

void rig_start(uint8_t cause, uint16_t boots);
/* What the board's clock shows from now on. */
void rig_set_clock(uint32_t ms);
/* Bytes from the host; time stands still. */
void rig_receive(const uint8_t *data, uint32_t length);
/* So many milliseconds pass, every tick of the step clock in them. */
void rig_advance(uint32_t ms);
/* What the board has written since this was asked last. */
uint32_t rig_take(uint8_t *data, uint32_t most);

void rig_set_reeds(const uint8_t bits[13]);
enum { RIG_ENDSTOP_FINE, RIG_ENDSTOP_OPEN, RIG_ENDSTOP_CLOSED };
void rig_set_endstop(uint8_t axis, uint8_t kind);
void rig_set_button(bool closed);
/* The host reads nothing any more, or again. */
void rig_block(bool blocked);

int32_t rig_place(uint8_t axis);
uint32_t rig_steps(uint8_t axis);
bool rig_powered(uint8_t axis);
/* Steps of an axis whose motor was off. */
uint32_t rig_faults(void);
const uint8_t *rig_leds(void);
uint32_t rig_led_writes(void);

#endif
