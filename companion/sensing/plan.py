"""The table as a plan, seen from straight above, and the places on it that look like a piece's print.

On the plan a kind of piece has one size everywhere, however the camera is tilted. Places are found by correlation
with what all prints of a kind have in common, over all turns: the dark frame, the white around it, and where that
ends. First all over the plan against the contrast nearby, then at the peaks exactly, without what is known there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.geometry import CameraPose
from companion.sensing.kinds import Kind
from companion.sensing.markers import Gray
from companion.sensing.region import Region

Singles = NDArray[np.float32]

# Scale of the plan.
PX_PER_MM = 1.0
# Every so many plan pixels a point is projected; between them the picture is as good as straight.
_COARSE = 8
# Of the picture's pixels so many fall on one of the plan's before it is drawn.
_OVER = 1.3
# How much like a print (-1…1) a place must look: against the contrast nearby to be looked at, and exactly. Prints
# come to 0.42 and more also in blur and in the dark, most to 0.7.
ROUGHLY = 0.25
LIKE = 0.38
# So many of the likeliest places of a kind are read.
MOST_PLACES = 48
# Peaks that are looked at exactly, at most.
_MOST_PEAKS = 600
# Three grey levels of contrast at least: a plain surface looks like nothing.
_LEAST_VARIANCE = 9.0
# Of the print and its surroundings this much must be in the picture and not known to be something else.
_LEAST_SEEN = 0.5


@dataclass(frozen=True, eq=False, slots=True)
class Plan:
    """Where the points of the table at one height are in the picture of a camera.

    `half_mm`: how far it reaches from the table's middle to the east and north. `size`: (w, h) in pixels, the first
    row being the north. `coarse_x` and `coarse_y`: the pixel of the picture that every _COARSE-th pixel of the plan
    shows; those of all of them would be megabytes.
    """

    pose: CameraPose
    z_mm: float
    half_mm: tuple[float, float]
    size: tuple[int, int]
    coarse_x: Singles
    coarse_y: Singles

    @property
    def scale(self) -> float:
        """Pixels of the picture on a pixel of the plan, in the middle of the table."""
        step = self.pose.px_per_mm((0.0, 0.0, self.z_mm))
        return float(np.sqrt(abs(np.linalg.det(step)))) / PX_PER_MM

    def drawn(self, gray: Gray, box: tuple[int, int, int, int]) -> tuple[Singles, Singles]:
        """A box (left, top, right, bottom) of the plan: its grey values, and 1 where it is in the picture."""
        left, top, right, bottom = box
        shrink = min(1.0, _OVER / self.scale)
        x, y = self.shown(np.arange(left, right), np.arange(top, bottom))
        height, width = gray.shape
        x0, y0 = max(0, int(x.min()) - 4), max(0, int(y.min()) - 4)
        x1, y1 = min(width, int(x.max()) + 5), min(height, int(y.max()) + 5)
        if x1 - x0 < 4 or y1 - y0 < 4:
            nothing = np.zeros(x.shape, np.float32)
            return nothing, nothing
        size = (max(2, round((x1 - x0) * shrink)), max(2, round((y1 - y0) * shrink)))
        small = cv2.resize(gray[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA)
        by_x, by_y = np.float32(size[0] / (x1 - x0)), np.float32(size[1] / (y1 - y0))
        drawn = cv2.remap(
            small,
            (x + np.float32(0.5 - x0)) * by_x - np.float32(0.5),
            (y + np.float32(0.5 - y0)) * by_y - np.float32(0.5),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        return np.asarray(drawn, dtype=np.float32), inside.astype(np.float32)

    def pixel(self, column: int, row: int) -> tuple[float, float]:
        """Column and row of the picture's pixel that one pixel of the plan shows."""
        x, y = self.shown(np.array([column]), np.array([row]))
        return float(x[0, 0]), float(y[0, 0])

    def shown(self, columns: NDArray[np.int_], rows: NDArray[np.int_]) -> tuple[Singles, Singles]:
        """Column and row (h, w) of the pixels of the picture that some columns and rows of the plan show."""
        across, down = np.meshgrid(
            columns.astype(np.float32) / np.float32(_COARSE), rows.astype(np.float32) / np.float32(_COARSE)
        )
        x, y = (cv2.remap(one, across, down, cv2.INTER_LINEAR) for one in (self.coarse_x, self.coarse_y))
        return np.asarray(x, dtype=np.float32), np.asarray(y, dtype=np.float32)

    def at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Where a point of the table is on the plan."""
        return ((x_mm + self.half_mm[0]) * PX_PER_MM - 0.5, (self.half_mm[1] - y_mm) * PX_PER_MM - 0.5)

    def box_of(self, region: Region) -> tuple[int, int, int, int]:
        """The part (left, top, right, bottom) of the plan that shows a region of the picture; empty beyond the table."""
        corners = [(x, y) for x in (region.x0, region.x1) for y in (region.y0, region.y1)]
        at = np.array([self.at(float(p[0]), float(p[1])) for p in self.pose.intersect(corners, self.z_mm)])
        width, height = self.size
        left, top = np.clip(np.floor(at.min(axis=0)).astype(int), 0, (width, height))
        right, bottom = np.clip(np.ceil(at.max(axis=0)).astype(int) + 1, 0, (width, height))
        return (int(left), int(top), int(right), int(bottom))


@lru_cache(maxsize=6)
def plan_of(pose: CameraPose, z_mm: float, half_mm: tuple[float, float]) -> Plan:
    """The plan at one height."""
    width, height = (round(2 * half * PX_PER_MM) for half in half_mm)
    columns, rows = np.arange(0, width + _COARSE, _COARSE), np.arange(0, height + _COARSE, _COARSE)
    x, y = np.meshgrid((columns + 0.5) / PX_PER_MM - half_mm[0], half_mm[1] - (rows + 0.5) / PX_PER_MM)
    coarse = pose.project(np.stack([x, y, np.full_like(x, z_mm)], axis=-1)).astype(np.float32)
    across_px, down_px = (np.ascontiguousarray(coarse[..., axis]) for axis in (0, 1))
    return Plan(pose, z_mm, half_mm, (width, height), across_px, down_px)


@dataclass(frozen=True, eq=False, slots=True)
class _Profile:
    """What a kind looks like over all turns: grey values (n, n), 1 for white, and the mask of what counts."""

    values: Singles
    counts: Singles

    @property
    def reach(self) -> int:
        """Pixels from the middle to the border."""
        return len(self.values) // 2


@cache
def _profile(side_mm: float, sticker_mm: float, square: bool) -> _Profile:
    """Three rings count: the dark frame, the white around it, and what lies beyond, neither dark nor white.

    The cells inside differ from print to print and do not.
    """
    half, cell = side_mm / 2, side_mm / 7
    radius = sticker_mm / 2
    reach = int(np.ceil((radius * (1.25 if square else 1.0) + 2.0) * PX_PER_MM))
    axis = np.arange(-reach, reach + 1) / PX_PER_MM
    x, y = np.meshgrid(axis, axis)
    white = np.zeros_like(x)
    turns = np.radians(np.arange(0, 90, 6))
    for turn in turns:
        u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
        ring = np.maximum(np.abs(u), np.abs(v))
        one = (ring > half) + 0.45 * (ring < half - cell)
        if square:
            one = np.where(ring > radius, 0.4, one)
        white += one
    white /= len(turns)
    distance = np.hypot(x, y)
    counts = (distance < half) & (distance > half - cell)
    if square:
        counts |= (distance > half) & (distance < 1.2 * radius)
    else:
        white[distance > radius] = 0.4
        counts |= (distance < radius - 0.2) & (distance > radius - 1.5)
        counts |= (distance > radius + 0.7) & (distance < radius + 2.0)
    soft = cv2.GaussianBlur(white.astype(np.float32), (0, 0), PX_PER_MM / 3)
    return _Profile(np.asarray(soft, dtype=np.float32), counts.astype(np.float32))


@lru_cache(maxsize=8)
def _spectrum(side_mm: float, sticker_mm: float, square: bool, size: tuple[int, ...]) -> Singles:
    """A kind's profile without its mean, transformed for pictures padded to a size (h, w)."""
    profile = _profile(side_mm, sticker_mm, square)
    mean = float((profile.counts * profile.values).sum() / profile.counts.sum())
    kernel = profile.counts * (profile.values - mean)
    padded = np.zeros(size, np.float32)
    padded[: kernel.shape[0], : kernel.shape[1]] = kernel
    return np.asarray(cv2.dft(np.roll(padded, (-profile.reach, -profile.reach), axis=(0, 1))), np.float32)


