/* Is a payload one of the messages that a host may send, with values that the table allows? */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

bool message_valid(const uint8_t *payload, uint8_t length);

#endif
