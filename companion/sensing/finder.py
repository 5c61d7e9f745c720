"""Finding every print on the table of Above: what the detector read is checked, what it missed is looked for.

With the camera's pose known, the size of each print is known everywhere. What is too large or too small, or does not
show its print cell by cell, is dropped; places that look like a print and were not read are read by correlation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from companion.games.above.box import CARD_BY_ID, MINI_BY_ID, Table
from companion.sensing.decoder import read
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.kinds import Kind, card_kind, nominal, round_kinds
from companion.sensing.markers import Gray, Marker
from companion.sensing.plan import Plan, plan_of, print_places
from companion.sensing.region import Region
from companion.sensing.surely import checked

# Measured over nominal size on the table's levels; blur and glare shrink a marker, a hand lifts it to the camera.
SIZES = (0.8, 1.25)
# The plans are drawn at the mean heights of the board, and of the miniatures' caps on it.
_GROUND_MM = 7.0
# How far beyond the middles of the frame markers pieces may lie.
_BEYOND_MM = (49.0, 42.0)


def plausible(
    gray: Gray, detected: Iterable[Marker], pose: CameraPose, table: Table, blur_px: float
) -> list[Marker]:
    """Those of the detected markers that are pieces of this table, with exact corners.

    They lie on the table, are of the right size there, no more blurred than the picture (`blur_px`), and every cell
    shows their print.
    """
    fits = checked(gray, in_size(detected, pose, table), blur_px)
    return in_size([fit.marker for fit in fits], pose, table)


def in_size(markers: Iterable[Marker], pose: CameraPose, table: Table) -> list[Marker]:
    """Those of the markers that are a piece's, on the table, and of the size such a piece's print has there."""
    named = [(marker, known) for marker in markers if (known := nominal(marker.id, table)) is not None]
    if not named:
        return []
    corners = np.stack([marker.corners for marker, _ in named])
    sides, heights = np.array([known for _, known in named]).T
    low = pose.intersect(corners, heights[:, None])
    measured = np.linalg.norm(low - np.roll(low, -1, axis=1), axis=2).mean(axis=1) / sides
    on_table = (np.abs(low.mean(axis=1)[:, :2]) < reach_mm(table)).all(axis=1)
    right = on_table & (measured > SIZES[0]) & (measured < SIZES[1])
    return [marker for (marker, _), is_right in zip(named, right, strict=True) if is_right]


def reach_mm(table: Table) -> tuple[float, float]:
    """How far from the table's middle to the east and north pieces may lie."""
    frame = np.abs(np.array([(x, y) for _, x, y in table.frame_centres_mm])).max(axis=0)
    return (float(frame[0]) + _BEYOND_MM[0], float(frame[1]) + _BEYOND_MM[1])


def find_missed(
    gray: Gray,
    region: Region,
    pose: CameraPose,
    table: Table,
    known: Sequence[Marker],
    blur_px: float,
    wanted: frozenset[int] | None = None,
) -> list[Marker]:
    """Pieces in `region` that the detector missed, besides the `known` ones; only the `wanted` ids, if given."""
    # Each id is on one piece: what the detector read is surer than anything read here.
    taken = {marker.id for marker in known}
    minis, tokens = round_kinds(table)
    found: list[Marker] = []
    others: list[Marker] = []
    # A cap may hide part of a token, never the other way round.
    for kind in (card_kind(table), minis, tokens):
        if taken.issuperset(kind.ids) or (wanted is not None and wanted.isdisjoint(kind.ids)):
            continue
        plan = plan_of(pose, _GROUND_MM + kind.height_mm, reach_mm(table))
        covered = _covered(plan, [*known, *found], table)
        places = print_places(gray, plan, plan.box_of(region), kind, covered)
        places = [place for place in places if region.holds(*place)]
        caps = _caps([*known, *found], table) if kind == tokens else []
        sides = px_per_side(places, kind, pose, table)
        fits = read(gray, places, sides, kind.ids, blur_px, others=others, covers=caps)
        best: dict[int, Marker] = {}
        for fit in sorted((fit for fit in fits if fit is not None), key=lambda fit: fit.correlation):
            best[fit.marker.id] = fit.marker
        new = in_size(best.values(), pose, table)
        found += [m for m in new if m.id not in taken and (wanted is None or m.id in wanted)]
    return found


def px_per_side(
    places: Sequence[tuple[float, float]], kind: Kind, pose: CameraPose, table: Table
) -> list[Floats]:
    """For places in the picture, how a print's side to the right and down, unturned, shows there: (2, 2) px."""
    if not places:
        return []
    board = table.board
    flat = pose.intersect(places, kind.height_mm)
    ring = (board.outer_radius_mm - np.hypot(flat[:, 0], flat[:, 1])) // board.ring_width_mm + 1
    levels = np.array([board.ring_z(min(int(r), board.rings + 1)) if r >= 1 else 0.0 for r in ring])
    middles = pose.intersect(places, levels + kind.height_mm)
    half = np.array([[1.0, 0, 0], [-1.0, 0, 0], [0, -1.0, 0], [0, 1.0, 0]]) * kind.side_mm / 2
    east, west, south, north = np.moveaxis(pose.project(middles[:, None] + half), 1, 0)
    return list(np.stack([east - west, south - north], axis=-1))


def _caps(markers: Iterable[Marker], table: Table) -> list[tuple[float, float, float]]:
    """Discs (x, y, radius) of the picture in which miniatures' caps are."""
    ratio = table.mini_cap_mm / table.mini_marker_mm / 2
    return [(*marker.centre, marker.side_px * ratio) for marker in markers if marker.id in MINI_BY_ID]


def _covered(plan: Plan, markers: Iterable[Marker], table: Table) -> list[tuple[float, float, float]]:
    """Discs (x, y, radius) of a plan in which the caps and stickers of known pieces, and known cards' prints, are."""
    discs = []
    for marker in markers:
        known = nominal(marker.id, table)
        side = known[0] if known else table.frame_marker_mm
        wide = table.mini_cap_mm if marker.id in MINI_BY_ID else table.token_diameter_mm
        ratio = wide / side if known and marker.id not in CARD_BY_ID else 1.45
        x, y, _ = plan.pose.intersect(marker.centre, plan.z_mm)
        radius = (marker.side_px * ratio / 2 + 0.5) / plan.scale
        discs.append((*plan.at(float(x), float(y)), radius))
    return discs
