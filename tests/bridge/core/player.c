/* Plays a file of deeds to the core, for the sanitizers: r LENGTH bytes… receive, a MS advance, s 13 bytes
 * switches, e AXIS KIND endstop, b CLOSED button, w BLOCKED wire, n a new start. Prints what moved. */
#include <stdio.h>
#include <stdlib.h>

#include "rig.h"

static int next(void) {
    int byte = getchar();
    if (byte != EOF)
        return byte;
    printf("%u", rig_faults());
    for (int axis = 0; axis < RIG_AXES; axis++)
        printf(" %d,%u,%d", rig_place(axis), rig_steps(axis), rig_powered(axis));
    printf("\n");
    exit(0);
}

static void fill(uint8_t *bytes, int count) {
    for (int n = 0; n < count; n++)
        bytes[n] = next();
}

int main(void) {
    uint8_t bytes[256];
    static uint8_t sent[1 << 16];
    rig_start(0, 1);
    for (;;) {
        switch (next()) {
        case 'r': {
            int length = next();
            fill(bytes, length);
            rig_receive(bytes, length);
            break;
        }
        case 'a':
            rig_advance(next());
            rig_take(sent, sizeof sent);
            break;
        case 's':
            fill(bytes, 13);
            rig_set_reeds(bytes);
            break;
        case 'e':
            fill(bytes, 2);
            rig_set_endstop(bytes[0], bytes[1] % 3);
            break;
        case 'b':
            rig_set_button(next() & 1);
            break;
        case 'w':
            rig_block(next() & 1);
            break;
        case 'n':
            rig_start(1, 2);
            break;
        }
    }
}
