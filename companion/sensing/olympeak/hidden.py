"""Parts of an OlymPeak table that cannot be seen: under a hand, or outside the picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.games.olympeak.box import Table
from companion.sensing.frames import STRIDE
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.masks import Mask
from companion.sensing.olympeak.layout import Cards, Column
from companion.sensing.olympeak.reading import OlympeakReading

# From this covered share of a part on, what lies there may not be read.
COVERED_SHARE = 0.12
# Steps of the points at which a part is looked up.
STEP_MM = 6.0
# How many rows below its last card a column is watched for the next one.
ROWS_AHEAD = 1

Box2D = tuple[float, float, float, float]
OpenCards = Cards | OlympeakReading


def parts_of(reading: OlympeakReading, columns: Sequence[Column], table: Table) -> dict[str, Box2D]:
    """The parts of a table by name, as (left, bottom, right, top) in mm on the table."""
    half_w, half_h = table.card_mm[0] / 2, table.card_mm[1] / 2
    parts: dict[str, Box2D] = {}
    marker_low = table.contenders_y_mm + half_h - table.card_marker_inset_mm - table.card_marker_mm / 2
    if columns:
        left, right = columns[0].x - half_w, columns[-1].x + half_w
        parts["row"] = (left, marker_low - 4, right, table.contenders_y_mm + half_h)
    for column in columns:
        rows = [one.row for one in reading.columns if one.contender == column.contender]
        lowest = table.contenders_y_mm - table.row_pitch_mm * (max(rows, default=0) + ROWS_AHEAD)
        parts[f"column {column.contender}"] = (
            column.x - half_w,
            lowest - half_h,
            column.x + half_w,
            marker_low,
        )
    for seat, (x, y) in enumerate(table.reveal_centres_mm):
        parts[f"reveal {seat}"] = (x - half_w, y - half_h, x + half_w, y + half_h)
        wide, tall = table.player_card_mm[0] / 2, table.player_card_mm[1] / 2
        parts[f"tiles {seat}"] = (x - wide, y - tall, x + wide, y + tall)
    x, y = table.discard_pile_mm
    parts["discard"] = (x - half_w, y - half_h, x + half_w, y + half_h)
    spots = table.rounds_y_mm
    radius = table.round_marker_diameter_mm / 2
    parts["round"] = (
        table.round_x_mm - radius,
        min(spots) - radius,
        table.round_x_mm + radius,
        max(spots) + radius,
    )
    for contender, x in table.lanes_x_mm:
        places = [one.place for one in reading.cubes if one.contender == contender]
        low, high = (places[0], places[0]) if places else (-5, 35)
        half = table.cube_mm / 2
        parts[f"cube {contender}"] = (
            x - half,
            table.cube_centre(contender, low)[1] - half,
            x + half,
            table.cube_centre(contender, high)[1] + half,
        )
    return parts


def hidden_parts(parts: dict[str, Box2D], pose: CameraPose, hand: Mask | None) -> frozenset[str]:
    """The names of the parts of which too much is under the hand (a small mask) or outside the picture."""
    return frozenset(name for name, box in parts.items() if _covered(box, pose, hand) >= COVERED_SHARE)


def parts_under(every: OpenCards, seen: OpenCards) -> frozenset[str]:
    """The parts with a card that lies there and is not seen: its print is small, and a hand's edge hides it."""
    return frozenset(part for part, _ in _lying(every) - _lying(seen))


def with_missing(
    hidden: Iterable[str], reading: OlympeakReading, columns: Sequence[Column]
) -> frozenset[str]:
    """Parts that are hidden, with those of which something must be there and is not seen; no cube that is."""
    standing = {one.contender for one in reading.cubes}
    missing = {f"cube {one.contender}" for one in columns if one.contender not in standing}
    if reading.round_marker is None:
        missing.add("round")
    if not columns or any(not column.seen for column in columns):
        missing.add("row")
    return (frozenset(hidden) - {f"cube {contender}" for contender in standing}) | missing


def is_reached(parts: Iterable[Box2D], pose: CameraPose, hand: Mask) -> bool:
    """Does a hand (a small mask) reach over any of the parts at all?"""
    return bool(_looked_up(np.concatenate([_pixels(box, pose) for box in parts]), hand).any())


def _lying(cards: OpenCards) -> set[tuple[str, str | None]]:
    """Which card lies in which part."""
    columns = {(f"column {one.contender}", one.card) for one in cards.columns}
    zones = {(f"reveal {one.seat}", one.card) for one in cards.reveal}
    return columns | zones


def _covered(box: Box2D, pose: CameraPose, hand: Mask | None) -> float:
    """The share of a part that is covered or outside, 0…1."""
    pixels = _pixels(box, pose)
    width, height = pose.camera.size
    gone = (pixels[:, 0] < 0) | (pixels[:, 1] < 0) | (pixels[:, 0] >= width) | (pixels[:, 1] >= height)
    if hand is not None:
        gone |= _looked_up(pixels, hand)
    return float(gone.mean())


@lru_cache(maxsize=1024)
def _pixels(box: Box2D, pose: CameraPose) -> Floats:
    """Pixels (n, 2) spread over a part: worked out once while it lies so and the camera stays."""
    return pose.project(_spread(box))


def _spread(box: Box2D) -> Floats:
    """Points (n, 3) in mm spread over a part."""
    left, bottom, right, top = box
    x, y = np.meshgrid(_steps(left, right), _steps(bottom, top))
    return np.stack([x.ravel(), y.ravel(), np.full(x.size, 2.0)], axis=1)


def _looked_up(pixels: Floats, hand: Mask) -> NDArray[np.bool_]:
    """Is the small mask set at pixels (n, 2) of the whole picture?"""
    u = np.clip((pixels[:, 0] / STRIDE).round().astype(int), 0, hand.shape[1] - 1)
    v = np.clip((pixels[:, 1] / STRIDE).round().astype(int), 0, hand.shape[0] - 1)
    return np.asarray(hand[v, u] > 0)


def _steps(low: float, high: float) -> Floats:
    count = max(2, round((high - low) / STEP_MM) + 1)
    return np.linspace(low, high, count)
