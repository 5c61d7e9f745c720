"""The wire, declared once: every message with its id, direction, fields and units.

This table makes the Python codec (`encode`, `decode`), the page docs/protocol.md and the C header. Both sides
exchange `VERSION` and `TABLE_HASH` when they meet; a difference means that the board carries other firmware.
Frames, sequence numbers and acknowledgement are below this table: see `frames` and `session`.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar, get_type_hints

from .errors import ProtocolError
from .limits import MAX_ACCELERATION_UM_S2, MAX_BUDGET_MA, MAX_DEBOUNCE_MS, MAX_SPEED_UM_S, MIN_DEBOUNCE_MS
from .wire import BOOL, I32, U8, U16, U32, BitSet, Kind, Pixel, Pixels, Text, Wire, one_of, some_of

VERSION = 1
BAUD = 250_000
REEDS = 97
LEDS = 105
AXES = 5
ALL_AXES = 255
# A frame must fit, with its neighbours of one window, into the ATmega's receive buffer.
MAX_PAYLOAD = 116
WINDOW = 3
LED_CHUNK = 35
# An end that has written nothing for so long says that it lives; silence for longer ends the session.
HEARTBEAT_MS = 500
DEAD_AFTER_MS = 2000
DEFAULT_DEBOUNCE_MS = 2


class Direction(enum.Enum):
    """Who may send a message."""

    TO_BOARD = "host → board"
    TO_HOST = "board → host"
    BOTH = "both"


class ResetCause(enum.IntEnum):
    """Why the board started last."""

    POWER_ON = 0
    EXTERNAL = 1
    BROWN_OUT = 2
    WATCHDOG = 3
    OTHER = 4


class Capability(enum.IntFlag):
    """What is fitted; the rest of the messages is answered with an error report."""

    REEDS = 1
    LEDS = 2
    AXES = 4
    EMERGENCY_BUTTON = 8
    SIMULATED = 16


class ScanOrder(enum.IntEnum):
    """Which lines of the reed matrix are driven one after another."""

    ROWS = 0
    COLUMNS = 1


class AxisState(enum.IntEnum):
    """What an axis is doing."""

    OFF = 0
    HOMING = 1
    MOVING = 2
    STOPPING = 3
    FAILED = 4


class Knowledge(enum.IntEnum):
    """How surely the position is known: not at all, counted but off since, or homed and held ever since."""

    UNKNOWN = 0
    ASSUMED = 1
    KNOWN = 2


class AxisFault(enum.IntEnum):
    """Why an axis failed."""

    NONE = 0
    ENDSTOP_MISSING = 1  # never pressed within the whole lane: not plugged in, or the carriage does not move
    ENDSTOP_STUCK = 2  # pressed wherever the carriage is
    ENDSTOP_INVERTED = 3  # released where it should be pressed, and the other way round
    ENDSTOP_DISAGREES = 4  # the two approaches found it at different places, or only one found it
    EMERGENCY_STOPPED = 5


class Part(enum.IntFlag):
    """Parts of the board a self-test can walk through."""

    LEDS = 1
    REEDS = 2
    AXES = 4


class StopSource(enum.IntEnum):
    """Who pressed the emergency stop."""

    NONE = 0
    HOST = 1
    BUTTON = 2


class ErrorCode(enum.IntEnum):
    """What the board could not do."""

    NOT_FITTED = 1
    OUT_OF_RANGE = 2
    NOT_HOMED = 3
    BUSY = 4
    EMERGENCY_STOPPED = 5
    SUPPLY_LIMITED = 6


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message."""

    name: str
    wire: Wire

    @property
    def kind(self) -> Kind:
        return self.wire.kind


@dataclass(frozen=True, slots=True)
class MessageSpec:
    """One row of the table. After a `quiet` message the sender writes nothing until it is acknowledged."""

    id: int
    name: str
    direction: Direction
    quiet: bool
    note: str
    fields: tuple[Field, ...]


class Message:
    """Base of all messages; `SPEC` is the message's row in the table."""

    __slots__ = ()
    SPEC: ClassVar[MessageSpec]


TABLE: dict[int, type[Message]] = {}
MessageT = TypeVar("MessageT", bound=Message)


