"""Simulated tables to practise at, whose time passes as fast as somebody looks."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from companion.games.above.box import Table, led_index
from companion.games.olympeak.box import seat_light
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.position import Phase
from companion.tables.above.simulated import SimulatedAbove
from companion.tables.kit import Company, SimulatedTable
from companion.tables.olympeak.simulated import SimulatedOlympeak
from companion.virtual.olympeak.match import CardMatch
from companion.virtual.scene import Scene
from companion.web.app import create_app
from companion.web.hub import Hub
from companion.web.models import OlympeakView, PlayerView, Snapshot
from companion.web.phones import Phones
from tests.web.conftest import CODE, TOKEN

WHITE, DARK = (120, 120, 120), (0, 0, 0)
TICK_S = 1 / 30
PLAYERS = ("Ada", "Ben", "Chloe", "Dan")
FIRST = led_index("top") + 1


@dataclass
class Practising(ABC):
    """A table, its page, and lights at some seats."""

    players: int = 2
    now: float = 0.0
    hub: Hub = field(default_factory=Hub)

    def __post_init__(self) -> None:
        self.simulated = self.deal()
        self.phones = Phones(CODE, clock=time.time, ticks=time.monotonic)
        self.phones.join(TOKEN, CODE, None, address="here", players=0)
        self.app = create_app(self.hub, self.phones, practice=self.simulated.practice)
        names = tuple(PlayerView(seat=seat, name=PLAYERS[seat]) for seat in range(self.players))
        olympeak = None if self.lights_above else OlympeakView(phase="reveal")
        self.hub.publish(Snapshot(players=names, simulated=True, olympeak=olympeak))
        self.hub.publish_practice(self.simulated.practice.view())

    lights_above = True

    @abstractmethod
    def deal(self) -> SimulatedTable: ...

    @abstractmethod
    def lit(self) -> frozenset[int]:
        """The LEDs that shine."""

    def leds(self) -> tuple[tuple[int, int, int], ...]:
        lit = self.lit()
        return tuple(WHITE if index in lit else DARK for index in range(FIRST + 8))

    def company(self) -> Company:
        return Company(self.players, 5, lambda: self.now, self.leds)

    def pass_time(self, seconds: float) -> None:
        """The people act, and the page sees where the pieces are then."""
        until = self.now + seconds
        while self.now < until:
            self.now += TICK_S
            self.simulated.look()
            self.simulated.people.step(self.now)
        self.hub.publish_practice(self.simulated.practice.view())

    async def go_on(self) -> None:
        """Once somebody has sat down time passes, until this is cancelled."""
        begun = False
        for _ in range(10_000):
            begun = begun or bool(self.simulated.practice.view().seats)
            if begun:
                self.pass_time(0.25)
            await asyncio.sleep(0.02)


@dataclass
class PracticeRoom(Practising):
    """Above; the light shines at `seat`, whatever is played."""

    seat: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.seat = self.table.people.position.turn

    def deal(self) -> SimulatedAbove:
        return SimulatedAbove(Table(), self.company())

    @property
    def table(self) -> SimulatedAbove:
        assert isinstance(self.simulated, SimulatedAbove)
        return self.simulated

    @property
    def scene(self) -> Scene:
        """The pieces as they truly lie."""
        return self.table.scene

    def lit(self) -> frozenset[int]:
        return frozenset((FIRST + (2 if self.seat == 0 else 6),))


@dataclass
class CardRoom(Practising):
    """OlymPeak, under lights that always tell the truth."""

    lights_above = False

    def deal(self) -> SimulatedOlympeak:
        return SimulatedOlympeak(default_box(), self.company())

    @property
    def match(self) -> CardMatch:
        people = self.simulated.people
        assert isinstance(people, CardMatch)
        return people

    def lit(self) -> frozenset[int]:
        state = self.match.state
        seats = range(self.players) if state.phase is Phase.REVEAL else (state.seat,)
        return frozenset(FIRST + seat_light(seat, self.players) for seat in seats if seat is not None)
