/* The table controller: everything once, then round and round. */
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "clock.h"
#include "leds.h"
#include "memory.h"
#include "motors.h"
#include "reset.h"
#include "session.h"
#include "switches.h"
#include "table.h"
#include "uart.h"

uint8_t interrupts_lock(void) {
    uint8_t before = SREG;
    cli();
    return before;
}

void interrupts_unlock(uint8_t before) {
    SREG = before;
}

/* Until there is something to do: a byte, or another millisecond. The step clock alone wakes nobody for long. */
static void sleep(uint32_t now) {
    for (;;) {
        cli();
        if (uart_waiting() || clock_ms() != now)
            break;
        sei(); /* takes effect after the next instruction: no interrupt can come between */
        sleep_cpu();
        __asm__ volatile("nop\n nop"); /* where a simulated chip serves the interrupt that woke it */
    }
    sei();
}

static void pass(uint32_t now) {
    static uint32_t passed_at;
    uint32_t passed = now - passed_at;
    if (!passed)
        return;
    struct matrix seen;
    switches_read(&seen);
    table_advance(&seen, passed > UINT8_MAX ? UINT8_MAX : passed, now);
    passed_at = now;
}

int main(void) {
    struct matrix seen;
    motors_start();
    switches_start();
    leds_start();
    clock_start();
    uart_start();
    uint8_t cause = reset_cause();
    uint16_t boots = memory_count_start();
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    sei();
    switches_read(&seen);
    table_start(cause, boots, &seen);
    reset_watch();
    for (;;) {
        reset_alive();
        uint32_t now = clock_ms();
        uint8_t byte;
        for (uint8_t lost = uart_overruns(); lost; lost--)
            session_overrun();
        while (uart_read(&byte))
            session_receive(byte, now);
        pass(now);
        session_poll(now);
        sleep(now);
    }
}