def _message(
    id: int, direction: Direction, *, quiet: bool = False
) -> Callable[[type[MessageT]], type[MessageT]]:
    """Enter a dataclass into the table; every field must be annotated with its `Wire`."""

    def register(cls: type[MessageT]) -> type[MessageT]:
        hints = get_type_hints(cls, include_extras=True)
        # mypy cannot see that every class registered here is a dataclass
        names = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
        fields = tuple(Field(name, hints[name].__metadata__[0]) for name in names)
        if id in TABLE or any(field.kind.is_tail for field in fields[:-1]):
            raise ValueError(f"{cls.__name__}: id {id} is taken, or a tail is not last")
        if 1 + sum(field.kind.size for field in fields) > MAX_PAYLOAD:
            raise ValueError(f"{cls.__name__} is longer than {MAX_PAYLOAD} bytes")
        note = " ".join((cls.__doc__ or "").split())
        cls.SPEC = MessageSpec(id, cls.__name__, direction, quiet, note, fields)
        TABLE[id] = cls
        return cls

    return register


Millis = Annotated[int, Wire(U32, "ms", "board's clock since start, wraps after 49 days")]
Axis = Annotated[int, Wire(U8, "", f"0…{AXES - 1}; {ALL_AXES} all, where that makes sense")]


@_message(0x01, Direction.TO_HOST)
@dataclass(frozen=True, slots=True)
class Hello(Message):
    """Who the board is. Sent by itself while nobody is connected, and as the answer to Connect."""

    version: Annotated[int, Wire(U16, "", "of the protocol; this field stays first in every version")]
    table_hash: Annotated[int, Wire(U32, "", "of the protocol table")]
    nonce: Annotated[int, Wire(U32, "", "of the Connect that is answered; 0: not connected")]
    boot_count: Annotated[int, Wire(U16, "", "starts since the firmware was programmed")]
    reset_cause: Annotated[ResetCause, Wire(one_of(ResetCause))]
    uptime_ms: Millis
    capabilities: Annotated[Capability, Wire(some_of(Capability))]
    leds: Annotated[int, Wire(U16, "LEDs")]
    reeds: Annotated[int, Wire(U16, "switches")]
    axes: Annotated[int, Wire(U8, "axes")]
    receive_bytes: Annotated[int, Wire(U16, "bytes", "that may be on their way unacknowledged")]
    firmware: Annotated[str, Wire(Text(24), "", "name and release")]


@_message(0x02, Direction.TO_BOARD)
@dataclass(frozen=True, slots=True)
class Connect(Message):
    """The host asks for a session. The same nonce again is the same session, not a new one."""

    version: Annotated[int, Wire(U16)]
    table_hash: Annotated[int, Wire(U32)]
    nonce: Annotated[int, Wire(U32, "", "not 0")]


@_message(0x03, Direction.BOTH)
@dataclass(frozen=True, slots=True)
class Heartbeat(Message):
    """I am here, and this is how well I hear you. Never acknowledged, never repeated."""

    uptime_ms: Millis
    damaged_frames: Annotated[int, Wire(U16, "frames", "since start, stays at 65535")]
    repeated_frames: Annotated[int, Wire(U16, "frames", "sent again since start, stays at 65535")]
    overruns: Annotated[int, Wire(U16, "bytes", "lost by the receiver, stays at 65535")]


@_message(0x10, Direction.TO_HOST)
@dataclass(frozen=True, slots=True)
class ReedSnapshot(Message):
    """All switches: first message of a session, the answer to ReedQuery, and after lost changes."""

    at_ms: Millis
    closed: Annotated[frozenset[int], Wire(BitSet(REEDS), "", "switch numbers")]
    lost: Annotated[int, Wire(U16, "changes", "that did not fit into the queue since start")]


@_message(0x11, Direction.TO_HOST)
@dataclass(frozen=True, slots=True)
class ReedChange(Message):
    """One switch has changed and stayed so for the debounce time."""

    at_ms: Annotated[int, Wire(U32, "ms", "board's clock when the new state was first seen")]
    index: Annotated[int, Wire(U8, "", f"switch 0…{REEDS - 1}")]
    closed: Annotated[bool, Wire(BOOL)]


