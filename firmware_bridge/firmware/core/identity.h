/* Who the board is: version, start and what is fitted. */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdint.h>

#include "protocol.h"

/* `cause` is one of RESET_CAUSE_…, `boots` counts the starts since the firmware was programmed. */
void identity_start(uint8_t cause, uint16_t boots);
/* Fills in a hello; returns its length. */
uint8_t identity_fill(struct hello *hello, uint32_t nonce, uint32_t now);

#endif
