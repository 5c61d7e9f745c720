"""The simulated table's controller as an owner really wired it: what its lights show, which magnets its switches feel.

Harder than a real table: lights shine late in the picture, the room grows brighter and darker all the while, and no
light or switch lies exactly under the middle of its space.
"""

from __future__ import annotations

import contextlib
import math
import random
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.virtual.glow import LitPicture
from companion.virtual.layers import Look
from companion.virtual.scene import Ring, Scene
from companion.virtual.textures import Image
from firmware_bridge.controller import Controller
from firmware_bridge.names import LED_NAMES
from firmware_bridge.protocol import REEDS
from firmware_bridge.virtual_controller import VirtualController
from firmware_bridge.virtual_wiring import LaneWiring, Wiring
from firmware_bridge.wire import Pixel

# A picture shows the lights as they were so long ago.
LATE_S = 0.13
# The room's light goes up and down by this share, over so many seconds.
AMBIENT_SHARE, AMBIENT_S = 0.07, 3.1
BURNT = 250
# Lights and switches lie off their spaces' middles by this much (sigma), in mm.
OFF_MM = 1.3
# A magnet closes a switch so far away, and so high above the board.
FEELS_MM, FEELS_HIGH_MM = 10.5, 12.0
# Whatever is this high over the table is in somebody's hand or away.
LIFTED_MM = 60.0
# The world goes on by steps of this length between two pictures.
TICK_S = 0.05
SETTLE_S = 1.0

Point = tuple[float, float, float]


def badly_wired(rng: random.Random) -> Wiring:
    """A board as somebody wired it in an evening: plugs exchanged, three bad switches, columns of lights swapped, a lane
    whose motor and endstop are the wrong way round."""
    columns = list(range(16))
    one, other = sorted(rng.sample(columns, 2))
    columns[one], columns[other] = other, one
    rows = list(range(6))
    rng.shuffle(rows)
    reeds = (*(6 * columns[n // 6] + rows[n % 6] for n in range(REEDS - 1)), REEDS - 1)
    dead, stuck, weak = rng.sample(range(REEDS - 1), 3)
    lit = list(range(16))
    one, other = sorted(rng.sample(lit, 2))
    lit[one], lit[other] = other, one
    leds = (*(6 * lit[n // 6] + n % 6 for n in range(96)), *range(96, 105))
    wrong = rng.randrange(4)
    lanes = tuple(
        LaneWiring(n, turned=n == wrong, endstop_north=n == wrong, off_um=rng.randrange(-900, 900))
        for n in range(5)
    )
    return Wiring(
        reeds=reeds,
        dead=frozenset({dead}),
        stuck=frozenset({stuck}),
        weak=frozenset({weak}),
        leds=leds,
        channels=(1, 0, 2),
        lanes=lanes,
    )


class WiredBoard:
    """The controller under a scene of Above. `now` in seconds: the world's clock, which `follow` brings it up to."""

    def __init__(self, scene: Scene, look: Look, now: float, wiring: Wiring, seed: int) -> None:
        self.scene = scene
        self.wiring = wiring
        self._now = now
        rng = random.Random(seed)
        self._off = [(rng.gauss(0, OFF_MM), rng.gauss(0, OFF_MM)) for _ in range(2 * REEDS)]
        self.controller = VirtualController(lambda: self._now, wiring=wiring, scan_period_s=0.0002, seed=seed)
        self._on = False
        self._switches: tuple[tuple[Ring, ...], NDArray[np.float64]] | None = None
        self._lock = threading.Lock()
        self._shown: deque[tuple[float, tuple[Pixel, ...]]] = deque([(-math.inf, ())], maxlen=64)
        self._picture = LitPicture(look, scene.table, self._light_places, self._lights)

    @contextlib.contextmanager
    def switched_on(self) -> Iterator[Controller]:
        """The board runs; gives the host's end of its wire, connected."""
        self.controller.on_leds(self._remember)
        with self.controller, Controller(self.controller.path, clock=lambda: self._now) as host:
            host.wait_ready(10.0)
            self._on = True
            try:
                yield host
            finally:
                self._on = False

    # -- what the camera sees

    def draw(self) -> Image:
        """The picture of this moment."""
        image = self._picture.draw(self.scene.snapshot())
        light = 1.0 - AMBIENT_SHARE * (0.5 + 0.5 * math.sin(math.tau * self._now / AMBIENT_S))
        tone = np.arange(256.0)
        # What is burnt out is so in any light.
        tone = np.where(tone < BURNT, tone * light, tone)
        return np.asarray(cv2.LUT(image, tone.astype(np.uint8)), dtype=np.uint8)

    def _remember(self, pixels: tuple[Pixel, ...]) -> None:
        """In the board's thread: what shines from now on."""
        with self._lock:
            self._shown.append((self._now, self.controller.lights))

    def _lights(self) -> Sequence[Pixel]:
        """What shone a little ago, at the spaces and the summit."""
        with self._lock:
            shown = [lights for at, lights in self._shown if at <= self._now - LATE_S]
        lights = shown[-1] if shown else ()
        return lights[:REEDS] if lights else ((0, 0, 0),) * REEDS

    def _light_places(self) -> Sequence[Point]:
        return [self._place(space, self._off[n]) for n, space in enumerate(self._spaces())]

    def _spaces(self) -> list[str]:
        return list(LED_NAMES)[:REEDS]

    def _place(self, space: str, off: tuple[float, float]) -> Point:
        if self.scene.board.rings + 1 > len(self.scene.rings):
            x, y, z = self.scene.board.space_centre(space)
        else:
            x, y, z = self.scene.printed_centre(space)
        return (x + off[0], y + off[1], z)

    # -- what the switches feel

    def follow(self, now: float, move: Callable[[float], None]) -> None:
        """Let the world go on until `now`; `move` moves what is moved, up to the time it is given."""
        before: frozenset[int] | None = None
        while self._now < now:
            self._now = min(now, self._now + TICK_S)
            move(self._now)
            if not self._on:
                continue
            felt = self._felt()
            if felt != before or felt & self.wiring.weak or self._now >= now:
                # A board that is looked after anew has caught up with the time.
                self.controller.set_reeds(felt)
                self.controller.wait_idle(SETTLE_S)
            before = felt

    def _felt(self) -> frozenset[int]:
        """The spaces whose switch has a magnet near it."""
        scene = self.scene
        magnets = [
            (piece.pose.x, piece.pose.y)
            for piece in scene.pieces()
            if piece.magnetic
            and piece.pose.z < LIFTED_MM
            and piece.pose.z - scene.surface_z(piece.pose.x, piece.pose.y) <= FEELS_HIGH_MM
        ]
        if not magnets:
            return frozenset()
        if self._switches is None or self._switches[0] is not scene.rings:
            places = [self._place(space, self._off[REEDS + n])[:2] for n, space in enumerate(self._spaces())]
            self._switches = scene.rings, np.array(places)
        away = np.linalg.norm(self._switches[1][:, None, :] - np.array(magnets)[None, :, :], axis=2)
        return frozenset(int(n) for n in np.flatnonzero(away.min(axis=1) <= FEELS_MM))
