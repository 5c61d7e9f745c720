/* What the host asks for. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

/* Carries out a valid message of the host; false if there is no room for the answer: to be repeated later. */
bool commands_take(const uint8_t *payload, uint8_t length);

#endif
