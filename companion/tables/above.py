"""The table of Above."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path

from companion.games.above.box import Table, led_index
from companion.games.above.position import Position
from companion.referee.journal import Journal
from companion.referee.referee import Referee
from companion.referee.verdict import Kind, Verdict
from companion.sensing.frames import Image
from companion.sensing.geometry import Camera
from companion.sensing.reading import Reading
from companion.sensing.sight import Sight
from companion.sessions import GameBook
from companion.signals.scenes import Scene, scene_of, waiting
from companion.snapshot import snapshot_of
from companion.tables.kit import Leds
from companion.virtual.arm import Pace
from companion.virtual.camera import VirtualCamera
from companion.virtual.eyes import LedEyes
from companion.virtual.layers import Look
from companion.virtual.match import Match
from companion.virtual.scene import Scene as VirtualScene
from companion.web.models import DeviceView, Snapshot
from companion.web.overlay import annotate


class AboveKit:
    """The parts of a table of Above."""

    name = "above"
    title = "Above"
    seats = (2, 4)

    def __init__(self, table: Table | None = None) -> None:
        self._table = table or Table()

    def book(self, path: Path, wall_clock: Callable[[], float]) -> GameBook:
        return GameBook(Journal(path, wall_clock))

    def eyes(self, camera: Camera) -> Sight:
        return Sight(camera, self._table)

    def scene(self, verdict: Verdict, players: int) -> Scene:
        return scene_of(verdict, players)

    def waiting(self, players: int) -> Scene:
        return waiting(players)

    def snapshot(
        self, referee: Referee, reading: Reading | None, devices: Sequence[DeviceView], *, paused: bool
    ) -> Snapshot:
        return snapshot_of(referee, reading, devices, self._table, paused=paused)

    def annotate(self, image: Image, reading: Reading) -> bytes:
        return annotate(image, reading)

    def simulate(
        self,
        players: int,
        seed: int,
        now: Callable[[], float],
        leds: Leds,
        *,
        referee: object,
        illegal: float,
        pace: Pace,
        look: Look | None,
    ) -> AbovePeople:
        return AbovePeople(self._table, players, seed, now, leds, referee, illegal, pace, look)

    def accepted(self, referee: Referee) -> tuple[Hashable, ...]:
        positions = [before for before, _ in referee.turns[1:]]
        return (*positions, referee.position) if referee.turns else ()

    def reached(self, referee: Referee) -> int:
        return len(referee.turns) + (referee.may_be_over is not None)


class AbovePeople:
    """The simulated table of Above; a fact of its game is the position after a turn."""

    def __init__(
        self,
        table: Table,
        players: int,
        seed: int,
        now: Callable[[], float],
        leds: Leds,
        referee: object,
        illegal: float,
        pace: Pace,
        look: Look | None,
    ) -> None:
        self.on_played: Callable[[Hashable, float], None] | None = None
        self._now = now
        self._leds = leds
        self._illegal = illegal
        self._pace = pace
        self._board = table.board
        self._rng = random.Random(seed)
        self._scene = VirtualScene(self._rng, table)
        self.camera = VirtualCamera(self._scene, now, look=look)
        self.deal(players, referee)

    def deal(self, players: int, referee: object) -> None:
        position = referee.position if isinstance(referee, Referee) else None
        self._eyes = LedEyes(self._leds, self._now, players)
        self.people = Match(
            self._scene,
            players,
            self._eyes,
            rng=self._rng,
            illegal=self._illegal,
            pace=self._pace,
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
