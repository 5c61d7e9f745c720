#include "chip.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_ioport.h>
#include <simavr/sim_hex.h>

#define PORTS 12
static const char letters[PORTS + 1] = "ABCDEFGHJKL";

avr_t *chip;

static void (*after_reset)(void);
static avr_cycle_count_t boot_until;

static struct {
    avr_ioport_t *io;
    uint8_t ddr, port;
} ports[PORTS];
static void (*ports_changed)(void);

static struct watch {
    void (*changed)(uint8_t tag, bool high);
    uint8_t tag;
} watches[8 * PORTS];

static int index_of(char port) {
    return strchr(letters, port) - letters;
}

/* simavr says what it does; only what goes wrong is of interest. */
static void log_errors(avr_t *avr, const int level, const char *format, va_list arguments) {
    (void)avr;
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, arguments);
}

static avr_cycle_count_t slept;

static struct {
    avr_flashaddr_t at;
    uint8_t word[2];
    bool set;
} trap;

static void count_sleep(avr_t *avr, avr_cycle_count_t cycles) {
    (void)avr;
    slept += cycles; /* the caller paces */
}

static void direction_changed(avr_irq_t *irq, uint32_t value, void *port) {
    (void)irq;
    ports[(intptr_t)port].ddr = value;
    if (ports_changed)
        ports_changed();
}

static void output_changed(avr_irq_t *irq, uint32_t value, void *port) {
    (void)irq;
    ports[(intptr_t)port].port = value;
    if (ports_changed)
        ports_changed();
}

static void pin_changed(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    struct watch *watch = param;
    watch->changed(watch->tag, value & 1);
}

/* Reset clears what the pins show: every input is driven anew, by toggling, as simavr filters what stays alike. */
static void redrive(void) {
    for (int n = 0; letters[n]; n++) {
        ports[n].ddr = ports[n].port = 0;
        for (uint8_t bit = 0; bit < 8; bit++) {
            if (!(ports[n].io->external.pull_mask >> bit & 1))
                continue;
            bool high = ports[n].io->external.pull_value >> bit & 1;
            avr_raise_irq(ports[n].io->io.irq + bit, !high);
            avr_raise_irq(ports[n].io->io.irq + bit, high);
        }
    }
    if (ports_changed)
        ports_changed();
}

static void was_reset(avr_io_t *io) {
    (void)io;
    if (trap.set)
        memcpy(chip->flash + trap.at, trap.word, sizeof trap.word);
    trap.set = false;
    chip->run_cycle_limit = CYCLES(1000);
    redrive();
    if (after_reset)
        after_reset();
}

void chip_start(const char *hex_file, void (*on_reset)(void)) {
    avr_global_logger_set(log_errors);
    chip = avr_make_mcu_by_name("atmega2560");
    if (!chip || avr_init(chip)) {
        fprintf(stderr, "this simavr has no ATmega2560\n");
        exit(2);
    }
    chip->frequency = CHIP_HZ;
    chip->sleep = count_sleep;
    ihex_chunk_p chunks = NULL;
    int count = read_ihex_chunks(hex_file, &chunks);
    if (count < 1) {
        fprintf(stderr, "%s is no hex file\n", hex_file);
        exit(2);
    }
    for (int n = 0; n < count; n++) {
        avr_loadcode(chip, chunks[n].data, chunks[n].size, chunks[n].baseaddr);
        chip->codeend = chunks[n].baseaddr + chunks[n].size;
    }
    free_ihex_chunks(chunks);
    for (avr_io_t *io = chip->io_port; io; io = io->next)
        if (strcmp(io->kind, "port") == 0) {
            avr_ioport_t *port = (avr_ioport_t *)io;
            intptr_t n = index_of(port->name);
            ports[n].io = port;
            avr_irq_register_notify(io->irq + IOPORT_IRQ_DIRECTION_ALL, direction_changed, (void *)n);
            avr_irq_register_notify(io->irq + IOPORT_IRQ_REG_PORT, output_changed, (void *)n);
        }
    static avr_io_t own = {.kind = "rig", .reset = was_reset};
    avr_register_io(chip, &own);
    after_reset = on_reset;
    chip_reset(1, 0);
}

void chip_reset(uint8_t flags, uint32_t boot_us) {
    avr_reset(chip);
    chip->data[0x54] = flags; /* MCUSR */
    boot_until = chip->cycle + CYCLES(boot_us);
}

void chip_hang(void) {
    static const uint8_t jump_here[] = {0xff, 0xcf};
    trap.at = chip->pc;
    trap.set = true;
    memcpy(trap.word, chip->flash + trap.at, sizeof trap.word);
    memcpy(chip->flash + trap.at, jump_here, sizeof jump_here);
}

bool chip_is_booting(void) {
    return chip->cycle < boot_until;
}

avr_cycle_count_t chip_now(void) {
    return chip->cycle;
}

avr_cycle_count_t chip_slept(void) {
    return slept;
}

static avr_cycle_count_t stop_here(avr_t *avr, avr_cycle_count_t when, void *param) {
    (void)avr;
    (void)when;
    (void)param;
    return 0;
}

void chip_run_until(avr_cycle_count_t cycle) {
    if (chip_is_booting()) {
        chip->cycle = boot_until < cycle ? boot_until : cycle;
        if (chip->cycle == cycle)
            return;
    }
    /* A sleeping chip jumps to its next timer: this one. */
    if (cycle > chip->cycle)
        avr_cycle_timer_register(chip, cycle - chip->cycle, stop_here, NULL);
    while (chip->cycle < cycle) {
        int state = avr_run(chip);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the chip has crashed at %04x, cycle %llu\n", chip->pc,
                    (unsigned long long)chip->cycle);
            exit(3);
        }
    }
    avr_cycle_timer_cancel(chip, stop_here, NULL);
}

static avr_cycle_count_t call(avr_t *avr, avr_cycle_count_t when, void *function) {
    (void)avr;
    avr_cycle_count_t again = ((chip_timer)function)();
    return again ? when + again : 0;
}

void chip_call(avr_cycle_count_t in, chip_timer function) {
    avr_cycle_timer_register(chip, in, call, (void *)function);
}

uint8_t chip_ddr(char port) {
    return ports[index_of(port)].ddr;
}

uint8_t chip_port(char port) {
    return ports[index_of(port)].port;
}

void chip_set_input(char port, uint8_t bit, bool high) {
    avr_ioport_t *io = ports[index_of(port)].io;
    uint8_t mask = 1 << bit;
    io->external.pull_mask |= mask;
    io->external.pull_value = high ? io->external.pull_value | mask : io->external.pull_value & ~mask;
    avr_raise_irq(io->io.irq + bit, high);
}

void chip_watch_pin(char port, uint8_t bit, void (*changed)(uint8_t tag, bool high), uint8_t tag) {
    int n = index_of(port);
    struct watch *watch = &watches[8 * n + bit];
    *watch = (struct watch){changed, tag};
    avr_irq_register_notify(ports[n].io->io.irq + bit, pin_changed, watch);
}

void chip_watch_ports(void (*changed)(void)) {
    ports_changed = changed;
}

void chip_pulse(char port, uint8_t bit, uint32_t cycles) {
    avr_irq_t *pin = ports[index_of(port)].io->io.irq + bit;
    avr_raise_irq(pin, 1);
    chip->cycle += cycles;
    avr_raise_irq(pin, 0);
}
