"""The core's end of the wire against the program's, in the same process: order, repetition, no room, silence."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.events import Delivered, Lost
from firmware_bridge.frames import Frame, FrameParser, Kind, pack_frame
from firmware_bridge.leds import led_messages
from firmware_bridge.limits import NO_HOST_LIT_MS, NO_HOST_PERIOD_MS, emitted, led_level
from firmware_bridge.protocol import (
    TABLE_HASH,
    VERSION,
    WINDOW,
    Connect,
    LedLimits,
    ReedChange,
    ReedQuery,
    ReedSnapshot,
    encode,
)
from firmware_bridge.virtual_board import ALL_DARK, NO_HOST

from .core import CoreBoard, CoreHost

CLOSED = st.frozensets(st.integers(0, 96), max_size=12)
COLOUR = st.integers(0, 255)


def connected() -> CoreHost:
    host = CoreHost(CoreBoard())
    host.connect()
    return host


@settings(max_examples=25)
@given(st.lists(CLOSED, min_size=1, max_size=8))
def test_what_the_host_knows_is_what_is_closed(states: list[frozenset[int]]) -> None:
    host = connected()
    known: frozenset[int] = frozenset()
    for closed in states:
        host.board.set_reeds(closed)
        host.step(12)
        for message in host.messages:
            assert isinstance(message, ReedChange)
            assert (message.index in known) is not message.closed
            known ^= {message.index}
        host.events.clear()
        assert known == closed


@settings(max_examples=25)
@given(st.lists(st.tuples(COLOUR, COLOUR, COLOUR), min_size=105, max_size=105), COLOUR, st.integers(0, 4000))
def test_lights_are_dimmed_as_the_program_computes_it(
    pixels: list[tuple[int, int, int]], brightness: int, budget_ma: int
) -> None:
    host = connected()
    host.session.send(LedLimits(brightness, budget_ma))
    for message in led_messages(None, pixels):
        host.session.send(message)
    host.settle()
    wanted = tuple(pixels)
    assert host.board.leds == emitted(wanted, led_level(wanted, brightness, budget_ma))


@settings(max_examples=10)
@given(st.integers(0, 2**32))
def test_losses_only_ever_delay(seed: int) -> None:
    host, dice = connected(), random.Random(seed)

    def spoil(data: bytes) -> bytes:
        return bytes(
            byte ^ 1 << dice.randrange(8) if dice.random() < 0.004 else byte
            for byte in data
            if dice.random() > 0.002
        )

    receive, take = host.board.receive, host.board.take
    host.board.receive = lambda data: receive(spoil(data))  # type: ignore[method-assign]
    host.board.take = lambda: spoil(take())  # type: ignore[method-assign]
    told: list[tuple[int, bool]] = []
    closed: frozenset[int] = frozenset()
    asked = 0
    for number in range(60):
        index = number % 97
        closed ^= {index}
        told.append((index, index in closed))
        host.board.set_reeds(closed)
        if number % 5 == 0:
            host.session.send(ReedQuery())
            asked += 1
        host.step(20)
    host.step(3000)
    changes = [(m.index, m.closed) for m in host.messages if isinstance(m, ReedChange)]
    snapshots = [m for m in host.messages if isinstance(m, ReedSnapshot)]
    assert not [event for event in host.events if isinstance(event, Lost)]
    assert (changes, len(snapshots)) == (told, asked)
    assert len([event for event in host.events if isinstance(event, Delivered)]) == asked


def test_without_room_for_the_answer_a_command_is_not_acknowledged() -> None:
    board = CoreBoard()
    board.receive(b"\0" + pack_frame(Frame(Kind.LOOSE, 0, 0, 0, encode(Connect(VERSION, TABLE_HASH, 1)))))
    board.advance(2)
    board.take()

    def ask(sequence: int) -> None:
        board.receive(b"\0" + pack_frame(Frame(Kind.DATA, 2, sequence, 0, encode(ReedQuery()))))
        board.advance()

    def acknowledged() -> int:
        frames = [frame for frame in FrameParser().feed(board.take()) if frame is not None]
        return frames[-1].acknowledged

    board.block(True)
    for number in range(120):  # answers pile up while the host reads nothing
        ask(number)
    board.block(False)
    board.advance(2)
    taken = acknowledged()
    assert 60 < taken < 120
    # Answers that the host acknowledges make room, and what was not taken is taken when it comes again.
    board.receive(b"\0" + pack_frame(Frame(Kind.ACK, 2, 0, WINDOW)))
    ask(taken)
    assert acknowledged() == taken + 1


def test_more_changes_than_fit_are_made_up_for_by_a_snapshot() -> None:
    host = connected()
    host.board.block(True)
    for number in range(6):
        host.board.set_reeds(frozenset(range(97)) if number % 2 == 0 else frozenset())
        host.board.advance(5)
    host.board.set_reeds(frozenset({7}))
    host.board.advance(5)
    host.board.block(False)
    host.step(600)
    last = [message for message in host.messages if isinstance(message, ReedSnapshot)][-1]
    assert last.closed == frozenset({7})
    assert last.lost > 100


def test_a_silent_host_is_given_up_and_the_lights_say_so() -> None:
    host = connected()
    for message in led_messages(None, [(9, 9, 9)] * 105):
        host.session.send(message)
    host.settle()
    host.board.advance(1900)
    assert host.board.leds == ((9, 9, 9),) * 105
    host.board.advance(200)
    assert host.board.leds == NO_HOST


def test_the_sign_of_no_host_keeps_its_time_until_a_host_comes() -> None:
    board = CoreBoard()
    for _ in range(3):
        for sign, length_ms in ((NO_HOST, NO_HOST_LIT_MS), (ALL_DARK, NO_HOST_PERIOD_MS - NO_HOST_LIT_MS)):
            board.advance(length_ms // 2)
            assert board.leds == sign
            board.advance(length_ms - length_ms // 2)
    host = CoreHost(board)
    host.connect()
    before = board.leds
    for message in led_messages(None, [(9, 9, 9)] * 105):
        host.session.send(message)
    host.settle()
    host.step(NO_HOST_PERIOD_MS)
    assert board.leds == ((9, 9, 9),) * 105 != before


def test_a_host_that_wished_for_darkness_does_not_hide_that_it_has_gone() -> None:
    host = connected()
    host.session.send(LedLimits(0, 1000))
    host.settle()
    host.board.advance(2100)
    assert host.board.leds == NO_HOST


def test_a_connect_without_nonce_is_no_connect() -> None:
    board = CoreBoard()
    board.advance(2)
    board.take()
    board.receive(b"\0" + pack_frame(Frame(Kind.LOOSE, 0, 0, 0, encode(Connect(VERSION, TABLE_HASH, 0)))))
    board.advance(5)
    assert board.take() == b""


def test_the_clock_may_wrap() -> None:
    board = CoreBoard()
    board.set_clock(2**32 - 3000)
    host = CoreHost(board)
    host.connect()
    closed: frozenset[int] = frozenset()
    stamps: list[int] = []
    for number in range(12):  # six seconds, the wrap in their middle
        closed ^= {number}
        board.set_reeds(closed)
        host.step(500)
        stamps += [message.at_ms for message in host.messages if isinstance(message, ReedChange)]
        host.events.clear()
    assert len(stamps) == 12
    assert stamps[0] > 2**31 > stamps[-1]
    assert host.session.counters.sessions == 1
    assert host.session.counters.repeated_frames == 0
