"""The simulated table of Above: people, pieces and camera."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable

from companion.games.above.box import Table, led_index
from companion.games.above.position import Position
from companion.referee.referee import Referee
from companion.referee.verdict import Kind
from companion.tables.kit import Company
from companion.virtual.camera import VirtualCamera
from companion.virtual.eyes import LedEyes
from companion.virtual.match import Match
from companion.virtual.scene import Scene as VirtualScene


class SimulatedAbove:
    """The simulated table of Above; a fact of its game is the position after a turn."""

    def __init__(self, table: Table, company: Company) -> None:
        self.on_played: Callable[[Hashable, float], None] | None = None
        self._company = company
        self._board = table.board
        self._rng = random.Random(company.seed)
        self._scene = VirtualScene(self._rng, table)
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
            on_turn_done=self._turn_done,
        )

    @property
    def scene(self) -> VirtualScene:
        """The pieces as they truly lie."""
        return self._scene

    def look(self) -> None:
        self._eyes.look()

    def closed_reeds(self) -> frozenset[int]:
        return frozenset(led_index(space, self._board) for space in self._scene.closed_reeds())

    def plays_on_from(self, referee: object) -> bool:
        assert isinstance(referee, Referee)
        put_back = referee.verdict.kind is Kind.SETUP and referee.was_taken_back
        return not put_back or self.people.position == referee.position

    def _turn_done(self, position: Position, when: float) -> None:
        if self.on_played is not None:
            self.on_played(position, when)
