"""Spaces that cannot be seen: under a hand, under a neighbour's cap, or outside the picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import MINI_BY_ID, Table
from companion.sensing.frames import STRIDE, Image
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.markers import Marker
from companion.sensing.masks import Mask
from companion.sensing.place import BoardPrint
from companion.sensing.region import Region

# Where cards lie: the corners of the table, by the compass.
CARD_ZONES = ("cards sw", "cards nw", "cards ne", "cards se")

# From this covered share of a token's place on, its marker may not be read.
COVERED_SHARE = 0.25
# What is played with and on is looked up at points so far apart, which is less than a finger's width.
STEP_MM = 8.0
# Grey levels from which on a picture tells no more, and the share of a token's place that must be so.
DAZZLING = 252
BURNT_SHARE = 0.5
# People lay a token so far from a space's middle.
ASIDE_MM = 6.0


def all_spaces(table: Table) -> tuple[str, ...]:
    """Every space's name, column by column, the summit last."""
    board = table.board
    return (
        *(
            f"{chr(ord('a') + column)}{ring}"
            for column in range(board.columns)
            for ring in range(1, board.rings + 1)
        ),
        "top",
    )


class Hidden(NamedTuple):
    """What cannot be seen.

    `spaces`: of which too much is covered or lies outside the picture; with the card zones (`cards sw`, …) that a hand
    reaches into. `under_hand`: the spaces among them that would be in view without the hand, or that it covers too.
    `partly`: the other spaces where a token that does not lie in the middle may be covered by a cap.
    """

    spaces: frozenset[str]
    under_hand: frozenset[str] = frozenset()
    partly: frozenset[str] = frozenset()


