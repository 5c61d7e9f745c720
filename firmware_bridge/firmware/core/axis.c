#include "axis.h"

#include <string.h>

#include "board.h"
#include "endstop.h"
#include "ramp.h"
#include "stepper.h"
#include "table.h"

/* 80 steps a millimetre are 2 steps every 25 µm. */
#define STEPS(um) ((int32_t)(um) * 2 / 25)
_Static_assert(STEPS_PER_MM == 80, "STEPS and the places reported count 80 steps a millimetre");

/* Where on its way an axis is. All but the first are under way. */
enum phase {
    RESTING,
    TRAVELLING, /* to where it was told to go */
    BRAKING,    /* to where it comes to a stop */
    /* Homing, in this order unless something is wrong: */
    RELEASING,   /* away from an endstop that was pressed at the start */
    REVERSING,   /* it stays pressed: towards it, does it ever open? */
    SEEKING,     /* fast towards the endstop */
    OVERRUNNING, /* it is pressed: slowing down */
    CHECKING,    /* it was never pressed: back again, is it pressed now? */
    BACKING_OFF, /* away from it */
    APPROACHING, /* slowly towards it */
    SETTLING,    /* exactly onto it */
    /* and after every way: */
    HOLDING, /* the motor holds the carriage until it is still */
};

struct axis {
    uint8_t phase, state, knowledge, fault;
    bool north;     /* direction of the present way */
    int32_t from;   /* its beginning, and */
    uint16_t total; /* its length, in steps */
    int32_t target_um;
    int32_t trigger; /* where the first approach found the endstop */
    uint8_t still_ms;
    struct ramp ramp;
    struct endstop endstop;
};

static struct axis axes[AXES];
static const int32_t lanes_um[AXES][2] = LANES_UM;
static const int32_t lanes[AXES][2] = LANES_STEPS; /* a division every millisecond would be too much */

static int32_t place_with(const struct axis *axis, uint16_t left) {
    int32_t done = axis->total - left;
    return axis->north ? axis->from + done : axis->from - done;
}

static int32_t place(uint8_t number) {
    return place_with(&axes[number], stepper_left(number));
}

static int32_t endstop_place(uint8_t number) {
    return lanes[number][0];
}

static int32_t lane_length(uint8_t number) {
    return lanes[number][1] - lanes[number][0];
}

static void set_out(uint8_t number, enum phase phase, int32_t steps, uint32_t speed_um_s, uint32_t acceleration) {
    struct axis *axis = &axes[number];
    axis->from = place(number);
    axis->north = steps >= 0;
    axis->total = steps < 0 ? -steps : steps;
    axis->phase = phase;
    axis->still_ms = 0;
    ramp_start(&axis->ramp, speed_um_s, acceleration);
    motor_direction(number, axis->north);
    motor_power(number, true);
    stepper_start(number, axis->total, ramp_rate(&axis->ramp));
    step_clock(true);
}

static void approach(uint8_t number, enum phase phase, int32_t steps) {
    set_out(number, phase, steps, APPROACH_SPEED_UM_S, HOMING_ACCELERATION_UM_S2);
}

static void hurry(uint8_t number, enum phase phase, int32_t steps) {
    set_out(number, phase, steps, HOMING_SPEED_UM_S, HOMING_ACCELERATION_UM_S2);
}

/* Here and now: from a speed at which a motor may. */
static void halt(uint8_t number) {
    axes[number].total -= stepper_shorten(number, 0);
}

static void brake(uint8_t number) {
    struct axis *axis = &axes[number];
    uint16_t needed = ramp_brake(&axis->ramp, axis->total - stepper_left(number));
    axis->total -= stepper_shorten(number, needed);
}

static void rest(uint8_t number, uint8_t state, uint8_t fault) {
    struct axis *axis = &axes[number];
    halt(number);
    motor_power(number, false);
    axis->phase = RESTING;
    axis->state = state;
    axis->fault = fault;
    axis->knowledge = axis->knowledge == KNOWLEDGE_UNKNOWN || fault ? KNOWLEDGE_UNKNOWN : KNOWLEDGE_ASSUMED;
    table_axis_changed(number);
}

