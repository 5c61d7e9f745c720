"""Laying the table out: contender row, zones, piles, scoreboard, and a whole game as it stands."""

from __future__ import annotations

from dataclasses import replace

from companion.games.olympeak.box import (
    CONTENDER_IDS,
    CUBE_IDS,
    PLAYER_CARD_IDS,
    ROUND_MARKER_ID,
    TILE_IDS,
)
from companion.games.olympeak.position import GameState
from companion.virtual.olympeak.columns import lay_card
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.things import (
    CARD_MM,
    LAYER_CUBE,
    LAYER_PHONE,
    LAYER_PILE,
    LAYER_ZONE,
    PLAYER_CARD_MM,
    Thing,
)
from companion.virtual.piece import Pose


def lay_out(scene: CardScene, state: GameState, draw_pile: int, discarded: list[str]) -> None:
    """Lay everything that lies open, or in a pile, where a game in `state` has it."""
    with scene.lock:
        scene.clear()
        row = state.setup.contenders
        for place, contender in enumerate(row):
            lay_contender(scene, contender, place, len(row))
        for placed in sorted(state.placed, key=lambda each: (each.row, each.contender)):
            lay_card(scene, placed.card, placed.contender, placed.row)
        for seat in state.waiting:
            lay_in_zone(scene, state.revealed[seat], seat, face_up=True)
        set_draw_pile(scene, draw_pile)
        for card in discarded:
            discard(scene, card)
        for contender, place in state.cube.items():
            set_cube(scene, contender, place)
        set_round(scene, state.round)


def lay_contender(scene: CardScene, contender: str, place: int, count: int) -> Thing:
    """A contender card into the row, at `place` (0 left-most) of `count`."""
    centre = scene.table.column_x(place, count), scene.table.contenders_y_mm
    name, marker = f"contender {contender}", CONTENDER_IDS[contender]
    return scene.put(Thing(name, "contender", contender, scene.sloppy(centre, 0.8), marker))


# ---- before the players


def zone_pose(scene: CardScene, seat: int) -> Pose:
    """How somebody lays the chosen card into the zone: turned by up to 15°."""
    turn = scene.table.reveal_turn_deg
    pose = scene.sloppy(scene.table.reveal_centres_mm[seat])
    return replace(pose, yaw=scene.rng.uniform(-turn, turn))


def lay_in_zone(scene: CardScene, card: str, seat: int, *, face_up: bool) -> Thing:
    """A card comes to lie in a seat's reveal zone."""
    return scene.put(scene.card(card, zone_pose(scene, seat), face_up=face_up, layer=LAYER_ZONE))


def player_card(scene: CardScene, seat: int, tiles: dict[str, tuple[str, int]]) -> list[Thing]:
    """A player card in the seat's zone with its two tiles face down, the card first.

    `tiles`: by `first` and `second`, the contender and the marker id. Laid with `put`.
    """
    pose = scene.sloppy(scene.table.reveal_centres_mm[seat], 0.7)
    things = [Thing(f"player {seat}", "player_card", str(seat), pose, PLAYER_CARD_IDS[seat], LAYER_ZONE)]
    for side, (dx, dy) in zip(("first", "second"), scene.table.tile_offsets_mm, strict=True):
        contender, marker = tiles[side]
        off = (dx + scene.rng.uniform(-2, 2), dy + scene.rng.uniform(-2, 2), PLAYER_CARD_MM)
        x, y, z = (float(v) for v in pose.at(off))
        tile = Pose(x, y, z, pose.yaw + scene.rng.uniform(-5, 5))
        name = f"tile {seat} {side}"
        things.append(Thing(name, "tile", contender, tile, marker, LAYER_ZONE + 1, face_up=False))
    return things


def tile_marker(contender: str, seat: int) -> int:
    """The marker on the tile of that contender that a seat has: there is a set of tiles for each seat."""
    return TILE_IDS[contender][seat]


# ---- piles


def set_draw_pile(scene: CardScene, count: int) -> None:
    """Make the draw pile so high; 0 takes it away."""
    _set_stack(scene, "draw", count)


def draw_pile(scene: CardScene) -> int:
    """Cards on the draw pile."""
    return scene.thing("pile draw").count if scene.has("pile draw") else 0


