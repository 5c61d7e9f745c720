"""The simulated table laid out for OlymPeak's scoreboard: cubes that trail behind their magnets."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from calibration.wiring_profile import LANES
from companion.games.olympeak.cards import CONTENDERS
from companion.virtual.layers import Look
from companion.virtual.olympeak import layout
from companion.virtual.olympeak.carriages import Carriages
from companion.virtual.olympeak.picture import CAMERA_GAMMA, CardPicture
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.optics import Optics
from companion.virtual.textures import Image

# A cube drags behind its magnet by this much, whichever way it goes.
TRAIL_MM = 0.4


class SimulatedScoreboard:
    """`carriages`: where the carriages really are, mm, by lane."""

    def __init__(self, optics: Optics, seed: int, carriages: Callable[[], Sequence[float]]) -> None:
        self._rng = random.Random(seed)
        self.scene = CardScene(self._rng, optics=optics)
        self._picture = CardPicture.of(self.scene, Look(seed=seed, gamma=CAMERA_GAMMA))
        self._carriages = carriages
        self._magnets = Carriages(self.scene)
        self._were: dict[str, float] = {}
        self._trails: dict[str, float] = {}
        self.laid = False

    def lay(self) -> None:
        """The owner lays the board out, cubes anywhere."""
        if not self.laid:
            for contender in CONTENDERS:
                layout.set_cube(self.scene, contender, self._rng.randrange(-3, 34))
            layout.set_round(self.scene, 2)
            self.laid = True

    def draw(self) -> Image:
        """The picture of this moment."""
        return self._picture.draw(self.scene.snapshot())

    def follow(self) -> None:
        """The cubes go where their magnets go."""
        table = self.scene.table
        low, pitch = table.rounds_y_mm[0], table.rounds_y_mm[1] - table.rounds_y_mm[0]
        places = {}
        for name, at in zip(LANES, self._carriages(), strict=True):
            went = at - self._were.get(name, at)
            self._were[name] = at
            if went:
                self._trails[name] = TRAIL_MM if went < 0 else -TRAIL_MM
            y = at + self._trails.get(name, 0.0)
            places[name] = 1 + (y - low) / pitch if name == "round" else table.cube_place(y)
        if self.laid:
            self._magnets.follow(places)