static void fail(uint8_t number, uint8_t fault) {
    rest(number, AXIS_STATE_FAILED, fault);
}

/* The second approach has found the endstop: where it is, if both agree, is the lane's southern end. */
static void agree(uint8_t number) {
    struct axis *axis = &axes[number];
    int32_t found = axis->endstop.changed_at;
    int32_t apart = found - axis->trigger;
    halt(number);
    if (apart > STEPS(AGREEMENT_UM) || apart < -STEPS(AGREEMENT_UM)) {
        fail(number, AXIS_FAULT_ENDSTOP_DISAGREES);
        return;
    }
    axis->from += endstop_place(number) - found;
    axis->knowledge = KNOWLEDGE_KNOWN;
    approach(number, SETTLING, endstop_place(number) - place(number));
}

/* What comes after a way: it has been gone to its end, and a bouncing endstop has come to rest. */
static void arrive(uint8_t number) {
    struct axis *axis = &axes[number];
    bool pressed = axis->endstop.pressed;
    switch ((enum phase)axis->phase) {
    case RELEASING:
        hurry(number, REVERSING, -(lane_length(number) + STEPS(RELEASE_UM) + STEPS(TRAVEL_MARGIN_UM)));
        break;
    case REVERSING:
        fail(number, AXIS_FAULT_ENDSTOP_STUCK);
        break;
    case SEEKING:
        hurry(number, CHECKING, STEPS(BACK_OFF_UM));
        break;
    case OVERRUNNING:
        hurry(number, BACKING_OFF, axis->trigger + STEPS(BACK_OFF_UM) - place(number));
        break;
    case CHECKING:
        fail(number, pressed ? AXIS_FAULT_ENDSTOP_INVERTED : AXIS_FAULT_ENDSTOP_MISSING);
        break;
    case BACKING_OFF:
        if (pressed)
            fail(number, AXIS_FAULT_ENDSTOP_STUCK);
        else
            approach(number, APPROACHING, -(STEPS(BACK_OFF_UM) + 2 * STEPS(AGREEMENT_UM)));
        break;
    case APPROACHING:
        fail(number, AXIS_FAULT_ENDSTOP_DISAGREES);
        break;
    case HOLDING:
        rest(number, AXIS_STATE_OFF, AXIS_FAULT_NONE);
        break;
    case TRAVELLING:
    case BRAKING:
    case SETTLING:
        axis->phase = HOLDING;
        axis->still_ms = 0;
        break;
    case RESTING:
        break;
    }
}

/* What the endstop says on the way. */
static void watch(uint8_t number) {
    struct axis *axis = &axes[number];
    bool pressed = axis->endstop.pressed;
    switch ((enum phase)axis->phase) {
    case RELEASING:
        if (!pressed) {
            halt(number);
            hurry(number, SEEKING, -(lane_length(number) + STEPS(TRAVEL_MARGIN_UM)));
        }
        break;
    case REVERSING:
        if (!pressed)
            fail(number, AXIS_FAULT_ENDSTOP_INVERTED);
        break;
    case SEEKING:
        if (pressed) {
            axis->trigger = axis->endstop.changed_at;
            brake(number);
            axis->phase = OVERRUNNING;
        }
        break;
    case APPROACHING:
        if (pressed)
            agree(number);
        break;
    case TRAVELLING:
        /* It is not where it was thought to be: somebody has pushed it. */
        if (pressed && !axis->north && place(number) > endstop_place(number) + STEPS(2 * AGREEMENT_UM))
            fail(number, AXIS_FAULT_ENDSTOP_DISAGREES);
        break;
    default:
        break;
    }
}

/* How long a phase lasts after its last step. */
static uint8_t stillness_ms(uint8_t phase) {
    return phase == HOLDING ? HOLD_MS : 2 * ENDSTOP_DEBOUNCE_MS;
}

