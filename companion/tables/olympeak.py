"""The table of OlymPeak."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import Path

from companion.games.olympeak.box import Box, seat_light
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import Event, Insert, Play
from companion.games.olympeak.simulation import Step, random_setup
from companion.referee.journal import Journal
from companion.referee.olympeak.referee import OlympeakReferee
from companion.referee.verdict import Kind, Verdict
from companion.sensing.frames import Image
from companion.sensing.geometry import Camera
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.olympeak.sight import OlympeakSight
from companion.sessions_olympeak import OlympeakBook
from companion.signals.scenes import Scene, seat_scene_of, waiting
from companion.snapshot_olympeak import olympeak_snapshot
from companion.tables.kit import Leds
from companion.virtual.arm import Pace
from companion.virtual.layers import Look
from companion.virtual.olympeak.camera import CardCamera
from companion.virtual.olympeak.eyes import LedSeatEyes
from companion.virtual.olympeak.match import CardMatch
from companion.virtual.olympeak.scene import CardScene
from companion.web.models import DeviceView, Snapshot
from companion.web.overlay import annotate_olympeak


class OlympeakKit:
    """The parts of a table of OlymPeak."""

    name = "olympeak"
    title = "OlymPeak"
    seats = (2, 3, 4, 5, 6)

    def __init__(self, box: Box | None = None) -> None:
        self._box = box or default_box()

    def book(self, path: Path, wall_clock: Callable[[], float]) -> OlympeakBook:
        return OlympeakBook(Journal(path, wall_clock), self._box)

    def eyes(self, camera: Camera) -> OlympeakSight:
        return OlympeakSight(camera, box=self._box)

    def scene(self, verdict: Verdict, players: int) -> Scene:
        return seat_scene_of(verdict, players, _lights(players))

    def waiting(self, players: int) -> Scene:
        return waiting(players, _lights(players))

    def snapshot(
        self,
        referee: OlympeakReferee,
        reading: OlympeakReading | None,
        devices: Sequence[DeviceView],
        *,
        paused: bool,
    ) -> Snapshot:
        return olympeak_snapshot(referee, reading, devices, paused=paused)

    def annotate(self, image: Image, reading: OlympeakReading) -> bytes:
        return annotate_olympeak(image, reading)

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
    ) -> OlympeakPeople:
        return OlympeakPeople(self._box, players, seed, now, leds, referee, illegal, pace, look)

    def accepted(self, referee: OlympeakReferee) -> tuple[Hashable, ...]:
        return tuple(_bare(event) for event in referee.events)

    def reached(self, referee: OlympeakReferee) -> int:
        return len(referee.events) + referee.under_way


class OlympeakPeople:
    """The simulated table of OlymPeak; a fact of its game is an event."""

    def __init__(
        self,
        box: Box,
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
        self._rng = random.Random(seed)
        self._scene = CardScene(self._rng, box)
        self.camera = CardCamera(self._scene, now, look=look)
        self.deal(players, referee)

    def deal(self, players: int, referee: object) -> None:
        state = referee.state if isinstance(referee, OlympeakReferee) else None
        setup = random_setup(players, self._rng, self._scene.box)
        # As the referee has it unless it is told otherwise: the seats in order of age.
        seats = tuple(replace(player, age_order=seat) for seat, player in enumerate(setup.players))
        self._eyes = LedSeatEyes(self._leds, self._now, players)
        self.people = CardMatch(
            self._scene,
            players,
            self._eyes,
            rng=self._rng,
            illegal=self._illegal,
            pace=self._pace,
            setup=replace(setup, players=seats),
            state=state,
            on_event=self._happened,
        )

    def look(self) -> None:
        self._eyes.look()

    def closed_reeds(self) -> frozenset[int]:
        """Cards have no magnets."""
        return frozenset()

    def plays_on_from(self, referee: object) -> bool:
        assert isinstance(referee, OlympeakReferee)
        put_back = referee.verdict.kind is Kind.SETUP and referee.was_taken_back
        return not put_back or self.people.state == referee.state

    def _happened(self, step: Step, when: float) -> None:
        if self.on_played is not None:
            self.on_played(_bare(step.event), when)


def _bare(event: Event) -> Event:
    """The event without what only says where a card was seen to lie."""
    return replace(event, row=None) if isinstance(event, Play | Insert) else event


def _lights(players: int) -> tuple[int, ...]:
    return tuple(seat_light(seat, players) for seat in range(players))
