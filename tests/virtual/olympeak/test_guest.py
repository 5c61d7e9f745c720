"""Guests at the simulated OlymPeak table: whole games in which somebody drags the cards of a seat."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from companion.games.olympeak import rules
from companion.games.olympeak.cards import Kind
from companion.games.olympeak.events import Insert, Play, Remove, Reveal
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.simulation import Step
from companion.virtual.olympeak import columns
from companion.virtual.olympeak.guest import Guest, GuestError
from companion.virtual.olympeak.match import CardMatch
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.truth import lie_of, lie_on
from tests.virtual.olympeak.conftest import TICK_S, TruthfulLights


@dataclass
class AnsweredLights(TruthfulLights):
    """The lights once a guest has answered on the page: `stop`, or `decline` to go on without."""

    said: str = ""

    def seat_lit(self, seat: int) -> bool:
        waiting = self.state.waiting
        if not self.said:
            return super().seat_lit(seat)
        return self.said == "decline" and (seat == waiting[0] if waiting else True)

    def seat_amber(self, seat: int) -> bool:
        return (self.said == "stop" and seat in self.state.waiting) or super().seat_amber(seat)


@dataclass
class Evening:
    """A match in which a guest plays seat 0, at random and by the rules, but for a slip now and then."""

    players: int
    seed: int
    slips: float = 0.0
    steps: list[Step] = field(default_factory=list)
    now: float = 0.0
    _slipped: GameState | None = None

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.scene = CardScene(random.Random(self.seed))
        self.lights = AnsweredLights()
        self.guest = Guest(self.scene)
        self.match = CardMatch(
            self.scene, self.players, self.lights, guest=self.guest, on_event=lambda step, _: self.note(step)
        )
        self.lights.match = self.match
        self.guest.take(0, True)

    def note(self, step: Step) -> None:
        self.steps.append(step)
        self.lights.said = ""

    @property
    def state(self) -> GameState:
        return self.match.state

    def pass_time(self, until: Callable[[], bool], limit_s: float = 4000.0, *, plays: bool = True) -> None:
        end = self.now + limit_s
        while not until():
            assert self.now < end, f"still waiting in {self.state.phase}, {self.state.pending_kind}"
            self.now += TICK_S
            self.match.step(self.now)
            if plays and not self.guest.busy and self.match.hands_away:
                self.act()
            if self.state.seat != 0:
                self.answer_for_the_others()

    def answer_for_the_others(self) -> None:
        if round(self.now / TICK_S) % 30 == 0 and (choices := self.lights.choices()):
            self.match.answer(choices)

    def act(self) -> None:
        """What the guest does next, if anything is theirs to do."""
        state = self.state
        if state.phase is Phase.REVEAL and self.guest.chosen() is None:
            self.drag(self.rng.choice(self.guest.hand(0)), *self.scene.table.reveal_centres_mm[0])
        if state.seat != 0 or self.lights.said:
            return
        done = (
            lie_on(self.scene, self.players).columns != lie_of(state).columns and self._slipped is not state
        )
        if done:
            return
        options = [event for event in rules.legal(state) if self.is_possible(event)]
        choice = self.rng.choice(options) if options else None
        if isinstance(choice, Play | Insert):
            to = choice.to
            wrong = [each for each in state.setup.racing if each not in state.targets(choice.card)]
            if (
                isinstance(choice, Play)
                and wrong
                and self._slipped is not state
                and self.rng.random() < self.slips
            ):
                self._slipped, to = state, self.rng.choice(wrong)
            else:
                self._slipped = None
            self.lay(choice.card, to)
        elif isinstance(choice, Remove) and choice.card is not None:
            self.drag(choice.card, *self.scene.table.discard_pile_mm)
        elif state.phase is Phase.CHOICE:
            stops = state.pending_kind is Kind.STOP and self.rng.random() < 0.5
            self.lights.said = "stop" if stops else "decline"

    def is_possible(self, event: object) -> bool:
        return not isinstance(event, Insert) or event.card in self.guest.hand(0)

    def lay(self, card: str, to: str) -> None:
        self.drag(card, columns.column_x(self.scene, to), 0.0)

    def drag(self, card: str, x: float, y: float) -> None:
        self.guest.put(card, x, y)


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3), (6, 5)])
def test_a_whole_game_is_played_by_dragging_cards(players: int, seed: int) -> None:
    evening = Evening(players, seed, slips=0.2)
    evening.pass_time(lambda: evening.match.finished)
    assert evening.state.phase is Phase.OVER
    assert evening.match.tally.stuck == 0
    kinds = Counter(type(step.event) for step in evening.steps)
    assert kinds[Reveal] > 5 and kinds[Play] > 10


def test_the_table_lies_as_the_guest_has_played() -> None:
    evening = Evening(3, 8)
    evening.pass_time(
        lambda: any(isinstance(step.event, Play) and step.event.seat == 0 for step in evening.steps)
    )
    assert lie_on(evening.scene, 3).columns == lie_of(evening.state).columns


def test_nobody_plays_for_a_guest() -> None:
    evening = Evening(2, 4)
    evening.pass_time(lambda: evening.now > 60, plays=False)
    assert evening.steps == []


def test_what_lies_there_against_the_rules_is_not_played_until_it_is_put_right() -> None:
    evening = Evening(2, 11)
    evening.pass_time(
        lambda: evening.state.seat == 0 and bool(evening.state.targets(evening.state.revealed[0]))
    )
    state, card = evening.state, evening.state.revealed[0]
    wrong = [each for each in state.setup.racing if each not in state.targets(card)]
    if wrong:
        evening.lay(card, wrong[0])
        before = evening.now
        evening.pass_time(lambda: evening.now > before + 20, plays=False)
        assert evening.state is state
    evening.lay(card, state.targets(card)[0])
    evening.pass_time(lambda: evening.state is not state, 30, plays=False)


def test_a_seat_given_back_in_mid_turn_is_played_on_from_the_turns_beginning() -> None:
    evening = Evening(2, 11)
    evening.pass_time(
        lambda: evening.state.seat == 0 and bool(evening.state.targets(evening.state.revealed[0]))
    )
    evening.drag(evening.state.revealed[0], *evening.scene.table.discard_pile_mm)
    evening.pass_time(lambda: not evening.guest.busy, 30, plays=False)
    evening.guest.take(0, False)
    turns = evening.match.tally.turns
    evening.pass_time(lambda: evening.match.tally.turns > turns + 1, 400, plays=False)
    assert lie_on(evening.scene, 2).columns == lie_of(evening.state).columns


def test_a_guest_sees_only_their_own_hand() -> None:
    evening = Evening(3, 6)
    assert len(evening.guest.hand(0)) == len(evening.match.secrets.hands[0])
    for ask in (evening.guest.hand, evening.guest.predictions):
        with pytest.raises(GuestError, match="Take over the seat"):
            ask(1)
    theirs = evening.match.secrets.hands[1][0]
    with pytest.raises(GuestError, match="neither in your hand"):
        evening.guest.put(theirs, 0, 0)


def test_a_guest_chooses_their_tiles_before_the_first_reveal() -> None:
    evening = Evening(4, 6)
    evening.guest.predict(0, "white", "red")
    assert evening.guest.predictions(0) == ("white", "red")
    with pytest.raises(GuestError, match="two different"):
        evening.guest.predict(0, "red", "red")
    evening.pass_time(lambda: bool(evening.match.tally.turns))
    with pytest.raises(GuestError, match="before the first card"):
        evening.guest.predict(0, "red", "white")
