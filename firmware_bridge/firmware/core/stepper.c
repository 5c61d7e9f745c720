#include "stepper.h"

#include "board.h"

volatile struct stepper steppers[AXES];

void stepper_start(uint8_t axis, uint16_t steps, uint16_t rate) {
    uint8_t before = interrupts_lock();
    steppers[axis].left = steps;
    steppers[axis].rate = steps ? rate : 0;
    steppers[axis].phase = 0;
    interrupts_unlock(before);
}

uint16_t stepper_left(uint8_t axis) {
    uint8_t before = interrupts_lock();
    uint16_t left = steppers[axis].left;
    interrupts_unlock(before);
    return left;
}

void stepper_set_rate(uint8_t axis, uint16_t rate) {
    uint8_t before = interrupts_lock();
    if (steppers[axis].left)
        steppers[axis].rate = rate;
    interrupts_unlock(before);
}

uint16_t stepper_shorten(uint8_t axis, uint16_t most) {
    uint8_t before = interrupts_lock();
    uint16_t left = steppers[axis].left;
    uint16_t cut = left > most ? left - most : 0;
    steppers[axis].left = left - cut;
    if (left == cut)
        steppers[axis].rate = 0;
    interrupts_unlock(before);
    return cut;
}
