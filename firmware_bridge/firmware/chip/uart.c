#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "board.h"

#define IN_SIZE RECEIVE_BYTES
#define OUT_SIZE 512
_Static_assert((IN_SIZE & (IN_SIZE - 1)) == 0 && (OUT_SIZE & (OUT_SIZE - 1)) == 0, "powers of two");

static uint8_t in[IN_SIZE], out[OUT_SIZE];
static volatile uint16_t in_head, out_tail; /* moved by the interrupts */
static volatile uint16_t in_tail, out_head; /* moved by everybody else */
static volatile uint8_t overruns;

void uart_start(void) {
    UBRR0 = F_CPU / 8 / BAUD - 1;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00); /* 8N1 */
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART0_RX_vect) {
    uint8_t status = UCSR0A;
    uint8_t byte = UDR0;
    uint16_t next = (in_head + 1) % IN_SIZE;
    if ((status & _BV(DOR0)) || next == in_tail)
        overruns++;
    if (next == in_tail)
        return;
    in[in_head] = byte;
    in_head = next;
}

ISR(USART0_UDRE_vect) {
    uint16_t tail = out_tail;
    if (tail == out_head) {
        UCSR0B &= ~_BV(UDRIE0);
        return;
    }
    UDR0 = out[tail];
    out_tail = (tail + 1) % OUT_SIZE;
}

static uint16_t read_shared(volatile uint16_t *index) {
    uint16_t value;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        value = *index;
    }
    return value;
}

static void write_shared(volatile uint16_t *index, uint16_t value) {
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        *index = value;
    }
}

bool uart_waiting(void) {
    return read_shared(&in_head) != in_tail;
}

bool uart_read(uint8_t *byte) {
    if (!uart_waiting())
        return false;
    *byte = in[in_tail];
    write_shared(&in_tail, (in_tail + 1) % IN_SIZE);
    return true;
}

uint8_t uart_overruns(void) {
    uint8_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        count = overruns;
        overruns = 0;
    }
    return count;
}

uint16_t wire_room(void) {
    return (read_shared(&out_tail) - out_head - 1) % OUT_SIZE;
}

void wire_write(const uint8_t *data, uint8_t length) {
    uint16_t head = out_head;
    while (length--) {
        out[head] = *data++;
        head = (head + 1) % OUT_SIZE;
    }
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        out_head = head;
        UCSR0B |= _BV(UDRIE0);
    }
}