def _peaks(picture: Singles, kind: Kind, profile: _Profile) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Rows and columns where a picture (about its mean) looks roughly like a kind, likeliest first."""
    height, width = picture.shape
    spare = 2 * profile.reach
    padded = np.zeros([cv2.getOptimalDFTSize(length + spare) for length in picture.shape], np.float32)
    padded[:height, :width] = picture
    product = cv2.mulSpectrums(cv2.dft(padded), _spectrum(*_key(kind), padded.shape), 0, conjB=True)
    flags = cv2.DFT_INVERSE | cv2.DFT_REAL_OUTPUT | cv2.DFT_SCALE
    product = np.asarray(cv2.dft(product, flags=flags), dtype=np.float32)[:height, :width]
    window = (2 * profile.reach + 1,) * 2
    mean = cv2.boxFilter(picture, cv2.CV_32F, window)
    variance = np.maximum(cv2.sqrBoxFilter(picture, cv2.CV_32F, window) - mean * mean, _LEAST_VARIANCE)
    centred = profile.values - (profile.counts * profile.values).sum() / profile.counts.sum()
    spread = float((profile.counts * centred**2).sum() * profile.counts.sum())
    like = product / np.sqrt(variance * np.float32(spread))
    apart = max(3, int(kind.side_mm * PX_PER_MM * 0.5) | 1)
    peak = (like >= cv2.dilate(like, np.ones((apart, apart), np.uint8))) & (like > ROUGHLY)
    rows, columns = np.nonzero(peak)
    best = np.argsort(-like[rows, columns])[:_MOST_PEAKS]
    return rows[best], columns[best]


def _key(kind: Kind) -> tuple[float, float, bool]:
    return (kind.side_mm, kind.sticker_mm, kind.square)


def _exactly(
    picture: Singles,
    weights: Singles,
    rows: NDArray[np.int_],
    columns: NDArray[np.int_],
    profile: _Profile,
) -> Singles:
    """Weighted correlation (-1…1) with a profile at some places; -1 where too little is to be seen."""
    if not len(rows):
        return np.empty(0, np.float32)
    reach = profile.reach
    size = (2 * reach + 1,) * 2
    counted = np.flatnonzero(profile.counts.ravel())
    padded = [np.pad(one, reach) for one in (picture, weights)]
    values, weight = (
        np.lib.stride_tricks.sliding_window_view(one, size)[rows, columns].reshape(len(rows), -1)[:, counted]
        for one in padded
    )
    shown = profile.values.ravel()[counted]
    mass = np.maximum(weight.sum(axis=1), 1e-3)
    values = values - ((values * weight).sum(axis=1) / mass)[:, None]
    template = shown - ((weight @ shown) / mass)[:, None]
    product = (weight * values * template).sum(axis=1)
    spread = np.maximum((weight * values**2).sum(axis=1), _LEAST_VARIANCE * mass)
    like = product / np.sqrt(spread * np.maximum((weight * template**2).sum(axis=1), 1e-3))
    like[mass < _LEAST_SEEN * len(counted)] = -1.0
    return np.asarray(like, dtype=np.float32)


def print_places(
    gray: Gray,
    plan: Plan,
    box: tuple[int, int, int, int],
    kind: Kind,
    covered: Iterable[tuple[float, float, float]],
) -> list[tuple[float, float]]:
    """The pixels of the picture that look like a print of a kind, likeliest first.

    `box`: the part of the plan looked at (left, top, right, bottom). `covered`: discs (x, y, radius) of the plan in
    which something known lies.
    """
    left, top, right, bottom = box
    if left >= right or top >= bottom:
        # The picture reaches further than the plan.
        return []
    drawn, weights = plan.drawn(gray, box)
    for x, y, radius in covered:
        centre = (round((x - left) * 16), round((y - top) * 16))
        cv2.circle(weights, centre, round(radius * 16), 0.0, thickness=-1, shift=4)
    free = weights > 0
    if not free.any():
        return []
    # About the middle grey: what is known, or outside the picture, is as good as plain.
    picture = np.where(free, drawn - drawn[free].mean(), np.float32(0.0)).astype(np.float32)
    profile = _profile(*_key(kind))
    rows, columns = _peaks(picture, kind, profile)
    seen = free[rows, columns]
    rows, columns = rows[seen], columns[seen]
    like = _exactly(picture, weights, rows, columns, profile)
    best = [n for n in np.argsort(-like)[:MOST_PLACES] if like[n] > LIKE]
    return [plan.pixel(int(columns[n]) + left, int(rows[n]) + top) for n in best]
