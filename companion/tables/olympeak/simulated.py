"""The simulated table of OlymPeak: people, cards and camera."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from companion.games.olympeak.box import Box
from companion.games.olympeak.cards import CONTENDERS
from companion.games.olympeak.events import EndRound, EndTurn, Event, Insert, Play, Reveal, Ruling
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.simulation import Step, random_setup
from companion.referee.olympeak.referee import OlympeakReferee
from companion.referee.olympeak.scoreboard import ROUND
from companion.referee.verdict import Kind
from companion.tables.kit import Company, Unseen
from companion.tables.olympeak.practice import PracticeOlympeak
from companion.virtual.faults import Fault
from companion.virtual.olympeak.camera import CardCamera
from companion.virtual.olympeak.eyes import LedSeatEyes
from companion.virtual.olympeak.guest import Guest
from companion.virtual.olympeak.habits import SLOPPY
from companion.virtual.olympeak.match import CardMatch
from companion.virtual.olympeak.scene import CardScene

# The motor axes in the controller's order: X, Y, Z, E0, E1.
AXES = (*CONTENDERS, ROUND)


class SimulatedOlympeak:
    """The simulated table of OlymPeak; a fact of its game is an event."""

    def __init__(self, box: Box, company: Company) -> None:
        self.on_played: Callable[[Hashable, float | None], None] | None = None
        self._company = company
        self._rng = random.Random(company.seed)
        self._scene = CardScene(self._rng, box)
        self._guest = Guest(self._scene)
        self.practice = PracticeOlympeak(self._scene, self._guest)
        self.camera = CardCamera(self._scene, company.now, look=company.look)
        self.deal(company.players, company.referee)

    def deal(self, players: int, referee: object) -> None:
        state = referee.state if isinstance(referee, OlympeakReferee) else None
        setup = random_setup(players, self._rng, self._scene.box)
        # As the referee has it unless it is told otherwise: the seats in order of age.
        seats = tuple(replace(player, age_order=seat) for seat, player in enumerate(setup.players))
        company = self._company
        self._eyes = LedSeatEyes(company.leds, company.now, players)
        self.people = CardMatch(
            self._scene,
            players,
            self._eyes,
            rng=self._rng,
            illegal=company.illegal,
            pace=company.pace,
            setup=replace(setup, players=seats),
            state=state,
            habits=SLOPPY if company.sloppy else None,
            on_event=self._happened,
            guest=self._guest,
            lanes=None if company.carriages is None else self._lanes,
        )

    def _lanes(self) -> dict[str, float]:
        """Where the carriages stand, as places on the scoreboard and the number of the round."""
        table = self._scene.table
        assert self._company.carriages is not None
        at = dict(zip(AXES, self._company.carriages(), strict=True))
        low, pitch = table.rounds_y_mm[0], table.rounds_y_mm[1] - table.rounds_y_mm[0]
        return {
            name: 1 + (y - low) / pitch if name == ROUND else table.cube_place(y) for name, y in at.items()
        }

    @property
    def scene(self) -> CardScene:
        """The cards as they truly lie."""
        return self._scene

    def look(self) -> None:
        self._eyes.look()

    @property
    def faults(self) -> frozenset[Fault]:
        return self._scene.faults

    def set_fault(self, fault: Fault, active: bool) -> None:
        self._scene.set_fault(fault, active)

    def break_reed(self, space: str, fault: Fault) -> bool:
        """Cards have no magnets, and their table no switches."""
        return False

    def closed_reeds(self) -> frozenset[int]:
        """Cards have no magnets."""
        return frozenset()

    def plays_on_from(self, referee: object) -> bool:
        assert isinstance(referee, OlympeakReferee)
        put_back = referee.verdict.kind is Kind.SETUP and referee.was_taken_back
        return not put_back or self.people.state == referee.state

    def _happened(self, step: Step, when: float | None) -> None:
        if self.on_played is not None:
            for fact in facts_of(step.event, step.after):
                self.on_played(fact, when)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a game stands after a turn: the cubes' places, and each card with the contender it lies under."""

    cubes: tuple[int, ...]
    cards: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, state: GameState) -> Standing:
        """Of a state."""
        return cls(state.cubes, frozenset((each.card, each.contender) for each in state.placed))


def facts_of(event: Event, after: GameState) -> tuple[Hashable, ...]:
    """An event as facts: a reveal of order cards alone is a whole turn (O3), and has come to something too."""
    fact = fact_of(event, after)
    is_turn = isinstance(event, Reveal) and after.phase is Phase.REVEAL
    return (fact, Standing.of(after)) if is_turn else (fact,)


def fact_of(event: Event, after: GameState) -> Hashable:
    """An event as a fact: without what only says where a card was seen to lie.

    Of the end of a turn or a round, what it has come to.
    """
    match event:
        case EndTurn() | EndRound():
            return Standing.of(after)
        case Ruling():
            return Unseen(Standing.of(after))
        case Play() | Insert():
            return replace(event, row=None)
        case _:
            return event
