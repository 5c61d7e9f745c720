"""A closer look for prints that the detector missed: blown out, in shadow, or with a corner under the next card.

Places that look like a dark square frame with white around it, of the size a print has there, are read by
correlation. Cubes are looked for on the scoreboard, contender cards in their row, cards where cards lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.olympeak.box import (
    CONTENDER_BY_ID,
    CUBE_BY_ID,
    CUBE_IDS,
    PLAYER_CARD_IDS,
    ROUND_MARKER_ID,
    SCOREBOARD_IDS,
    TILE_BY_ID,
    Table,
)
from companion.sensing.cells import Fit
from companion.sensing.decoder import read
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.kinds import Kind
from companion.sensing.markers import Gray, Marker
from companion.sensing.olympeak.layout import row_length
from companion.sensing.olympeak.places import MOST_PLACES, TURN_DEG, pattern_places, print_places
from companion.sensing.olympeak.prints import CARD_Z_MM, COLUMN_CARD_Z_MM, Prints
from companion.sensing.olympeak.scoreboard import HIGHEST_PLACE, LOWEST_PLACE
from companion.sensing.print_model import WHOLE
from companion.sensing.region import Region

Singles = NDArray[np.float32]

# How many places of a column are looked at.
MOST_IN_COLUMN = 30
# How far from where they belong they are looked for.
OFF_MM = 16.0
# White left around a print on a card, and how far down columns go.
WHITE_MM = 1.6
COLUMNS_DOWN_TO_MM = -130.0
# To either side of where a column's prints lie: half a print, and what the cards lie off and turned.
STRIP_MM = 21.0
# How far off a place found may be, in sides.
REACH = 0.14
# Around a print, this much of a side is taken as known.
MARGIN = 1.3


def region_around(
    pose: CameraPose, low: tuple[float, float], high: tuple[float, float], z_mm: float
) -> Region | None:
    """The part of the picture that shows a rectangle of the table; None where it is outside the picture."""
    corners = [(x, y, z_mm) for x in (low[0], high[0]) for y in (low[1], high[1])]
    pixels = pose.project(corners)
    width, height = pose.camera.size
    x0, y0 = np.maximum(pixels.min(axis=0), 0).astype(int)
    x1, y1 = (np.minimum(pixels.max(axis=0) + 1, (width, height))).astype(int)
    return Region(int(x0), int(y0), int(x1), int(y1)) if x1 - x0 > 8 and y1 - y0 > 8 else None


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for in a part of the picture: prints of a kind, or only `one` of them, in `most` places."""

    region: Region
    kind: Kind
    most: int = MOST_PLACES
    one: int | None = None

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids that may be found."""
        return self.kind.ids if self.one is None else (self.one,)

    def places(
        self, gray: Gray, weights: Singles, part: Region, pose: CameraPose
    ) -> list[tuple[float, float]]:
        """Pixels in a part of the region that look like such a print, likeliest first."""
        if self.one is not None:
            return pattern_places(gray, part, self.one, self.kind.side_mm, self.kind.height_mm, pose)
        return print_places(gray, weights, part, self.kind, pose, self.most)


def searches(prints: Prints, table: Table, pose: CameraPose, known: Sequence[Marker] = ()) -> list[Search]:
    """Where which kinds of prints lie. Of the contender cards among the `known` the columns' places are told."""
    side, white = table.card_marker_mm, table.card_marker_mm + 2 * WHITE_MM
    cards = Kind((*prints.card_ids, *CONTENDER_BY_ID), side, white, COLUMN_CARD_Z_MM)
    zone = Kind((*prints.card_ids, *PLAYER_CARD_IDS, *TILE_BY_ID), side, white, CARD_Z_MM)
    thick = table.scoreboard_thick_mm
    cubes = Kind(tuple(CUBE_BY_ID), table.cube_marker_mm, table.cube_mm, thick + table.cube_mm)
    # The others beside them, so that each has to be told from something.
    small = Kind((ROUND_MARKER_ID, *SCOREBOARD_IDS), table.round_marker_mm, table.round_marker_mm + 2, thick)
    found: list[Search] = []

    def search(
        low: tuple[float, float],
        high: tuple[float, float],
        kind: Kind,
        most: int = MOST_PLACES,
        one: int | None = None,
    ) -> None:
        region = region_around(pose, low, high, kind.height_mm)
        if region is not None:
            found.append(Search(region, kind, most, one))

    top = table.contenders_y_mm + table.card_mm[1] / 2 + 10
    for left, right in _strips(table, pose, known):
        search((left, COLUMNS_DOWN_TO_MM), (right, top), cards, MOST_IN_COLUMN)
    wide, tall = table.card_mm[0] / 2 + 16, table.card_mm[1] / 2 + 12
    for x, y in (*table.reveal_centres_mm, table.discard_pile_mm):
        search((x - wide, y - tall), (x + wide, y + tall), zone)
    for contender, marker in CUBE_IDS.items():
        x, low = table.cube_centre(contender, LOWEST_PLACE)
        high = table.cube_centre(contender, HIGHEST_PLACE)[1]
        search((x - OFF_MM, low - OFF_MM), (x + OFF_MM, high + OFF_MM), cubes, one=marker)
    x, spots = table.round_x_mm, table.rounds_y_mm
    search((x - OFF_MM, min(spots) - OFF_MM), (x + OFF_MM, max(spots) + OFF_MM), small, one=ROUND_MARKER_ID)
    for marker, x, y in table.scoreboard_corners_mm:
        search((x - OFF_MM, y - OFF_MM), (x + OFF_MM, y + OFF_MM), small, one=marker)
    return found


