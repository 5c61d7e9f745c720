"""Any deeds in any order under the address and undefined-behaviour sanitizers: no crash, no unintended motion."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.frames import Frame, Kind, pack_frame
from firmware_bridge.limits import LANES_UM, STEPS_PER_MM
from firmware_bridge.protocol import (
    TABLE_HASH,
    VERSION,
    AxisHome,
    AxisMove,
    Connect,
    Direction,
    EmergencyStop,
    Message,
    encode,
)
from tests.bridge.test_protocol import messages
from tests.installed import do_without

from .core import CompileError, player

NONCE = 6  # session 7
OPEN = pack_frame(Frame(Kind.LOOSE, 0, 0, 0, encode(Connect(VERSION, TABLE_HASH, NONCE))))
BYTE = st.integers(0, 255)


def receive(data: bytes) -> bytes:
    pieces = (data[n : n + 255] for n in range(0, len(data), 255))
    return b"".join(b"r" + bytes((len(piece),)) + piece for piece in pieces)


def advance(milliseconds: int) -> bytes:
    return b"a" + bytes((milliseconds,))


def framed(payload: bytes, sequence: int = 0, kind: Kind = Kind.DATA) -> bytes:
    return b"\0" + pack_frame(Frame(kind, NONCE % 255 + 1, sequence, 0, payload))


@pytest.fixture(scope="module")
def program() -> str:
    try:
        return str(player())
    except CompileError as error:
        do_without(f"no sanitizers here: {str(error)[:200]}")


def play(program: str, deeds: bytes) -> tuple[int, list[tuple[int, int, int]]]:
    """Faulty steps, and of every axis its place, its steps, whether it is powered."""
    run = subprocess.run([program], input=deeds, capture_output=True, check=False, timeout=60)
    assert run.returncode == 0, run.stderr.decode()[-3000:]
    faults, *axes = run.stdout.decode().split()
    return int(faults), [(int(p), int(s), int(on)) for p, s, on in (axis.split(",") for axis in axes)]


def from_host() -> st.SearchStrategy[Message]:
    return messages().filter(lambda message: message.SPEC.direction is not Direction.TO_HOST)


def is_motion(message: Message) -> bool:
    return isinstance(message, AxisHome | AxisMove)


DEED = st.one_of(
    st.binary(max_size=300).map(receive),
    st.binary(max_size=116).map(lambda payload: receive(framed(payload, kind=Kind.LOOSE))),
    st.tuples(st.sampled_from(Kind), BYTE, BYTE, BYTE, st.binary(max_size=116)).map(
        lambda parts: receive(b"\0" + pack_frame(Frame(*parts)))
    ),
    st.integers(0, 60).map(advance),
    st.binary(min_size=13, max_size=13).map(lambda bits: b"s" + bits),
    st.tuples(st.integers(0, 4), BYTE).map(lambda pair: b"e" + bytes(pair)),
    BYTE.map(lambda byte: b"b" + bytes((byte,))),
    BYTE.map(lambda byte: b"w" + bytes((byte,))),
    st.just(b"n"),
)


@settings(max_examples=60)
@given(st.lists(DEED, max_size=30))
def test_any_bytes_and_any_table_do_no_harm(program: str, deeds: list[bytes]) -> None:
    faults, axes = play(program, receive(b"\0" + OPEN) + advance(2) + b"".join(deeds) + advance(50))
    assert faults == 0
    # Random bytes are no command to move: its check sum alone would be one chance in 65536.
    assert [steps for _, steps, _ in axes] == [0] * 5


@settings(max_examples=40)
@given(st.lists(st.tuples(from_host(), st.integers(0, 250)), max_size=25), st.lists(DEED, max_size=6))
def test_any_commands_in_any_order_keep_every_carriage_in_its_lane(
    program: str, commands: list[tuple[Message, int]], between: list[bytes]
) -> None:
    deeds = receive(b"\0" + OPEN) + advance(2)
    for number, (message, wait) in enumerate(commands):
        deeds += receive(framed(encode(message), number)) + advance(wait)
        deeds += between[number % len(between)] if between and number % 5 == 4 else b""
    faults, axes = play(program, deeds + advance(100))
    assert faults == 0
    if not any(is_motion(message) for message, _ in commands):
        assert [steps for _, steps, _ in axes] == [0] * 5
    for (place, _, _), (south, north) in zip(axes, LANES_UM, strict=True):
        assert (south - 5000) * STEPS_PER_MM <= 1000 * place <= (north + 5000) * STEPS_PER_MM


@settings(max_examples=15)
@given(st.lists(st.tuples(from_host(), st.integers(0, 50)), max_size=15))
def test_after_the_emergency_stop_nothing_moves(program: str, commands: list[tuple[Message, int]]) -> None:
    moving = receive(b"\0" + OPEN) + advance(2) + receive(framed(encode(AxisHome(255)))) + advance(200)
    stop = receive(framed(encode(EmergencyStop()), kind=Kind.LOOSE))
    _, before = play(program, moving + stop)
    assert all(steps > 0 for _, steps, _ in before)
    deeds = b"".join(
        receive(framed(encode(message), 1 + number)) + advance(wait)
        for number, (message, wait) in enumerate(commands)
        if message.SPEC.name != "EmergencyRelease"
    )
    _, after = play(program, moving + stop + deeds + advance(250))
    assert [steps for _, steps, _ in after] == [steps for _, steps, _ in before]
    assert not any(powered for _, _, powered in after)
