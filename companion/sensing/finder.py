"""Finding every print on the table: the detector first, then closer looks where a piece may have been missed.

With the camera's pose known, the size of each print is known everywhere. What is too large or too small, or
does not look like the print it was taken for, is dropped; places that look like a round sticker with a dark
square and were not read are read again by correlation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import CARD_BY_ID, MINI_BY_ID, TOKEN_BY_ID, Table
from companion.sensing.decoder import Decoded, agreement, decode
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.markers import Gray, Marker

# A print the detector read must look like it: a true one correlates by 0.8 and more, anything else by 0.66 at most.
AGREES = 0.6
# A print read by correlation alone must fit better than background ever does, and lead over every other print.
FITS = 0.76
LEADS = 0.07
# Out of focus all prints look more alike; but nothing else than a print fits this well.
FITS_WELL = 0.9
LEADS_BLURRED = 0.03
# From here on a part of the print may be hidden; over the part that is seen it must fit better still.
PROMISING = 0.5
FITS_PARTLY = 0.88
WHOLE = 0.9
LEAST_SEEN = 0.5
# Measured over nominal size on the table's levels; blur and glare shrink a marker, a hand lifts it to the camera.
SIZES = (0.72, 1.25)
# How much like a round sticker with a dark square (-1…1) a place must look to be read again.
STICKER = 0.42
MOST_CANDIDATES = 24
# Scale of the picture in which such places are searched.
SEARCH_PX_PER_MM = 1.5

Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of round piece: the ids it may carry, its print's side, its white sticker and its height in mm."""

    ids: tuple[int, ...]
    side_mm: float
    sticker_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of the picture in pixels: from (x0, y0) up to, not including, (x1, y1)."""

    x0: int
    y0: int
    x1: int
    y1: int

    def crop(self, gray: Gray) -> Gray:
        """That part of a picture, not copied."""
        return gray[self.y0 : self.y1, self.x0 : self.x1]

    def holds(self, x: float, y: float) -> bool:
        """Is the pixel inside?"""
        return self.x0 <= x < self.x1 and self.y0 <= y < self.y1

    def overlap(self, other: Region) -> Region | None:
        """What two regions share; None if that is nothing."""
        x0, y0 = max(self.x0, other.x0), max(self.y0, other.y0)
        x1, y1 = min(self.x1, other.x1), min(self.y1, other.y1)
        return Region(x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def round_kinds(table: Table) -> tuple[Kind, ...]:
    """Miniatures and tokens of a table."""
    return (
        Kind(tuple(MINI_BY_ID), table.mini_marker_mm, table.mini_cap_mm, table.mini_height_mm),
        Kind(tuple(TOKEN_BY_ID), table.token_marker_mm, table.token_diameter_mm - 1.0, table.token_height_mm),
    )


def card_kind(table: Table) -> Kind:
    """The deity cards: their print lies in a white square, here taken for a round sticker."""
    return Kind(tuple(CARD_BY_ID), table.card_marker_mm, table.card_marker_mm * 1.3, 0.5)


def nominal(marker: int, table: Table) -> tuple[float, float] | None:
    """(side, height above what it stands on) in mm of a piece's marker; None for ids that are no piece."""
    if marker in MINI_BY_ID:
        return (table.mini_marker_mm, table.mini_height_mm)
    if marker in TOKEN_BY_ID:
        return (table.token_marker_mm, table.token_height_mm)
    if marker in CARD_BY_ID:
        return (table.card_marker_mm, 0.5)
    return None


def plausible(gray: Gray, marker: Marker, pose: CameraPose, table: Table) -> bool:
    """Is a detected marker a piece of this table: of the right size there, and looking like its print?"""
    known = nominal(marker.id, table)
    if known is None:
        return False
    side, height = known
    low = pose.intersect(marker.corners, height)
    measured = float(np.linalg.norm(low - np.roll(low, -1, axis=0), axis=1).mean())
    if not SIZES[0] < measured / side < SIZES[1]:
        return False
    return agreement(gray, marker.corners, marker.id) >= AGREES


