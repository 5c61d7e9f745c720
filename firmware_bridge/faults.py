"""What can go wrong with a virtual controller, by name; set from tests or while it runs."""

from __future__ import annotations

import enum
import random


class Fault(enum.Enum):
    """A fault of the wire, the board or a switch."""

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


WIRE_FAULTS = (Fault.DROP_BYTES, Fault.CORRUPT_BYTES, Fault.DOUBLE_BYTES, Fault.NOISE)
REED_FAULTS = (Fault.REED_STUCK, Fault.REED_DEAD, Fault.REED_FLICKER)


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
