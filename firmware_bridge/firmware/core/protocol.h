/* The wire between the computer and the table controller, as firmware_bridge/protocol.py declares it.
 *
 * Made by `python -m firmware_bridge.protocol_header firmware_bridge/firmware/core/protocol.h`; a test compares.
 * Do not edit. All numbers are little-endian, as the ATmega keeps them. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdint.h>

#define TABLE_HASH 0x39331addUL
#define PROTOCOL_VERSION 1
#define BAUD 250000L
#define REEDS 97
#define LEDS 105
#define AXES 5
#define ALL_AXES 255
#define MAX_PAYLOAD 116
#define WINDOW 3
#define LED_CHUNK 35
#define DEFAULT_DEBOUNCE_MS 2
#define FRAME_HEADER 5
#define FRAME_CRC 2
#define FRAME_OVERHEAD 9
#define MAX_DECODED 123
#define MAX_ENCODED 124
#define HEARTBEAT_MS 500
#define DEAD_AFTER_MS 2000
#define BEACON_MS 250
#define REPEAT_MS 80
#define REPEAT_MAX_MS 640
#define ATTEMPTS 12
#define MATRIX_COLUMNS 16
#define MATRIX_ROWS 6
#define MIN_DEBOUNCE_MS 1
#define MAX_DEBOUNCE_MS 100
#define LED_MA 20
#define DEFAULT_BUDGET_MA 2000
#define MAX_BUDGET_MA 4000
#define NO_HOST_LED 96
#define NO_HOST_LIT_MS 1500
#define NO_HOST_PERIOD_MS 3000
#define OVERSHOOT_UM 5000
#define STEPS_PER_MM 80
#define STEP_RATE_HZ 16000
#define MAX_SPEED_UM_S 50000L
#define START_SPEED_UM_S 1250
#define MAX_ACCELERATION_UM_S2 1000000L
#define HOLD_MS 150
#define HOMING_SPEED_UM_S 30000
#define HOMING_ACCELERATION_UM_S2 600000L
#define APPROACH_SPEED_UM_S 6000
#define BACK_OFF_UM 5000
#define RELEASE_UM 8000
#define TRAVEL_MARGIN_UM 10000
#define AGREEMENT_UM 500
#define ENDSTOP_DEBOUNCE_MS 3
#define NO_HOST_COLOUR {0, 0, 24}
#define LANES_UM {{-180000L, 180000L}, {-180000L, 180000L}, {-180000L, 180000L}, {-180000L, 180000L}, {-20000L, 20000L}}
#define LANES_STEPS {{-14400L, 14400L}, {-14400L, 14400L}, {-14400L, 14400L}, {-14400L, 14400L}, {-1600L, 1600L}}

/* What a frame is for. */
enum {
    FRAME_DATA = 1,
    FRAME_ACK = 2,
    FRAME_NAK = 3,
    FRAME_LOOSE = 4,
};

/* Why the board started last. */
enum {
    RESET_CAUSE_POWER_ON = 0,
    RESET_CAUSE_EXTERNAL = 1,
    RESET_CAUSE_BROWN_OUT = 2,
    RESET_CAUSE_WATCHDOG = 3,
    RESET_CAUSE_OTHER = 4,
};

/* What is fitted; the rest of the messages is answered with an error report. */
enum {
    CAPABILITY_REEDS = 1,
    CAPABILITY_LEDS = 2,
    CAPABILITY_AXES = 4,
    CAPABILITY_EMERGENCY_BUTTON = 8,
    CAPABILITY_SIMULATED = 16,
};

/* Which lines of the reed matrix are driven one after another. */
enum {
    SCAN_ORDER_ROWS = 0,
    SCAN_ORDER_COLUMNS = 1,
};

/* What an axis is doing. */
enum {
    AXIS_STATE_OFF = 0,
    AXIS_STATE_HOMING = 1,
    AXIS_STATE_MOVING = 2,
    AXIS_STATE_STOPPING = 3,
    AXIS_STATE_FAILED = 4,
};

/* How surely the position is known: not at all, counted but off since, or homed and held ever since. */
enum {
    KNOWLEDGE_UNKNOWN = 0,
    KNOWLEDGE_ASSUMED = 1,
    KNOWLEDGE_KNOWN = 2,
};

/* Why an axis failed. */
enum {
    AXIS_FAULT_NONE = 0,
    AXIS_FAULT_ENDSTOP_MISSING = 1,
    AXIS_FAULT_ENDSTOP_STUCK = 2,
    AXIS_FAULT_ENDSTOP_INVERTED = 3,
    AXIS_FAULT_ENDSTOP_DISAGREES = 4,
    AXIS_FAULT_EMERGENCY_STOPPED = 5,
};

