"""The simulated OlymPeak table as a body of things: cards, piles, cubes, hands, the camera, in millimetres.

The scene knows no rules and nothing of what is not over the table: a card in a hand, or within a pile, is not
here. One lock guards it, so that players and camera may live in different threads.
"""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.games.olympeak.box import (
    CONTENDER_IDS,
    CUBE_IDS,
    PLAYER_CARD_IDS,
    ROUND_MARKER_ID,
    TILE_IDS,
    Box,
    Table,
)
from companion.games.olympeak.deck_file import default_box
from companion.virtual.faults import Fault
from companion.virtual.olympeak.things import (
    CARD_MM,
    LAYER_CUBE,
    LAYER_PHONE,
    LAYER_PILE,
    LAYER_ZONE,
    PLAYER_CARD_MM,
    Thing,
)
from companion.virtual.optics import Optics, mount
from companion.virtual.piece import Pose
from companion.virtual.scene import HandPose, SceneError

MAX_OFF_CENTRE_MM = 4.0
MAX_TURN_DEG = 5.0
# People leave at least this much free below a card's marker when they lay the next card over it.
FREE_BELOW_MARKER_MM = 1.5
# The southernmost card centre of a column that is still well in the picture; then people close up.
LAST_ROW_Y_MM = -104.0


@dataclass(frozen=True, slots=True)
class Shot:
    """Everything a picture shows, at one moment."""

    things: Mapping[str, Thing]
    hands: tuple[HandPose, ...]
    optics: Optics
    faults: frozenset[Fault]


