"""A hand at the OlymPeak table: brings cards, lays, turns, takes and discards them, draws, moves cubes.

Every motion is a generator that yields once per step of the world.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from companion.virtual.arm import Clock, Motion, Pace
from companion.virtual.olympeak import columns, layout
from companion.virtual.olympeak.carrying import GRIP_MM, OVER_MM, CarryingHand
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.things import CARD_MM, LAYER_ZONE
from companion.virtual.piece import Pose

# Drawn over everything that lies.
_LAYER_HELD = 80


def seat_angle(seat: int, players: int) -> float:
    """Where a seat is, in degrees from +x: seat 0 south, then clockwise, evenly spread."""
    return 270.0 - 360.0 * seat / players


class CardHand(CarryingHand):
    """One player's hand."""

    def __init__(self, scene: CardScene, clock: Clock, seat: int, players: int, pace: Pace) -> None:
        angle = math.radians(seat_angle(seat, players))
        super().__init__(scene, clock, seat, (math.cos(angle) * 640, math.sin(angle) * 560), pace)
        self.players = players

    # ---- cards before the player

    def bring_card(self, card: str, *, face_up: bool) -> None:
        """Take a card from one's hand of cards; the hand is out of the picture."""
        yaw = self.rng.uniform(-8, 8)
        self._bring([self.scene.card(card, Pose(0, 0, 0, yaw), face_up=face_up, layer=_LAYER_HELD)])

    def choose(self, card: str) -> Motion:
        """Lay a card from hand face down into the own zone."""
        self.bring_card(card, face_up=False)
        yield from self.to_zone(self.seat)
        yield from self.leave()

    def to_zone(self, seat: int, *, face_up: bool | None = None) -> Motion:
        """Lay the held card into a seat's zone."""
        pose = layout.zone_pose(self.scene, seat)
        yield from self.over(pose.x, pose.y, OVER_MM)
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
        yield from self.over(pose.x, pose.y, OVER_MM)
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
        yield from self.over(x, y, OVER_MM)
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
        yield from self.over(x, y, OVER_MM)
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
        yield from self.over(pose.x, pose.y, pose.z + OVER_MM)
        yield from self.over(pose.x, pose.y, pose.z)
        yield from self.wait(self.pace.grip_s)
        layout.undiscard(self.scene)
        self._bring([self.scene.card(card, pose, face_up=True, layer=_LAYER_HELD)])
        yield from self.lift()

    def draw(self, card: str) -> Motion:
        """Draw the top card of the draw pile, its back up all the way, and leave with it."""
        x, y = self.scene.table.draw_pile_mm
        count = layout.draw_pile(self.scene)
        yield from self.over(x, y, CARD_MM * count + OVER_MM)
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
        yield from self.over(x, y, OVER_MM)
        yield from self.over(x, y, CARD_MM * len(self.scene.discarded))
        yield from self.wait(self.pace.grip_s)
        cards = layout.clear_discard(self.scene)
        yield from self.leave()
        yield from self.wait(2 * self.pace.grip_s)
        x, y = self.scene.table.draw_pile_mm
        yield from self.over(x, y, OVER_MM)
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
        yield from self.over(pose.x, pose.y, 30.0, GRIP_MM["player_card"])
        yield from self.over(pose.x, pose.y, 0.0, GRIP_MM["player_card"])
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
        yield from self.over(thing.pose.x, thing.pose.y, OVER_MM)
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
