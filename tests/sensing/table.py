"""A live table out of two photographs: the same camera, board and light, with (01) and without (09) pieces."""

from __future__ import annotations

import copy
from functools import cache

import cv2

from companion.sensing.frames import Frame, Image
from companion.sensing.reading import Reading
from companion.sensing.sight import Sight
from tests.sensing.noise import Noise
from tests.sensing.photos import camera, faults, photo, truth

FPS = 15.0
SKIN = (105, 140, 200)


def marker_of(name: str) -> dict[str, object]:
    """The truth of one piece's marker in photograph 01: a deity's name or a token's id."""
    data = truth("01")
    number = data["minis"][name]["id"] if name in data["minis"] else int(name)
    found: dict[str, object] = next(m for m in data["markers"] if m["id"] == number)
    return found


class LiveTable:
    """Frames of a table as they would come: pieces of photograph 01 taken away by pasting 09 over them."""

    def __init__(self, noise: float = 1.5) -> None:
        self.sight = Sight(camera("01"))
        self.image: Image = photo("01")
        self._bare = photo("09")
        self._noise = Noise(noise)
        self._number = 0

    @staticmethod
    def settled() -> LiveTable:
        """A table whose first look is over: looked at once, and copied for each who wants to go on from there."""
        return copy.deepcopy(_settled())

    def box(self, name: str, reach: int = 55) -> tuple[slice, slice]:
        """The part of the picture a piece and its shadow take up."""
        x, y = (round(value) for value in marker_of(name)["uv_px"])  # type: ignore[attr-defined]
        return slice(y - reach, y + reach), slice(x - reach, x + reach)

    def take(self, name: str) -> None:
        """Take a piece off the table."""
        where = self.box(name)
        self.image[where] = self._bare[where]

    def push(self, name: str, by_px: int) -> None:
        """Push a piece to the right, its shadow with it."""
        rows, columns = self.box(name)
        piece = self.image[rows, columns].copy()
        self.take(name)
        self.image[rows, columns.start + by_px : columns.stop + by_px] = piece

    def put_back(self, name: str) -> None:
        """Put it where it was."""
        rows, columns = self.box(name)
        around = (rows, slice(columns.start - 55, columns.stop + 55))
        self.image[around] = photo("01")[around]

    def shown(self, arm_to: tuple[int, int] | None = None, width: int = 170) -> Image:
        """The picture of now, with an arm from the southern edge to a pixel, and fresh noise."""
        image = self.image.copy()
        if arm_to is not None:
            cv2.line(image, (arm_to[0] + 60, 1400), arm_to, SKIN, width)
            cv2.circle(image, arm_to, width // 2 + 15, SKIN, -1)
        return self._noise.over(image)

    def frame(self, image: Image) -> Reading:
        """Show one frame to sight."""
        self._number += 1
        return self.sight.process(Frame(image, self._number / FPS, self._number))

    def wait(self, frames: int, arm_to: tuple[int, int] | None = None) -> list[Reading]:
        """Let frames pass."""
        return [self.frame(self.shown(arm_to)) for _ in range(frames)]

    def reach(self, to: tuple[int, int], steps: int = 4) -> list[Reading]:
        """An arm comes in from the south."""
        return [
            self.frame(self.shown((to[0], round(1296 + (to[1] - 1296) * n / steps))))
            for n in range(1, steps + 1)
        ]

    def withdraw(self, to: tuple[int, int], steps: int = 3) -> list[Reading]:
        """The arm leaves; the last frame is the first without it."""
        out = [
            self.frame(self.shown((to[0], round(to[1] + (1296 - to[1]) * n / steps))))
            for n in range(1, steps)
        ]
        return [*out, self.frame(self.shown())]

    def settle(self, most: int = 12) -> tuple[Reading, int]:
        """The first settled reading from now on, and after how many frames."""
        for n in range(1, most + 1):
            reading = self.frame(self.shown())
            if not reading.moving:
                return reading, n
        raise AssertionError(f"the table did not settle within {most} frames")


@cache
def _settled() -> LiveTable:
    live = LiveTable()
    reading, _ = live.settle()
    assert faults(reading, "01") == []
    return live
