#include "reset.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "motors.h"
#include "protocol.h"

/* Boot loaders clear the processor's own register before the program can read it. RAM outlives a reset but not
 * the loss of power: these two words tell a reset from a start, and the watchdog's reset from the button's. */
#define RUNNING 0x5AC3F00DUL
#define HUNG 0xA53C0FF2UL
static uint32_t mark __attribute__((section(".noinit")));
static uint8_t flags __attribute__((section(".noinit")));

/* The watchdog still runs after its own reset, with the shortest time: off before anything else. */
__attribute__((naked, used, section(".init3"))) static void read_flags(void) {
    flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

uint8_t reset_cause(void) {
    uint32_t before = mark;
    mark = RUNNING;
    if (before == HUNG || (flags & _BV(WDRF)))
        return RESET_CAUSE_WATCHDOG;
    if (flags & _BV(PORF))
        return RESET_CAUSE_POWER_ON;
    if (flags & _BV(BORF))
        return RESET_CAUSE_BROWN_OUT;
    if (flags & _BV(EXTRF) || before == RUNNING)
        return RESET_CAUSE_EXTERNAL;
    return RESET_CAUSE_POWER_ON;
}

void reset_watch(void) {
    wdt_enable(WDTO_250MS);
    WDTCSR |= _BV(WDIE); /* first the interrupt below, then the reset */
}

void reset_alive(void) {
    wdt_reset();
}

ISR(WDT_vect) {
    motors_off();
    mark = HUNG;
    for (;;) {
    }
}
