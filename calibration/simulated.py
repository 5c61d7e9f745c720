"""A simulated table to calibrate: its camera, its lights, and an owner who does what he is advised.

The only module here that knows the simulated table. The owner reads no sentences: he follows an advice's wish, as
clumsily as people do.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.assembly import Guide, Stage
from calibration.guidance import HoldSheet
from calibration.reeds.wishes import ClearBoard, LayTokens, PutPiece
from calibration.scoreboard.wishes import LayScoreboard
from calibration.simulated_hand import Hand
from calibration.simulated_scoreboard import SimulatedScoreboard
from calibration.simulated_wires import WiredBoard, badly_wired
from calibration.step import Advice, Pixel
from calibration.steps.box import ShowCard
from calibration.steps.rings import NONE_WRONG, TellNumbers
from companion.games.above.cards import GREEK, SETUP_CARDS, SetupCard
from companion.virtual.camera import TableCamera
from companion.virtual.optics import Optics, mount
from companion.virtual.picture import Look
from companion.virtual.scene import Ring, Scene
from companion.virtual.sheet import HeldSheet, SheetCameraPicture, SheetPrint
from companion.virtual.textures import Image
from firmware_bridge.virtual_wiring import Wiring

Floats = NDArray[np.float64]

FPS = 5.0
# The sheet moves so fast, and fills this share of the picture's width.
SHEET_MM_S, SHEET_DEG_S = 400.0, 90.0
SHEET_SHARE = 0.42
# A ring in the hands: a correction takes so long, misses by this share, and by so much at least.
MOVE_S = 0.8
CLUMSY = 0.15
CLUMSY_DEG, CLUMSY_MM = 0.08, 0.12
# How a ring is laid at first: within these of where it belongs.
LAID_DEG, LAID_MM = 4.0, 3.0
_LEAN = {"left": (1.0, 0.0), "right": (-1.0, 0.0), "top": (0.0, -1.0), "bottom": (0.0, 1.0)}


class RememberedLamps:
    """Lights that nobody sees but who asks."""

    def __init__(self) -> None:
        self.pixels: tuple[Pixel, ...] = ()

    def set_leds(self, pixels: tuple[Pixel, ...]) -> None:
        """Take the colours of all LEDs."""
        self.pixels = pixels


class SimulatedTable:
    """A table with nothing on it but its frame markers; the owner brings a sheet, and lays the rings.

    `now` in seconds; `wait` lets time pass between pictures (None: each comes at once). `size`: of the pictures.
    `built`: the board is put together already, by hand, with each ring a little off. `wiring`: of its controller; None:
    as badly as somebody does it in an evening.
    """

    def __init__(
        self,
        seed: int,
        now: Callable[[], float],
        wait: Callable[[float], None] | None = None,
        size: tuple[int, int] = (2304, 1296),
        *,
        built: bool = False,
        wiring: Wiring | None = None,
    ) -> None:
        self._rng = random.Random(seed)
        self.scene = Scene(self._rng, optics=mount(self._rng, size=size))
        if not built:
            self.scene.build(())
        for piece in self.scene.pieces():
            # Not a piece is on the table yet.
            self.scene.put(piece.name, replace(piece.pose, x=0.0, y=0.0, z=900.0), held=True)
        self.cards = _printed(self._rng.randrange(2**32))
        self.lamps = RememberedLamps()
        self.wires = WiredBoard(self.scene, Look(seed=seed), now(), wiring or badly_wired(self._rng), seed)
        self._hand = Hand(self.scene, self._rng)
        self.scoreboard = SimulatedScoreboard(
            self.scene.optics, seed, lambda: [at / 1000 for at in self.wires.controller.carriages_um]
        )
        self._plays_olympeak = False
        self._sheet = SheetPrint()
        self._drawn = SheetCameraPicture(self._sheet, lambda: self.scene.optics)
        self._now = now
        self._at = now()
        self._wished: HoldSheet | None = None
        self._held: tuple[Floats, Floats] | None = None
        self._moves_at = -math.inf
        self.camera = TableCamera(self.scene, self._draw, now, fps=FPS, wait=wait, before=self.go_on)

    @property
    def rings(self) -> tuple[Ring, ...]:
        """How the rings truly lie."""
        return self.scene.rings

    def _draw(self) -> Image:
        table = self.scoreboard.draw() if self._plays_olympeak else self.wires.draw()
        if self._held is None:
            return table
        return self._drawn.over(table, HeldSheet(self._held[0], _turned(self._held[1])))

    def go_on(self, now: float) -> None:
        """The world up to a moment, for its picture."""
        self.wires.follow(now, self._move)

    def _move(self, now: float) -> None:
        """Everything that is moved, up to a moment."""
        passed, self._at = max(0.0, now - self._at), now
        self._move_sheet(passed)
        self._hand.move(now, passed)
        self.scoreboard.follow()

    # -- the owner

    def obey_unseen(self, advice: Advice) -> None:
        """The same as `obey` where no camera asks for the world to go on."""
        self.go_on(self._now())
        self.obey(advice)

    def obey(self, advice: Advice) -> None:
        """Do what is advised, as far as it is understood."""
        wish = advice.wish
        if isinstance(wish, HoldSheet):
            self._wished = wish
        else:
            self._wished = self._held = None
        if isinstance(wish, Guide):
            self._lay(wish)
        if isinstance(wish, TellNumbers):
            wish.answer({"wrong": self._not_to_the_north()})
        if wish is not None:
            self._plays_olympeak = isinstance(wish, LayScoreboard)
        if isinstance(wish, LayScoreboard):
            self.scoreboard.lay()
        if isinstance(wish, PutPiece | LayTokens | ClearBoard):
            self._hand.ask(wish)
        elif wish is not None:
            self._hand.leave()
        if isinstance(wish, ShowCard):
            self._show_card(wish)

    def _move_sheet(self, passed: float) -> None:
        """The sheet goes where it is wished, at a person's pace, and stops there."""
        if self._wished is None:
            return
        centre = place_of(self._wished, self.scene.optics, self._sheet)
        lean = np.array(_LEAN[self._wished.side]) * self._wished.tilt_deg
        if self._held is None:
            self._held = (centre, lean)
            return
        self._held = (
            _towards(self._held[0], centre, SHEET_MM_S * passed),
            _towards(self._held[1], lean, SHEET_DEG_S * passed),
        )

    def _lay(self, guide: Guide) -> None:
        """Lay, turn or push a ring, one movement at a time."""
        if self._now() < self._moves_at:
            return
        rings = list(self.scene.rings)
        rng = self._rng
        if guide.stage is Stage.LAY and len(rings) == guide.ring - 1:
            length, angle = LAID_MM * math.sqrt(rng.random()), rng.uniform(0, math.tau)
            rings.append(
                Ring(rng.uniform(-LAID_DEG, LAID_DEG), (length * math.cos(angle), length * math.sin(angle)))
            )
        elif (
            guide.stage in (Stage.ALIGN, Stage.SLIPPED)
            and guide.correction is not None
            and not guide.correction.within
        ):
            if len(rings) < guide.ring:
                return
            lie, needs = rings[guide.ring - 1], guide.correction
            rings[guide.ring - 1] = Ring(
                lie.rotation_deg + needs.turn_deg * self._about() + rng.gauss(0, CLUMSY_DEG),
                (
                    lie.shift_mm[0] + needs.shift_mm[0] * self._about() + rng.gauss(0, CLUMSY_MM),
                    lie.shift_mm[1] + needs.shift_mm[1] * self._about() + rng.gauss(0, CLUMSY_MM),
                ),
            )
        else:
            return
        self.scene.build(rings)
        self._moves_at = self._now() + MOVE_S

    def _not_to_the_north(self) -> str:
        """The rings that lie a space or more off, in words."""
        half = 180.0 / self.scene.board.columns
        rings = self.scene.rings[: self.scene.board.rings]
        wrong = [number for number, ring in enumerate(rings, 1) if abs(ring.rotation_deg) > half]
        return " ".join(map(str, wrong)) or NONE_WRONG

    def _show_card(self, wish: ShowCard) -> None:
        """Hold a card under the camera; once it is asked about, read out what is printed on it."""
        card = next(card for card in self.cards if card.id == wish.card)
        if wish.answer is not None:
            wish.answer({"letter": GREEK[ord(card.column) - ord("a")], "ring": str(card.ring)})
            return
        for piece in self.scene.pieces("card"):
            shown = piece.name == f"card {card.deity} {card.card_set}"
            here = replace(piece.pose, x=230.0, y=0.0, z=0.0 if shown else 900.0)
            self.scene.put(piece.name, here, held=not shown)

    def _about(self) -> float:
        """What people do when told how much: about that much."""
        return 1.0 + self._rng.uniform(-CLUMSY, CLUMSY)


