"""Hands in motion: reaching, lifting, carrying, putting down, flipping, one step of time after another.

Every motion is a generator that yields once per step of the world; `clock.now` is the time of the step.
"""

from __future__ import annotations

import math
from dataclasses import replace

from companion.virtual import layout
from companion.virtual.arm import BRISK, HUMAN, Arm, Clock, Motion, Pace, Spot
from companion.virtual.piece import Piece, Pose
from companion.virtual.scene import Scene

# Where people sit, as the direction (degrees) from the board's centre; by number of players and seat.
_SEAT_ANGLE = {2: (180.0, 0.0), 4: (222.0, 138.0, 42.0, 318.0)}
_OVER_MM = 62.0


class Hand(Arm):
    """One player's hand at a table of Above."""

    def __init__(self, scene: Scene, clock: Clock, seat: int, players: int, pace: Pace) -> None:
        angle = math.radians(_SEAT_ANGLE[players][seat])
        super().__init__(scene, clock, seat, (math.cos(angle) * 640, math.sin(angle) * 560), pace)
        self.scene = scene
        self.players = players
        self._carried: str | None = None

    def _take_along(self, tip: Spot) -> None:
        if self._carried is None:
            return
        piece = self.scene.piece(self._carried)
        below = grip_height(piece)
        self.scene.put(
            piece.name, replace(piece.pose, x=tip[0], y=tip[1], z=max(tip[2] - below, 0.0)), held=True
        )

    def _take_out(self, to: tuple[float, float]) -> None:
        if self._carried is not None:
            piece = self.scene.piece(self._carried)
            self.scene.put(piece.name, replace(piece.pose, x=to[0], y=to[1]), held=True)

    # ---- with pieces

    def grasp(self, name: str) -> Motion:
        """Reach for a piece and lift it off."""
        pose = self.scene.piece(name).pose
        height = pose.z + grip_height(self.scene.piece(name))
        yield from self.to((pose.x, pose.y, height + _OVER_MM))
        yield from self.to((pose.x, pose.y, height))
        yield from self.wait(self.pace.grip_s)
        self._carried = name
        self._show(self._tip)

    def lift(self) -> Motion:
        """Raise what is held."""
        yield from self.to((self._tip[0], self._tip[1], self._tip[2] + _OVER_MM))

    def carry(self, x: float, y: float, ground: float, *, slide: bool = False) -> Motion:
        """Bring what is held over (x, y) and down to `ground`; sliding keeps it low all the way."""
        name = self._carried
        below = grip_height(self.scene.piece(name)) if name is not None else 0.0
        if slide:
            # Up the steps, never through them.
            for share in (0.25, 0.5, 0.75):
                via = (self._tip[0] + (x - self._tip[0]) * share, self._tip[1] + (y - self._tip[1]) * share)
                height = max(self.scene.surface_z(*via), ground) + below + 2
                yield from self.to((*via, height), 1.6)
        else:
            yield from self.lift()
            yield from self.to((x, y, ground + below + _OVER_MM))
        yield from self.to((x, y, ground + below))

    def out_of_the_way(self) -> Motion:
        """Rise from what has been put down."""
        yield from self.to((self._tip[0], self._tip[1], self._tip[2] + _OVER_MM * 0.6))

    # ---- whole acts

    def place(self, name: str, space: str, *, aside_mm: float = 0.0, slide: bool = False) -> Motion:
        """Carry a miniature or token to a space and put it down there, on top of a token that lies there."""
        if self._carried != name:
            yield from self.grasp(name)
        x, y, z = self.scene.printed_centre(space)
        yield from self.carry(x, y, z, slide=slide)
        self._carried = None
        piece = self.scene.stand(name, space, aside_mm=aside_mm)
        if piece.kind == "mini" and not aside_mm and (below := token_at(self.scene, space)) is not None:
            base = self.scene.piece(below).pose
            on_top = replace(piece.pose, x=base.x, y=base.y, z=z + self.scene.table.token_height_mm)
            self.scene.put(name, on_top)
        if self.rng.random() < 0.15:
            self.knock(space)
        yield from self.wait(self.pace.grip_s * 0.5)
        yield from self.out_of_the_way()

    def set_down(self, name: str, x: float, y: float) -> Motion:
        """Carry a miniature or token to (x, y), wherever that is, and leave it standing there."""
        yield from self.grasp(name)
        ground = self.scene.surface_z(x, y)
        yield from self.carry(x, y, ground)
        self._carried = None
        pose = replace(self.scene.piece(name).pose, x=x, y=y, z=ground, tilt=0.0)
        self.scene.put(name, pose, held=False)
        self.scene.spread(name, keep_off_centre=True)
        yield from self.out_of_the_way()

    def knock(self, space: str) -> None:
        """Brush against a piece next to `space`."""
        x, y, _ = self.scene.printed_centre(space)
        near = [
            p.name
            for p in self.scene.pieces()
            if p.kind != "card"
            and not p.held
            and 15 < math.hypot(p.pose.x - x, p.pose.y - y) < 60
            and self.scene.space_at(p.pose.x, p.pose.y) not in (None, space)
            and p.pose.z <= self.scene.surface_z(p.pose.x, p.pose.y)
        ]
        if near:
            self.scene.nudge(self.rng.choice(near), self.rng.uniform(1.0, 4.0))

    def to_reserve(self, name: str) -> Motion:
        """Take a token off the board; a miniature on top of it is lifted for a moment."""
        piece = self.scene.piece(name)
        above = mini_on_top(self.scene, piece)
        if above is not None:
            yield from self.free_token(above, piece)
        yield from self.grasp(name)
        x, y = self.scene.reserve_spot(avoid=(name,))
        yield from self.carry(x, y, 0.0)
        turned = replace(self.scene.piece(name).pose, x=x, y=y, z=0.0, yaw=self.rng.uniform(-180, 180))
        self._carried = None
        self.scene.put(name, replace(turned, tilt=0.0), held=False)
        yield from self.out_of_the_way()

    def free_token(self, mini: str, token: Piece) -> Motion:
        """Lift a miniature, draw the token from beneath it, and set the miniature down again."""
        space = self.scene.space_at(token.pose.x, token.pose.y)
        yield from self.grasp(mini)
        yield from self.lift()
        spot = self.scene.printed_centre(space or "top")
        # The other fingers have drawn the token along by now.
        self.scene.put(token.name, replace(token.pose, z=spot[2] + 30.0), held=True)
        yield from self.carry(spot[0], spot[1], spot[2])
        self._carried = None
        self.scene.stand(mini, space or "top")
        yield from self.out_of_the_way()

    def straighten(self, name: str) -> Motion:
        """Pick a piece up and set it down again where it stood, more or less."""
        piece = self.scene.piece(name)
        space = self.scene.space_at(piece.pose.x, piece.pose.y)
        if space is not None:
            yield from self.place(name, space)

    def flip(self, name: str, powered: bool) -> Motion:
        """Turn a card over where it lies."""
        pose = self.scene.piece(name).pose
        x, y = pose.x, pose.y
        yield from self.grasp(name)
        yield from self.to((x, y, 55.0))
        self.scene.put(name, self.scene.piece(name).pose, held=True, powered=powered)
        yield from self.to((x, y, 12.0))
        slot = min(self._slots(), key=lambda s: math.dist(s, (x, y)))
        self._carried = None
        self.scene.put(name, self.scene.card_pose(slot), held=False)
        yield from self.out_of_the_way()

    def slide_card(self, name: str, to: tuple[float, float], *, lifted: bool = False) -> Motion:
        """Take a card to another place on the table, as it lies; `lifted`: keep it over that place."""
        if self._carried != name:
            yield from self.grasp(name)
        yield from self.to((*to, 55.0 if lifted else 30.0))
        if lifted:
            # Put down on whatever lies there, to take the other one.
            yield from self.to((*to, 8.0))
        yield from self.to((*to, 6.0))
        self._carried = None
        level = 1 if lifted else 0
        self.scene.put(name, self.scene.card_pose(to, level), held=False)
        yield from self.out_of_the_way()

    def _slots(self) -> list[tuple[float, float]]:
        table = self.scene.table
        return [s for seat in range(self.players) for s in table.card_slots(seat, self.players)]

    def discard(self, name: str) -> Motion:
        """Lay a card onto the common pile."""
        yield from self.grasp(name)
        x, y = self.scene.table.pile_centre_mm
        yield from self.carry(x, y, 6.0)
        self._carried = None
        layout.to_pile(self.scene, name)
        piece = self.scene.piece(name)
        self.scene.put(name, piece.pose, held=False)
        yield from self.out_of_the_way()

    def pick(self, name: str, seat: int) -> Motion:
        """Take a card from the pile and lay it Powered before a seat."""
        yield from self.grasp(name)
        layout.settle_pile(self.scene)
        slot = layout.free_slot(self.scene, seat, self.players)
        yield from self.carry(slot[0], slot[1], 6.0)
        self._carried = None
        self.scene.put(name, self.scene.card_pose(slot), held=False, powered=True)
        yield from self.out_of_the_way()


def grip_height(piece: Piece) -> float:
    """How far above a piece's foot the finger tips are when they hold it, in mm."""
    return {"mini": 38.0, "token": 8.0, "card": 6.0}[piece.kind]


def token_at(scene: Scene, space: str) -> str | None:
    """The name of a token that lies on a space."""
    for piece in scene.pieces("token"):
        if not piece.held and scene.space_at(piece.pose.x, piece.pose.y) == space:
            return piece.name
    return None


def mini_on_top(scene: Scene, token: Piece) -> str | None:
    """The name of a miniature that stands on top of this token."""
    for mini in scene.pieces("mini"):
        if not mini.held and math.hypot(mini.pose.x - token.pose.x, mini.pose.y - token.pose.y) < 6:
            return mini.name
    return None


__all__ = [
    "BRISK",
    "HUMAN",
    "Clock",
    "Hand",
    "Motion",
    "Pace",
    "Pose",
    "grip_height",
    "mini_on_top",
    "token_at",
]
