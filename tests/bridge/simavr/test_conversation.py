"""The real firmware at its end of the wire: starts, resets, silence, damage, strangers, and any bytes at all."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.events import Connected, Phase
from firmware_bridge.frames import Frame, FrameParser, Kind, pack_frame
from firmware_bridge.protocol import (
    BAUD,
    TABLE_HASH,
    VERSION,
    AxisHome,
    AxisMove,
    Capability,
    Connect,
    Direction,
    EmergencyState,
    Heartbeat,
    Hello,
    LedShow,
    ReedChange,
    ReedQuery,
    ReedSnapshot,
    ResetCause,
    StopSource,
    decode,
    encode,
)
from tests.bridge.wires import LossyWire

from .chip import Chip
from .host import ChipHost


def heard(chip: Chip, seconds: float, data: bytes = b"") -> list[Frame]:
    """Whole frames that the chip sends within so long."""
    return [frame for frame in FrameParser().feed(chip.exchange(seconds, data)) if frame is not None]


def hellos(frames: list[Frame]) -> list[Hello]:
    messages = [decode(frame.payload, Direction.TO_HOST) for frame in frames if frame.kind is Kind.LOOSE]
    return [message for message in messages if isinstance(message, Hello)]


# Starts ----------------------------------------------------------------------------------------------------


def test_it_greets_by_itself_until_somebody_connects(chip: Chip) -> None:
    greetings = hellos(heard(chip, 1.1))
    assert len(greetings) == 5
    assert {hello.nonce for hello in greetings} == {0}
    first = greetings[0]
    assert (first.version, first.table_hash) == (VERSION, TABLE_HASH)
    assert first.firmware.startswith("olympus ")
    assert Capability.SIMULATED not in first.capabilities
    assert [hello.uptime_ms for hello in greetings] == sorted(hello.uptime_ms for hello in greetings)


@pytest.mark.parametrize(
    ("flags", "cause"),
    [
        (0b0010, ResetCause.EXTERNAL),
        (0b0100, ResetCause.BROWN_OUT),
        (0b1000, ResetCause.WATCHDOG),
    ],
)
def test_starts_are_counted_and_their_cause_is_told(chip: Chip, flags: int, cause: ResetCause) -> None:
    first = hellos(heard(chip, 0.3))[0]
    assert (first.boot_count, first.reset_cause) == (1, ResetCause.POWER_ON)
    for count in (2, 3):
        chip.reset(flags)
        hello = hellos(heard(chip, 0.3))[0]
        assert (hello.boot_count, hello.reset_cause) == (count, cause)


def test_a_reset_behind_a_boot_loader_is_still_one(chip: Chip) -> None:
    heard(chip, 0.3)
    chip.set_boot(0.5, on_open=False)
    chip.reset(0)  # a boot loader has cleared the chip's own register
    assert heard(chip, 0.45, encode(ReedQuery()) * 20) == []
    assert hellos(heard(chip, 0.3))[0].reset_cause is ResetCause.EXTERNAL


def test_a_program_that_hangs_lets_go_of_the_motors_and_starts_again(chip: Chip, host: ChipHost) -> None:
    chip.set_reeds(frozenset({5}))
    host.send(AxisHome(0))
    host.pass_time(0.5)
    assert chip.carriages[0].powered
    chip.hang()
    chip.exchange(0.3)
    assert not chip.carriages[0].powered
    host.answer(ReedSnapshot, lambda snapshot: snapshot.closed == frozenset({5}))
    assert (host.hello.reset_cause, host.hello.boot_count) == (ResetCause.WATCHDOG, 2)


def test_a_session_survives_a_reset_as_a_new_one(chip: Chip, host: ChipHost) -> None:
    chip.set_reeds(frozenset({5}))
    host.answer(ReedChange)
    chip.reset()
    assert host.answer(ReedSnapshot).closed == frozenset({5})
    assert (host.hello.boot_count, len(host.losses)) == (2, 0)
    assert any(isinstance(event, Connected) for event in host.events) or host.session.counters.sessions == 2


def test_the_button_once_seen_is_expected_after_every_start(chip: Chip) -> None:
    host = ChipHost(chip)
    assert Capability.EMERGENCY_BUTTON not in host.connect().capabilities
    chip.set_button(closed=True)
    host.pass_time(0.2)
    chip.set_button(closed=False)
    host.pass_time(0.1)
    chip.reset()
    again = ChipHost(chip)
    assert Capability.EMERGENCY_BUTTON in again.connect().capabilities
    assert again.answer(EmergencyState) == EmergencyState(True, StopSource.BUTTON)


# Heartbeats, strangers, damage -------------------------------------------------------------------------------


def test_a_quiet_table_stays_connected(host: ChipHost) -> None:
    host.slice_s = 0.02
    host.pass_time(20.0)
    assert host.session.ready
    assert host.session.counters.sessions == 1
    assert host.session.counters.repeated_frames == 0


def test_a_second_host_takes_over(chip: Chip, host: ChipHost) -> None:
    other = ChipHost(chip)
    other.session._nonces = lambda: 77
    other.connect()
    assert other.hello.nonce == 77
    chip.set_reeds(frozenset({1}))
    assert other.answer(ReedChange).index == 1


@pytest.mark.parametrize(("version", "table_hash"), [(VERSION + 1, TABLE_HASH), (VERSION, TABLE_HASH ^ 1)])
def test_a_host_of_another_protocol_gets_no_session(chip: Chip, version: int, table_hash: int) -> None:
    heard(chip, 0.1)
    connect = pack_frame(Frame(Kind.LOOSE, 0, 0, 0, encode(Connect(version, table_hash, 9))))
    greeting = hellos(heard(chip, 0.1, b"\0" + connect))[0]
    assert (greeting.nonce, greeting.version, greeting.table_hash) == (0, VERSION, TABLE_HASH)


def test_lost_bytes_are_counted_and_made_up_for(chip: Chip, host: ChipHost) -> None:
    host.send(LedShow(0, ((1, 1, 1),) * 35))
    host.step()
    # Against the rules a frame follows while the LEDs are written, and the receiver cannot be emptied.
    noise = pack_frame(Frame(Kind.LOOSE, 1, 0, 0, encode(Heartbeat(0, 0, 0, 0)))) * 12
    chip.exchange(0.02, noise)
    assert chip.overruns > 0
    host.pass_time(1.0)
    assert host.session.counters.peer_overruns > 0
    assert host.session.ready
    host.send(ReedQuery())
    assert host.answer(ReedSnapshot)


def test_half_a_minute_at_one_byte_in_a_thousand(chip: Chip) -> None:
    to_chip, to_host = LossyWire(0.001, seed=5), LossyWire(0.001, seed=6)

    def through(wire: LossyWire, data: bytes) -> bytes:
        wire.put(data, 0.0)
        return b"".join(wire.get(0.0))

    host = ChipHost(
        chip, to_chip=lambda data: through(to_chip, data), to_host=lambda data: through(to_host, data)
    )
    host.connect()
    dice, closed = random.Random(1), frozenset[int]()
    told: list[tuple[int, bool]] = []
    host.slice_s = 0.006
    for number in range(300):
        index = dice.randrange(97)
        closed = closed ^ {index}
        told.append((index, index in closed))
        chip.set_reeds(closed)
        if number % 20 == 0:
            host.send(LedShow(0, ((number % 256, 1, 2),) * 20))
        host.pass_time(0.1)
    host.pass_time(2.0)
    assert to_chip.spoilt > 0
    assert to_host.spoilt > 0
    changes = [message for message in host.messages if isinstance(message, ReedChange)]
    assert [(change.index, change.closed) for change in changes] == told
    assert host.session.counters.sessions == 1


# Any bytes at all --------------------------------------------------------------------------------------------

NOT_MOTION = [0x00, *range(0x02, 0x30), *range(0x32, 0x100)]
PAYLOADS = st.one_of(
    st.binary(max_size=116),
    st.tuples(st.sampled_from(NOT_MOTION), st.binary(max_size=115)).map(
        lambda parts: bytes(parts[:1]) + parts[1]
    ),
)
FRAMES = st.builds(
    lambda kind, session, sequence, expected, payload: pack_frame(
        Frame(kind, session, sequence, expected, payload)
    ),
    st.sampled_from(Kind),
    st.integers(0, 255),
    st.integers(0, 255),
    st.integers(0, 255),
    PAYLOADS,
)
STREAMS = st.lists(st.one_of(st.binary(max_size=200), FRAMES), max_size=12).map(b"\0".join)


def is_motion(data: bytes) -> bool:
    """Does a frame of these bytes ask an axis to move?"""
    moves = (AxisHome.SPEC.id, AxisMove.SPEC.id)
    return any(
        frame is not None and frame.payload[:1] in map(bytes, zip(moves))
        for frame in FrameParser().feed(data)
    )


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stream=STREAMS.filter(lambda data: not is_motion(data)))
def test_any_bytes_do_no_harm(chip: Chip, stream: bytes) -> None:
    chip.exchange(len(stream) * 10 / BAUD + 0.01, stream)
    assert not any(carriage.powered or carriage.steps for carriage in chip.carriages)
    host = ChipHost(chip)
    host.session._nonces = lambda: 1 + random.Random(len(stream)).randrange(2**31)
    host.connect()
    assert host.session.phase is Phase.READY
    assert host.hello.boot_count == 1
    host.events.clear()
    host.send(ReedQuery())
    assert host.answer(ReedSnapshot, limit_s=3.0).lost == 0