@cache
def _profile(px_per_mm: float, side_mm: float, sticker_mm: float) -> tuple[Singles, Singles]:
    """What a print on its round sticker looks like over all turns, at a scale, and the mask of what counts.

    Three rings count: the dark frame, the white around it, and what lies around the sticker, neither dark nor
    white. The cells inside differ from print to print and do not.
    """
    radius, half, cell = sticker_mm / 2, side_mm / 2, side_mm / 7
    reach = int(np.ceil((radius + 2.0) * px_per_mm))
    axis = np.arange(-reach, reach + 1) / px_per_mm
    x, y = np.meshgrid(axis, axis)
    white = np.zeros_like(x)
    turns = np.radians(np.arange(0, 90, 6))
    for turn in turns:
        u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
        ring = np.maximum(np.abs(u), np.abs(v))
        white += (ring > half) + 0.45 * (ring < half - cell)
    white /= len(turns)
    distance = np.hypot(x, y)
    white[distance > radius] = 0.4
    counts = (distance < half) & (distance > half - cell)
    counts |= (distance < radius - 0.2) & (distance > radius - 1.5)
    counts |= (distance > radius + 0.7) & (distance < radius + 2.0)
    profile = cv2.GaussianBlur(white.astype(np.float32), (0, 0), px_per_mm / 3)
    return np.asarray(profile, dtype=np.float32), counts.astype(np.float32)


def likeness(picture: Singles, weights: Singles, profile: Singles, counts: Singles) -> Singles:
    """Weighted correlation (-1…1) of a picture with a profile everywhere; -1 where too little is to be seen."""

    def summed(values: Singles, kernel: Singles) -> Singles:
        return np.asarray(
            cv2.filter2D(values, cv2.CV_32F, kernel, borderType=cv2.BORDER_CONSTANT), dtype=np.float32
        )

    seen = picture * weights
    mass = np.maximum(summed(weights, counts), 1e-3)
    mean = summed(seen, counts) / mass
    spread = np.maximum(summed(seen * picture, counts) - mean**2 * mass, 0.0)
    template = summed(weights, counts * profile) / mass
    template_spread = np.maximum(summed(weights, counts * profile**2) - template**2 * mass, 1e-3)
    product = summed(seen, counts * profile) - mean * template * mass
    # At least three grey levels of contrast: a plain surface looks like nothing.
    like = product / np.sqrt(np.maximum(spread, 9.0 * mass) * template_spread)
    like[mass < 0.5 * counts.sum()] = -1.0
    return np.asarray(like, dtype=np.float32)


def sticker_places(
    gray: Gray, weights: Singles, region: Region, kind: Kind, pose: CameraPose
) -> list[tuple[float, float]]:
    """Pixels in `region` that look like a piece of a kind, likeliest first.

    `weights`: a picture of the region's size, 0 where something known lies.
    """
    picture = region.crop(gray)
    if min(picture.shape) < 8:
        return []
    middle = pose.intersect(((region.x0 + region.x1) / 2, (region.y0 + region.y1) / 2), 10 + kind.height_mm)
    scale = float(np.sqrt(abs(np.linalg.det(pose.px_per_mm(middle)))))
    shrink = min(1.0, SEARCH_PX_PER_MM / scale)
    small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA).astype(np.float32)
    height, width = small.shape
    free = cv2.resize(weights, (width, height), interpolation=cv2.INTER_AREA)
    fx, fy = picture.shape[1] / width, picture.shape[0] / height
    profile, counts = _profile(round(scale / fx, 2), kind.side_mm, kind.sticker_mm)
    # About the middle grey: the sums of squares keep their digits.
    centred = np.asarray(small - small.mean(), dtype=np.float32)
    like = likeness(centred, np.asarray(free, dtype=np.float32), profile, counts)
    apart = max(3, int(kind.side_mm * scale / fx * 0.5) | 1)
    peak = (like >= cv2.dilate(like, np.ones((apart, apart), np.uint8))) & (like > STICKER)
    rows, columns = np.nonzero(peak)
    best = np.argsort(-like[rows, columns])[:MOST_CANDIDATES]
    return [
        (
            float((columns[n] + 0.5) * fx - 0.5 + region.x0),
            float((rows[n] + 0.5) * fy - 0.5 + region.y0),
        )
        for n in best
    ]


def read_place(
    gray: Gray,
    weights: Singles,
    region: Region,
    place: Sequence[float],
    kind: Kind,
    pose: CameraPose,
    level_mm: float,
) -> Marker | None:
    """The print of a kind at a pixel, read by correlation; None if none is there for sure."""
    read = read_print(gray, weights, region, place, kind, pose, level_mm)
    return read[1] if read else None


