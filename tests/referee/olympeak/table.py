"""People at the simulated table, led by seat lights, before a camera that reads everything or misses some."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from companion.games.olympeak.box import seat_light
from companion.games.olympeak.position import GameState
from companion.games.olympeak.simulation import Step
from companion.referee.olympeak.referee import OlympeakReferee
from companion.referee.verdict import Kind
from companion.sensing.olympeak.reading import OlympeakReading
from companion.signals.scenes import SeatSign, seat_scene_of
from companion.soak.readings.olympeak import read
from companion.virtual.faults import Fault
from companion.virtual.olympeak.habits import CardHabit
from companion.virtual.olympeak.match import CardMatch
from companion.virtual.olympeak.scene import CardScene
from tests.referee.olympeak.tabletop import Notes

LOOK_S = 1 / 15
ANSWER_S = 5.0


def missing_some(reading: OlympeakReading, rng: random.Random) -> OlympeakReading:
    """The same look with a card missed now and then, and a part of the table covered now and then."""
    hidden = set()
    if rng.random() < 0.1:
        hidden.add(f"column {rng.choice(reading.contenders)}")
    if rng.random() < 0.1:
        hidden.add(f"reveal {rng.randrange(6)}")
    return replace(
        reading,
        columns=tuple(
            card
            for card in reading.columns
            if rng.random() > 0.01 and f"column {card.contender}" not in hidden
        ),
        reveal=tuple(
            card for card in reading.reveal if rng.random() > 0.02 and f"reveal {card.seat}" not in hidden
        ),
        hidden=frozenset(hidden),
    )


class Lights:
    """The seat lights as the players see them."""

    def __init__(self) -> None:
        self.signs: dict[int, SeatSign] = {}

    def seat_lit(self, seat: int) -> bool:
        return self.signs.get(seat) in (SeatSign.TURN, SeatSign.LAST_CALL, SeatSign.WINNER)

    def seat_amber(self, seat: int) -> bool:
        return self.signs.get(seat) is SeatSign.ASKED

    def seat_red(self, seat: int) -> bool:
        return self.signs.get(seat) is SeatSign.WRONG


class LedGame:
    """One game to its end, from `state` on if one is given.

    `false`: refusals while nothing lay wrong; `questions`: what was asked in doubt. `steps`: what people really did.
    """

    def __init__(
        self,
        players: int,
        seed: int,
        *,
        illegal: float = 0.15,
        misses: bool = False,
        state: GameState | None = None,
        habits: Mapping[CardHabit, float] | None = None,
    ) -> None:
        self.players = players
        self.misses = misses
        self.rng = random.Random(seed)
        self.steps: list[Step] = []
        self.lights = Lights()
        self.match = CardMatch(
            CardScene(self.rng),
            players,
            self.lights,
            rng=self.rng,
            illegal=illegal,
            state=state,
            habits=habits,
            on_event=lambda step, when: self.steps.append(step),
        )
        setup = self.match.state.setup
        self.notes = Notes()
        self.referee = OlympeakReferee(
            [player.name for player in setup.players],
            self.notes,
            ages=[player.age_order for player in setup.players],
            start=state,
        )
        self.false: list[str] = []
        self.questions: list[str] = []
        self.noise = random.Random(seed)

    def play(self, limit_s: float = 3600.0, turns: int | None = None) -> None:
        """Plays to the end, or so many turns."""
        seat_lights = tuple(seat_light(seat, self.players) for seat in range(self.players))
        now, asked_since = 0.0, 0.0
        while not self.match.finished and now < limit_s and (turns is None or self.match.tally.turns < turns):
            now += LOOK_S
            self.match.step(now)
            moving = not self.match.hands_away
            reading = read(self.match.scene, self.players, now, moving=moving)
            if Fault.FRAME_BLACK in self.match.scene.faults:
                reading = OlympeakReading(now, frame="the picture is black")
            if self.misses:
                reading = missing_some(reading, self.noise)
            before = self.referee.verdict.kind
            verdict = self.referee.observe(reading)
            self.lights.signs = dict(seat_scene_of(verdict, self.players, seat_lights).seats)
            accused = verdict.kind is Kind.ILLEGAL and before is not Kind.ILLEGAL
            if accused and not self.match.showing_illegal:
                self.false.append(verdict.text)
            if verdict.kind is Kind.QUESTION and not verdict.by_rules and verdict.text not in self.questions:
                self.questions.append(verdict.text)
            if not verdict.choices or moving or self.match.showing_illegal:
                asked_since = now
            elif now - asked_since > ANSWER_S:
                key = self.match.answer(verdict.choices)
                if key is not None:
                    self.referee.answer(key)
                asked_since = now
