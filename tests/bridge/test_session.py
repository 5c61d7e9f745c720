"""Two real sessions over four wires, in simulated time: nothing lost, doubled or swapped, no deadlock."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.errors import LinkAbsentError, LinkBusyError
from firmware_bridge.events import (
    Connected,
    Delivered,
    Lost,
    Malformed,
    Phase,
    Refused,
    Role,
    Sent,
    Timing,
)
from firmware_bridge.frames import OVERHEAD, Frame, FrameParser, Kind, pack_frame
from firmware_bridge.protocol import (
    TABLE_HASH,
    VERSION,
    WINDOW,
    Connect,
    EmergencyStop,
    LedPixels,
    LedShow,
    ReedChange,
    ReedQuery,
    encode,
)
from firmware_bridge.session import Session

from .wires import (
    STEP_S,
    DelayedWire,
    LossyWire,
    Pair,
    SingleByteWire,
    WholeWire,
    Wire,
    a_hello,
    received,
)

WIRES: dict[str, Callable[[], Wire]] = {
    "whole": WholeWire,
    "byte by byte": SingleByteWire,
    "lossy": lambda: LossyWire(0.004, seed=3),
    "delayed": lambda: DelayedWire(0.03),
}


@pytest.fixture(params=WIRES, ids=lambda name: name.replace(" ", "-"))
def pair(request: pytest.FixtureRequest) -> Pair:
    return Pair(WIRES[request.param])


def changes(count: int) -> list[ReedChange]:
    return [ReedChange(n, n % 97, n % 2 == 0) for n in range(count)]


def pictures(count: int) -> list[LedPixels | LedShow]:
    make = (LedPixels, LedShow)
    return [make[n % 2](n % 70, ((n % 256, 0, 255),) * (1 + n % 35)) for n in range(count)]


def test_everything_arrives_once_and_in_order_both_ways(pair: Pair) -> None:
    pair.connect()
    up, down = changes(60), pictures(60)
    for message in up:
        pair.board.send(message)
    for order in down:
        pair.host.send(order)
    pair.run(lambda: pair.idle and len(received(pair.host_events)) == 60)
    assert received(pair.host_events) == up
    assert received(pair.board_events) == down
    assert [event.message for event in pair.host_events if isinstance(event, Delivered)] == down
    assert [event.message for event in pair.host_events if isinstance(event, Sent)] == down
    assert not [event for event in pair.host_events if isinstance(event, Lost | Malformed)]


def test_a_quiet_table_stays_connected(pair: Pair) -> None:
    pair.connect()
    pair.pass_time(20)
    assert pair.host.ready
    assert pair.board.ready
    assert pair.host.counters.sessions == 1


def test_lossy_wire_really_lost_something() -> None:
    pair = Pair(WIRES["lossy"])
    pair.connect()
    for message in changes(60):
        pair.board.send(message)
    pair.run(lambda: pair.idle and len(received(pair.host_events)) == 60)
    assert isinstance(pair.to_host, LossyWire)
    assert pair.to_host.spoilt > 0
    assert pair.board.counters.repeated_frames > 0


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), rate=st.sampled_from([0.001, 0.01, 0.03]))
def test_any_losses_only_ever_delay(seed: int, rate: float) -> None:
    seeds = iter((seed, seed + 1))
    pair = Pair(lambda: LossyWire(rate, next(seeds)))
    up, sessions = changes(40), 0
    left = list(up)
    pair.connect()
    for _ in range(8000):
        pair.step()
        if pair.host.counters.sessions != sessions:  # at 3 % a session may die; the owner starts over
            sessions = pair.host.counters.sessions
            pair.host_events.clear()
            left = list(up)
        while left and pair.board.ready and pair.board.outstanding < 10:
            pair.board.send(left.pop(0))
        got = received(pair.host_events)
        assert got == up[: len(got)]
        if got == up:
            return
    raise AssertionError(f"stuck: {pair.host.counters}")


def test_one_hour_at_one_byte_in_a_thousand() -> None:
    pair = Pair(lambda: LossyWire(0.001, seed=11))
    pair.connect()
    up, sent = changes(3600), 0
    end = pair.now + 3600
    while pair.now < end:
        pair.now += 0.095  # with each step 100 ms
        pair.step()
        if sent < len(up) and pair.board.ready and pair.board.outstanding < 30:
            pair.board.send(up[sent])
            sent += 1
    pair.run(lambda: pair.idle)
    assert received(pair.host_events) == up
    assert pair.host.counters.sessions == 1


# Opening -------------------------------------------------------------------------------------------------


def test_the_host_is_silent_until_it_has_heard_the_board() -> None:
    host = Session(Role.HOST, nonces=lambda: 1)
    for n in range(1000):
        assert host.poll(n * 0.01) == b""
    host.receive(b"garbage from a boot loader\x00\xff\x00", 10.0)
    assert host.poll(10.0) == b""
    board = Session(Role.BOARD, identity=a_hello)
    host.receive(board.poll(10.0), 10.0)
    assert host.poll(10.01) != b""


def test_nothing_can_be_sent_before_the_session() -> None:
    pair = Pair()
    with pytest.raises(LinkAbsentError):
        pair.host.send(ReedQuery())
    with pytest.raises(LinkAbsentError):
        pair.host.send_loose(EmergencyStop())


def test_the_board_greets_by_itself_and_only_while_alone() -> None:
    board = Session(Role.BOARD, identity=a_hello)
    hellos = sum(board.poll(n * 0.05) != b"" for n in range(100))
    assert hellos == pytest.approx(5 / Timing().beacon_s, abs=2)
    pair = Pair()
    pair.connect()
    sent = pair.board.counters.sent_frames
    pair.pass_time(5)
    assert pair.board.counters.sent_frames - sent <= 5 / Timing().heartbeat_s + 1


@pytest.mark.parametrize("other", [{"version": VERSION + 1}, {"table_hash": TABLE_HASH ^ 1}])
def test_another_protocol_is_refused_once_and_told(other: dict[str, int]) -> None:
    pair = Pair(hello=a_hello(**other))
    pair.pass_time(3)
    version, table_hash = other.get("version", VERSION), other.get("table_hash", TABLE_HASH)
    assert pair.host_events == [Refused(version, table_hash)]
    assert pair.host.phase is Phase.REFUSED
    assert pair.host.counters.sent_frames == 0


def test_a_hello_of_the_future_is_refused_whatever_its_length() -> None:
    host = Session(Role.HOST, nonces=lambda: 1)
    payload = bytes((1,)) + (9).to_bytes(2, "little") + bytes(4) + b"something else entirely"
    host.receive(pack_frame(Frame(Kind.LOOSE, 0, 0, 0, payload)), 0.0)
    assert host.events() == [Refused(9, 0)]


def test_a_board_still_talking_to_a_host_that_has_gone_is_taken_over() -> None:
    pair = Pair()
    pair.connect()
    pair.board.send(ReedChange(1, 1, True))
    nonces = iter(range(5000, 5100))
    pair.host = Session(Role.HOST, nonces=lambda: next(nonces))
    pair.host_events.clear()
    pair.run(lambda: pair.host.ready)
    assert Lost("another host has connected", False, (ReedChange(1, 1, True),)) in pair.board_events
    pair.board.send(ReedChange(2, 2, True))
    pair.run(lambda: pair.idle)
    assert received(pair.host_events) == [ReedChange(2, 2, True)]


def test_the_same_connect_again_is_the_same_session() -> None:
    pair = Pair()
    pair.connect()
    pair.host.send(ReedQuery())
    connect = pack_frame(Frame(Kind.LOOSE, 0, 0, 0, encode(Connect(VERSION, TABLE_HASH, 1000))))
    pair.to_board.put(connect, pair.now)
    pair.run(lambda: pair.idle)
    pair.pass_time(1)
    assert received(pair.board_events) == [ReedQuery()]
    assert [type(event) for event in pair.board_events].count(Connected) == 1
    assert pair.host.counters.sessions == 1


def test_a_connect_without_nonce_opens_nothing() -> None:
    board = Session(Role.BOARD, identity=a_hello)
    board.receive(pack_frame(Frame(Kind.LOOSE, 0, 0, 0, encode(Connect(VERSION, TABLE_HASH, 0)))), 0.0)
    assert not board.ready
    assert board.events() == []


# Ending --------------------------------------------------------------------------------------------------


def test_a_restarted_board_is_noticed_and_taken_up_again() -> None:
    pair = Pair()
    pair.connect()
    pair.host.send(ReedQuery())
    pair.hello = a_hello(boot_count=2)
    pair.board = pair.new_board()
    pair.run(lambda: any(isinstance(event, Lost) for event in pair.host_events))
    lost = next(event for event in pair.host_events if isinstance(event, Lost))
    assert lost.board_restarted
    assert lost.reason == "the board restarted (power on)"
    assert lost.undelivered == (ReedQuery(),)
    pair.run(lambda: pair.host.ready and pair.board.ready)
    assert pair.host.peer is not None
    assert pair.host.peer.boot_count == 2


def test_a_board_that_gave_up_is_not_called_restarted() -> None:
    pair = Pair()
    pair.connect()
    pair.board.close("the cable was bad")
    pair.run(lambda: any(isinstance(event, Lost) for event in pair.host_events))
    assert Lost("the board had not heard us for too long") in pair.host_events
    pair.run(lambda: pair.host.ready and pair.board.ready)


def test_silence_ends_the_session_at_both_ends() -> None:
    pair = Pair()
    pair.connect()
    pair.cut = True
    pair.pass_time(Timing().dead_after_s + 0.6)
    assert [type(event) for event in pair.host_events] == [Connected, Lost]
    assert [type(event) for event in pair.board_events] == [Connected, Lost]
    assert "the board has said nothing" in str(pair.host_events[-1])
    assert "the host has said nothing" in str(pair.board_events[-1])
    pair.cut = False
    pair.connect()


def test_a_clock_that_jumps_between_two_polls_blames_nobody() -> None:
    pair = Pair()
    pair.connect()
    for _ in range(20):
        pair.now += 3600.0
        pair.run(lambda: pair.idle)
        pair.pass_time(0.1)
    assert pair.host.ready
    assert pair.host.counters.sessions == 1
    assert pair.board.counters.sessions == 1


def test_a_peer_that_hears_nothing_is_given_up() -> None:
    pair = Pair(timing=Timing(attempts=4))
    pair.connect()
    pair.host.send(ReedQuery())
    pair.board.receive = lambda data, now: None  # type: ignore[method-assign]
    pair.run(lambda: any(isinstance(event, Lost) for event in pair.host_events))
    assert "ReedQuery was not acknowledged in 4 attempts" in str(pair.host_events)


# Limits ---------------------------------------------------------------------------------------------------


def frames_in(data: bytes) -> list[Frame]:
    frames = FrameParser().feed(data)
    assert None not in frames
    return [frame for frame in frames if frame is not None]


def test_at_most_a_window_is_on_its_way() -> None:
    pair = Pair()
    pair.connect()
    for _ in range(10):
        pair.host.send(ReedQuery())
    out = frames_in(pair.host.poll(pair.now))
    assert [frame.kind for frame in out] == [Kind.DATA] * WINDOW
    assert pair.host.poll(pair.now) == b""


def test_at_most_the_boards_buffer_is_on_its_way() -> None:
    pair = Pair(hello=a_hello(receive_bytes=250))
    pair.connect()
    for _ in range(4):
        pair.host.send(LedPixels(0, ((1, 2, 3),) * 35))
    size = 2 + 105 + OVERHEAD
    out = pair.host.poll(pair.now)
    assert len(frames_in(out)) == 250 // size == 2
    assert len(out) <= 250


def test_not_a_byte_follows_a_quiet_message_until_it_is_acknowledged() -> None:
    pair = Pair()
    pair.connect()
    pair.host.send(LedShow(0, ((1, 2, 3),)))
    pair.host.send(ReedQuery())
    pair.board.send(ReedChange(1, 1, True))
    shown = pair.host.poll(pair.now)
    assert len(frames_in(shown)) == 1
    pair.host.receive(pair.board.poll(pair.now), pair.now)  # wants an acknowledgement
    assert pair.host.poll(pair.now + 0.01) == b""
    assert pair.host.next_wake(pair.now + 0.01) > 0
    pair.board.receive(shown, pair.now)
    pair.host.receive(pair.board.poll(pair.now), pair.now)
    (frame,) = frames_in(pair.host.poll(pair.now + 0.02))
    assert frame.payload == encode(ReedQuery())
    assert frame.acknowledged == 1


def test_an_urgent_message_is_written_even_then() -> None:
    pair = Pair()
    pair.connect()
    pair.host.send(LedShow(0, ((1, 2, 3),)))
    pair.host.poll(pair.now)
    pair.host.send_loose(EmergencyStop())
    (frame,) = frames_in(pair.host.poll(pair.now))
    assert (frame.kind, frame.payload) == (Kind.LOOSE, encode(EmergencyStop()))


def test_the_queue_is_bounded() -> None:
    pair = Pair()
    pair.connect()
    with pytest.raises(LinkBusyError, match="64 messages wait"):
        for _ in range(100):
            pair.host.send(ReedQuery())


def test_a_gap_is_complained_about_once() -> None:
    pair = Pair()
    pair.connect()
    for message in changes(3):
        pair.board.send(message)
    first, second, third = frames_in(pair.board.poll(pair.now))
    pair.host.receive(pack_frame(second) + pack_frame(third), pair.now)
    (nak,) = frames_in(pair.host.poll(pair.now))
    assert (nak.kind, nak.acknowledged) == (Kind.NAK, first.sequence)
    pair.host.receive(pack_frame(third), pair.now)
    assert pair.host.poll(pair.now) == b""
    pair.board.receive(pack_frame(nak), pair.now)
    assert frames_in(pair.board.poll(pair.now)) == [first, second, third]


def test_a_doubled_frame_is_acknowledged_again_and_not_delivered_again() -> None:
    pair = Pair()
    pair.connect()
    pair.board.send(ReedChange(1, 1, True))
    (frame,) = frames_in(pair.board.poll(pair.now))
    for _ in range(2):
        pair.host.receive(pack_frame(frame), pair.now)
        assert [answer.kind for answer in frames_in(pair.host.poll(pair.now))] == [Kind.ACK]
    assert received(pair.host.events()) == [ReedChange(1, 1, True)]
    assert pair.host.counters.duplicate_frames == 1


def test_frames_of_another_session_are_left_alone() -> None:
    pair = Pair()
    pair.connect()
    pair.host_events.clear()
    session = (1000 % 255 + 1) ^ 1
    pair.host.receive(pack_frame(Frame(Kind.DATA, session, 0, 0, encode(ReedChange(1, 1, True)))), pair.now)
    assert pair.host.events() == []
    assert pair.host.counters.stale_frames == 1


def test_a_message_outside_the_table_is_asked_for_again() -> None:
    pair = Pair()
    pair.connect()
    pair.board.send(ReedChange(1, 1, True))
    session = 1000 % 255 + 1
    pair.to_host.put(pack_frame(Frame(Kind.DATA, session, 0, 0, b"\xfe\x01")), pair.now)
    pair.run(lambda: pair.idle)
    assert Malformed("unknown message fe", 0xFE) in pair.host_events
    assert received(pair.host_events) == [ReedChange(1, 1, True)]


@given(st.lists(st.one_of(st.binary(max_size=150), st.integers(1, 50)), max_size=60), st.sampled_from(Role))
def test_any_bytes_do_no_harm_to_either_end(noise: list[bytes | int], victim: Role) -> None:
    pair = Pair()
    pair.connect()
    session = pair.host if victim is Role.HOST else pair.board
    for piece in noise:
        if isinstance(piece, bytes):
            session.receive(piece, pair.now)
        for _ in range(1 if isinstance(piece, bytes) else piece):
            pair.step()
    session.receive(b"\x00", pair.now)
    events = pair.host_events if victim is Role.HOST else pair.board_events
    events.clear()
    pair.connect()
    peer = pair.board if victim is Role.HOST else pair.host
    message = ReedChange(1, 2, True) if victim is Role.HOST else ReedQuery()
    peer.send(message)
    pair.run(lambda: pair.idle)
    assert received(events) == [message]


@given(
    st.lists(
        st.builds(
            Frame,
            st.sampled_from(Kind),
            st.sampled_from([0, 1000 % 255 + 1]),
            st.integers(0, 255),
            st.integers(0, 255),
            st.binary(max_size=30),
        ),
        max_size=30,
    ),
    st.sampled_from(Role),
)
def test_well_formed_nonsense_does_no_harm(frames: list[Frame], victim: Role) -> None:
    pair = Pair()
    pair.connect()
    session = pair.host if victim is Role.HOST else pair.board
    for frame in frames:
        session.receive(pack_frame(frame), pair.now)
        assert len(session.poll(pair.now)) < 1000
        assert session.next_wake(pair.now) >= 0
    assert session.outstanding <= 128


def test_a_session_needs_what_its_role_needs() -> None:
    with pytest.raises(ValueError, match="identity"):
        Session(Role.BOARD)
    with pytest.raises(ValueError, match="nonces"):
        Session(Role.HOST, identity=a_hello)


def test_next_wake_never_asks_to_be_called_at_once_for_nothing() -> None:
    pair = Pair(lambda: DelayedWire(0.2))
    pair.connect()
    pair.host.send(LedShow(0, ((1, 2, 3),)))
    for _ in range(400):
        pair.step()
        for session in (pair.host, pair.board):
            if session.next_wake(pair.now) == 0.0:
                assert session.poll(pair.now) or session.next_wake(pair.now) > 0.0
    assert dataclasses.asdict(pair.host.counters)["sessions"] == 1
    assert STEP_S > 0
