"""What can go wrong with a virtual controller, by name; set from tests or while it runs."""

from __future__ import annotations

import enum
import random

from .protocol import AxisFault


class Fault(enum.Enum):
    """A fault of the wire, the board, a switch or an endstop."""

    LINK_SILENT = "link_silent"  # the board neither hears nor says anything
    DROP_BYTES = "drop_bytes"  # bytes vanish, in both directions
    CORRUPT_BYTES = "corrupt_bytes"  # bytes change
    DOUBLE_BYTES = "double_bytes"  # bytes arrive twice
    NOISE = "noise"  # bytes appear from nowhere
    RESET_MIDFRAME = "reset_midframe"  # once: the board restarts in the middle of its next message
    UNPLUG = "unplug"  # the cable is out; clearing the fault plugs it in again
    UNPLUG_MIDFRAME = "unplug_midframe"  # the same, in the middle of its next message
    REED_STUCK = "reed_stuck"  # these switches stay closed
    REED_DEAD = "reed_dead"  # these switches stay open
    REED_FLICKER = "reed_flicker"  # these switches, when closed, open now and then (weak magnet)
    ENDSTOP_MISSING = "endstop_missing"  # the endstops of these axes never close
    ENDSTOP_STUCK = "endstop_stuck"  # they stay closed
    ENDSTOP_INVERTED = "endstop_inverted"  # they open where they should close
    ENDSTOP_DISAGREES = "endstop_disagrees"  # the belt slips: two approaches find different ends


WIRE_FAULTS = (Fault.DROP_BYTES, Fault.CORRUPT_BYTES, Fault.DOUBLE_BYTES, Fault.NOISE)
REED_FAULTS = (Fault.REED_STUCK, Fault.REED_DEAD, Fault.REED_FLICKER)
ENDSTOP_FAULTS = {
    Fault.ENDSTOP_MISSING: AxisFault.ENDSTOP_MISSING,
    Fault.ENDSTOP_STUCK: AxisFault.ENDSTOP_STUCK,
    Fault.ENDSTOP_INVERTED: AxisFault.ENDSTOP_INVERTED,
    Fault.ENDSTOP_DISAGREES: AxisFault.ENDSTOP_DISAGREES,
}


def spoil(data: bytes, rates: dict[Fault, float], dice: random.Random) -> bytes:
    """The bytes after the wire's faults; `rates` gives the probability per byte of each."""
    if not rates:
        return data
    out = bytearray()
    for byte in data:
        if dice.random() < rates.get(Fault.NOISE, 0.0):
            out.append(dice.randrange(256))
        if dice.random() < rates.get(Fault.DROP_BYTES, 0.0):
            continue
        if dice.random() < rates.get(Fault.CORRUPT_BYTES, 0.0):
            byte ^= dice.randrange(1, 256)
        out.append(byte)
        if dice.random() < rates.get(Fault.DOUBLE_BYTES, 0.0):
            out.append(byte)
    return bytes(out)