/* Parts of the board a self-test can walk through. */
enum {
    PART_LEDS = 1,
    PART_REEDS = 2,
    PART_AXES = 4,
};

/* Who pressed the emergency stop. */
enum {
    STOP_SOURCE_NONE = 0,
    STOP_SOURCE_HOST = 1,
    STOP_SOURCE_BUTTON = 2,
};

/* What the board could not do. */
enum {
    ERROR_CODE_NOT_FITTED = 1,
    ERROR_CODE_OUT_OF_RANGE = 2,
    ERROR_CODE_NOT_HOMED = 3,
    ERROR_CODE_BUSY = 4,
    ERROR_CODE_EMERGENCY_STOPPED = 5,
    ERROR_CODE_SUPPLY_LIMITED = 6,
};

/* board to host: Who the board is. Sent by itself while nobody is connected, and as the answer to Connect. */
#define HELLO_ID 0x01
struct __attribute__((packed, may_alias)) hello {
    uint8_t id;
    uint16_t version; /* of the protocol; this field stays first in every version */
    uint32_t table_hash; /* of the protocol table */
    uint32_t nonce; /* of the Connect that is answered; 0: not connected */
    uint16_t boot_count; /* starts since the firmware was programmed */
    uint8_t reset_cause;
    uint32_t uptime_ms; /* ms; board's clock since start, wraps after 49 days */
    uint16_t capabilities;
    uint16_t leds; /* LEDs */
    uint16_t reeds; /* switches */
    uint8_t axes; /* axes */
    uint16_t receive_bytes; /* bytes; that may be on their way unacknowledged */
    char firmware[24]; /* name and release */
};

/* host to board: The host asks for a session. The same nonce again is the same session, not a new one. */
#define CONNECT_ID 0x02
struct __attribute__((packed, may_alias)) connect {
    uint8_t id;
    uint16_t version;
    uint32_t table_hash;
    uint32_t nonce; /* not 0 */
};

/* both: I am here, and this is how well I hear you. Never acknowledged, never repeated. */
#define HEARTBEAT_ID 0x03
struct __attribute__((packed, may_alias)) heartbeat {
    uint8_t id;
    uint32_t uptime_ms; /* ms; board's clock since start, wraps after 49 days */
    uint16_t damaged_frames; /* frames; since start, stays at 65535 */
    uint16_t repeated_frames; /* frames; sent again since start, stays at 65535 */
    uint16_t overruns; /* bytes; lost by the receiver, stays at 65535 */
};

/* board to host: All switches: first message of a session, the answer to ReedQuery, and after lost changes. */
#define REED_SNAPSHOT_ID 0x10
struct __attribute__((packed, may_alias)) reed_snapshot {
    uint8_t id;
    uint32_t at_ms; /* ms; board's clock since start, wraps after 49 days */
    uint8_t closed[13]; /* switch numbers */
    uint16_t lost; /* changes; that did not fit into the queue since start */
};

/* board to host: One switch has changed and stayed so for the debounce time. */
#define REED_CHANGE_ID 0x11
struct __attribute__((packed, may_alias)) reed_change {
    uint8_t id;
    uint32_t at_ms; /* ms; board's clock when the new state was first seen */
    uint8_t index; /* switch 0…96 */
    uint8_t closed;
};

/* host to board: Send a snapshot. */
#define REED_QUERY_ID 0x12
struct __attribute__((packed, may_alias)) reed_query {
    uint8_t id;
};

/* host to board: Store colours from an offset on; nothing is shown yet. */
#define LED_PIXELS_ID 0x20
struct __attribute__((packed, may_alias)) led_pixels {
    uint8_t id;
    uint8_t offset; /* first LED 0…104 */
    uint8_t pixels[105];
};

/* host to board: Store colours from an offset on and show all LEDs; acknowledged when they are lit. While the LEDs are written the board cannot listen, hence quiet. */
#define LED_SHOW_ID 0x21
struct __attribute__((packed, may_alias)) led_show {
    uint8_t id;
    uint8_t offset; /* first LED 0…104 */
    uint8_t pixels[105];
};

/* host to board: Brightness of all LEDs and the current they may draw together; the board dims to stay below. */
#define LED_LIMITS_ID 0x22
struct __attribute__((packed, may_alias)) led_limits {
    uint8_t id;
    uint8_t brightness; /* 1/255 */
    uint16_t budget_ma; /* mA; at most 4000, else refused as supply limited */
};

/* host to board: Find the endstop by two approaches within bounded travel. */
#define AXIS_HOME_ID 0x30
struct __attribute__((packed, may_alias)) axis_home {
    uint8_t id;
    uint8_t axis; /* 0…4; 255 all, where that makes sense */
};

