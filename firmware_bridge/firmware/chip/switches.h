/* Everything that is a switch. */
#ifndef SWITCHES_H
#define SWITCHES_H

#include "board.h"

void switches_start(void);
/* One pass over the reed matrix: 60 µs, in which interrupts stay on. */
void switches_read(struct matrix *seen);

#endif
