/* The board's end of the conversation: hello, order, repetition, heartbeat. See docs/protocol.md. */
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stdint.h>

void session_start(void);
/* A host is connected. */
bool session_ready(void);
/* Bytes were lost before they could be read. */
void session_overrun(void);
/* Takes one byte from the wire. */
void session_receive(uint8_t byte, uint32_t now);
/* Writes what is due; to be called after session_receive, and every millisecond. */
void session_poll(uint32_t now);

#endif
