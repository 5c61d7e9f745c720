"""Bytes in, frames out: COBS with a 0x00 delimiter, a header, a CRC-16. No I/O, no clock, bounded memory.

On the wire: `00 · COBS(kind session sequence acknowledged length payload… crc_hi crc_lo) · 00`. The CRC is
the CCITT polynomial 0x1021 with start value 0xFFFF over all before it (avr-libc: `_crc_xmodem_update`). The
length is that of the payload: a CRC guards against changed bits, but not surely against bytes that a
receiver drops or doubles (a doubled zero at the end would even leave it valid).
"""

from __future__ import annotations

import binascii
import enum
from dataclasses import dataclass

from cobs import cobs

from .errors import ProtocolError
from .protocol import MAX_PAYLOAD

HEADER = 5
CRC = 2
MAX_DECODED = HEADER + MAX_PAYLOAD + CRC
# COBS adds one byte to anything shorter than 254 bytes.
MAX_ENCODED = MAX_DECODED + 1
# What a payload costs on the wire beyond its own bytes, the delimiter included.
OVERHEAD = HEADER + CRC + 2


class Kind(enum.IntEnum):
    """What a frame is for."""

    DATA = 1  # carries a message, in sequence, repeated until acknowledged
    ACK = 2  # nothing but the acknowledgement
    NAK = 3  # something was lost or damaged: go on from `acknowledged`
    LOOSE = 4  # carries a message outside the sequence: hello, connect, heartbeat, emergency stop


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame. `acknowledged` is the sequence number expected next from the other end."""

    kind: Kind
    session: int
    sequence: int
    acknowledged: int
    payload: bytes = b""


def pack_frame(frame: Frame) -> bytes:
    """The frame's bytes with the closing delimiter."""
    if len(frame.payload) > MAX_PAYLOAD:
        raise ProtocolError(f"a payload of {len(frame.payload)} bytes; at most {MAX_PAYLOAD} are allowed")
    header = (frame.kind, frame.session, frame.sequence, frame.acknowledged, len(frame.payload))
    body = bytes(header) + frame.payload
    return bytes(cobs.encode(body + binascii.crc_hqx(body, 0xFFFF).to_bytes(CRC, "big"))) + b"\x00"


def unpack_frame(encoded: bytes) -> Frame:
    """The frame between two delimiters; raises ProtocolError when it is damaged."""
    try:
        body = bytes(cobs.decode(encoded))
    except cobs.DecodeError as error:
        raise ProtocolError(f"not COBS: {error}") from error
    if not HEADER + CRC <= len(body) <= MAX_DECODED or body[4] != len(body) - HEADER - CRC:
        raise ProtocolError(f"a frame of {len(body)} bytes that says otherwise")
    if binascii.crc_hqx(body, 0xFFFF):
        raise ProtocolError("wrong check sum")
    try:
        kind = Kind(body[0])
    except ValueError as error:
        raise ProtocolError(f"unknown kind of frame {body[0]}") from error
    return Frame(kind, body[1], body[2], body[3], body[HEADER:-CRC])


class FrameParser:
    """Cuts a stream of any bytes at all into frames; never holds more than one frame's bytes."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._too_long = False
        self.whole = 0
        self.damaged = 0
        self.received_bytes = 0
        self.printable_bytes = 0

    @property
    def held(self) -> int:
        """Bytes of the unfinished frame."""
        return len(self._buffer)

    def feed(self, data: bytes) -> list[Frame | None]:
        """The frames completed by these bytes, in order; None stands for a damaged one."""
        frames: list[Frame | None] = []
        self.received_bytes += len(data)
        self.printable_bytes += sum(32 <= byte < 127 or byte in b"\r\n\t" for byte in data)
        pieces = data.split(b"\x00")
        for last, piece in ((n == len(pieces) - 1, piece) for n, piece in enumerate(pieces)):
            self._take(piece)
            if not last:
                self._finish(frames)
        return frames

    def _take(self, piece: bytes) -> None:
        if self._too_long or len(self._buffer) + len(piece) > MAX_ENCODED:
            self._too_long = True
            self._buffer.clear()
        else:
            self._buffer += piece

    def _finish(self, frames: list[Frame | None]) -> None:
        if not self._buffer and not self._too_long:
            return  # two delimiters in a row
        try:
            if self._too_long:
                raise ProtocolError("a frame longer than any message")
            frames.append(unpack_frame(bytes(self._buffer)))
            self.whole += 1
        except ProtocolError:
            self.damaged += 1
            frames.append(None)
        self._buffer.clear()
        self._too_long = False