class CardScene:
    """The table. All randomness comes from `rng`; equal seeds give equal tables."""

    def __init__(
        self,
        rng: random.Random,
        box: Box | None = None,
        table: Table | None = None,
        optics: Optics | None = None,
    ) -> None:
        self.rng = rng
        self.box = box or default_box()
        self.table = table or Table()
        self.lock = threading.RLock()
        self._optics = optics or mount(rng)
        self._things: dict[str, Thing] = {}
        self._hands: dict[str, HandPose] = {}
        self._faults: set[Fault] = set()
        self._rows: list[float] = []

    # ---- what the camera needs

    @property
    def optics(self) -> Optics:
        """The camera's true lens and pose."""
        return self._optics

    @optics.setter
    def optics(self, optics: Optics) -> None:
        with self.lock:
            self._optics = optics

    @property
    def faults(self) -> frozenset[Fault]:
        """What is out of order at the moment."""
        return frozenset(self._faults)

    def set_fault(self, fault: Fault, active: bool = True) -> None:
        """Make something go wrong, or right again."""
        with self.lock:
            (self._faults.add if active else self._faults.discard)(fault)

    def snapshot(self) -> Shot:
        """The scene as of now, for drawing."""
        with self.lock:
            return Shot(
                dict(self._things), tuple(self._hands.values()), self._optics, frozenset(self._faults)
            )

    def show_hand(self, key: str, pose: HandPose | None) -> None:
        """Bring a hand into the picture or move it; None takes it out."""
        with self.lock:
            if pose is None:
                self._hands.pop(key, None)
            else:
                self._hands[key] = pose

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
            self._rows.clear()
            self._hands.clear()

    def card(self, card: str, pose: Pose, *, face_up: bool, layer: int = 0, held: bool = False) -> Thing:
        """A card of the box, to be `put`."""
        return Thing(card, "card", card, pose, self.box.card_ids[card], layer, face_up, held)

    # ---- where people lay things

    def lay_contender(self, contender: str, place: int, count: int) -> Thing:
        """A contender card into the row, at `place` (0 left-most) of `count`."""
        pose = self._sloppy((self.table.column_x(place, count), self.table.contenders_y_mm), 0.8)
        return self.put(
            Thing(f"contender {contender}", "contender", contender, pose, CONTENDER_IDS[contender])
        )

    def column_x(self, contender: str) -> float:
        """x of the column's middle; SceneError when that contender does not lie on the table."""
        row = sorted((thing.pose.x, thing.what) for thing in self.things("contender"))
        for place, (_, what) in enumerate(row):
            if what == contender:
                return self.table.column_x(place, len(row))
        raise SceneError(f"The contender {contender} does not lie on the table.")

    def row_y(self, row: int) -> float:
        """y of the card centres in `row` (from 1); rows that are not open yet open at the usual pitch."""
        with self.lock:
            while len(self._rows) < row:
                before = self._rows[-1] if self._rows else self.table.contenders_y_mm
                pitch = self._pitch + self.rng.uniform(-0.8, 0.8)
                self._rows.append(before - pitch)
            return self._rows[row - 1]

    @property
    def _pitch(self) -> float:
        if len(self._rows) < 2:
            return self.table.row_pitch_mm
        return (self.table.contenders_y_mm - self._rows[-1]) / len(self._rows)

    def needs_room(self, row: int) -> bool:
        """Whether the rows should be closed up before a card is laid in `row`."""
        closest = self.table.closest_row_pitch_mm
        return self.row_y(row) < LAST_ROW_Y_MM and self._pitch > closest + 0.6

    def closed_up(self, row: int) -> list[float]:
        """Where the rows 1…`row` come to lie when people close them up to make room for `row`."""
        table = self.table
        room = (table.contenders_y_mm - LAST_ROW_Y_MM) / (row + 1)
        pitch = max(table.closest_row_pitch_mm, min(table.row_pitch_mm, room))
        return [table.contenders_y_mm - pitch * n + self.rng.uniform(-0.4, 0.4) for n in range(1, row + 1)]

    def clear_rows(self) -> None:
        """Forget where rows lay, when the columns have been cleared."""
        with self.lock:
            self._rows.clear()

    def move_row(self, row: int, y: float) -> None:
        """Push all cards of a row to `y`, each keeping the way it lies as far as the markers stay visible."""
        with self.lock:
            by = y - self.row_y(row)
            self._rows[row - 1] = y
            for thing in self.column_cards():
                if thing.layer == row:
                    moved = replace(thing.pose, y=thing.pose.y + by)
                    self.put(replace(thing, pose=self._clear_of_marker(moved, thing.pose.x, row)))

    def column_cards(self) -> list[Thing]:
        """The cards that lie in rows: those of a layer from 1 to below the zones'."""
        return [t for t in self.things("card") if 0 < t.layer < LAYER_ZONE and not t.held]

    def column_pose(self, contender: str, row: int) -> Pose:
        """How somebody lays a card under a contender: off and turned, but never over the marker above."""
        x, y = self.column_x(contender), self.row_y(row)
        for _ in range(30):
            pose = self._sloppy((x, y), 1.0)
            if self._gap(pose, row) >= FREE_BELOW_MARKER_MM:
                return self._leaning(pose, row)
        return self._leaning(self._clear_of_marker(self._sloppy((x, y), 0.2), x, row), row)

    def _leaning(self, pose: Pose, row: int) -> Pose:
        """A card that lies upon another leans down from it."""
        upon = self._above(pose.x, row)
        if upon is None or upon.pose.y - pose.y > self.table.card_mm[1] - 4:
            return pose
        return replace(pose, z=0.93, tilt=1.2, lean=-90.0)

    def _above(self, x: float, row: int) -> Thing | None:
        """The card, or contender card, next above `row` in the column at `x`."""
        near = [
            thing
            for thing in (*self.column_cards(), *self.things("contender"))
            if thing.layer < row and abs(thing.pose.x - x) < self.table.column_pitch_mm / 2
        ]
        return max(near, key=lambda thing: thing.layer, default=None)

    def _gap(self, pose: Pose, row: int) -> float:
        """Millimetres free between the marker above and the top edge of a card that lies so."""
        upon = self._above(pose.x, row)
        if upon is None:
            return math.inf
        wide, long = self.table.card_mm
        turn = pose.frame()
        gaps = []
        for x, y, _ in upon.marker_corners(self.table):
            # In the card's own frame: how far the corner is beyond the top edge, if it is abreast of it.
            across = turn[0, 0] * (x - pose.x) + turn[1, 0] * (y - pose.y)
            along = turn[0, 1] * (x - pose.x) + turn[1, 1] * (y - pose.y)
            if abs(across) <= wide / 2 + 2:
                gaps.append(along - long / 2)
        return min(gaps, default=math.inf)

    def _clear_of_marker(self, pose: Pose, x: float, row: int) -> Pose:
        lacking = FREE_BELOW_MARKER_MM - self._gap(replace(pose, x=x), row)
        return replace(pose, y=pose.y - max(0.0, lacking)) if math.isfinite(lacking) else pose

    def zone_pose(self, seat: int) -> Pose:
        """How somebody lays the chosen card into the zone: turned by up to 15°."""
        turn = self.table.reveal_turn_deg
        return replace(
            self._sloppy(self.table.reveal_centres_mm[seat], 1.0), yaw=self.rng.uniform(-turn, turn)
        )

    def lay_player_card(self, seat: int, first: tuple[str, int], second: tuple[str, int]) -> list[Thing]:
        """The player card with two tiles face down, in the seat's zone; tiles as (contender, marker id)."""
        pose = self._sloppy(self.table.reveal_centres_mm[seat], 0.7)
        things = [Thing(f"player {seat}", "player_card", str(seat), pose, PLAYER_CARD_IDS[seat], LAYER_ZONE)]
        frame = pose.frame()
        for name, (contender, marker), (dx, dy) in zip(
            ("first", "second"), (first, second), self.table.tile_offsets_mm, strict=True
        ):
            dx, dy = dx + self.rng.uniform(-2, 2), dy + self.rng.uniform(-2, 2)
            x, y = pose.x + frame[0, 0] * dx + frame[0, 1] * dy, pose.y + frame[1, 0] * dx + frame[1, 1] * dy
            tile = Pose(float(x), float(y), PLAYER_CARD_MM, pose.yaw + self.rng.uniform(-5, 5))
            things.append(
                Thing(f"tile {seat} {name}", "tile", contender, tile, marker, LAYER_ZONE + 1, face_up=False)
            )
        return [self.put(thing) for thing in things]

    def tile_ids(self, contender: str) -> tuple[int, ...]:
        """The markers on the tiles of a contender."""
        return TILE_IDS[contender]

    # ---- piles

    def pile_count(self, pile: str) -> int:
        """Cards on the `draw` or the `discard` pile, its top included."""
        stack = self._things.get(f"pile {pile}")
        return (stack.count if stack is not None else 0) + (
            pile == "discard" and self.discard_top is not None
        )

    @property
    def discard_top(self) -> Thing | None:
        """The card that lies on top of the discard pile."""
        return next((t for t in self.things("card") if t.layer == LAYER_PILE + 1 and not t.held), None)

    def set_pile(self, pile: str, count: int) -> None:
        """Make a pile's stack so high, 0 for none. Of the discard pile: what lies below its top card."""
        with self.lock:
            name = f"pile {pile}"
            if count <= 0:
                self._things.pop(name, None)
                return
            known = self._things.get(name)
            centre = self.table.draw_pile_mm if pile == "draw" else self.table.discard_pile_mm
            pose = known.pose if known is not None else self._sloppy(centre, 0.7)
            self.put(Thing(name, "stack", pile, pose, layer=LAYER_PILE, face_up=pile != "draw", count=count))

    def discard_pose(self) -> Pose:
        """How somebody lays a card onto the discard pile."""
        height = CARD_MM * self.pile_count("discard")
        return replace(self._sloppy(self.table.discard_pile_mm, 0.8), z=height)

    def discard(self, card: str) -> Thing:
        """A card comes to lie on top of the discard pile; the one below is lost from view."""
        with self.lock:
            pose = self.discard_pose()
            below = self.discard_top
            if below is not None and below.name != card:
                count = self.pile_count("discard")
                self.take(below.name)
                self.set_pile("discard", count)
            return self.put(self.card(card, pose, face_up=True, layer=LAYER_PILE + 1))

    # ---- the scoreboard

    def set_cube(self, contender: str, place: float, *, sloppy: bool = True) -> Thing:
        """A cube on its lane at `place`; a hand sets it down sloppily, a carriage does not."""
        x, y = self.table.cube_centre(contender, 0)
        y = self.table.place_pitch_mm * (place - self.table.middle_place)
        known = self._things.get(f"cube {contender}")
        yaw = known.pose.yaw if known is not None else self.rng.uniform(-11, 11)
        if sloppy:
            x, y = x + self.rng.uniform(-1.2, 1.2), y + self.rng.uniform(-1.8, 1.8)
            yaw = self.rng.uniform(-11, 11)
        pose = Pose(x, y, self.table.scoreboard_thick_mm, yaw)
        return self.put(Thing(f"cube {contender}", "cube", contender, pose, CUBE_IDS[contender], LAYER_CUBE))

    def set_round(self, number: float, *, sloppy: bool = True) -> Thing:
        """The round marker's disc beside the number of the round."""
        ys = self.table.rounds_y_mm
        y = ys[0] + (ys[1] - ys[0]) * (number - 1)
        x = self.table.round_x_mm
        known = self._things.get("round")
        yaw = known.pose.yaw if known is not None else self.rng.uniform(-180, 180)
        if sloppy:
            x, y = x + self.rng.uniform(-1, 1), y + self.rng.uniform(-2.4, 2.4)
            yaw = self.rng.uniform(-180, 180)
        return self.put(Thing("round", "round", "round", Pose(x, y, 0.0, yaw), ROUND_MARKER_ID, LAYER_CUBE))

    def lay_phone(self) -> Thing:
        """Somebody's phone at the south edge of the table."""
        pose = Pose(self.rng.uniform(-70, -20), self.rng.uniform(-207, -192), 0.0, self.rng.uniform(-6, 6))
        return self.put(Thing("phone", "phone", "phone", pose, layer=LAYER_PHONE))

    # ---- what happens by accident

    def nudge(self, name: str, by_mm: float) -> None:
        """Knock against a card: a small push that leaves it where people would say it lies."""
        with self.lock:
            thing = self.thing(name)
            towards = self.rng.uniform(0, math.tau)
            pose = replace(
                thing.pose,
                x=thing.pose.x + by_mm * math.cos(towards),
                y=thing.pose.y + by_mm * math.sin(towards),
                yaw=thing.pose.yaw + self.rng.uniform(-1.5, 1.5),
            )
            if thing in self.column_cards():
                centre = self._column_centre(pose.x), self.row_y(thing.layer)
                if math.dist(centre, (pose.x, pose.y)) > MAX_OFF_CENTRE_MM or abs(pose.yaw) > MAX_TURN_DEG:
                    return
                if self._gap(pose, thing.layer) < FREE_BELOW_MARKER_MM or self._covers_below(thing, pose):
                    return
            self.put(replace(thing, pose=pose))

    def _column_centre(self, x: float) -> float:
        count = len(self.things("contender"))
        return min((self.table.column_x(n, count) for n in range(count)), key=lambda centre: abs(centre - x))

    def _covers_below(self, thing: Thing, pose: Pose) -> bool:
        """Whether its own marker would slip under the next card of the column."""
        below = [
            t
            for t in self.column_cards()
            if t.layer > thing.layer and abs(t.pose.x - pose.x) < self.table.column_pitch_mm / 2
        ]
        if not below:
            return False
        nearest = min(below, key=lambda t: t.layer)
        before = self._things[thing.name]
        self._things[thing.name] = replace(thing, pose=pose)
        try:
            return self._gap(nearest.pose, nearest.layer) < FREE_BELOW_MARKER_MM
        finally:
            self._things[thing.name] = before

    def _sloppy(self, centre: tuple[float, float], share: float) -> Pose:
        """As people lay things: up to 4 mm and 5° off, times `share`."""
        off, towards = self.rng.uniform(0, MAX_OFF_CENTRE_MM * share), self.rng.uniform(0, math.tau)
        yaw = self.rng.uniform(-MAX_TURN_DEG, MAX_TURN_DEG) * share
        return Pose(centre[0] + off * math.cos(towards), centre[1] + off * math.sin(towards), 0.0, yaw)