def _strips(table: Table, pose: CameraPose, known: Sequence[Marker]) -> list[tuple[float, float]]:
    """From where to where in x the prints of the columns lie, mm; all of it while the row is not known."""
    inset = table.card_mm[0] / 2 - table.card_marker_inset_mm
    seen = [pose.intersect(m.centre, CARD_Z_MM) for m in known if m.id in CONTENDER_BY_ID]
    xs = [float(at[0]) + inset for at in seen if abs(at[1] - table.contenders_y_mm) < table.card_mm[1]]
    if len(xs) < 2:
        # In four parts, so that each has its share of places looked at.
        return [(table.column_pitch_mm * n, table.column_pitch_mm * (n + 1)) for n in (-2, -1, 0, 1)]
    count = row_length(xs, table)
    middles = [table.column_x(place, count) - inset for place in range(count)]
    return [(x - STRIP_MM, x + STRIP_MM) for x in middles]


def find_missed(
    gray: Gray,
    pose: CameraPose,
    prints: Prints,
    table: Table,
    known: Sequence[Marker],
    region: Region,
    blur_px: float,
    wanted: frozenset[int] | None = None,
) -> list[Marker]:
    """Prints in `region` that the detector missed, besides the `known` ones; only the `wanted` ids, if given."""
    taken = {marker.id for marker in known}
    found: list[Marker] = []
    for search in searches(prints, table, pose, known):
        if wanted is not None and wanted.isdisjoint(search.ids):
            continue
        part = search.region.overlap(region)
        if part is None or search.one in taken:
            continue
        weights = _uncovered(part, [*known, *found])
        places = search.places(gray, weights, part, pose)
        for marker in read_at(gray, places, search.kind, pose, blur_px):
            # What the detector read is surer than anything read here.
            if marker.id not in taken and (wanted is None or marker.id in wanted):
                found.append(marker)
                taken.add(marker.id)
    return found


def read_at(
    gray: Gray, places: Sequence[tuple[float, float]], kind: Kind, pose: CameraPose, blur_px: float
) -> list[Marker]:
    """The prints of a kind that surely are at some pixels, each whole or with one side covered."""
    steps = [pose.px_per_mm(pose.intersect(place, kind.height_mm)) for place in places]
    sides = [step @ np.diag([1.0, -1.0]) * kind.side_mm for step in steps]
    fits = read(gray, places, sides, kind.ids, blur_px, reach=REACH)
    return [
        fit.marker
        for fit, step in zip(fits, steps, strict=True)
        # What is partly covered must be as upright as people lay cards.
        if fit is not None and (fit.part == WHOLE or _upright(fit, step))
    ]


def _upright(fit: Fit, step: Floats) -> bool:
    """Is a print as upright as people lay cards?"""
    corners = fit.marker.corners
    right = np.linalg.solve(step, (corners[1] - corners[0]).astype(np.float64))
    return abs(float(np.degrees(np.arctan2(right[1], right[0])))) <= TURN_DEG + 8


def _uncovered(region: Region, markers: Iterable[Marker]) -> Singles:
    """Weights of a region's size: 0 where known prints are."""
    weights = np.ones((region.y1 - region.y0, region.x1 - region.x0), np.float32)
    for marker in markers:
        middle = marker.corners.mean(axis=0)
        quad = middle + (marker.corners - middle) * MARGIN - np.array([region.x0, region.y0])
        cv2.fillConvexPoly(weights, np.round(quad * 16).astype(np.int32), 0.0, shift=4)
    return weights
