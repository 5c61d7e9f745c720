"""The simulated table as one device set: scene, players, camera, and a controller on a pseudo-terminal."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence

from companion.games.above.box import Board, led_index
from companion.games.above.position import Position
from companion.referee.verdict import Choice
from companion.virtual.camera import VirtualCamera
from companion.virtual.eyes import LedEyes
from companion.virtual.match import Match
from companion.virtual.motion import BRISK, Pace
from companion.virtual.picture import Look
from companion.virtual.scene import Scene
from firmware_bridge.virtual_controller import VirtualController

TICK_S = 1 / 30


class Simulation:
    """A table with people at it. The code that watches it meets only its camera and its serial port.

    `now` is the clock that everything here runs by. `position`: where the game stands, None for a new
    one. `look`: cloth, print, light and lens; None: a friendly oak table.
    """

    def __init__(
        self,
        players: int,
        seed: int,
        now: Callable[[], float],
        *,
        position: Position | None = None,
        illegal: float = 0.0,
        pace: Pace = BRISK,
        look: Look | None = None,
    ) -> None:
        self.players = players
        self._now = now
        self._rng = random.Random(seed)
        self._illegal = illegal
        self._pace = pace
        self._board = Board()
        self.scene = Scene(self._rng)
        self.controller = VirtualController(now, seed=seed)
        self.camera = VirtualCamera(self.scene, now, look=look)
        self._reeds: frozenset[str] | None = None
        self.on_turn_done: Callable[[Position, float], None] | None = None
        self.deal(players, position)

    def deal(self, players: int, position: Position | None) -> None:
        """Lays a game out: the given position, or a new set-up by chance."""
        self.players = players
        self.eyes = LedEyes(lambda: self.controller.leds, self._now, players)
        self.match = Match(
            self.scene,
            players,
            self.eyes,
            rng=self._rng,
            illegal=self._illegal,
            pace=self._pace,
            position=position,
            on_turn_done=self._turn_done,
        )

    def _turn_done(self, position: Position, when: float) -> None:
        if self.on_turn_done is not None:
            self.on_turn_done(position, when)

    def step(self) -> None:
        """The players act up to now, and the magnets under the pieces close their switches."""
        self.eyes.look()
        self.match.step(self._now())
        closed = self.scene.closed_reeds()
        if closed != self._reeds:
            self._reeds = closed
            self.controller.set_reeds(frozenset(led_index(space, self._board) for space in closed))

    async def run(self) -> None:
        """Keeps the players acting until it is cancelled."""
        while True:
            self.step()
            await asyncio.sleep(TICK_S)

    def answer(self, choices: Sequence[Choice]) -> str | None:
        """What the players answer when they are asked."""
        return self.match.answer(choices)
