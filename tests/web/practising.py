"""A simulated table of Above to practise at, whose time passes as fast as somebody looks."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

from companion.games.above.box import Table
from companion.tables.above.simulated import SimulatedAbove
from companion.tables.kit import Company
from companion.virtual.scene import Scene
from companion.web.app import create_app
from companion.web.hub import Hub
from companion.web.models import PlayerView, Snapshot
from companion.web.phones import Phones
from tests.web.conftest import CODE, TOKEN

WHITE, DARK = (120, 120, 120), (0, 0, 0)
TICK_S = 1 / 30
PLAYERS = ("Ada", "Ben", "Chloe", "Dan")


@dataclass
class PracticeRoom:
    """The table, its page, and a light that shines at one seat."""

    players: int = 2
    now: float = 0.0
    seat: int = 0
    hub: Hub = field(default_factory=Hub)

    def __post_init__(self) -> None:
        self.table = SimulatedAbove(Table(), Company(self.players, 5, lambda: self.now, self.leds))
        self.seat = self.table.people.position.turn
        self.phones = Phones(CODE, clock=time.time, ticks=time.monotonic)
        self.phones.join(TOKEN, CODE, None, address="here", players=0)
        self.app = create_app(self.hub, self.phones, practice=self.table.practice)
        names = tuple(PlayerView(seat=seat, name=PLAYERS[seat]) for seat in range(self.players))
        self.hub.publish(Snapshot(players=names, simulated=True))
        self.hub.publish_practice(self.table.practice.view())

    def leds(self) -> tuple[tuple[int, int, int], ...]:
        west, east = 97 + 2, 97 + 6
        lit = west if self.seat == 0 else east
        return tuple(WHITE if index == lit else DARK for index in range(105))

    @property
    def scene(self) -> Scene:
        """The pieces as they truly lie."""
        return self.table.scene

    def pass_time(self, seconds: float) -> None:
        """The people act, and the page sees where the pieces are then."""
        until = self.now + seconds
        while self.now < until:
            self.now += TICK_S
            self.table.look()
            self.table.people.step(self.now)
        self.hub.publish_practice(self.table.practice.view())

    async def go_on(self) -> None:
        """Once somebody has sat down time passes, until this is cancelled."""
        begun = False
        for _ in range(10_000):
            begun = begun or bool(self.table.practice.view().seats)
            if begun:
                self.pass_time(0.25)
            await asyncio.sleep(0.02)
