"""Simulated OlymPeak tables for the tests, played on under lights that always tell the truth."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from companion.games.olympeak.cards import Kind
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.simulation import Step
from companion.virtual.olympeak.match import CardMatch
from companion.virtual.olympeak.scene import CardScene

TICK_S = 1 / 15


@dataclass(frozen=True)
class Choice:
    """A possible answer, as a referee would offer it."""

    key: str
    text: str = ""


@dataclass
class TruthfulLights:
    """A perfect referee's lights: white for whose turn it is, amber to take back, red while it is wrong."""

    match: CardMatch | None = None
    on: bool = True
    alarm: bool = False

    @property
    def state(self) -> GameState:
        assert self.match is not None
        return self.match.state

    def seat_lit(self, seat: int) -> bool:
        if not self.on:
            return False
        if self.state.phase is Phase.REVEAL:
            return True
        if self.state.phase is Phase.OVER:
            return self.state.outcome is not None and seat in self.state.outcome.winners
        return seat == self.state.seat and not self.seat_amber(seat)

    def seat_amber(self, seat: int) -> bool:
        blocked = self.state.phase is Phase.PLAY and seat == self.state.seat
        return self.on and blocked and not self.state.targets(self.state.revealed[seat])

    def seat_red(self, seat: int) -> bool:
        return self.alarm or (self.on and self.match is not None and bool(self.match.showing_illegal))

    def choices(self) -> list[Choice]:
        """What a referee would ask now."""
        kind = self.state.pending_kind
        if self.state.phase is not Phase.CHOICE or kind is None:
            return []
        if kind is Kind.STOP:
            return [Choice("stop"), Choice("decline")]
        if kind is Kind.REMOVE:
            return [*(Choice(card) for card in self.state.removable()), Choice("decline")]
        return [Choice("drew"), Choice("decline")]


@dataclass
class Table:
    """A match under truthful lights, with what has happened."""

    scene: CardScene
    lights: TruthfulLights
    match: CardMatch
    steps: list[Step] = field(default_factory=list)
    now: float = 0.0

    def tick(self) -> None:
        """A moment of the world; the players are asked when they wait for it."""
        self.now += TICK_S
        self.match.step(self.now)
        if self.match.hands_away and not self.match.showing_illegal and round(self.now / TICK_S) % 30 == 0:
            choices = self.lights.choices()
            if choices:
                self.match.answer(choices)

    def play(self, limit_s: float = 4000.0, until: Callable[[Table], bool] | None = None) -> None:
        """Play to the end, or until something holds."""
        while not self.match.finished and not (until is not None and until(self)):
            self.tick()
            assert self.now < limit_s, f"still playing after {limit_s} s in {self.match.state.phase}"


def make_table(
    players: int, seed: int, *, on_event: Callable[[Step, float | None], None] | None = None, **options: Any
) -> Table:
    """A table with a match of these options, by seed."""
    scene = CardScene(random.Random(seed))
    lights = TruthfulLights()
    steps: list[Step] = []

    def note(step: Step, when: float | None) -> None:
        steps.append(step)
        if on_event is not None:
            on_event(step, when)

    match = CardMatch(scene, players, lights, on_event=note, **options)
    lights.match = match
    return Table(scene, lights, match, steps)


@pytest.fixture
def table() -> Callable[..., Table]:
    """Makes tables: `table(players, seed, **options of the match)`."""
    return make_table
