"""What people call the parts of the board: spaces, seat lights, axes, and what can be wrong with an axis."""

from __future__ import annotations

from .protocol import LEDS, REEDS, AxisFault, AxisStatus

COLUMNS, RINGS = 16, 6


def reed_name(index: int) -> str:
    """The space above a switch: column by column, ring 1 to 6, the summit last."""
    if index == REEDS - 1:
        return "top"
    return f"{chr(ord('a') + index // RINGS)}{index % RINGS + 1}"


def led_name(index: int) -> str:
    """The place of a light: a space as for the switches, or a seat light, `seat 1` south, then clockwise."""
    return reed_name(index) if index < REEDS else f"seat {index - REEDS + 1}"


LED_NAMES = {led_name(index): index for index in range(LEDS)}

# The axes in the order of the RAMPS shield's drivers.
AXIS_NAMES = ("X", "Y", "Z", "E0", "E1")


def axis_name(axis: int) -> str:
    """The axis by its driver on the shield."""
    return f"axis {axis} ({AXIS_NAMES[axis]})" if axis < len(AXIS_NAMES) else f"axis {axis}"


_FAULTS = {
    AxisFault.ENDSTOP_MISSING: "its endstop did not close on the whole way; check the switch, its plug and the belt",
    AxisFault.ENDSTOP_STUCK: "its endstop stays closed; free the switch, and look for a bare wire",
    AxisFault.ENDSTOP_INVERTED: "its endstop opens where it should close; move its wire to the switch's NO contact",
    AxisFault.ENDSTOP_DISAGREES: "two approaches found different ends; tighten the belt, keep its wire off the motors'",
    AxisFault.EMERGENCY_STOPPED: "it was stopped by the emergency stop; release that, then home it",
}


def axis_trouble(status: AxisStatus) -> str:
    """Why an axis does not work and what to do; empty when nothing is wrong."""
    return _FAULTS.get(status.fault, "")
