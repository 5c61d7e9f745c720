"""The simulated table of Above: people, pieces and camera."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable

from companion.games.above.box import Table, led_index
from companion.games.above.position import Position
from companion.referee.referee import Referee
from companion.referee.verdict import Kind
from companion.tables.above.practice import PracticeAbove
from companion.tables.kit import Company
from companion.virtual.camera import VirtualCamera
from companion.virtual.eyes import LedEyes
from companion.virtual.faults import Fault
from companion.virtual.guest import Guest
from companion.virtual.habits import SLOPPY
from companion.virtual.match import Match
from companion.virtual.scene import Scene as VirtualScene


class SimulatedAbove:
    """The simulated table of Above; a fact of its game is the position after a turn."""

    def __init__(self, table: Table, company: Company) -> None:
        self.on_played: Callable[[Hashable, float | None], None] | None = None
        self._company = company
        self._board = table.board
        self._rng = random.Random(company.seed)
        self._scene = VirtualScene(self._rng, table)
        self._guest = Guest(self._scene)
        # The spaces whose reeds were closed when they were last looked at, and those reeds' numbers.
        self._closed: frozenset[str] = frozenset()
        self._numbers: frozenset[int] = frozenset()
        self.practice = PracticeAbove(self._scene, self._guest)
        self.camera = VirtualCamera(self._scene, company.now, look=company.look)
        self.deal(company.players, company.referee)

    def deal(self, players: int, referee: object) -> None:
        position = referee.position if isinstance(referee, Referee) else None
        company = self._company
        self._eyes = LedEyes(company.leds, company.now, players)
        self.people = Match(
            self._scene,
            players,
            self._eyes,
            rng=self._rng,
            illegal=company.illegal,
            pace=company.pace,
            position=position,
            habits=SLOPPY if company.sloppy else None,
            guest=self._guest,
            sighted=company.sighted,
            on_turn_done=self._turn_done,
        )
        if isinstance(referee, Referee) and referee.position is None:
            # Where no camera reads a set-up, people lay out the one they are told.
            referee.tell_set_up(self.people.position)

    @property
    def scene(self) -> VirtualScene:
        """The pieces as they truly lie."""
        return self._scene

    def look(self) -> None:
        self._eyes.look()

    @property
    def faults(self) -> frozenset[Fault]:
        return self._scene.faults

    def set_fault(self, fault: Fault, active: bool) -> None:
        self._scene.set_fault(fault, active)

    def break_reed(self, space: str, fault: Fault) -> bool:
        self._scene.break_reed(space, fault)
        return True

    def closed_reeds(self) -> frozenset[int]:
        closed = self._scene.closed_reeds()
        if closed != self._closed:
            self._closed = closed
            self._numbers = frozenset(led_index(space, self._board) for space in closed)
        return self._numbers

    def plays_on_from(self, referee: object) -> bool:
        assert isinstance(referee, Referee)
        put_back = referee.verdict.kind is Kind.SETUP and referee.was_taken_back
        return not put_back or self.people.position == referee.position

    def _turn_done(self, position: Position, when: float | None) -> None:
        if self.on_played is not None:
            self.on_played(position, when)
