/* The ATmega2560 in simavr (which is GPL-3), with time and pins. This program is a test tool and never shipped. */
#ifndef CHIP_H
#define CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include <simavr/sim_avr.h>

#define CHIP_HZ 16000000
#define CYCLES(us) ((avr_cycle_count_t)(us) * (CHIP_HZ / 1000000))

extern avr_t *chip;

/* Loads a hex file; on_reset is called after every reset, also the watchdog's: timers and inputs are gone. */
void chip_start(const char *hex_file, void (*on_reset)(void));
/* Flags are those of MCUSR. The chip then does nothing for `boot_us`, as if a boot loader ran. */
void chip_reset(uint8_t flags, uint32_t boot_us);
bool chip_is_booting(void);
/* The program hangs where it is, until the next reset. */
void chip_hang(void);
/* Cycles since the program was started; goes on over resets. */
avr_cycle_count_t chip_now(void);
/* Cycles in which the processor slept. */
avr_cycle_count_t chip_slept(void);
void chip_run_until(avr_cycle_count_t cycle);
/* Calls once, then again after as many cycles as the function returns; 0 ends it. */
typedef avr_cycle_count_t (*chip_timer)(void);
void chip_call(avr_cycle_count_t in, chip_timer function);

/* Ports by letter. Outputs are watched, inputs set: an input keeps its level whatever the firmware does. */
uint8_t chip_ddr(char port);
uint8_t chip_port(char port);
void chip_set_input(char port, uint8_t bit, bool high);
void chip_watch_pin(char port, uint8_t bit, void (*changed)(uint8_t tag, bool high), uint8_t tag);
/* Raises a pin for so many cycles, as if the firmware did: for tests of whoever watches it. */
void chip_pulse(char port, uint8_t bit, uint32_t cycles);
/* Called before a port's directions or outputs change, with what they will be. */
void chip_watch_ports(void (*changed)(void));

#endif
