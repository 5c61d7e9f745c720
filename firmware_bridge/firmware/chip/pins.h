/* Which pin is what: Arduino Mega 2560 with a RAMPS 1.4. The only place that knows; README.md has the wiring.
 *
 * Every list hands its macro one part after the other: port letter and bit, in the comment the Arduino number. */
#ifndef PINS_H
#define PINS_H

#ifdef __AVR__
#include <avr/io.h>
#endif

/* Reed matrix: the columns a…p are the 16 signals of connector AUX-4, in its order. */
#define COLUMN_PINS(X) \
    X(0, C, 5)  /* D32 */ \
    X(1, L, 2)  /* D47 */ \
    X(2, L, 4)  /* D45 */ \
    X(3, L, 6)  /* D43 */ \
    X(4, G, 0)  /* D41 */ \
    X(5, G, 2)  /* D39 */ \
    X(6, C, 0)  /* D37 */ \
    X(7, C, 2)  /* D35 */ \
    X(8, C, 4)  /* D33 */ \
    X(9, C, 6)  /* D31 */ \
    X(10, A, 7) /* D29 */ \
    X(11, A, 5) /* D27 */ \
    X(12, A, 3) /* D25 */ \
    X(13, A, 1) /* D23 */ \
    X(14, H, 0) /* D17 */ \
    X(15, H, 1) /* D16 */

/* The rows, ring 1…6, are six signals of connector AUX-2. */
#define ROW_PINS(X) \
    X(0, F, 5) /* D59, A5 */ \
    X(1, K, 1) /* D63, A9 */ \
    X(2, K, 2) /* D64, A10 */ \
    X(3, G, 1) /* D40 */ \
    X(4, L, 5) /* D44 */ \
    X(5, L, 7) /* D42 */

/* The summit's switch, to ground: D66 (A12) on AUX-2. */
#define SUMMIT_PORT K
#define SUMMIT_BIT 4

/* LED data: D11, the first servo connector. */
#define LED_PORT B
#define LED_BIT 5

/* The emergency button's loop, to ground: D19, connector Z-MAX. */
#define BUTTON_PORT D
#define BUTTON_BIT 2

/* Axes: X, Y, Z, E0, E1. Step rises for a step; direction high is `north`; enable low is on. */
#define STEP_PINS(X) X(0, F, 0) X(1, F, 6) X(2, L, 3) X(3, A, 4) X(4, C, 1)      /* D54 D60 D46 D26 D36 */
#define DIRECTION_PINS(X) X(0, F, 1) X(1, F, 7) X(2, L, 1) X(3, A, 6) X(4, C, 3) /* D55 D61 D48 D28 D34 */
#define ENABLE_PINS(X) X(0, D, 7) X(1, F, 2) X(2, K, 0) X(3, A, 2) X(4, C, 7)    /* D38 D56 D62 D24 D30 */

/* Endstops: switches that close to ground when pressed. X-MIN, Y-MIN, Z-MIN; E0 on X-MAX, E1 on Y-MAX. */
#define ENDSTOP_PINS(X) X(0, E, 5) X(1, J, 1) X(2, D, 3) X(3, E, 4) X(4, J, 0) /* D3 D14 D18 D2 D15 */

/* A motor that runs the wrong way: its bit here, or turn its plug round. */
#define INVERTED_AXES 0x00

/* Heater outputs of the RAMPS, never used here: D8, D9, D10 are held low. */
#define HEATER_PINS(X) X(0, H, 5) X(1, H, 6) X(2, B, 4)

/* PORT_OF(L) is PORTL, also when the letter comes from a macro. */
#define JOIN(a, b) a##b
#define PORT_OF(letter) JOIN(PORT, letter)
#define DDR_OF(letter) JOIN(DDR, letter)
#define PIN_OF(letter) JOIN(PIN, letter)

#endif
