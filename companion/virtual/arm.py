"""A hand that reaches over a table, whatever game lies on it: where it comes from, how it moves.

Every motion is a generator that yields once per step of the world; `clock.now` is the time of the step.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from companion.virtual.optics import Optics
from companion.virtual.scene import HandPose

Motion = Iterator[None]
Spot = tuple[float, float, float]


class Clock(Protocol):
    """Where the time of the current step stands."""

    now: float


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast people are: hand speed in mm/s, time for a grip, thinking and pausing (from, to seconds).

    `gives_up`: they leave a table whose lights say nothing, which is how a trial finds that it is stuck.
    """

    speed: float
    grip_s: float
    think_s: tuple[float, float]
    pause_s: tuple[float, float]
    gives_up: bool = True


BRISK = Pace(1100.0, 0.10, (0.1, 0.4), (0.05, 0.4))
HUMAN = Pace(520.0, 0.28, (1.0, 3.0), (0.4, 1.6), gives_up=False)


class HandStage(Protocol):
    """The table a hand is seen over."""

    rng: random.Random

    @property
    def optics(self) -> Optics: ...

    def show_hand(self, key: str, pose: HandPose | None) -> None: ...


class Arm:
    """One player's arm, from a body at `body` (x, y) beside the table. What it carries goes where it goes."""

    def __init__(
        self, stage: HandStage, clock: Clock, seat: int, body: tuple[float, float], pace: Pace
    ) -> None:
        self.clock = clock
        self.seat = seat
        self.pace = pace
        self.rng: random.Random = stage.rng
        self.in_picture = False
        self.left_at: float | None = None
        self._stage = stage
        self._body = body
        self._tip: Spot = self._home()

    @property
    def body(self) -> tuple[float, float]:
        """Where the player sits: x and y in mm, beside the table."""
        return self._body

    def _home(self) -> Spot:
        """A place out of the picture, on the player's side."""
        x, y = self._body
        stretch = max(abs(x) / 520, abs(y) / 340)
        return (x / stretch, y / stretch, 80.0)

    def _take_along(self, tip: Spot) -> None:
        """Bring what is carried to where the finger tips are now."""

    def _take_out(self, to: tuple[float, float]) -> None:
        """Bring what is carried out of the picture, to where the body is."""

    def _show(self, tip: Spot) -> None:
        self._tip = tip
        dx, dy = self._body[0] - tip[0], self._body[1] - tip[1]
        away = math.hypot(dx, dy) or 1.0
        elbow = (tip[0] + dx / away * 380, tip[1] + dy / away * 380, 95.0)
        # The fingers close over the piece from beyond its middle.
        over = (tip[0] - dx / away * 5, tip[1] - dy / away * 5, tip[2])
        self._stage.show_hand(f"seat {self.seat}", HandPose(over, elbow, self.seat, self.seat % 2 == 0))
        self.in_picture = True
        self._take_along(tip)

    def to(self, spot: Spot, slowness: float = 1.0) -> Motion:
        """Move the finger tips in a straight line to `spot`, speeding up and slowing down."""
        start = self._tip
        length = math.dist(start, spot)
        lasts = max(length / self.pace.speed * slowness, 0.04)
        began = self.clock.now
        while (share := (self.clock.now - began) / lasts) < 1.0:
            eased = share * share * share * (10 - 15 * share + 6 * share * share)
            self._show(
                (
                    start[0] + (spot[0] - start[0]) * eased,
                    start[1] + (spot[1] - start[1]) * eased,
                    start[2] + (spot[2] - start[2]) * eased,
                )
            )
            yield
        self._show(spot)

    def wait(self, seconds: float) -> Motion:
        """Hold still."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            yield

    def linger(self, seconds: float) -> Motion:
        """Hover, never quite still."""
        x, y, z = self._tip
        until = self.clock.now + seconds
        while self.clock.now < until:
            self._show((x + self.rng.uniform(-1.5, 1.5), y + self.rng.uniform(-1.5, 1.5), z))
            yield

    def leave(self) -> Motion:
        """Take the hand, and what it holds, out of the picture; it is gone once its finger tips are."""
        if not self.in_picture:
            return
        for _ in self.to(self._home()):
            if not self._in_view():
                break
            yield
        self._stage.show_hand(f"seat {self.seat}", None)
        self.in_picture = False
        self.left_at = self.clock.now
        self._take_out(self._body)

    def _in_view(self) -> bool:
        """Whether the camera still sees the fingers, their shadow included."""
        away = math.hypot(self._body[0] - self._tip[0], self._body[1] - self._tip[1]) or 1.0
        reach = 55.0
        ahead = (
            self._tip[0] - (self._body[0] - self._tip[0]) / away * reach,
            self._tip[1] - (self._body[1] - self._tip[1]) / away * reach,
            self._tip[2],
        )
        u, v = self._stage.optics.project([ahead])[0]
        width, height = self._stage.optics.size
        return bool(0 <= u < width and 0 <= v < height)
