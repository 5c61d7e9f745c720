#define _GNU_SOURCE
#include "port.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "chip.h"
#include "serial.h"

static int master = -1;
static bool attended;

const char *port_open(void) {
    int slave;
    static char path[128];
    struct termios settings;
    if (openpty(&master, &slave, path, NULL, NULL) || tcgetattr(slave, &settings)) {
        perror("no pseudo-terminal");
        exit(2);
    }
    cfmakeraw(&settings);
    tcsetattr(slave, TCSANOW, &settings);
    close(slave); /* so that this end sees when a host opens and closes it */
    fcntl(master, F_SETFL, O_NONBLOCK);
    return path;
}

bool port_was_opened(void) {
    if (master < 0)
        return false;
    struct pollfd look = {.fd = master, .events = POLLIN};
    poll(&look, 1, 0);
    bool before = attended;
    attended = !(look.revents & POLLHUP);
    return attended && !before;
}

bool port_waiting(void) {
    struct pollfd look = {.fd = master, .events = POLLIN};
    return poll(&look, 1, 0) > 0 && (look.revents & POLLIN);
}

void port_wait(uint64_t ns) {
    struct pollfd look[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = master, .events = POLLIN}};
    struct timespec most = {ns / 1000000000, ns % 1000000000};
    /* A port that nobody has opened is ready all the time. */
    ppoll(look, attended ? 2 : 1, &most, NULL);
}

void port_exchange(void) {
    uint8_t data[4096];
    size_t sent = serial_take(data, sizeof data);
    if (master < 0 || !attended)
        return;
    /* What a host does not read is lost, as a USB chip loses it. */
    if (sent && write(master, data, sent) < 0)
        sent = 0;
    ssize_t got = read(master, data, sizeof data);
    if (got > 0 && !chip_is_booting())
        serial_put(data, got);
}
