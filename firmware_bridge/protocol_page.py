"""The page docs/protocol.md, made from the table: `python -m firmware_bridge.protocol_page FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from .events import Timing
from .frames import MAX_ENCODED, Kind
from .protocol import BAUD, MAX_PAYLOAD, TABLE, TABLE_HASH, VERSION, WINDOW, Field, MessageSpec

_HEAD = """\
# The wire between the computer and the table controller

Made from the table in `firmware_bridge/protocol.py` by
`python -m firmware_bridge.protocol_page docs/protocol.md`; a test compares.
Protocol version {version}, table hash `{hash:08x}`.

## Frames

{baud} baud, 8N1. A frame is COBS-encoded between two bytes `00`, at most {encoded} bytes long:

| byte | content |
| --- | --- |
| 0 | kind: {kinds} |
| 1 | session: nonce of the Connect modulo 255, plus 1; 0 outside a session |
| 2 | sequence number of a data frame, modulo 256, from 0 in each session; else 0 |
| 3 | acknowledgement: the sequence number expected next from the other end |
| 4 | length of the payload |
| 5 … | payload: message id and fields, at most {payload} bytes; empty in ack and nak |
| last two | CRC-16, polynomial 0x1021, start 0xFFFF, high byte first, over everything before it |

Fields are little-endian. A field of variable length is always the last one and takes the rest.

## Conversation

- The board sends Hello (loose) every {beacon:g} s while it has no session. The host writes nothing until it
  has heard a valid frame, then repeats Connect (loose) every {connect:g} s, one nonce for all. The Hello
  that carries this nonce opens the session. Another version or hash: the host refuses and says so.
- Data frames are acknowledged by every frame that flows the other way. At most {window} of them and at most
  the board's `receive_bytes` may be unacknowledged. The receiver keeps nothing out of order: a gap or a
  damaged frame is answered by one nak, and the sender goes on from there; without an answer it repeats after
  {repeat:g} s, doubling to {repeat_max:g} s, {attempts} times at most.
- After a *quiet* message nothing at all is written until it is acknowledged: the board does not listen.
- Both ends send a heartbeat (loose) after {heartbeat:g} s without writing, and give the session up after
  {dead:g} s without hearing. The board then stops its motors and shows that it has no host.
- A Hello without nonce within a session says that the board has restarted; `boot_count` tells that from a
  board that has only given up.

## Messages
"""


def page() -> str:
    """The page's text."""
    timing = Timing()
    parts = [
        _HEAD.format(
            version=VERSION,
            hash=TABLE_HASH,
            baud=BAUD,
            encoded=MAX_ENCODED,
            kinds=", ".join(f"{kind.value} {kind.name.lower()}" for kind in Kind),
            payload=MAX_PAYLOAD,
            window=WINDOW,
            beacon=timing.beacon_s,
            connect=timing.connect_s,
            repeat=timing.repeat_s,
            repeat_max=timing.repeat_max_s,
            attempts=timing.attempts,
            heartbeat=timing.heartbeat_s,
            dead=timing.dead_after_s,
        )
    ]
    parts.extend(_message(cls.SPEC) for _, cls in sorted(TABLE.items()))
    return "\n".join(parts)


def _message(spec: MessageSpec) -> str:
    quiet = ", quiet" if spec.quiet else ""
    lines = [f"### {spec.id:#04x} {spec.name}: {spec.direction.value}{quiet}", "", spec.note, ""]
    if spec.fields:
        lines += ["| field | type | unit | |", "| --- | --- | --- | --- |"]
        lines += [_field(field) for field in spec.fields]
        lines.append("")
    return "\n".join(lines)


def _field(field: Field) -> str:
    values = getattr(field.kind, "values", "")
    remark = "; ".join(part for part in (field.wire.note, values) if part)
    base = getattr(field.kind, "base", None)
    kind = field.kind.name if base is None else base.name
    return f"| {field.name} | {kind} | {field.wire.unit} | {remark} |"


def main(arguments: list[str]) -> int:
    """Write the page to the file named."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m firmware_bridge.protocol_page FILE\n")
        return 2
    Path(arguments[0]).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
