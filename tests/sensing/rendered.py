"""A rendered table of Above that is filmed: what sight says of it, frame by frame, in virtual time."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from companion.games.above.board import SPACES
from companion.sensing.frames import Film, Frame, Image
from companion.sensing.geometry import Camera
from companion.sensing.place import BoardPrint
from companion.sensing.reading import Reading
from companion.sensing.sight import Sight
from companion.virtual.layout import lay_out
from companion.virtual.optics import Optics
from companion.virtual.picture import Picture, random_look
from companion.virtual.scene import HandPose, Scene

FPS = 15.0
START = (
    "ze=a1,he=c1,ar=e1,at=g1,ha=i3,de=k5,po=m6,ap=n6 "
    "thunder=b3.f5,fertility=d2.n4,gate=h3.l6,barrier=j2.p3 "
    "ze.he.ar.at.ha.de.po.ap/ze.he.ar.at 0 2"
)


def lens_of(optics: Optics) -> Camera:
    """The simulated camera's lens as its owner would have measured it."""
    (fx, _, cx), (_, fy, cy), _ = optics.matrix.tolist()
    return Camera(fx, fy, cx, cy, tuple(float(k) for k in optics.distortion), optics.size)


class RenderedTable:
    """One table by seed, laid out, drawn with a look of its own, and read by `sight`.

    `rings`: what the profile says of them; None: nothing is known.
    """

    def __init__(self, seed: int = 1, rings: BoardPrint | None = None, position: str = START) -> None:
        self.scene = Scene(random.Random(seed))
        lay_out(self.scene, position)
        self._picture = Picture(random_look(np.random.default_rng(seed)))
        self.sight = Sight(lens_of(self.scene.optics), self.scene.table, rings)
        self.number = 0
        # What is wrong with markers, by the piece's name.
        self.spoilt: dict[str, Callable[[Image, NDArray[np.float64]], Image]] = {}

    def shown(self) -> Image:
        """The picture of now."""
        image = self._picture.draw(self.scene.snapshot())
        for name, spoil in self.spoilt.items():
            corners = self.scene.optics.project(self.scene.piece(name).marker_corners(self.scene.table))
            if corners.min() > 20 and (corners.max(axis=0) < np.array(image.shape[1::-1]) - 20).all():
                image = spoil(image, corners)
        return image

    def frame(self, image: Image | None = None) -> Reading:
        """Show one frame to sight: the picture of now, developed only where somebody looks."""
        self.number += 1
        picture: Image | Film
        if image is None and not self.spoilt:
            picture = self._picture.expose(self.scene.snapshot())
        else:
            picture = self.shown() if image is None else image
        return self.sight.process(Frame(picture, self.number / FPS, self.number))

    def wait(self, frames: int) -> list[Reading]:
        """Let frames pass."""
        return [self.frame() for _ in range(frames)]

    def settle(self, most: int = 15) -> tuple[Reading, int]:
        """The first settled reading from now on, and after how many frames."""
        for n in range(1, most + 1):
            reading = self.frame()
            if not reading.moving:
                return reading, n
        raise AssertionError(f"the table did not settle within {most} frames")

    def push(self) -> list[Reading]:
        """A hand comes in, rests for a moment, and leaves again."""
        readings = []
        for y in (-260.0, -200.0, -150.0, -150.0, -200.0, -260.0):
            self.scene.show_hand("hand", HandPose((30.0, y, 50.0), (60.0, y - 380.0, 90.0)))
            readings.append(self.frame())
        self.scene.show_hand("hand", None)
        return [*readings, self.frame()]

    def wrong(self, reading: Reading) -> list[str]:
        """Everything a settled reading says wrongly of the pieces on the board, or misses of what can be seen."""
        if reading.frame != "ok":
            return [f"frame: {reading.frame}"]
        truth = {
            name: space for space, names in self.scene.holding().items() for name in names if space in SPACES
        }
        seen = {f"mini {one.deity}": one.spaces for one in reading.minis}
        seen |= {f"token {one.marker}": one.spaces for one in reading.tokens}
        found = []
        for name, space in truth.items():
            if name not in seen:
                if space not in reading.hidden:
                    found.append(f"{name} on {space} is not seen")
            elif not seen[name] or seen[name][0][0] != space:
                found.append(f"{name} on {space} is seen on {seen[name][:2]}")
        found += [f"{name} is not on the board" for name in seen if seen[name] and name not in truth]
        return found
