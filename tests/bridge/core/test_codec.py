"""The core's codec is the program's: the same bytes, the same refusals."""

from __future__ import annotations

import binascii
import ctypes

from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import ProtocolError
from firmware_bridge.frames import MAX_DECODED, MAX_ENCODED, Frame, FrameParser, Kind, pack_frame
from firmware_bridge.protocol import MAX_PAYLOAD, TABLE, Direction, Heartbeat, decode, encode
from tests.bridge.test_frames import BYTE, FRAMES
from tests.bridge.test_protocol import messages

from .core import library

FROM_HOST = [cls for cls in TABLE.values() if cls.SPEC.direction is not Direction.TO_HOST]


class CFrame(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_uint8),
        ("session", ctypes.c_uint8),
        ("sequence", ctypes.c_uint8),
        ("acknowledged", ctypes.c_uint8),
        ("length", ctypes.c_uint8),
        ("payload", ctypes.c_void_p),
    )


class CParser(ctypes.Structure):
    _fields_ = (
        ("body", ctypes.c_uint8 * MAX_DECODED),
        ("length", ctypes.c_uint8),
        ("until_zero", ctypes.c_uint8),
        ("crc", ctypes.c_uint16),
        ("begun", ctypes.c_bool),
        ("too_long", ctypes.c_bool),
    )


def c_pack(frame: Frame) -> bytes:
    payload = ctypes.create_string_buffer(frame.payload, MAX_PAYLOAD)
    given_frame = CFrame(
        frame.kind,
        frame.session,
        frame.sequence,
        frame.acknowledged,
        len(frame.payload),
        ctypes.cast(payload, ctypes.c_void_p),
    )
    out = ctypes.create_string_buffer(MAX_ENCODED + 1)
    length = library().frame_pack(ctypes.byref(given_frame), out)
    return ctypes.string_at(out, length)


def c_feed(stream: bytes) -> list[Frame | None]:
    """As FrameParser.feed of a new parser."""
    parser, frame = CParser(), CFrame()
    library().frame_begin(ctypes.byref(parser))
    found: list[Frame | None] = []
    for byte in stream:
        arrival = library().frame_feed(ctypes.byref(parser), byte, ctypes.byref(frame))
        if arrival == 1:
            found.append(None)
        elif arrival == 2:
            payload = ctypes.string_at(frame.payload, frame.length)
            kind = Kind(frame.kind)
            found.append(Frame(kind, frame.session, frame.sequence, frame.acknowledged, payload))
    return found


@given(FRAMES)
def test_both_ends_write_the_same_bytes(frame: Frame) -> None:
    assert c_pack(frame) == pack_frame(frame)


def body_with_crc(body: bytes) -> bytes:
    return body + binascii.crc_hqx(body, 0xFFFF).to_bytes(2, "big")


# Any body at all with a right check sum.
STUFFED = st.binary(max_size=140).map(lambda body: bytes(cobs.encode(body_with_crc(body))) + b"\0")


@given(st.lists(st.one_of(st.binary(max_size=150), FRAMES.map(pack_frame), STUFFED), max_size=6))
def test_both_ends_read_the_same_frames_in_any_bytes(pieces: list[bytes]) -> None:
    stream = b"\0".join(pieces) + b"\0"
    assert c_feed(stream) == FrameParser().feed(stream)


@given(FRAMES, st.integers(0, 200), BYTE)
def test_both_ends_notice_the_same_damage(frame: Frame, place: int, byte: int) -> None:
    data = bytearray(pack_frame(frame))
    data[place % len(data)] = byte
    assert c_feed(bytes(data) + b"\0") == FrameParser().feed(bytes(data) + b"\0")


def allows(payload: bytes) -> bool:
    """A host may send this, as the table has it."""
    try:
        decode(payload, Direction.TO_BOARD)
    except ProtocolError:
        return False
    return True


def c_allows(payload: bytes) -> bool:
    return bool(library().message_valid(payload, len(payload)) & 0xFF)


@given(
    st.one_of(
        messages().map(encode),
        st.binary(max_size=MAX_PAYLOAD),
        st.tuples(st.sampled_from(FROM_HOST), st.binary(max_size=20)).map(
            lambda pair: bytes((pair[0].SPEC.id,)) + pair[1]
        ),
    )
)
def test_both_ends_allow_the_same_messages(payload: bytes) -> None:
    assert c_allows(payload) == allows(payload)


def test_a_message_of_each_kind_is_known() -> None:
    assert c_allows(encode(Heartbeat(1, 2, 3, 4)))
    assert not c_allows(b"")
    assert not c_allows(encode(Heartbeat(1, 2, 3, 4)) + b"\0")