/* host to board: Move to a place; the motor is switched off after arrival, and the place is only assumed from then on. */
#define AXIS_MOVE_ID 0x31
struct __attribute__((packed, may_alias)) axis_move {
    uint8_t id;
    uint8_t axis; /* 0…4 */
    int32_t target_um; /* µm; from the middle of the lane, to the north */
    uint32_t speed_um_s; /* µm/s; not 0; the board keeps to 50000 */
    uint32_t acceleration_um_s2; /* µm/s²; not 0; the board keeps to 1000000 */
};

/* host to board: Slow down and stop here. */
#define AXIS_STOP_ID 0x32
struct __attribute__((packed, may_alias)) axis_stop {
    uint8_t id;
    uint8_t axis; /* 0…4; 255 all, where that makes sense */
};

/* host to board: Send AxisStatus. */
#define AXIS_QUERY_ID 0x33
struct __attribute__((packed, may_alias)) axis_query {
    uint8_t id;
    uint8_t axis; /* 0…4; 255 all, where that makes sense */
};

/* board to host: Where an axis is and what it does; sent by itself whenever its state changes. */
#define AXIS_STATUS_ID 0x34
struct __attribute__((packed, may_alias)) axis_status {
    uint8_t id;
    uint8_t axis; /* 0…4 */
    uint8_t state;
    uint8_t knowledge;
    uint8_t fault;
    int32_t position_um; /* µm */
    int32_t target_um; /* µm */
};

/* both: How the reeds are scanned. The board answers with the settings in force. */
#define SETTINGS_ID 0x40
struct __attribute__((packed, may_alias)) settings {
    uint8_t id;
    uint8_t debounce_ms; /* ms; 1…100; a new state must last this long */
    uint8_t scan_order;
};

/* host to board: Check these parts as far as the board can by itself; results follow, then SelfTestDone. */
#define SELF_TEST_ID 0x50
struct __attribute__((packed, may_alias)) self_test {
    uint8_t id;
    uint16_t parts;
};

/* board to host: One thing that failed its self-test. */
#define SELF_TEST_FAILURE_ID 0x51
struct __attribute__((packed, may_alias)) self_test_failure {
    uint8_t id;
    uint16_t part;
    uint8_t index;
    char text[48];
};

/* board to host: The self-test is over. */
#define SELF_TEST_DONE_ID 0x52
struct __attribute__((packed, may_alias)) self_test_done {
    uint8_t id;
    uint16_t parts;
    uint16_t tested;
    uint16_t failed;
};

/* host to board: All motors off at once. Sent twice: at once outside the sequence, and again as a sure message. */
#define EMERGENCY_STOP_ID 0x60
struct __attribute__((packed, may_alias)) emergency_stop {
    uint8_t id;
};

/* host to board: Motors may move again; every axis has to be homed anew. */
#define EMERGENCY_RELEASE_ID 0x61
struct __attribute__((packed, may_alias)) emergency_release {
    uint8_t id;
};

/* board to host: The emergency stop has changed. */
#define EMERGENCY_STATE_ID 0x62
struct __attribute__((packed, may_alias)) emergency_state {
    uint8_t id;
    uint8_t stopped;
    uint8_t source;
};

/* board to host: A command could not be carried out. */
#define ERROR_REPORT_ID 0x70
struct __attribute__((packed, may_alias)) error_report {
    uint8_t id;
    uint8_t code;
    uint8_t message_id; /* of the command */
    int32_t detail; /* the value refused, or the axis */
    char text[64];
};

/* What a host may send: M(name, shortest and longest payload, bytes of one element of the tail). */
#define HOST_MESSAGES(M) \
    M(CONNECT, 11, 11, 1) \
    M(HEARTBEAT, 11, 11, 1) \
    M(REED_QUERY, 1, 1, 1) \
    M(LED_PIXELS, 5, 107, 3) \
    M(LED_SHOW, 5, 107, 3) \
    M(LED_LIMITS, 4, 4, 1) \
    M(AXIS_HOME, 2, 2, 1) \
    M(AXIS_MOVE, 14, 14, 1) \
    M(AXIS_STOP, 2, 2, 1) \
    M(AXIS_QUERY, 2, 2, 1) \
    M(SETTINGS, 3, 3, 1) \
    M(SELF_TEST, 3, 3, 1) \
    M(EMERGENCY_STOP, 1, 1, 1) \
    M(EMERGENCY_RELEASE, 1, 1, 1)

/* Fields of these that do not allow every value: H(NAME, name, field, highest), K(…, known bits). */
#define HOST_FIELDS(H, K) \
    H(SETTINGS, settings, scan_order, 1) \
    K(SELF_TEST, self_test, parts, 0x0007)

#endif