class SpaceViews:
    """Where each space is in the picture, at a token's height and at a miniature's cap, for one camera pose."""

    def __init__(self, pose: CameraPose, table: Table, rings: BoardPrint) -> None:
        self.spaces = all_spaces(table)
        board = table.board
        centres = []
        for space in self.spaces:
            x, y, z = board.space_centre(space)
            lie = rings.of(board.rings + 1 if space == "top" else int(space[1:]))
            turn = np.radians(lie.rotation_deg)
            centres.append(
                (
                    x * np.cos(turn) - y * np.sin(turn) + lie.shift_mm[0],
                    x * np.sin(turn) + y * np.cos(turn) + lie.shift_mm[1],
                    z,
                )
            )
        middle = np.array(centres)
        # The middle and two rings of points: a token's face.
        angles = np.radians(np.arange(0, 360, 45))
        circle = np.stack([np.cos(angles), np.sin(angles), np.zeros(8)], axis=1)
        radius = table.token_diameter_mm / 2
        spots = np.concatenate([np.zeros((1, 3)), 0.5 * radius * circle, 0.9 * radius * circle])
        at_height = np.array([0.0, 0.0, table.token_height_mm])
        faces = middle[:, None] + spots + at_height
        caps = middle[:, None] + spots + np.array([0.0, 0.0, table.mini_height_mm])
        self._faces: Floats = pose.project(faces)
        # The rims of tokens that lie as far aside as they do.
        self._aside: Floats = pose.project(middle[:, None] + (0.9 * radius + ASIDE_MM) * circle + at_height)
        self._caps: Floats = pose.project(caps)
        self._zones = {name: pose.project(_zone(table, name)) for name in CARD_ZONES}
        self._size = pose.camera.size
        width, height = self._size
        # The pixels of the faces, those outside at the picture's edge.
        self._columns = np.clip(np.rint(self._faces[..., 0]).astype(int), 0, width - 1)
        self._rows = np.clip(np.rint(self._faces[..., 1]).astype(int), 0, height - 1)
        self._outside = (
            (self._faces[..., 0] < 0)
            | (self._faces[..., 1] < 0)
            | (self._faces[..., 0] >= width)
            | (self._faces[..., 1] >= height)
        )
        self._pose = pose
        self._table = table
        # What the game is played with and on, once it was asked for.
        self._in_play: Floats | None = None
        # The miniatures that were in view last, when no hand was, and what they hid.
        self._under_caps: tuple[tuple[Marker, ...], Hidden] | None = None

    def burnt(self, image: Image, regions: Iterable[Region], before: frozenset[str]) -> frozenset[str]:
        """The spaces that are as bright as the picture can be: what lies there in the glare cannot be seen.

        `regions`: where the picture has changed since `before` was so.
        """
        x, y = self._columns, self._rows
        near = np.zeros(len(self.spaces), dtype=np.bool_)
        for region in regions:
            near |= ((region.x0 <= x) & (x < region.x1) & (region.y0 <= y) & (y < region.y1)).any(axis=1)
        at = np.flatnonzero(near)
        values = image[y[at], x[at]]
        dazzling = (values >= DAZZLING).all(axis=-1) if image.ndim == 3 else values >= DAZZLING
        burnt = dazzling.mean(axis=1) >= BURNT_SHARE
        looked = {self.spaces[n] for n in at}
        return (before - looked) | {self.spaces[n] for n in at[burnt]}

    def hidden(self, markers: Iterable[Marker], hand: Mask | None = None) -> Hidden:
        """What is covered by a hand or by caps, or lies outside the picture."""
        minis = tuple(marker for marker in markers if marker.id in MINI_BY_ID)
        reached = hand is not None and hand.any()
        if not reached and self._under_caps is not None and self._under_caps[0] == minis:
            return self._under_caps[1]
        hidden = self._hidden(minis, hand if reached else None)
        if not reached:
            self._under_caps = (minis, hidden)
        return hidden

    def is_reached(self, hand: Mask) -> bool:
        """Does a hand reach at all over the board with what stands on it, a card zone, or the discard pile?"""
        if self._in_play is None:
            points = np.concatenate(
                [_board_and_pile(self._table), *(_zone(self._table, n) for n in CARD_ZONES)]
            )
            self._in_play = self._pose.project(points)
        return bool(_looked_up(hand, self._in_play).any())

    def caps(self, markers: Iterable[Marker]) -> Mask:
        """What is behind the miniatures that are in view, from cap to foot, as a small mask."""
        minis = [marker for marker in markers if marker.id in MINI_BY_ID]
        width, height = self._size
        covers = np.zeros((height // STRIDE + 1, width // STRIDE + 1), np.uint8)
        for marker, foot in zip(minis, self._feet_px(minis), strict=True):
            x, y = marker.centre
            radius = marker.side_px * self._table.mini_cap_mm / self._table.mini_marker_mm / 2
            cv2.line(
                covers,
                (round(x / STRIDE), round(y / STRIDE)),
                (round(foot[0] / STRIDE), round(foot[1] / STRIDE)),
                255,
                max(1, round(1.6 * radius / STRIDE)),
            )
            cv2.circle(covers, (round(x / STRIDE), round(y / STRIDE)), round(radius / STRIDE), 255, -1)
        return covers

    def _hidden(self, minis: Sequence[Marker], hand: Mask | None) -> Hidden:
        covers = self.caps(minis)
        without_hand = self._outside | _looked_up(covers, self._faces)
        spaces = self._much_of(without_hand)
        partly = self._those(np.any(_looked_up(covers, self._aside), axis=1))
        if hand is None:
            return Hidden(spaces, partly=partly - spaces)
        reached = _looked_up(hand, self._faces) | _looked_up(hand, self._caps)
        together = self._much_of(without_hand | reached)
        zones = {name for name, points in self._zones.items() if _looked_up(hand, points).any()}
        return Hidden(together | zones, (together - spaces) | self._much_of(reached), partly - together)

    def _much_of(self, covered: NDArray[np.bool_]) -> frozenset[str]:
        """The spaces too much of which is covered."""
        return self._those(covered.mean(axis=1) >= COVERED_SHARE)

    def _those(self, chosen: NDArray[np.bool_]) -> frozenset[str]:
        """The spaces of which this is so."""
        return frozenset(space for space, is_so in zip(self.spaces, chosen, strict=True) if is_so)

    def _feet_px(self, minis: Sequence[Marker]) -> Floats:
        """Where miniatures' feet (n, 2) are in the picture, good to a ring's height."""
        if not minis:
            return np.empty((0, 2))
        height = self._table.mini_height_mm
        caps = self._pose.intersect([marker.centre for marker in minis], 10.0 + height)
        return self._pose.project(caps - np.array([0.0, 0.0, height]))


def _zone(table: Table, name: str) -> Floats:
    """Points (n, 3) in mm spread over a card zone."""
    inner, outer = table.zone_x_mm
    far = max(y for _, y in table.card_slots(0, 2)) + table.card_length_mm / 2
    x, y = np.meshgrid(np.linspace(inner, outer, 14), np.linspace(2.0, far, 16))
    east, north = name.endswith("e"), name[-2] == "n"
    points = np.stack([x if east else -x, y if north else -y, np.zeros_like(x)], axis=-1)
    return np.asarray(points.reshape(-1, 3), dtype=np.float64)


def _board_and_pile(table: Table) -> Floats:
    """Points (n, 3) in mm spread over the board, on it and as high as a miniature there, and over the discard pile."""
    board = table.board
    steps = np.arange(-board.outer_radius_mm, board.outer_radius_mm + STEP_MM, STEP_MM)
    x, y = (each.ravel() for each in np.meshgrid(steps, steps))
    away = np.hypot(x, y)
    on = away <= board.outer_radius_mm + STEP_MM / 2
    rings = np.clip((board.outer_radius_mm - away[on]) / board.ring_width_mm + 1, 0, board.rings + 1)
    top = np.stack([x[on], y[on], board.ring_step_mm * rings + table.mini_height_mm], axis=1)
    left, low = (middle - table.card_length_mm / 2 for middle in table.pile_centre_mm)
    across = np.arange(0.0, table.card_length_mm + STEP_MM, STEP_MM)
    u, v = (each.ravel() for each in np.meshgrid(left + across, low + across))
    return np.concatenate(
        [top, top * (1.0, 1.0, 0.0), np.stack([u, v, np.zeros_like(u)], axis=1)], dtype=np.float64
    )


def _looked_up(mask: Mask, places: Floats) -> NDArray[np.bool_]:
    """Is the small mask set at full-picture pixels (..., 2)?"""
    x = np.clip((places[..., 0] / STRIDE).round().astype(int), 0, mask.shape[1] - 1)
    y = np.clip((places[..., 1] / STRIDE).round().astype(int), 0, mask.shape[0] - 1)
    return np.asarray(mask[y, x] > 0)
