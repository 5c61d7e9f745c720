"""The columns: how cards come to lie over each other, row by row, so that every marker stays visible."""

from __future__ import annotations

import math
from dataclasses import replace

from companion.virtual.olympeak.scene import MAX_OFF_CENTRE_MM, MAX_TURN_DEG, CardScene
from companion.virtual.olympeak.things import Thing
from companion.virtual.piece import Pose
from companion.virtual.scene import SceneError

# People leave at least this much free below a card's marker when they lay the next card over it.
FREE_BELOW_MARKER_MM = 1.5
# The southernmost card centre of a column that is still well in the picture; then people close up.
LAST_ROW_Y_MM = -104.0
# A card on another leans down from it.
_LEAN_DEG, _LEAN_MM = 1.2, 0.93


def column_x(scene: CardScene, contender: str) -> float:
    """x of the column's middle; SceneError when that contender does not lie on the table."""
    row = sorted((thing.pose.x, thing.what) for thing in scene.things("contender"))
    for place, (_, what) in enumerate(row):
        if what == contender:
            return scene.table.column_x(place, len(row))
    raise SceneError(f"The contender {contender} does not lie on the table.")


def contender_at(scene: CardScene, x: float) -> str | None:
    """The contender whose column is nearest to `x`; None between or beside the columns."""
    row = sorted((thing.pose.x, thing.what) for thing in scene.things("contender"))
    for place, (_, what) in enumerate(row):
        if abs(scene.table.column_x(place, len(row)) - x) < scene.table.column_pitch_mm / 2:
            return what
    return None


def row_y(scene: CardScene, row: int) -> float:
    """y of the card centres in `row` (from 1); a row that is not open yet opens below the last."""
    with scene.lock:
        while len(scene.rows_y) < row:
            before = scene.rows_y[-1] if scene.rows_y else scene.table.contenders_y_mm
            scene.rows_y.append(before - _pitch(scene) + scene.rng.uniform(-0.8, 0.8))
        return scene.rows_y[row - 1]


def _pitch(scene: CardScene) -> float:
    """The distance of the rows as people keep it at the moment."""
    if len(scene.rows_y) < 2:
        return scene.table.row_pitch_mm
    return (scene.table.contenders_y_mm - scene.rows_y[-1]) / len(scene.rows_y)


def needs_room(scene: CardScene, row: int) -> bool:
    """Whether the rows should be closed up before a card is laid in `row`."""
    return row_y(scene, row) < LAST_ROW_Y_MM and _pitch(scene) > scene.table.closest_row_pitch_mm + 0.6


def closed_up(scene: CardScene, row: int) -> list[float]:
    """Where the rows 1…`row` come to lie when people close them up to make room for `row`."""
    table = scene.table
    room = (table.contenders_y_mm - LAST_ROW_Y_MM) / (row + 1)
    pitch = max(table.closest_row_pitch_mm, min(table.row_pitch_mm, room))
    return [table.contenders_y_mm - pitch * n + scene.rng.uniform(-0.4, 0.4) for n in range(1, row + 1)]


def move_row(scene: CardScene, row: int, y: float) -> None:
    """Push all cards of a row to `y`, each keeping the way it lies as far as the markers stay visible."""
    with scene.lock:
        by = y - row_y(scene, row)
        scene.rows_y[row - 1] = y
        for thing in scene.column_cards():
            if thing.layer == row:
                moved = replace(thing.pose, y=thing.pose.y + by)
                scene.put(replace(thing, pose=_clear_of_marker(scene, moved, row)))


def column_pose(scene: CardScene, contender: str, row: int) -> Pose:
    """How somebody lays a card under a contender: off and turned, but never over the marker above."""
    centre = column_x(scene, contender), row_y(scene, row)
    for _ in range(30):
        pose = scene.sloppy(centre)
        if _gap(scene, pose, row) >= FREE_BELOW_MARKER_MM:
            return _leaning(scene, pose, row)
    return _leaning(scene, _clear_of_marker(scene, scene.sloppy(centre, 0.2), row), row)