def read_print(
    gray: Gray,
    weights: Singles,
    region: Region,
    place: Sequence[float],
    kind: Kind,
    pose: CameraPose,
    level_mm: float,
) -> tuple[float, Marker] | None:
    """The print of a kind at a pixel, read by correlation, and how well it fits; None if not for sure."""
    step = pose.px_per_mm(pose.intersect(place, level_mm + kind.height_mm))
    half = int(np.ceil(np.linalg.norm(step[:, 0]) * kind.side_mm * 1.2))
    x0, y0 = max(region.x0, int(place[0]) - half), max(region.y0, int(place[1]) - half)
    x1, y1 = min(region.x1, int(place[0]) + half), min(region.y1, int(place[1]) + half)
    if min(x1 - x0, y1 - y0) < half:
        return None
    crop = gray[y0:y1, x0:x1].astype(np.float32)
    free = weights[y0 - region.y0 : y1 - region.y0, x0 - region.x0 : x1 - region.x0]
    covered = bool(free.min() < 1.0)
    px_per_side: Floats = step @ np.diag([1.0, -1.0]) * kind.side_mm
    middle = (place[0] - x0, place[1] - y0)
    found = decode(crop, middle, px_per_side, kind.ids, weights=free if covered else None)
    if found is None:
        return None
    if not _sure(found) and found.fit >= PROMISING:
        found = decode(crop, middle, px_per_side, kind.ids, partly_hidden=True) or found
    if not _sure(found):
        return None
    return found.fit, Marker(found.id, found.corners + np.array([x0, y0], dtype=np.float32))


def _sure(found: Decoded) -> bool:
    """Is a print read by correlation to be believed?"""
    if found.seen < WHOLE:
        return found.seen >= LEAST_SEEN and found.fit >= FITS_PARTLY and found.lead >= LEADS
    return found.fit >= FITS and found.lead >= (LEADS if found.fit < FITS_WELL else LEADS_BLURRED)


def uncovered(region: Region, markers: Iterable[Marker], pose: CameraPose, table: Table) -> Singles:
    """Weights of a region's size: 0 where the caps and stickers of known pieces and known cards' prints are."""
    weights = np.ones((region.y1 - region.y0, region.x1 - region.x0), np.float32)
    for marker in markers:
        known = nominal(marker.id, table)
        side = known[0] if known else table.frame_marker_mm
        round_mm = table.mini_cap_mm if marker.id in MINI_BY_ID else table.token_diameter_mm
        ratio = round_mm / side if known and marker.id not in CARD_BY_ID else 1.45
        x, y = marker.centre
        radius = marker.side_px * ratio / 2 + 0.5
        cv2.circle(
            weights,
            (round((x - region.x0) * 16), round((y - region.y0) * 16)),
            round(radius * 16),
            0.0,
            thickness=-1,
            shift=4,
        )
    return weights


def find_missed(
    gray: Gray,
    region: Region,
    pose: CameraPose,
    table: Table,
    known: Sequence[Marker],
    wanted: frozenset[int] | None = None,
) -> list[Marker]:
    """Pieces in `region` that the detector missed, besides the `known` ones; only the `wanted` ids, if given."""
    board = table.board
    # Each id is on one piece: what the detector read is surer than anything read here.
    taken = {marker.id for marker in known}
    weights: Singles | None = None
    best: dict[int, tuple[float, Marker]] = {}
    for kind in (card_kind(table), *round_kinds(table)):
        if wanted is not None and wanted.isdisjoint(kind.ids):
            continue
        if weights is None:
            weights = uncovered(region, known, pose, table)
        for place in sticker_places(gray, weights, region, kind, pose):
            flat = pose.intersect(place, kind.height_mm)
            ring = int((board.outer_radius_mm - np.hypot(flat[0], flat[1])) // board.ring_width_mm) + 1
            level = board.ring_z(min(ring, board.rings + 1)) if ring >= 1 else 0.0
            read = read_print(gray, weights, region, place, kind, pose, level)
            if read is None:
                continue
            fit, marker = read
            if marker.id not in taken and (marker.id not in best or fit > best[marker.id][0]):
                best[marker.id] = read
        # A cap may hide part of a token, never the other way round.
        caps = [marker for _, marker in best.values()]
        weights = np.minimum(weights, uncovered(region, caps, pose, table))
    return [marker for _, marker in best.values()]
