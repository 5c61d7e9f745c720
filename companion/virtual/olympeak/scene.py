"""The simulated OlymPeak table as a body of things: cards, piles, cubes, hands, the camera, in millimetres.

The scene knows no rules and nothing of what is not over the table: a card in a hand, or within a pile, is not
here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.olympeak.box import Box, Table
from companion.games.olympeak.deck_file import default_box
from companion.virtual.faults import Fault
from companion.virtual.olympeak.things import LAYER_ZONE, Thing
from companion.virtual.optics import Optics, mount
from companion.virtual.piece import Pose
from companion.virtual.scene import SceneError
from companion.virtual.snapshot import HandPose
from companion.virtual.stage import Stage

MAX_OFF_CENTRE_MM = 4.0
MAX_TURN_DEG = 5.0


@dataclass(frozen=True, slots=True)
class Shot:
    """Everything a picture shows, at one moment."""

    things: Mapping[str, Thing]
    hands: tuple[HandPose, ...]
    optics: Optics
    faults: frozenset[Fault]


class CardScene(Stage):
    """The table of OlymPeak."""

    def __init__(
        self,
        rng: random.Random,
        box: Box | None = None,
        table: Table | None = None,
        optics: Optics | None = None,
    ) -> None:
        super().__init__(rng, optics or mount(rng))
        self.box = box or default_box()
        self.table = table or Table()
        self._things: dict[str, Thing] = {}
        # Where the rows of the columns ideally lie: y of the card centres, from row 1.
        self.rows_y: list[float] = []
        # The cards of the discard pile, all laid there face up, the top one last.
        self.discarded: list[str] = []

    # ---- what the camera needs

    def snapshot(self) -> Shot:
        """The scene as of now, for drawing."""
        with self.lock:
            return Shot(
                dict(self._things), tuple(self._hands.values()), self._optics, frozenset(self._faults)
            )

    # ---- things

    def thing(self, name: str) -> Thing:
        """The thing of that name; SceneError when it is not over the table."""
        try:
            return self._things[name]
        except KeyError:
            raise SceneError(
                f"There is no {name!r} over the table; it may be in a hand or in a pile."
            ) from None

    def has(self, name: str) -> bool:
        """Whether the thing of that name is over the table."""
        return name in self._things

    def things(self, kind: str | None = None) -> list[Thing]:
        """All things, or those of one kind."""
        with self.lock:
            return [thing for thing in self._things.values() if kind is None or thing.kind == kind]

    def put(self, thing: Thing) -> Thing:
        """Lay a thing exactly so, whether it was on the table before or not."""
        with self.lock:
            self._things[thing.name] = thing
            return thing

    def take(self, name: str) -> Thing:
        """Take a thing off the table altogether; SceneError when it is not there."""
        with self.lock:
            thing = self.thing(name)
            del self._things[name]
            return thing

    def clear(self) -> None:
        """Take everything off the table, for another game."""
        with self.lock:
            self._things.clear()
            self.rows_y.clear()
            self.discarded.clear()
            self._hands.clear()

    def card(self, card: str, pose: Pose, *, face_up: bool, layer: int = 0, held: bool = False) -> Thing:
        """A card of the box, to be `put`."""
        return Thing(card, "card", card, pose, self.box.card_ids[card], layer, face_up, held)

    def sloppy(self, centre: tuple[float, float], share: float = 1.0) -> Pose:
        """As people lay things: up to 4 mm and 5° off, times `share`."""
        off, towards = self.rng.uniform(0, MAX_OFF_CENTRE_MM * share), self.rng.uniform(0, math.tau)
        yaw = self.rng.uniform(-MAX_TURN_DEG, MAX_TURN_DEG) * share
        return Pose(centre[0] + off * math.cos(towards), centre[1] + off * math.sin(towards), 0.0, yaw)

    def column_cards(self) -> list[Thing]:
        """The cards that lie in rows: those of a layer from 1 to below the zones'."""
        return [t for t in self.things("card") if 0 < t.layer < LAYER_ZONE and not t.held]