static void advance(uint8_t number) {
    struct axis *axis = &axes[number];
    bool closed = endstop_closed(number);
    if (axis->phase == RESTING && closed == axis->endstop.pressed && !axis->endstop.differing)
        return;
    uint16_t left = stepper_left(number);
    endstop_advance(&axis->endstop, closed, place_with(axis, left));
    if (axis->phase == RESTING)
        return;
    if (left) {
        ramp_advance(&axis->ramp, axis->total - left, left);
        stepper_set_rate(number, ramp_rate(&axis->ramp));
    }
    watch(number);
    if (axis->phase != RESTING && stepper_left(number) == 0 && ++axis->still_ms > stillness_ms(axis->phase))
        arrive(number);
}

void axes_start(void) {
    memset(axes, 0, sizeof axes);
    for (uint8_t number = 0; number < AXES; number++) {
        axes[number].endstop.pressed = endstop_closed(number);
        stepper_shorten(number, 0);
        motor_power(number, false);
    }
    step_clock(false);
}

void axes_advance(uint8_t passed_ms) {
    bool any = false;
    for (uint8_t number = 0; number < AXES; number++) {
        for (uint8_t n = 0; n < passed_ms; n++)
            advance(number);
        any |= axes[number].phase != RESTING;
    }
    step_clock(any);
}

void axis_fill(uint8_t number, struct axis_status *status) {
    const struct axis *axis = &axes[number];
    *status = (struct axis_status){
        .id = AXIS_STATUS_ID,
        .axis = number,
        .state = axis->state,
        .knowledge = axis->knowledge,
        .fault = axis->fault,
        .position_um = place(number) * 25 / 2,
        .target_um = axis->target_um,
    };
}

uint8_t axis_state(uint8_t number) {
    return axes[number].state;
}

uint8_t axis_knowledge(uint8_t number) {
    return axes[number].knowledge;
}

uint8_t axis_fault(uint8_t number) {
    return axes[number].fault;
}

bool axis_reaches(uint8_t number, int32_t target_um) {
    return target_um >= lanes_um[number][0] - OVERSHOOT_UM && target_um <= lanes_um[number][1] + OVERSHOOT_UM;
}

void axis_home(uint8_t number) {
    struct axis *axis = &axes[number];
    axis->state = AXIS_STATE_HOMING;
    axis->knowledge = KNOWLEDGE_UNKNOWN;
    axis->fault = AXIS_FAULT_NONE;
    axis->target_um = lanes_um[number][0];
    if (axis->endstop.pressed)
        approach(number, RELEASING, STEPS(RELEASE_UM));
    else
        hurry(number, SEEKING, -(lane_length(number) + STEPS(TRAVEL_MARGIN_UM)));
}

void axis_move(uint8_t number, int32_t target_um, uint32_t speed_um_s, uint32_t acceleration_um_s2) {
    struct axis *axis = &axes[number];
    axis->state = AXIS_STATE_MOVING;
    axis->fault = AXIS_FAULT_NONE;
    axis->target_um = target_um;
    set_out(number, TRAVELLING, STEPS(target_um) - place(number), speed_um_s, acceleration_um_s2);
}

void axis_stop(uint8_t number) {
    struct axis *axis = &axes[number];
    if (axis->phase == RESTING || axis->phase == BRAKING)
        return;
    if (axis->state == AXIS_STATE_HOMING && axis->phase != HOLDING)
        axis->knowledge = KNOWLEDGE_UNKNOWN;
    axis->state = AXIS_STATE_STOPPING;
    brake(number);
    axis->phase = BRAKING;
}

void axes_cut(void) {
    for (uint8_t number = 0; number < AXES; number++) {
        bool moving = axes[number].phase != RESTING;
        halt(number);
        motor_power(number, false);
        axes[number].phase = RESTING;
        axes[number].state = AXIS_STATE_FAILED;
        axes[number].fault = AXIS_FAULT_EMERGENCY_STOPPED;
        axes[number].knowledge = KNOWLEDGE_UNKNOWN;
        if (moving)
            table_axis_changed(number);
    }
    step_clock(false);
}
