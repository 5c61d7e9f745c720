/* The serial line to the computer, through the board's USB chip. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);
/* The next byte received; false if there is none. */
bool uart_read(uint8_t *byte);
bool uart_waiting(void);
/* How many times bytes were lost since this was asked last. */
uint8_t uart_overruns(void);

#endif
