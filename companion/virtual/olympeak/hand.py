"""A hand at the OlymPeak table: brings cards, lays, turns, takes and discards them, draws, moves cubes.

Every motion is a generator that yields once per step of the world.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from companion.virtual.arm import Arm, Clock, Motion, Pace, Spot
from companion.virtual.olympeak import columns, layout
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.things import CARD_MM, LAYER_ZONE, Thing
from companion.virtual.piece import Pose

_OVER_MM = 55.0
# How far from a card's middle, towards the player, the finger tips hold it.
_GRIP_MM = {"card": 24.0, "player_card": 20.0}
# Drawn over everything that lies.
_LAYER_HELD = 80


def seat_angle(seat: int, players: int) -> float:
    """Where a seat is, in degrees from +x: seat 0 south, then clockwise, evenly spread."""
    return 270.0 - 360.0 * seat / players


class CardHand(Arm):
    """One player's hand. What it carries follows it; beyond the picture that is out of sight."""

    def __init__(self, scene: CardScene, clock: Clock, seat: int, players: int, pace: Pace) -> None:
        angle = math.radians(seat_angle(seat, players))
        super().__init__(scene, clock, seat, (math.cos(angle) * 640, math.sin(angle) * 560), pace)
        self.scene = scene
        self.players = players
        # Things that move along, each with its middle relative to the first.
        self._carried: list[tuple[str, tuple[float, float, float]]] = []

    # ---- carrying

    def _grip(self, x: float, y: float, reach: float) -> tuple[float, float]:
        """Where the finger tips are when they hold a thing whose middle is at (x, y)."""
        dx, dy = self._body[0] - x, self._body[1] - y
        away = math.hypot(dx, dy) or 1.0
        return (x + dx / away * reach, y + dy / away * reach)

    def _reach_of(self, thing: Thing) -> float:
        return _GRIP_MM.get(thing.kind, 2.0)

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

    def over(self, x: float, y: float, z: float, reach: float = _GRIP_MM["card"]) -> Motion:
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

    def bring_card(self, card: str, *, face_up: bool) -> None:
        """Take a card from one's hand of cards; the hand is out of the picture."""
        yaw = self.rng.uniform(-8, 8)
        self._bring([self.scene.card(card, Pose(0, 0, 0, yaw), face_up=face_up, layer=_LAYER_HELD)])

    def grasp(self, name: str) -> Motion:
        """Reach for a thing and take hold of it."""
        thing = self.scene.thing(name)
        reach = self._reach_of(thing)
        yield from self.over(thing.pose.x, thing.pose.y, thing.pose.z + _OVER_MM, reach)
        yield from self.over(thing.pose.x, thing.pose.y, thing.pose.z, reach)
        yield from self.wait(self.pace.grip_s)
        self._carried = [(name, (0.0, 0.0, 0.0))]
        self._show(self._tip)

    def lift(self) -> Motion:
        """Raise what is held."""
        yield from self.to((self._tip[0], self._tip[1], self._tip[2] + _OVER_MM))

    def rise(self) -> Motion:
        """Leave what has been laid down below."""
        yield from self.to((self._tip[0], self._tip[1], self._tip[2] + _OVER_MM * 0.6))

    def _let_go(self, pose: Pose, layer: int, face_up: bool | None = None) -> None:
        """The first thing carried comes to rest; whatever rode on it keeps its place upon it."""
        for n, (name, (ox, oy, oz)) in enumerate(self._carried):
            thing = self.scene.thing(name)
            up = thing.face_up if face_up is None else face_up
            rest = pose if n == 0 else replace(thing.pose, x=pose.x + ox, y=pose.y + oy, z=pose.z + oz)
            self.scene.put(replace(thing, pose=rest, layer=layer + (n > 0), face_up=up, held=False))
        self._carried.clear()

    # ---- cards before the player

    def choose(self, card: str) -> Motion:
        """Lay a card from hand face down into the own zone."""
        self.bring_card(card, face_up=False)
        yield from self.to_zone(self.seat)
        yield from self.leave()

    def to_zone(self, seat: int, *, face_up: bool | None = None) -> Motion:
        """Lay the held card into a seat's zone."""
        pose = layout.zone_pose(self.scene, seat)
        yield from self.over(pose.x, pose.y, _OVER_MM)
        yield from self.over(pose.x, pose.y, 0.0)
        self._let_go(pose, LAYER_ZONE, face_up)
        yield from self.wait(self.pace.grip_s * 0.5)
        yield from self.rise()

    def turn_up(self, name: str) -> Motion:
        """Turn a card or a tile face up where it lies."""
        before = self.scene.thing(name)
        yield from self.grasp(name)
        yield from self.over(before.pose.x, before.pose.y, 34.0, self._reach_of(before))
        self.scene.put(replace(self.scene.thing(name), face_up=True))
        yield from self.over(before.pose.x, before.pose.y, before.pose.z, self._reach_of(before))
        turn = 5.0 if before.kind == "tile" else self.scene.table.reveal_turn_deg
        yaw = max(-turn, min(turn, before.pose.yaw + self.rng.uniform(-4, 4)))
        self._let_go(replace(before.pose, yaw=yaw), before.layer, face_up=True)
        yield from self.wait(self.pace.grip_s * 0.5)
        yield from self.rise()

    def take_back(self, name: str) -> Motion:
        """Take a card off the table, to hand."""
        yield from self.grasp(name)
        if self.rng.random() < 0.5:
            # The others need not see it any longer.
            self.scene.put(replace(self.scene.thing(name), face_up=False))
        yield from self.lift()
        yield from self.leave()

    # ---- columns

    def lay(self, card: str, contender: str, row: int) -> Motion:
        """Lay the held card in a column; brush against another one at times."""
        if columns.needs_room(self.scene, row):
            # The other hand closes the rows up, unseen below this one.
            yield from self.close_up(row)
        pose = columns.column_pose(self.scene, contender, row)
        yield from self.over(pose.x, pose.y, _OVER_MM)
        yield from self.over(pose.x, pose.y, pose.z)
        self._let_go(pose, row, face_up=True)
        if self.rng.random() < 0.15:
            self._brush(card)
        yield from self.wait(self.pace.grip_s * 0.5)
        yield from self.rise()

    def _brush(self, card: str) -> None:
        here = self.scene.thing(card).pose
        near = [
            thing.name
            for thing in self.scene.column_cards()
            if thing.name != card and math.dist((thing.pose.x, thing.pose.y), (here.x, here.y)) < 90
        ]
        if near:
            columns.nudge(self.scene, self.rng.choice(near), self.rng.uniform(0.5, 2.5))

    def close_up(self, row: int) -> Motion:
        """Push the rows together, from the first down, so that there is room for `row`."""
        xs = [thing.pose.x for thing in self.scene.things("contender")]
        for number, y in enumerate(columns.closed_up(self.scene, row), 1):
            yield from self.over(min(xs), y, 40.0)
            columns.move_row(self.scene, number, y)
            yield from self.over(max(xs), y, 40.0)

    def lift_from_zone(self, name: str) -> Motion:
        """Take up a card that lies before a player, to lay it elsewhere."""
        yield from self.grasp(name)
        yield from self.lift()

    # ---- piles

    def to_discard(self, card: str) -> Motion:
        """Lay the held card on the discard pile."""
        x, y = self.scene.table.discard_pile_mm
        height = CARD_MM * len(self.scene.discarded)
        yield from self.over(x, y, _OVER_MM)
        yield from self.over(x, y, height)
        self._carried.clear()
        self.scene.take(card)
        layout.discard(self.scene, card)
        yield from self.wait(self.pace.grip_s * 0.5)
        yield from self.rise()

    def discard_from_hand(self, cards: Sequence[str]) -> Motion:
        """Lay some cards of one's hand on the discard pile, as one packet; only the last is seen."""
        self.bring_card(cards[-1], face_up=True)
        x, y = self.scene.table.discard_pile_mm
        yield from self.over(x, y, _OVER_MM)
        yield from self.over(x, y, CARD_MM * len(self.scene.discarded))
        self._carried.clear()
        self.scene.take(cards[-1])
        for card in cards:
            layout.discard(self.scene, card)
        yield from self.wait(self.pace.grip_s * 0.5)
        yield from self.rise()

    def take_from_discard(self) -> Motion:
        """Take the top card of the discard pile into the hand again."""
        card = self.scene.discarded[-1]
        pose = self.scene.thing(card).pose
        yield from self.over(pose.x, pose.y, pose.z + _OVER_MM)
        yield from self.over(pose.x, pose.y, pose.z)
        yield from self.wait(self.pace.grip_s)
        layout.undiscard(self.scene)
        self._bring([self.scene.card(card, pose, face_up=True, layer=_LAYER_HELD)])
        yield from self.lift()

    def draw(self, card: str) -> Motion:
        """Draw the top card of the draw pile, its back up all the way, and leave with it."""
        x, y = self.scene.table.draw_pile_mm
        count = layout.draw_pile(self.scene)
        yield from self.over(x, y, CARD_MM * count + _OVER_MM)
        yield from self.over(x, y, CARD_MM * count)
        yield from self.wait(self.pace.grip_s)
        layout.set_draw_pile(self.scene, count - 1)
        pose = Pose(x, y, CARD_MM * count, self.rng.uniform(-6, 6))
        self._bring([self.scene.card(card, pose, face_up=False, layer=_LAYER_HELD)])
        yield from self.lift()
        yield from self.leave()

    def shuffle(self) -> Motion:
        """Make the discard pile into a new draw pile."""
        x, y = self.scene.table.discard_pile_mm
        yield from self.over(x, y, _OVER_MM)
        yield from self.over(x, y, CARD_MM * len(self.scene.discarded))
        yield from self.wait(self.pace.grip_s)
        cards = layout.clear_discard(self.scene)
        yield from self.leave()
        yield from self.wait(2 * self.pace.grip_s)
        x, y = self.scene.table.draw_pile_mm
        yield from self.over(x, y, _OVER_MM)
        layout.set_draw_pile(self.scene, layout.draw_pile(self.scene) + len(cards))
        yield from self.rise()

    def clear_columns(self, contenders: Sequence[str]) -> Motion:
        """Gather the cards of these columns, from the last up, and lay them on the discard pile."""
        for contender in contenders:
            x = columns.column_x(self.scene, contender)
            lying = [
                t
                for t in self.scene.column_cards()
                if columns.contender_at(self.scene, t.pose.x) == contender
            ]
            if not lying:
                continue
            lying.sort(key=lambda thing: -thing.layer)
            yield from self.grasp(lying[0].name)
            gathered = [lying[0].name]
            for thing in lying[1:]:
                yield from self.over(x, thing.pose.y, 2.0)
                # It slips into the packet, below the first one.
                self.scene.take(thing.name)
                gathered.append(thing.name)
            yield from self.lift()
            px, py = self.scene.table.discard_pile_mm
            yield from self.over(px, py, CARD_MM * len(self.scene.discarded))
            self._carried.clear()
            self.scene.take(gathered[0])
            for card in reversed(gathered):
                layout.discard(self.scene, card)
            yield from self.rise()

    # ---- the scoreboard

    def move_cube(self, contender: str, place: int) -> Motion:
        """Push a cube along its lane."""
        name = f"cube {contender}"
        yield from self.grasp(name)
        pose = layout.cube_pose(self.scene, contender, place, sloppy=True)
        yield from self.over(pose.x, pose.y, pose.z, self._reach_of(self.scene.thing(name)))
        self._carried.clear()
        self.scene.put(replace(self.scene.thing(name), pose=pose, held=False))
        yield from self.rise()

    def move_round(self, number: int) -> Motion:
        """Push the round marker on."""
        yield from self.grasp("round")
        x, y = self.scene.table.round_centre(number)
        yield from self.over(x, y, 2.0, self._reach_of(self.scene.thing("round")))
        self._carried.clear()
        layout.set_round(self.scene, number)
        yield from self.rise()

    # ---- the end

    def bring_tiles(self, tiles: dict[str, tuple[str, int]]) -> Motion:
        """Push one's player card with its two tiles, face down, into the zone."""
        things = layout.player_card(self.scene, self.seat, tiles)
        pose = things[0].pose
        self._bring(things)
        yield from self.over(pose.x, pose.y, 30.0, _GRIP_MM["player_card"])
        yield from self.over(pose.x, pose.y, 0.0, _GRIP_MM["player_card"])
        self._let_go(pose, LAYER_ZONE)
        yield from self.rise()

    def take_tiles(self) -> Motion:
        """Take one's player card up with the tiles on it, none of them to be seen any more."""
        names = [f"player {self.seat}", f"tile {self.seat} first", f"tile {self.seat} second"]
        yield from self.grasp(names[0])
        first = self.scene.thing(names[0]).pose
        for name in names[1:]:
            tile = self.scene.thing(name)
            self.scene.put(replace(tile, face_up=False))
            pose = tile.pose
            self._carried.append((name, (pose.x - first.x, pose.y - first.y, pose.z - first.z)))
        yield from self.lift()

    def look_at(self, name: str, seconds: float, away_s: float = 0.0) -> Motion:
        """Take a card up, hold it so long, perhaps leave with it for so long, and put it back where it lay."""
        thing = self.scene.thing(name)
        yield from self.grasp(name)
        yield from self.lift()
        yield from self.linger(seconds)
        if away_s:
            yield from self.leave()
            yield from self.wait(away_s)
            self._bring([thing])
        yield from self.over(thing.pose.x, thing.pose.y, _OVER_MM)
        yield from self.over(thing.pose.x, thing.pose.y, thing.pose.z)
        self._let_go(thing.pose, thing.layer)
        yield from self.rise()

    def straighten(self, name: str) -> Motion:
        """Pick a card up and lay it down again where it was, more or less, so that it can be seen better."""
        thing = self.scene.thing(name)
        yield from self.grasp(name)
        yield from self.over(thing.pose.x, thing.pose.y, 12.0)
        yield from self.over(thing.pose.x, thing.pose.y, thing.pose.z)
        self._let_go(thing.pose, thing.layer)
        if 0 < thing.layer < LAYER_ZONE:
            columns.nudge(self.scene, name, self.rng.uniform(0.5, 2.0))
        yield from self.rise()