@_message(0x12, Direction.TO_BOARD)
@dataclass(frozen=True, slots=True)
class ReedQuery(Message):
    """Send a snapshot."""


@_message(0x20, Direction.TO_BOARD)
@dataclass(frozen=True, slots=True)
class LedPixels(Message):
    """Store colours from an offset on; nothing is shown yet."""

    offset: Annotated[int, Wire(U8, "", f"first LED 0…{LEDS - 1}")]
    pixels: Annotated[tuple[Pixel, ...], Wire(Pixels(LED_CHUNK))]


@_message(0x21, Direction.TO_BOARD, quiet=True)
@dataclass(frozen=True, slots=True)
class LedShow(Message):
    """Store colours from an offset on and show all LEDs; acknowledged when they are lit.

    While the LEDs are written the board cannot listen, hence quiet.
    """

    offset: Annotated[int, Wire(U8, "", f"first LED 0…{LEDS - 1}")]
    pixels: Annotated[tuple[Pixel, ...], Wire(Pixels(LED_CHUNK))]


@_message(0x22, Direction.TO_BOARD, quiet=True)
@dataclass(frozen=True, slots=True)
class LedLimits(Message):
    """Brightness of all LEDs and the current they may draw together; the board dims to stay below."""

    brightness: Annotated[int, Wire(U8, "1/255")]
    budget_ma: Annotated[int, Wire(U16, "mA", f"at most {MAX_BUDGET_MA}, else refused as supply limited")]


@_message(0x30, Direction.TO_BOARD)
@dataclass(frozen=True, slots=True)
class AxisHome(Message):
    """Find the endstop by two approaches within bounded travel."""

    axis: Axis


@_message(0x31, Direction.TO_BOARD)
@dataclass(frozen=True, slots=True)
class AxisMove(Message):
    """Move to a place; the motor is switched off after arrival, and the place is only assumed from then on."""

    axis: Annotated[int, Wire(U8, "", f"0…{AXES - 1}")]
    target_um: Annotated[int, Wire(I32, "µm", "from the middle of the lane, to the north")]
    speed_um_s: Annotated[int, Wire(U32, "µm/s", f"not 0; the board keeps to {MAX_SPEED_UM_S}")]
    acceleration_um_s2: Annotated[
        int, Wire(U32, "µm/s²", f"not 0; the board keeps to {MAX_ACCELERATION_UM_S2}")
    ]


@_message(0x32, Direction.TO_BOARD)
@dataclass(frozen=True, slots=True)
class AxisStop(Message):
    """Slow down and stop here."""

    axis: Axis


@_message(0x33, Direction.TO_BOARD)
@dataclass(frozen=True, slots=True)
class AxisQuery(Message):
    """Send AxisStatus."""

    axis: Axis


@_message(0x34, Direction.TO_HOST)
@dataclass(frozen=True, slots=True)
class AxisStatus(Message):
    """Where an axis is and what it does; sent by itself whenever its state changes."""

    axis: Annotated[int, Wire(U8, "", f"0…{AXES - 1}")]
    state: Annotated[AxisState, Wire(one_of(AxisState))]
    knowledge: Annotated[Knowledge, Wire(one_of(Knowledge))]
    fault: Annotated[AxisFault, Wire(one_of(AxisFault))]
    position_um: Annotated[int, Wire(I32, "µm")]
    target_um: Annotated[int, Wire(I32, "µm")]


@_message(0x40, Direction.BOTH)
@dataclass(frozen=True, slots=True)
class Settings(Message):
    """How the reeds are scanned. The board answers with the settings in force."""

    debounce_ms: Annotated[
        int, Wire(U8, "ms", f"{MIN_DEBOUNCE_MS}…{MAX_DEBOUNCE_MS}; a new state must last this long")
    ]
    scan_order: Annotated[ScanOrder, Wire(one_of(ScanOrder))]


@_message(0x50, Direction.TO_BOARD)
@dataclass(frozen=True, slots=True)
class SelfTest(Message):
    """Check these parts as far as the board can by itself; results follow, then SelfTestDone."""

    parts: Annotated[Part, Wire(some_of(Part))]


