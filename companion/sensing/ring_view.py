"""One ring of the board as a picture shows it: as a strip, and in cuts across the lines between its spaces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import Board
from companion.sensing.frames import STRIDE, Image
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.masks import Mask
from companion.sensing.print_model import Singles

# Rows across the ring's width.
ROWS = 9
MARGIN_MM = 4.0
COARSE_STEP_MM = 0.4


class RingView:
    """A ring as one picture (BGR or grey) shows it from a camera pose, in so many `rows` across its width.

    `covered`: a small mask of what hides it.
    """

    def __init__(
        self,
        image: Image,
        pose: CameraPose,
        board: Board,
        ring: int,
        covered: Mask | None = None,
        rows: int = ROWS,
    ) -> None:
        self.board = board
        self.ring = ring
        self.channels = ("grey",) if image.ndim == 2 else ("grey", "warm")
        self._image = image
        self._pose = pose
        self._covered = covered
        inner, outer = board.ring_radii(ring)
        self.radii = np.linspace(inner + MARGIN_MM, outer - MARGIN_MM, rows)
        self.directions = _line_angles(board)
        self._strip: dict[str, Singles] | None = None

    def strip(self, channel: str) -> Singles:
        """The ring as a strip (ROWS, around), from angle 0 counter-clockwise, COARSE_STEP_MM a sample."""
        if self._strip is None:
            around = int(2 * math.pi * self.radii.mean() / COARSE_STEP_MM) // 4 * 4
            # Every fourth place is projected, the others lie between.
            angles = np.arange(around // 4 + 1) * (8 * math.pi / around)
            x, y = self.radii[:, None] * np.cos(angles), self.radii[:, None] * np.sin(angles)
            uv = _between(self._project(self._level(x, y)), np.arange(around) / 4.0)
            self._strip = self._values(uv, self.channels)
            hidden = self._hidden(uv)
            for values in self._strip.values():
                values[hidden] = values.mean()
        return self._strip[channel]

    def cuts(self, estimate: Floats, across: Floats, channel: str) -> tuple[Singles, Singles]:
        """Values (lines, rows, n) on cuts across the lines where the estimate has them; weights 0 where covered.

        `across`: (n,) mm from the line, counter-clockwise.
        """
        return cuts_of([self], [estimate], across, channel)

    def _ends(self, estimate: Floats, across: Floats) -> Floats:
        """World points (lines, rows, 2, 3) between which the cuts lie."""
        directions = self.directions + estimate[0]
        cos, sin = np.cos(directions)[:, None, None], np.sin(directions)[:, None, None]
        ends = across[[0, -1]]
        x = estimate[1] + self.radii[None, :, None] * cos - ends * sin
        y = estimate[2] + self.radii[None, :, None] * sin + ends * cos
        return self._level(x, y)

    def _level(self, x: Floats, y: Floats) -> Floats:
        """World points (..., 3) on the ring's level."""
        return np.stack([x, y, np.full_like(x, self.board.ring_z(self.ring))], axis=-1)

    def _project(self, points: Floats) -> Singles:
        """Pixels (..., 2) of world points."""
        return self._pose.project(points).astype(np.float32)

    def _values(self, uv: Singles, channels: Sequence[str]) -> dict[str, Singles]:
        """The channels at pixels (..., 2): grey, and how much warmer (red over blue) than grey."""
        flat = uv.reshape(-1, uv.shape[-2], 2)
        seen = cv2.remap(
            self._image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ).astype(np.float32)
        if self._image.ndim == 2:
            return {"grey": seen.reshape(uv.shape[:-1])}
        blue, green, red = seen[..., 0], seen[..., 1], seen[..., 2]
        values = {}
        if "grey" in channels:
            values["grey"] = np.float32(0.114) * blue + np.float32(0.587) * green + np.float32(0.299) * red
        if "warm" in channels:
            values["warm"] = np.float32(0.5) * (red - blue)
        return {name: one.reshape(uv.shape[:-1]) for name, one in values.items()}

    def _hidden(self, uv: Singles) -> NDArray[np.bool_]:
        """Which pixels (..., 2) are covered or lie outside the picture."""
        height, width = self._image.shape[:2]
        u, v = uv[..., 0], uv[..., 1]
        outside = (u < 0) | (v < 0) | (u > width - 1) | (v > height - 1)
        if self._covered is None or not self._covered.any():
            return np.asarray(outside, dtype=np.bool_)
        rows = np.clip((v / STRIDE).astype(np.int64), 0, self._covered.shape[0] - 1)
        columns = np.clip((u / STRIDE).astype(np.int64), 0, self._covered.shape[1] - 1)
        covered: NDArray[np.bool_] = outside | (self._covered[rows, columns] > 0)
        return covered


def cuts_of(
    views: Sequence[RingView], estimates: Sequence[Floats], across: Floats, channel: str
) -> tuple[Singles, Singles]:
    """The cuts across the lines of several rings of one picture, one ring's after the other's, as `RingView.cuts`."""
    first = views[0]
    ends = np.concatenate(
        [view._ends(estimate, across) for view, estimate in zip(views, estimates, strict=True)]
    )
    # A cut is short enough to be straight in the picture, too.
    uv = _between(first._project(ends), (across - across[0]) / (across[-1] - across[0]))
    weights = np.where(first._hidden(uv).any(axis=-1), 0.0, 1.0).astype(np.float32)
    return first._values(uv, (channel,))[channel], weights


def _between(ends: Singles, at: Floats) -> Singles:
    """Points (..., n, 2) at places (in steps of the given ones) between points (..., m, 2)."""
    low = np.minimum(at.astype(np.int64), ends.shape[-2] - 2)
    share = (at - low).astype(np.float32)[:, None]
    return np.asarray(ends[..., low, :] * (1 - share) + ends[..., low + 1, :] * share, dtype=np.float32)


@cache
def _line_angles(board: Board) -> Floats:
    """Directions (columns,) in radians of the lines between the spaces of an undisturbed ring."""
    return np.radians(90.0 + (0.5 - np.arange(board.columns)) * 360.0 / board.columns)
