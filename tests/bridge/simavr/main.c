/* The table controller without its table: the firmware in simavr, steered by lines on standard input.
 *
 *     chip firmware.hex
 *
 * Prints the path of its serial port, then answers every line with one line, `ok …` or `no …`. Time stands still
 * but for `advance`, `exchange` and between `run` and `hold`, where it goes at the pace of the real one. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "carriages.h"
#include "chip.h"
#include "matrix.h"
#include "port.h"
#include "serial.h"
#include "strip.h"

/* Between two looks at the port and the commands. */
#define SLICE CYCLES(250)
/* A computer that was busy for longer does not make up for it. */
#define LAG_NS 20000000
#define LINE_MOST 20000

static bool running, reset_on_open;
static uint32_t boot_us;
static uint8_t next_reeds[REED_BYTES];
static uint64_t reeds_set_ns;
static unsigned seed = 1;

static uint64_t real_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void take_commands(void);

static void run_slice(avr_cycle_count_t until) {
    if (port_was_opened() && reset_on_open)
        chip_reset(2, boot_us);
    if (chip_is_booting())
        serial_discard();
    port_exchange();
    chip_run_until(until);
    port_exchange();
}

static avr_cycle_count_t to_cycles(uint64_t ns) {
    return ns / 1000 * (CHIP_HZ / 1000000);
}

/* Time passes as in reality until `hold`: the chip is run up to the present, and waits for what comes first: a byte
 * of the host, a byte for it, a command, or the next slice. */
static void run_in_real_time(void) {
    uint64_t began_ns = real_ns();
    avr_cycle_count_t began = chip_now();
    while (running) {
        avr_cycle_count_t present = began + to_cycles(real_ns() - began_ns);
        if (present > chip_now() + to_cycles(LAG_NS)) {
            began += chip_now() + SLICE - present;
            present = chip_now() + SLICE;
        }
        while (chip_now() < present)
            run_slice(chip_now() + SLICE < present ? chip_now() + SLICE : present);
        port_exchange();
        avr_cycle_count_t next = chip_now() + SLICE, due = serial_next_due();
        if (due && due < next)
            next = due;
        uint64_t next_ns = began_ns + (next - began) * 1000 / (CHIP_HZ / 1000000), now_ns = real_ns();
        port_wait(next_ns > now_ns ? next_ns - now_ns : 0);
        take_commands();
    }
}

static void advance(avr_cycle_count_t cycles) {
    avr_cycle_count_t end = chip_now() + cycles;
    while (chip_now() < end)
        run_slice(chip_now() + SLICE < end ? chip_now() + SLICE : end);
}

static int from_hex(char digit) {
    const char *digits = "0123456789abcdef", *found = strchr(digits, digit);
    return digit && found ? found - digits : -1;
}

/* Bytes written in hexadecimal; -1 for anything else. */
static int read_hex(const char *text, uint8_t *bytes, int most) {
    int count = 0;
    for (; *text && *text != ' '; text += 2) {
        int high = from_hex(text[0]), low = high < 0 ? -1 : from_hex(text[1]);
        if (low < 0 || count == most)
            return -1;
        bytes[count++] = high << 4 | low;
    }
    return count;
}

static void say_hex(const uint8_t *bytes, size_t count) {
    for (size_t n = 0; n < count; n++)
        printf("%02x", bytes[n]);
}

static avr_cycle_count_t set_reeds(void) {
    matrix_set(next_reeds);
    reeds_set_ns = real_ns();
    return 0;
}

/* reeds HEX: now. reeds HEX JITTER: within so many µs, by chance, so that nothing locks to the scan. */
static bool take_reeds(const char *hex, unsigned jitter_us) {
    if (read_hex(hex, next_reeds, REED_BYTES) != REED_BYTES)
        return false;
    reeds_set_ns = 0;
    if (jitter_us)
        chip_call(1 + CYCLES(rand_r(&seed) % jitter_us), set_reeds);
    else
        set_reeds();
    return true;
}

/* exchange US HEX: bytes to the chip's receiver, its answer within that time. Without the port. */
static void exchange(unsigned us, const char *hex) {
    static uint8_t data[LINE_MOST];
    int count = read_hex(hex, data, sizeof data);
    if (count < 0 || !serial_put(data, count)) {
        printf("no such bytes\n");
        return;
    }
    chip_run_until(chip_now() + CYCLES(us));
    printf("ok ");
    say_hex(data, serial_take(data, sizeof data));
    printf("\n");
}