@_message(0x51, Direction.TO_HOST)
@dataclass(frozen=True, slots=True)
class SelfTestFailure(Message):
    """One thing that failed its self-test."""

    part: Annotated[Part, Wire(some_of(Part))]
    index: Annotated[int, Wire(U8)]
    text: Annotated[str, Wire(Text(48))]


@_message(0x52, Direction.TO_HOST)
@dataclass(frozen=True, slots=True)
class SelfTestDone(Message):
    """The self-test is over."""

    parts: Annotated[Part, Wire(some_of(Part))]
    tested: Annotated[int, Wire(U16)]
    failed: Annotated[int, Wire(U16)]


@_message(0x60, Direction.TO_BOARD)
@dataclass(frozen=True, slots=True)
class EmergencyStop(Message):
    """All motors off at once. Sent twice: at once outside the sequence, and again as a sure message."""


@_message(0x61, Direction.TO_BOARD)
@dataclass(frozen=True, slots=True)
class EmergencyRelease(Message):
    """Motors may move again; every axis has to be homed anew."""


@_message(0x62, Direction.TO_HOST)
@dataclass(frozen=True, slots=True)
class EmergencyState(Message):
    """The emergency stop has changed."""

    stopped: Annotated[bool, Wire(BOOL)]
    source: Annotated[StopSource, Wire(one_of(StopSource))]


@_message(0x70, Direction.TO_HOST)
@dataclass(frozen=True, slots=True)
class ErrorReport(Message):
    """A command could not be carried out."""

    code: Annotated[ErrorCode, Wire(one_of(ErrorCode))]
    message_id: Annotated[int, Wire(U8, "", "of the command")]
    detail: Annotated[int, Wire(I32, "", "the value refused, or the axis")]
    text: Annotated[str, Wire(Text(64))]


def canonical_table() -> str:
    """Everything two ends must agree on, as text; its hash is `TABLE_HASH`."""
    lines = [
        f"version {VERSION} window {WINDOW} payload {MAX_PAYLOAD}",
        f"heartbeat {HEARTBEAT_MS} ms dead after {DEAD_AFTER_MS} ms",
    ]
    for number, cls in sorted(TABLE.items()):
        spec = cls.SPEC
        lines.append(f"{number:02x} {spec.name} {spec.direction.name} {'quiet' if spec.quiet else '-'}")
        for field in spec.fields:
            values = getattr(field.kind, "values", "")
            lines.append(f"  {field.name} {field.kind.name} {field.wire.unit} {values}".rstrip())
    return "\n".join(lines) + "\n"


TABLE_HASH = int.from_bytes(hashlib.sha256(canonical_table().encode()).digest()[:4], "little")


def encode(message: Message) -> bytes:
    """Payload bytes of a message; raises ProtocolError naming the field that does not fit."""
    parts = [bytes((message.SPEC.id,))]
    for field in message.SPEC.fields:
        try:
            parts.append(field.kind.pack(getattr(message, field.name)))
        except ProtocolError as error:
            raise ProtocolError(f"{message.SPEC.name}.{field.name}: {error}") from error
    return b"".join(parts)


def decode(payload: bytes, sender: Direction | None = None) -> Message:
    """The message in a payload; with `sender` also checks that this end may send it.

    Raises ProtocolError for unknown ids, wrong lengths and values outside the table.
    """
    cls = TABLE.get(payload[0]) if payload else None
    if cls is None:
        raise ProtocolError(f"unknown message {payload[:1].hex() or 'without id'}")
    spec = cls.SPEC
    if sender is not None and spec.direction not in (sender, Direction.BOTH):
        raise ProtocolError(f"{spec.name} came from the wrong end")
    values: dict[str, Any] = {}
    offset = 1
    for field in spec.fields:
        end = len(payload) if field.kind.is_tail else offset + field.kind.size
        if end > len(payload):
            raise ProtocolError(f"{spec.name} ends within {field.name}")
        try:
            values[field.name] = field.kind.unpack(payload[offset:end])
        except ProtocolError as error:
            raise ProtocolError(f"{spec.name}.{field.name}: {error}") from error
        offset = end
    if offset != len(payload):
        raise ProtocolError(f"{spec.name} is {len(payload) - offset} bytes too long")
    return cls(**values)
