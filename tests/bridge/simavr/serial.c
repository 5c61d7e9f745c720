#include "serial.h"

#include <string.h>

#include <simavr/avr_uart.h>

#include "chip.h"

DEFINE_FIFO(uint16_t, uart_fifo);

#define BYTE_CYCLES (10 * CHIP_HZ / 250000) /* 8N1 */
/* Two bytes in the receiver's buffer and one in its shift register; the next one is lost. */
#define RECEIVER_BYTES 3
#define QUEUE (1 << 16)

static avr_uart_t *uart;
static uint8_t in[QUEUE], out[QUEUE];
static avr_cycle_count_t out_due[QUEUE];
static size_t in_head, in_tail, out_head, out_tail;
static bool sending;
static uint32_t overruns;
static avr_cycle_count_t busy_at, heard_at;

static void see_pending(void) {
    if (!uart_fifo_isempty(&uart->input))
        avr_raise_interrupt(chip, &uart->rxc);
}

/* A byte of the host has arrived completely. It goes past simavr's own pacing, which counts 11 bits a byte. */
static avr_cycle_count_t byte_arrived(void) {
    uint8_t byte = in[in_tail++ % QUEUE];
    busy_at = heard_at = chip_now();
    if (!avr_regbit_get(chip, uart->rxen)) {
        /* the firmware has not started the receiver */
    } else if (uart_fifo_get_read_size(&uart->input) >= RECEIVER_BYTES) {
        overruns++;
        avr_regbit_set(chip, uart->dor);
    } else {
        uart_fifo_write(&uart->input, byte);
        uart->rx_cnt = 0;
        see_pending();
    }
    sending = in_tail != in_head;
    return sending ? BYTE_CYCLES : 0;
}

/* simavr's receive interrupt is an edge, the chip's a level. */
static void receive_interrupt(avr_irq_t *irq, uint32_t running, void *param) {
    (void)irq;
    (void)param;
    if (running)
        return;
    avr_regbit_clear(chip, uart->dor);
    see_pending();
}

/* Told when the byte is written to the data register, one byte early. */
static void byte_sent(avr_irq_t *irq, uint32_t byte, void *param) {
    (void)irq;
    (void)param;
    busy_at = chip_now() + BYTE_CYCLES;
    out[out_head % QUEUE] = byte;
    out_due[out_head++ % QUEUE] = busy_at;
}

/* 8N1 takes 10 bits; simavr sets its own idea with every write to the baud registers. */
static avr_cycle_count_t correct_pace(void) {
    uart->cycles_per_byte = BYTE_CYCLES;
    return CYCLES(1000);
}

void serial_start(void) {
    for (avr_io_t *io = chip->io_port; io; io = io->next)
        if (strcmp(io->kind, "uart") == 0 && ((avr_uart_t *)io)->name == '0')
            uart = (avr_uart_t *)io;
    uint32_t flags = 0;
    avr_ioctl(chip, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(uart->io.irq + UART_IRQ_OUTPUT, byte_sent, NULL);
    avr_irq_register_notify(&uart->rxc.irq[AVR_INT_IRQ_RUNNING], receive_interrupt, NULL);
    serial_reset();
}

void serial_reset(void) {
    if (!uart)
        return;
    sending = false;
    serial_discard();
    chip_call(CYCLES(50), correct_pace);
}

bool serial_put(const uint8_t *data, size_t length) {
    if (in_head - in_tail + length > QUEUE)
        return false;
    for (size_t n = 0; n < length; n++)
        in[in_head++ % QUEUE] = data[n];
    if (!sending && length) {
        sending = true;
        chip_call(BYTE_CYCLES, byte_arrived);
    }
    return true;
}

void serial_discard(void) {
    in_tail = in_head - (sending ? 1 : 0);
}

size_t serial_take(uint8_t *data, size_t most) {
    size_t count = 0;
    while (count < most && out_tail != out_head && out_due[out_tail % QUEUE] <= chip_now())
        data[count++] = out[out_tail++ % QUEUE];
    return count;
}

uint64_t serial_next_due(void) {
    return out_tail == out_head ? 0 : out_due[out_tail % QUEUE];
}

bool serial_quiet(uint32_t us) {
    return !sending && out_tail == out_head && chip_now() >= busy_at + CYCLES(us);
}

uint64_t serial_heard_at(void) {
    return heard_at;
}

uint32_t serial_overruns(void) {
    return overruns;
}