static void tell_axes(void) {
    printf("ok");
    for (unsigned axis = 0; axis < CARRIAGES; axis++) {
        const struct carriage *one = carriage(axis);
        printf(" %d,%u,%d,%u,%u", one->place, one->steps, one->powered, one->faults, one->shortest_period);
    }
    printf("\n");
}

static void tell_leds(void) {
    printf("ok %u %u %u ", strip_frames(), strip_faults(), strip_longest_pause());
    say_hex(strip_shown(), 3 * STRIP_LEDS);
    printf("\n");
}

static bool take_axis(const char *verb, unsigned axis, long value) {
    if (axis >= CARRIAGES)
        return false;
    if (strcmp(verb, "push") == 0)
        carriage_push(axis, value);
    else if (strcmp(verb, "endstop") == 0 && value >= ENDSTOP_FINE && value <= ENDSTOP_INVERTED)
        carriage_set_endstop(axis, value);
    else if (strcmp(verb, "disturb") == 0)
        carriage_disturb(axis, value);
    else
        return false;
    return true;
}

static void set_button(bool closed) {
    chip_set_input('D', 2, !closed);
}

/* Answers one command. */
static void take(char *line) {
    char verb[16] = "", text[LINE_MOST] = "";
    long one = 0, two = 0;
    sscanf(line, "%15s", verb);
    const char *rest = line + strlen(verb);
    bool numbers = sscanf(rest, "%ld %ld", &one, &two) == 2;
    bool done = true;
    if (strcmp(verb, "run") == 0)
        running = true;
    else if (strcmp(verb, "hold") == 0)
        running = false;
    else if (strcmp(verb, "advance") == 0)
        advance(CYCLES(one));
    else if (strcmp(verb, "exchange") == 0 && sscanf(rest, "%ld %19999s", &one, text) >= 1)
        return exchange(one, text);
    else if (strcmp(verb, "reeds") == 0 && sscanf(rest, "%26s %ld", text, &two) >= 1)
        done = take_reeds(text, two);
    else if (strcmp(verb, "leds") == 0)
        return tell_leds();
    else if (strcmp(verb, "axes") == 0)
        return tell_axes();
    else if (strcmp(verb, "diodes") == 0)
        matrix_turn_diodes(one);
    else if (strcmp(verb, "connect") == 0 && numbers)
        done = matrix_connect(one, two);
    else if (strcmp(verb, "disconnect") == 0)
        matrix_disconnect();
    else if (strcmp(verb, "button") == 0)
        set_button(one);
    else if (strcmp(verb, "boot") == 0 && numbers) { /* boot US ON_OPEN: like the board's own boot loader */
        boot_us = one;
        reset_on_open = two;
    } else if (strcmp(verb, "reset") == 0)
        chip_reset(one, boot_us);
    else if (strcmp(verb, "pulse") == 0 && sscanf(rest, " %c %ld %ld", text, &one, &two) == 3)
        chip_pulse(*text, one, two);
    else if (strcmp(verb, "hang") == 0)
        chip_hang();
    else if (strcmp(verb, "quiet") == 0) {
        printf("ok %d\n", serial_quiet(one) && !port_waiting());
        return;
    } else if (strcmp(verb, "state") == 0) {
        printf("ok %llu %llu %u %llu %llu\n", (unsigned long long)chip_now(),
               (unsigned long long)serial_heard_at(), serial_overruns(), (unsigned long long)reeds_set_ns,
               (unsigned long long)chip_slept());
        return;
    } else
        done = numbers && take_axis(verb, one, two);
    printf(done ? "ok %llu\n" : "no such command\n", (unsigned long long)chip_now());
}

/* Reads what has been written; blocks while time stands still. */
static void take_commands(void) {
    static char lines[2 * LINE_MOST];
    static size_t length;
    struct pollfd look = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&look, 1, running ? 0 : -1) == 0)
        return;
    ssize_t got = read(STDIN_FILENO, lines + length, sizeof lines - 1 - length);
    if (got <= 0) /* whoever has started this has gone */
        exit(0);
    length += got;
    lines[length] = 0;
    char *end;
    while ((end = strchr(lines, '\n'))) {
        *end = 0;
        take(lines);
        fflush(stdout);
        length -= end + 1 - lines;
        memmove(lines, end + 1, length + 1);
    }
    if (length == sizeof lines - 1)
        exit(2);
}

static void after_reset(void) {
    serial_reset();
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: chip firmware.hex\n");
        return 2;
    }
    chip_start(arguments[1], after_reset);
    serial_start();
    matrix_start();
    strip_start();
    carriages_start();
    set_button(false);
    printf("%s\n", port_open());
    fflush(stdout);
    for (;;) {
        take_commands();
        run_in_real_time();
    }
}
