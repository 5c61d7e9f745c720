"""Guests at the simulated table: pieces go where they drag them, and the people play on from what lies there."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.above.position import Position
from companion.virtual.guest import Guest, GuestError, position_of, restoring
from companion.virtual.match import Match
from companion.virtual.motion import BRISK
from companion.virtual.players import Actor, random_turn
from companion.virtual.scene import Scene
from companion.virtual.truth import lie_of, lie_on, same

TICK_S = 1 / 15
OPENING = (
    "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=b3.f5,fertility=d2.n4,gate=h3.l6,barrier=j2.p3 "
    "ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap 0 2"
)


class Lamps:
    """Lights that a test switches by hand."""

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def seat_lit(self, seat: int) -> bool:
        return seat == self.seat

    def seat_red(self, seat: int) -> bool:
        return False

    def red_spaces(self) -> frozenset[str]:
        return frozenset()

    def amber_spaces(self) -> frozenset[str]:
        return frozenset()


class Evening:
    """A match with a guest, and time that passes."""

    def __init__(self, position: str = OPENING, seats: tuple[int, ...] = (0,)) -> None:
        start = Position.parse(position)
        self.scene = Scene(random.Random(3))
        self.lamps = Lamps(start.turn)
        self.guest = Guest(self.scene)
        self.match = Match(
            self.scene, start.players, self.lamps, position=start, guest=self.guest, pace=BRISK
        )
        for seat in seats:
            self.guest.take(seat, True)

    def drag(self, name: str, space: str) -> None:
        x, y, _ = self.scene.printed_centre(space)
        self.guest.put(name, x, y)

    def pass_time(self, seconds: float) -> None:
        until = self.match.now + seconds
        while self.match.now < until and not self.match.finished:
            self.match.step(self.match.now + TICK_S)

    def until(self, done: Callable[[], bool], limit: float = 60.0) -> None:
        until = self.match.now + limit
        while not done():
            assert self.match.now < until, "it never came about"
            self.match.step(self.match.now + TICK_S)


def test_people_play_on_from_the_turn_a_guest_has_played() -> None:
    evening = Evening()
    evening.guest.turn("card ze 1")
    evening.drag("mini ze", "b1")
    evening.drag("token 18", "c2")
    evening.until(lambda: not evening.guest.busy and evening.match.hands_away)
    assert lie_on(evening.scene, 2).minis["ze"] == "b1"
    evening.pass_time(3)
    assert evening.match.position.turn == 0, "only the lights say that a turn is over"
    evening.lamps.seat = 1
    evening.until(lambda: evening.match.tally.turns == 1)
    assert evening.match.position.turn == 1
    assert lie_of(evening.match.position) == lie_on(evening.scene, 2) or not evening.match.hands_away
    assert evening.match.position.space_of("ze") == "b1"
    evening.until(lambda: evening.match.tally.turns == 2)


def test_who_waits_for_a_guest_never_moves_a_piece() -> None:
    evening = Evening()
    before = lie_on(evening.scene, 2)
    evening.pass_time(60)
    assert same(before, lie_on(evening.scene, 2))
    assert evening.match.tally.turns == 0


def test_what_a_guest_left_wrong_is_put_back_before_play_goes_on() -> None:
    evening = Evening(seats=(1,))
    evening.drag("mini he", "h5")
    evening.guest.take(1, False)
    # The seat to move is played by people who first put it right.
    evening.until(lambda: not evening.guest.busy)
    evening.until(lambda: evening.match.tally.turns == 1)
    assert not lie_of(evening.match.position).differing(lie_on(evening.scene, 2))


def test_a_seat_that_is_given_back_in_mid_turn_is_played_from_the_turns_beginning() -> None:
    evening = Evening()
    evening.drag("mini ze", "e4")
    evening.guest.turn("card po 1")
    evening.until(lambda: not evening.guest.busy)
    evening.guest.take(0, False)
    evening.until(lambda: evening.match.tally.turns == 1)
    assert not lie_of(evening.match.position).differing(lie_on(evening.scene, 2))


def test_a_quick_guest_may_begin_the_next_turn_before_the_light_has_changed() -> None:
    evening = Evening(seats=(0, 1))
    evening.guest.turn("card ze 1")
    evening.drag("mini ze", "b1")
    evening.until(lambda: not evening.guest.busy)
    played = lie_on(evening.scene, 2)
    evening.drag("mini he", "c2")
    evening.pass_time(0.3)
    evening.lamps.seat = 1
    evening.until(lambda: evening.match.tally.turns == 1)
    assert lie_of(evening.match.position) == played


def test_a_miniature_brought_to_the_summit_by_the_rules_ends_the_game() -> None:
    evening = Evening(OPENING.replace("ze=a1", "ze=a6"))
    evening.guest.turn("card ze 1")
    evening.drag("mini ze", "top")
    evening.until(lambda: evening.match.finished)
    assert evening.match.position.is_over


def test_a_piece_put_between_two_spaces_stays_there() -> None:
    evening = Evening()
    x, y, _ = evening.scene.printed_centre("a1")
    evening.guest.put("mini ze", x + 19, y)
    evening.until(lambda: not evening.guest.busy and evening.match.hands_away)
    pose = evening.scene.piece("mini ze").pose
    assert abs(pose.x - x - 19) < 4 and abs(pose.y - y) < 4


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda guest: guest.put("mini zz", 0, 0), "no such piece"),
        (lambda guest: guest.put("mini ze", 900, 0), "beyond the table"),
        (lambda guest: guest.put("card ze 1", 0, 100), "beside the mountain"),
        (lambda guest: guest.turn("mini ze"), "Only cards"),
        (lambda guest: guest.take(5, True), "no seat 6"),
        (lambda guest: [guest.turn("card ze 1") for _ in range(99)], "enough to do"),
    ],
)
def test_what_no_hand_can_do_is_refused_in_words(ask: Callable[[Guest], object], said: str) -> None:
    with pytest.raises(GuestError, match=said):
        ask(Evening().guest)


def test_who_has_no_seat_moves_nothing() -> None:
    with pytest.raises(GuestError, match="Take over a seat"):
        Evening(seats=()).guest.put("mini ze", 0, 0)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 4]))
def test_any_table_can_be_put_back(seed: int, players: int) -> None:
    rng = random.Random(seed)
    scene = Scene(random.Random(seed + 1))
    wanted = Match(scene, players, Lamps(0), rng=rng).position
    elsewhere = wanted
    for _ in range(rng.randrange(1, 4)):
        if not elsewhere.is_over:
            _, elsewhere = random_turn(elsewhere, rng)
    match = Match(scene, players, Lamps(0), position=elsewhere)
    actor: Actor = match._actors[0]
    for deed in restoring(lie_on(scene, players), lie_of(wanted), players):
        for _ in actor.do(deed):
            match.now += TICK_S
    assert not lie_on(scene, players).differing(lie_of(wanted))
    assert position_of(lie_on(scene, players), players, wanted.turn) == wanted


def test_no_position_is_read_from_a_table_that_cannot_be() -> None:
    evening = Evening()
    evening.guest.put("mini ze", 250, 205)
    evening.until(lambda: not evening.guest.busy and evening.match.hands_away)
    assert position_of(lie_on(evening.scene, 2), 2, 1) is None
