"""Bytes in, frames out: golden bytes, any cut, any rubbish, bounded memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import ProtocolError
from firmware_bridge.frames import MAX_ENCODED, OVERHEAD, Frame, FrameParser, Kind, pack_frame, unpack_frame
from firmware_bridge.protocol import MAX_PAYLOAD

BYTE = st.integers(0, 255)
FRAMES = st.builds(Frame, st.sampled_from(Kind), BYTE, BYTE, BYTE, st.binary(max_size=MAX_PAYLOAD))


@given(FRAMES)
def test_a_frame_comes_back_as_it_was(frame: Frame) -> None:
    data = pack_frame(frame)
    assert data.count(0) == 1
    assert data.endswith(b"\x00")
    assert len(data) == len(frame.payload) + OVERHEAD <= MAX_ENCODED + 1
    assert unpack_frame(data[:-1]) == frame


def crc_bit_by_bit(data: bytes) -> int:
    """CRC-16, polynomial 0x1021, start 0xFFFF, as the firmware would compute it without a table."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ (0x1021 if crc & 0x8000 else 0)
        crc &= 0xFFFF
    return crc


def test_golden_bytes() -> None:
    assert crc_bit_by_bit(b"123456789") == 0x29B1  # the published check value
    assert crc_bit_by_bit(bytes.fromhex("010700010160")) == 0x44C3
    frame = Frame(Kind.DATA, 7, 0, 1, bytes.fromhex("60"))
    # COBS: the zero of the sequence number becomes the distance to it (3) and to the end (6).
    assert pack_frame(frame).hex(" ") == "03 01 07 06 01 01 60 44 c3 00"


@given(st.lists(FRAMES, max_size=8), st.lists(st.integers(1, 60), max_size=40))
def test_frames_survive_every_cut(frames: list[Frame], cuts: list[int]) -> None:
    stream = b"\x00".join([b"", *(pack_frame(frame) for frame in frames)])
    parser, got = FrameParser(), []
    for cut in cuts:
        got += parser.feed(stream[:cut])
        stream = stream[cut:]
    got += parser.feed(stream)
    assert got == frames
    assert parser.damaged == 0


@given(st.binary(max_size=2000), FRAMES)
def test_any_bytes_do_no_harm_and_the_next_frame_is_heard(noise: bytes, frame: Frame) -> None:
    parser = FrameParser()
    parser.feed(noise)
    assert parser.held <= MAX_ENCODED
    assert parser.feed(b"\x00" + pack_frame(frame))[-1] == frame
    assert parser.held == 0


def test_memory_is_bounded_without_any_delimiter() -> None:
    parser = FrameParser()
    for _ in range(1000):
        assert parser.feed(b"\x55" * 997) == []
        assert parser.held <= MAX_ENCODED
    assert parser.feed(b"\x00") == [None]
    assert parser.damaged == 1


@given(FRAMES, st.integers(0, 200), st.integers(1, 255))
def test_one_changed_byte_is_always_noticed(frame: Frame, place: int, change: int) -> None:
    data = bytearray(pack_frame(frame)[:-1])
    data[place % len(data)] ^= change
    got = FrameParser().feed(bytes(data) + b"\x00")
    assert frame not in got


@given(FRAMES, st.integers(0, 200))
def test_one_dropped_or_doubled_byte_is_always_noticed(frame: Frame, place: int) -> None:
    data = pack_frame(frame)[:-1]
    place %= len(data)
    for spoilt in (data[:place] + data[place + 1 :], data[: place + 1] + data[place:]):
        assert FrameParser().feed(spoilt + b"\x00") in ([None], [])


def test_a_doubled_zero_at_the_end_is_noticed() -> None:
    frames = (Frame(Kind.DATA, 1, n % 256, n // 256, b"\x60") for n in range(2000))
    ending = [data for frame in frames if (data := pack_frame(frame)).endswith(b"\x01\x00")]
    assert ending  # some check sums end in zero, encoded as 01
    for data in ending:
        assert FrameParser().feed(data[:-1] + b"\x01\x00") == [None]


@pytest.mark.parametrize("size", [MAX_PAYLOAD + 1, 1000])
def test_a_payload_that_is_too_long_is_refused(size: int) -> None:
    with pytest.raises(ProtocolError, match="at most 116"):
        pack_frame(Frame(Kind.DATA, 0, 0, 0, bytes(size)))


def test_a_login_console_is_told_from_frames() -> None:
    parser = FrameParser()
    parser.feed(b"\r\nDebian GNU/Linux 12 pi ttyAMA0\r\n\r\npi login: ")
    assert parser.printable_bytes == parser.received_bytes
