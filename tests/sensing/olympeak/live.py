"""A live OlymPeak table, simulated: things are laid and taken, arms come and go, sight sees every frame."""

from __future__ import annotations

import random

import numpy as np

from companion.sensing.frames import Frame, Image
from companion.sensing.geometry import Camera
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.olympeak.sight import OlympeakSight
from companion.virtual.layers import Look
from companion.virtual.olympeak import columns, layout
from companion.virtual.olympeak.picture import CardPicture
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.scene import HandPose

FPS = 15.0
ROW = ("red", "blue", "white", "green")


class LiveTable:
    """A table of four players in the second row, and the sight that watches it."""

    def __init__(self, seed: int = 4, table: str = "oak") -> None:
        self.scene = CardScene(random.Random(seed))
        for place, contender in enumerate(ROW):
            layout.lay_contender(self.scene, contender, place, len(ROW))
        for card, contender, row in (
            ("p001", "red", 1),
            ("p002", "blue", 1),
            ("o03", "green", 1),
            ("p004", "blue", 2),
        ):
            columns.lay_card(self.scene, card, contender, row)
        layout.lay_in_zone(self.scene, "p010", 0, face_up=True)
        layout.lay_in_zone(self.scene, "p011", 2, face_up=False)
        layout.set_draw_pile(self.scene, 40)
        layout.discard(self.scene, "p020")
        for contender, place in zip(ROW, (0, 3, -2, 12), strict=True):
            layout.set_cube(self.scene, contender, place)
        layout.set_round(self.scene, 1)
        optics = self.scene.optics
        matrix = np.asarray(optics.matrix, dtype=np.float64)
        self.sight = OlympeakSight(
            Camera(
                float(matrix[0, 0]),
                float(matrix[1, 1]),
                float(matrix[0, 2]),
                float(matrix[1, 2]),
                tuple(float(k) for k in np.ravel(optics.distortion)),
                (optics.size[0], optics.size[1]),
            )
        )
        self._picture = CardPicture.of(self.scene, Look(table=table, seed=seed, gamma=2.2))
        self._number = 0

    def picture(self) -> Image:
        """What the camera shows now."""
        return self._picture.draw(self.scene.snapshot())

    def frame(self) -> OlympeakReading:
        """Show the table of now to sight."""
        self._number += 1
        picture = self._picture.expose(self.scene.snapshot())
        return self.sight.process(Frame(picture, self._number / FPS, self._number))

    def settle(self, most: int = 12) -> OlympeakReading:
        """The first settled reading from now on."""
        for _ in range(most):
            reading = self.frame()
            if not reading.moving:
                return reading
        raise AssertionError(f"the table did not settle within {most} frames")

    def reach(self, x: float, y: float, steps: int = 3) -> list[OlympeakReading]:
        """An arm comes in from the south and stops over a point."""
        readings = []
        for n in range(1, steps + 1):
            tip_y = -330 + (y + 330) * n / steps
            self.scene.show_hand("arm", HandPose((x, tip_y, 25.0), (x + 20, tip_y - 320, 60.0)))
            readings.append(self.frame())
        return readings

    def withdraw(self) -> OlympeakReading:
        """The arm is gone from the next frame on."""
        self.scene.show_hand("arm", None)
        return self.frame()


def lying(reading: OlympeakReading) -> set[tuple[str, int, str]]:
    """The cards in columns."""
    return {(one.contender, one.row, one.card) for one in reading.columns}