def discard(scene: CardScene, card: str) -> Thing:
    """A card comes to lie face up on top of the discard pile."""
    with scene.lock:
        if scene.discarded:
            scene.take(scene.discarded[-1])
        scene.discarded.append(card)
        return _show_top(scene, card)


def undiscard(scene: CardScene) -> str:
    """Take the top card off the discard pile; the one below shows again."""
    with scene.lock:
        card = scene.discarded.pop()
        scene.take(card)
        if scene.discarded:
            _show_top(scene, scene.discarded[-1])
        else:
            _set_stack(scene, "discard", 0)
        return card


def clear_discard(scene: CardScene) -> list[str]:
    """Take the whole discard pile away, to be shuffled; gives its cards, the top one last."""
    with scene.lock:
        cards, scene.discarded = scene.discarded, []
        if cards:
            scene.take(cards[-1])
        _set_stack(scene, "discard", 0)
        return cards


def _show_top(scene: CardScene, card: str) -> Thing:
    below = len(scene.discarded) - 1
    _set_stack(scene, "discard", below)
    pose = replace(scene.sloppy(scene.table.discard_pile_mm, 0.8), z=CARD_MM * below)
    return scene.put(scene.card(card, pose, face_up=True, layer=LAYER_PILE + 1))


def _set_stack(scene: CardScene, pile: str, count: int) -> None:
    with scene.lock:
        name = f"pile {pile}"
        if count <= 0:
            if scene.has(name):
                scene.take(name)
            return
        centre = scene.table.draw_pile_mm if pile == "draw" else scene.table.discard_pile_mm
        pose = scene.thing(name).pose if scene.has(name) else scene.sloppy(centre, 0.7)
        scene.put(Thing(name, "stack", pile, pose, layer=LAYER_PILE, face_up=pile == "discard", count=count))


# ---- the scoreboard


def cube_pose(scene: CardScene, contender: str, place: float, *, sloppy: bool) -> Pose:
    """A cube on its lane at `place`; a hand sets it down sloppily, a carriage does not."""
    table = scene.table
    x, y = dict(table.lanes_x_mm)[contender], table.place_pitch_mm * (place - table.middle_place)
    name = f"cube {contender}"
    if not sloppy and scene.has(name):
        return Pose(x, y, table.scoreboard_thick_mm, scene.thing(name).pose.yaw)
    yaw = scene.rng.uniform(-11, 11)
    if sloppy:
        x, y = x + scene.rng.uniform(-1.2, 1.2), y + scene.rng.uniform(-1.8, 1.8)
    return Pose(x, y, table.scoreboard_thick_mm, yaw)


def set_cube(scene: CardScene, contender: str, place: float, *, sloppy: bool = True) -> Thing:
    """A cube comes to stand at `place` (-5…35) of its lane."""
    pose = cube_pose(scene, contender, place, sloppy=sloppy)
    return scene.put(Thing(f"cube {contender}", "cube", contender, pose, CUBE_IDS[contender], LAYER_CUBE))


def set_round(scene: CardScene, number: float, *, sloppy: bool = True) -> Thing:
    """The round marker's disc comes to lie beside the number of the round (from 1)."""
    table = scene.table
    y = table.rounds_y_mm[0] + (table.rounds_y_mm[1] - table.rounds_y_mm[0]) * (number - 1)
    x = table.round_x_mm
    known = scene.has("round")
    yaw = scene.thing("round").pose.yaw if known and not sloppy else scene.rng.uniform(-180, 180)
    if sloppy:
        x, y = x + scene.rng.uniform(-1, 1), y + scene.rng.uniform(-2.4, 2.4)
    return scene.put(Thing("round", "round", "round", Pose(x, y, 0.0, yaw), ROUND_MARKER_ID, LAYER_CUBE))


def lay_phone(scene: CardScene) -> Thing:
    """Somebody's phone at the south edge of the table."""
    pose = Pose(scene.rng.uniform(-70, -20), scene.rng.uniform(-207, -192), 0.0, scene.rng.uniform(-6, 6))
    return scene.put(Thing("phone", "phone", "phone", pose, layer=LAYER_PHONE))