def _printed(seed: int) -> tuple[SetupCard, ...]:
    """What is printed on this owner's cards: not what is assumed, but α on the first Zeus."""
    rng = random.Random(seed)
    letters = list("bcdefghijklmnop")
    rng.shuffle(letters)
    return tuple(
        SetupCard(card.deity, card.card_set, column, rng.randint(1, 6))
        for card, column in zip(SETUP_CARDS, ["a", *letters], strict=True)
    )


def place_of(wish: HoldSheet, optics: Optics, sheet: SheetPrint) -> Floats:
    """Where (3,) the sheet's middle is in the world when it is held as wished, as large as it should be."""
    width, height = optics.size
    pixel = np.array([wish.x * width, wish.y * height, 1.0])
    ray = optics.rotation.T @ np.linalg.inv(optics.matrix) @ pixel
    away = optics.matrix[0, 0] * sheet.size_mm[0] / (SHEET_SHARE * width)
    return np.asarray(optics.centre_mm + ray * away, dtype=np.float64)


def _turned(lean: Floats) -> Floats:
    """The sheet's axes (3, 3), its normal leaning by `lean` (x, y) in degrees."""
    angle = math.radians(float(np.hypot(*lean)))
    if angle == 0:
        return np.eye(3)
    x, y = lean / np.hypot(*lean)
    axis = np.array([-y, x, 0.0])
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.asarray(
        np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross, dtype=np.float64
    )


def _towards(here: Floats, there: Floats, most: float) -> Floats:
    """From here to there, at most so far."""
    away = float(np.linalg.norm(there - here))
    return there if away <= most else here + (there - here) * (most / away)
