"""The simulated owner's hand over the board: slides a miniature, lays tokens, takes everything off. Never exactly."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from calibration.reeds.wishes import ClearBoard, LayTokens, PutPiece
from companion.virtual.scene import Scene

WAND = "mini ze"
SLIDE_MM_S = 160.0
# People hit the middle of a space to about this (sigma).
CLUMSY_MM = 1.8
LAY_S = 0.7
PATIENT_S = 5.0
AWAY_Z = 900.0


class Hand:
    """Moves pieces of a scene; `wish` is what it is asked for at the moment."""

    def __init__(self, scene: Scene, rng: random.Random) -> None:
        self._scene = scene
        self._rng = rng
        self._space: str | None = None
        self._target = (0.0, 0.0)
        self._tokens: list[str] = []
        self._laid: dict[str, str] = {}
        self._lays_at = -math.inf
        self._now = self._asked_at = -math.inf

    def ask(self, wish: object) -> None:
        """Somebody asks for something; another wish of another kind is let be."""
        if isinstance(wish, PutPiece):
            # Who sees that nothing comes of it puts the piece down anew.
            if wish.space != self._space or self._now >= self._asked_at + PATIENT_S:
                self._space, self._asked_at = wish.space, self._now
                x, y, _ = self._scene.printed_centre(wish.space)
                self._target = (x + self._rng.gauss(0, CLUMSY_MM), y + self._rng.gauss(0, CLUMSY_MM))
        elif isinstance(wish, LayTokens):
            self._lift(WAND)
            self._tokens = [space for space in wish.spaces if space not in self._laid.values()]
        elif isinstance(wish, ClearBoard):
            self._tokens = []
            for name in (WAND, *self._laid):
                self._lift(name)
            self._laid.clear()

    def leave(self) -> None:
        """Nothing of this is asked for any more: the board is cleared."""
        if self._space is not None or self._laid:
            self.ask(ClearBoard())

    def move(self, now: float, passed: float) -> None:
        """Go on for `passed` seconds, up to `now`."""
        self._now = now
        if self._tokens and now >= self._lays_at:
            space = self._tokens.pop(0)
            name = next(piece.name for piece in self._scene.pieces("token") if piece.name not in self._laid)
            self._laid[name] = space
            x, y, z = self._scene.printed_centre(space)
            at = (x + self._rng.gauss(0, CLUMSY_MM), y + self._rng.gauss(0, CLUMSY_MM))
            pose = self._scene.piece(name).pose
            self._scene.put(name, replace(pose, x=at[0], y=at[1], z=z, yaw=self._rng.uniform(-180, 180)))
            self._lays_at = now + LAY_S
        if self._space is not None:
            self._slide(passed)

    def _slide(self, passed: float) -> None:
        pose = self._scene.piece(WAND).pose
        x, y = (pose.x, pose.y) if pose.z < AWAY_Z else self._target
        away = math.dist((x, y), self._target)
        if away > 0:
            share = min(1.0, SLIDE_MM_S * passed / away)
            x, y = x + share * (self._target[0] - x), y + share * (self._target[1] - y)
        self._scene.put(WAND, replace(pose, x=x, y=y, z=self._scene.surface_z(x, y)), held=True)

    def _lift(self, name: str) -> None:
        self._space = None if name == WAND else self._space
        pose = self._scene.piece(name).pose
        self._scene.put(name, replace(pose, x=0.0, y=0.0, z=AWAY_Z), held=True)
