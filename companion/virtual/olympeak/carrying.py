"""Carrying: what a hand at the OlymPeak table takes hold of goes where it goes, and beyond the picture is out of sight.

Every motion is a generator that yields once per step of the world.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from companion.virtual.arm import Arm, Clock, Motion, Pace, Spot
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.things import Thing
from companion.virtual.piece import Pose

OVER_MM = 55.0
# How far from a card's middle, towards the player, the finger tips hold it.
GRIP_MM = {"card": 24.0, "player_card": 20.0}


class CarryingHand(Arm):
    """A hand, and what it holds. `_carried`: things that move along, each with its middle relative to the first."""

    def __init__(
        self, scene: CardScene, clock: Clock, seat: int, body: tuple[float, float], pace: Pace
    ) -> None:
        super().__init__(scene, clock, seat, body, pace)
        self.scene = scene
        self._carried: list[tuple[str, tuple[float, float, float]]] = []

    def _grip(self, x: float, y: float, reach: float) -> tuple[float, float]:
        """Where the finger tips are when they hold a thing whose middle is at (x, y)."""
        dx, dy = self._body[0] - x, self._body[1] - y
        away = math.hypot(dx, dy) or 1.0
        return (x + dx / away * reach, y + dy / away * reach)

    def _reach_of(self, thing: Thing) -> float:
        return GRIP_MM.get(thing.kind, 2.0)

    def _take_along(self, tip: Spot) -> None:
        if not self._carried:
            return
        reach = self._reach_of(self.scene.thing(self._carried[0][0]))
        dx, dy = self._body[0] - tip[0], self._body[1] - tip[1]
        away = math.hypot(dx, dy) or 1.0
        x, y, z = tip[0] - dx / away * reach, tip[1] - dy / away * reach, max(tip[2] - 4.0, 0.0)
        for name, (ox, oy, oz) in self._carried:
            thing = self.scene.thing(name)
            pose = replace(thing.pose, x=x + ox, y=y + oy, z=z + oz, tilt=0.0)
            self.scene.put(replace(thing, pose=pose, held=True))

    def _take_out(self, to: tuple[float, float]) -> None:
        for name, _ in self._carried:
            self.scene.take(name)
        self._carried.clear()

    def over(self, x: float, y: float, z: float, reach: float = GRIP_MM["card"]) -> Motion:
        """Bring the middle of what is (or would be) held over (x, y) at height `z`."""
        gx, gy = self._grip(x, y, reach)
        yield from self.to((gx, gy, z + 4.0))

    def _bring(self, things: Sequence[Thing]) -> None:
        """Take things into the hand while it is out of the picture."""
        first = things[0].pose
        for thing in things:
            self.scene.put(replace(thing, held=True))
            pose = thing.pose
            self._carried.append((thing.name, (pose.x - first.x, pose.y - first.y, pose.z - first.z)))
        self._take_along(self._tip)

    def grasp(self, name: str) -> Motion:
        """Reach for a thing and take hold of it."""
        thing = self.scene.thing(name)
        reach = self._reach_of(thing)
        yield from self.over(thing.pose.x, thing.pose.y, thing.pose.z + OVER_MM, reach)
        yield from self.over(thing.pose.x, thing.pose.y, thing.pose.z, reach)
        yield from self.wait(self.pace.grip_s)
        self._carried = [(name, (0.0, 0.0, 0.0))]
        self._show(self._tip)

    def lift(self) -> Motion:
        """Raise what is held."""
        yield from self.to((self._tip[0], self._tip[1], self._tip[2] + OVER_MM))

    def rise(self) -> Motion:
        """Leave what has been laid down below."""
        yield from self.to((self._tip[0], self._tip[1], self._tip[2] + OVER_MM * 0.6))

    def _let_go(self, pose: Pose, layer: int, face_up: bool | None = None) -> None:
        """The first thing carried comes to rest; whatever rode on it keeps its place upon it."""
        for n, (name, (ox, oy, oz)) in enumerate(self._carried):
            thing = self.scene.thing(name)
            up = thing.face_up if face_up is None else face_up
            rest = pose if n == 0 else replace(thing.pose, x=pose.x + ox, y=pose.y + oy, z=pose.z + oz)
            self.scene.put(replace(thing, pose=rest, layer=layer + (n > 0), face_up=up, held=False))
        self._carried.clear()
