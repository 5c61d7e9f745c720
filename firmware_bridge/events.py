"""What a session reports, what it counts, and how patient it is."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from .protocol import DEAD_AFTER_MS, HEARTBEAT_MS, Hello, Message


class Role(enum.Enum):
    """Which end of the wire a session is."""

    HOST = "host"
    BOARD = "board"


class Phase(enum.Enum):
    """Where the conversation stands."""

    LISTENING = "listening"  # nothing valid heard yet; the board says Hello meanwhile
    CONNECTING = "connecting"  # host only: Connect sent, no answer yet
    READY = "ready"
    REFUSED = "refused"  # host only: the board speaks another version


@dataclass(frozen=True, slots=True)
class Timing:
    """Time-outs in seconds of the wire's clock; heartbeats must come well before the peer gives up."""

    repeat_s: float = 0.08  # before an unacknowledged frame is sent again; doubles up to repeat_max_s
    repeat_max_s: float = 0.64
    heartbeat_s: float = HEARTBEAT_MS / 1000
    dead_after_s: float = DEAD_AFTER_MS / 1000
    beacon_s: float = 0.25  # between a board's Hellos while it has no session
    connect_s: float = 0.15  # between a host's Connects
    attempts: int = 12  # of one frame before the link is given up


@dataclass(frozen=True, slots=True)
class Connected:
    """A session has begun. `hello` is the board's identity; at the board's end None."""

    hello: Hello | None


@dataclass(frozen=True, slots=True)
class Lost:
    """The session is over. What was not acknowledged may or may not have been carried out."""

    reason: str
    board_restarted: bool = False
    undelivered: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """The board carries firmware for another protocol; nothing more is sent to it."""

    version: int
    table_hash: int


@dataclass(frozen=True, slots=True)
class Received:
    """A message, exactly once and in order (those outside the sequence: at most once)."""

    message: Message


@dataclass(frozen=True, slots=True)
class Sent:
    """A message has been put on the wire for the first time."""

    message: Message


@dataclass(frozen=True, slots=True)
class Delivered:
    """A message has been acknowledged: the peer's owner has taken it."""

    message: Message


@dataclass(frozen=True, slots=True)
class Malformed:
    """A frame with a valid check sum held no message of the table; it is asked for again."""

    reason: str
    message_id: int


Event = Connected | Lost | Refused | Received | Sent | Delivered | Malformed


@dataclass(slots=True)
class Counters:
    """What the wire has done to us since the session object was made."""

    sent_bytes: int = 0
    sent_frames: int = 0
    repeated_frames: int = 0
    received_frames: int = 0
    damaged_frames: int = 0
    duplicate_frames: int = 0
    gaps: int = 0
    stale_frames: int = 0
    malformed: int = 0
    sessions: int = 0
    peer_damaged_frames: int = 0
    peer_repeated_frames: int = 0
    peer_overruns: int = 0
