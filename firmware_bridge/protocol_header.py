"""The firmware's header protocol.h, made from the table: `python -m firmware_bridge.protocol_header FILE`."""

from __future__ import annotations

import enum
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from . import limits, protocol
from .events import Timing
from .frames import CRC, HEADER, MAX_DECODED, MAX_ENCODED, OVERHEAD, Kind
from .protocol import TABLE, TABLE_HASH, Direction, Field, MessageSpec
from .wire import Converted, Pixels, Text

_HEAD = """\
/* The wire between the computer and the table controller, as firmware_bridge/protocol.py declares it.
 *
 * Made by `python -m firmware_bridge.protocol_header firmware_bridge/firmware/core/protocol.h`; a test compares.
 * Do not edit. All numbers are little-endian, as the ATmega keeps them. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdint.h>
"""

_MESSAGES = """\
/* What a host may send: M(name, shortest and longest payload, bytes of one element of the tail). */
#define HOST_MESSAGES(M) \\
{rows}

/* Fields of these that do not allow every value: H(NAME, name, field, highest), K(…, known bits). */
#define HOST_FIELDS(H, K) \\
{checks}
"""


def header() -> str:
    """The header's text."""
    parts = [_HEAD, "\n".join(_constants()), ""]
    parts += [_enumeration(kind) for kind in (Kind, *_enums())]
    parts += [_structure(cls.SPEC) for _, cls in sorted(TABLE.items())]
    from_host = [cls.SPEC for _, cls in sorted(TABLE.items()) if cls.SPEC.direction is not Direction.TO_HOST]
    rows = [_host_message(spec) for spec in from_host]
    checks = [check for spec in from_host for check in _checks(spec)]
    parts.append(_MESSAGES.format(rows=" \\\n".join(rows), checks=" \\\n".join(checks)))
    parts.append("#endif\n")
    return "\n".join(parts)


def snake(name: str) -> str:
    """CamelCase as lower_case_words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _constants() -> Iterator[str]:
    timing = Timing()
    numbers: dict[str, int] = {
        "PROTOCOL_VERSION": protocol.VERSION,
        **{
            name: getattr(protocol, name)
            for name in (
                *("BAUD", "REEDS", "LEDS", "AXES", "ALL_AXES", "MAX_PAYLOAD", "WINDOW", "LED_CHUNK"),
                "DEFAULT_DEBOUNCE_MS",
            )
        },
        "FRAME_HEADER": HEADER,
        "FRAME_CRC": CRC,
        "FRAME_OVERHEAD": OVERHEAD,
        "MAX_DECODED": MAX_DECODED,
        "MAX_ENCODED": MAX_ENCODED,
        "HEARTBEAT_MS": _ms(timing.heartbeat_s),
        "DEAD_AFTER_MS": _ms(timing.dead_after_s),
        "BEACON_MS": _ms(timing.beacon_s),
        "REPEAT_MS": _ms(timing.repeat_s),
        "REPEAT_MAX_MS": _ms(timing.repeat_max_s),
        "ATTEMPTS": timing.attempts,
        **{name: value for name, value in vars(limits).items() if name.isupper() and isinstance(value, int)},
    }
    yield f"#define TABLE_HASH 0x{TABLE_HASH:08x}UL"
    for name, value in numbers.items():
        yield f"#define {name} {value}{'L' if value > 32767 else ''}"
    red, green, blue = limits.NO_HOST_COLOUR
    yield f"#define NO_HOST_COLOUR {{{red}, {green}, {blue}}}"
    lanes = ", ".join(f"{{{south}L, {north}L}}" for south, north in limits.LANES_UM)
    yield f"#define LANES_UM {{{lanes}}}"
    steps = ", ".join(
        f"{{{south * limits.STEPS_PER_MM // 1000}L, {north * limits.STEPS_PER_MM // 1000}L}}"
        for south, north in limits.LANES_UM
    )
    yield f"#define LANES_STEPS {{{steps}}}"


def _ms(seconds: float) -> int:
    return round(1000 * seconds)


def _enums() -> Iterator[type[enum.IntEnum | enum.IntFlag]]:
    """The table's enums, in the order of their declaration."""
    for value in vars(protocol).values():
        if isinstance(value, type) and issubclass(value, enum.IntEnum | enum.IntFlag):
            yield value


def _enumeration(kind: type[enum.IntEnum | enum.IntFlag]) -> str:
    prefix = "FRAME" if kind is Kind else snake(kind.__name__).upper()
    lines = [f"/* {' '.join((kind.__doc__ or '').split())} */", "enum {"]
    lines += [f"    {prefix}_{member.name} = {member.value}," for member in kind]
    return "\n".join([*lines, "};", ""])


def _structure(spec: MessageSpec) -> str:
    name = snake(spec.name)
    lines = [f"/* {spec.direction.value.replace('→', 'to')}: {spec.note} */"]
    lines.append(f"#define {name.upper()}_ID 0x{spec.id:02x}")
    lines.append(f"struct __attribute__((packed, may_alias)) {name} {{")
    lines.append("    uint8_t id;")
    for field in spec.fields:
        base, _, count = field.kind.c_type.partition("[")
        comment = "; ".join(part for part in (field.wire.unit, field.wire.note) if part)
        declaration = f"    {base} {field.name}{'[' + count if count else ''};"
        lines.append(f"{declaration} /* {comment} */" if comment else declaration)
    return "\n".join([*lines, "};", ""])


def _host_message(spec: MessageSpec) -> str:
    largest = 1 + sum(field.kind.size for field in spec.fields)
    smallest, unit = largest, 1
    if spec.fields and spec.fields[-1].kind.is_tail:
        tail = spec.fields[-1].kind
        smallest -= tail.size
        if isinstance(tail, Pixels):
            unit = 3
            smallest += unit  # at least one
        elif not isinstance(tail, Text):
            raise ValueError(f"{spec.name}: the firmware knows no tail of kind {tail.name}")
    return f"    M({snake(spec.name).upper()}, {smallest}, {largest}, {unit})"


def _checks(spec: MessageSpec) -> Iterator[str]:
    for field in spec.fields:
        if isinstance(field.kind, Converted):
            yield _check(snake(spec.name), field, field.kind)


def _check(name: str, field: Field, kind: Converted) -> str:
    """A row for the values of an enum or flags, which the firmware compares as numbers."""
    allowed = [number for number in range(256) if _converts(kind, number)]
    highest = allowed[-1]
    if kind.size == 1 and allowed == list(range(highest + 1)):
        return f"    H({name.upper()}, {name}, {field.name}, {highest})"
    if allowed == list(range(highest + 1)):
        return f"    K({name.upper()}, {name}, {field.name}, 0x{highest:04x})"
    raise ValueError(f"{name}.{field.name}: the firmware cannot check {kind.values}")


def _converts(kind: Converted, number: int) -> bool:
    try:
        kind.convert(number)
    except (ValueError, KeyError):
        return False
    return True


def main(arguments: list[str]) -> int:
    """Write the header to the file named."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m firmware_bridge.protocol_header FILE\n")
        return 2
    Path(arguments[0]).write_text(header(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