def lay_card(scene: CardScene, card: str, contender: str, row: int) -> Thing:
    """A card comes to lie face up in a column."""
    pose = column_pose(scene, contender, row)
    return scene.put(scene.card(card, pose, face_up=True, layer=row))


def nudge(scene: CardScene, name: str, by_mm: float) -> None:
    """Knock against a card of a column: a push that leaves it where people would say it lies."""
    with scene.lock:
        thing = scene.thing(name)
        towards = scene.rng.uniform(0, math.tau)
        x, y = thing.pose.x + by_mm * math.cos(towards), thing.pose.y + by_mm * math.sin(towards)
        pose = replace(thing.pose, x=x, y=y, yaw=thing.pose.yaw + scene.rng.uniform(-1.5, 1.5))
        contender = contender_at(scene, x)
        if contender is None or abs(pose.yaw) > MAX_TURN_DEG:
            return
        centre = column_x(scene, contender), row_y(scene, thing.layer)
        if math.dist(centre, (x, y)) > MAX_OFF_CENTRE_MM:
            return
        if _gap(scene, pose, thing.layer) < FREE_BELOW_MARKER_MM:
            return
        scene.put(replace(thing, pose=pose))
        below = _next_below(scene, thing)
        if below is not None and _gap(scene, below.pose, below.layer) < FREE_BELOW_MARKER_MM:
            scene.put(thing)


def pull(scene: CardScene, dx: float, dy: float) -> None:
    """Everything in the row and the columns is pulled along by so many mm, as by the cloth beneath it."""
    with scene.lock:
        scene.rows_y[:] = [y + dy for y in scene.rows_y]
        for thing in (*scene.column_cards(), *scene.things("contender")):
            scene.put(replace(thing, pose=replace(thing.pose, x=thing.pose.x + dx, y=thing.pose.y + dy)))


def _leaning(scene: CardScene, pose: Pose, row: int) -> Pose:
    upon = _above(scene, pose.x, row)
    if upon is None or upon.pose.y - pose.y > scene.table.card_mm[1] - 4:
        return pose
    return replace(pose, z=_LEAN_MM, tilt=_LEAN_DEG, lean=-90.0)


def _same_column(scene: CardScene, x: float) -> list[Thing]:
    reach = scene.table.column_pitch_mm / 2
    lying = (*scene.column_cards(), *scene.things("contender"))
    return [thing for thing in lying if abs(thing.pose.x - x) < reach]


def _above(scene: CardScene, x: float, row: int) -> Thing | None:
    """The card, or contender card, next above `row` in the column at `x`."""
    higher = [thing for thing in _same_column(scene, x) if thing.layer < row]
    return max(higher, key=lambda thing: thing.layer, default=None)


def _next_below(scene: CardScene, thing: Thing) -> Thing | None:
    lower = [other for other in _same_column(scene, thing.pose.x) if other.layer > thing.layer]
    return min(lower, key=lambda other: other.layer, default=None)


def _gap(scene: CardScene, pose: Pose, row: int) -> float:
    """Millimetres free between the marker above and the top edge of a card that lies so."""
    upon = _above(scene, pose.x, row)
    if upon is None:
        return math.inf
    wide, long = scene.table.card_mm
    turn = pose.frame()
    gaps = []
    for x, y, _ in upon.marker_corners(scene.table):
        # In the card's own frame: how far the corner is beyond the top edge, if it is abreast of it.
        across = turn[0, 0] * (x - pose.x) + turn[1, 0] * (y - pose.y)
        along = turn[0, 1] * (x - pose.x) + turn[1, 1] * (y - pose.y)
        if abs(across) <= wide / 2 + 2:
            gaps.append(float(along - long / 2))
    return min(gaps, default=math.inf)


def _clear_of_marker(scene: CardScene, pose: Pose, row: int) -> Pose:
    lacking = FREE_BELOW_MARKER_MM - _gap(scene, pose, row)
    return replace(pose, y=pose.y - lacking) if lacking > 0 else pose
