"""Pieces as the camera sees them: exact corners, drawn enlarged and averaged down to true edges."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import DEITY_COLOURS, TOKEN_COLOURS, Table
from companion.virtual.boxes import Box, box_at, common, hull, within
from companion.virtual.optics import Optics
from companion.virtual.piece import CARD_THICKNESS_MM, Piece
from companion.virtual.textures import CARD_PX_MM, Image, card_face, marker_image

Floats = NDArray[np.float64]

# Drawings are made this much larger than the picture and averaged down.
OVER = 3
_MODULE_PX = 12
_AROUND = np.linspace(0, 2 * math.pi, 33)[:-1]
_CIRCLE = np.stack([np.cos(_AROUND), np.sin(_AROUND), np.zeros(32)], axis=1)
# Where the light comes from, as the direction in which shadows fall and their length per height.
SHADOW_SLOPE = (0.22, -0.38)


@dataclass(frozen=True, slots=True)
class Shade:
    """A shadow at (left, top): what is below is multiplied by `share` (h, w) uint8, 255 meaning 1."""

    left: int
    top: int
    share: Image


@dataclass(frozen=True, slots=True)
class Sprite:
    """A drawn thing at (left, top): what is below is darkened by `shadow`, then multiplied by `through`, then
    `colour` is added. `colour` (h, w, 3) uint8 BGR; `through` (h, w) uint8, 255 meaning 1."""

    left: int
    top: int
    colour: Image
    through: Image
    shadow: Shade | None = None
    # What thing and shadow take up together.
    box: Box = field(init=False)

    def __post_init__(self) -> None:
        own, shade = box_at(self.left, self.top, self.colour), self.shadow
        box = own if shade is None else hull([own, box_at(shade.left, shade.top, shade.share)])
        object.__setattr__(self, "box", box)


def lay(canvas: Image, origin: tuple[int, int], sprite: Sprite, *, shadow: bool) -> None:
    """Draw a sprite (or only its shadow) onto a canvas whose top left pixel is picture pixel `origin`."""
    whole = box_at(*origin, canvas)
    shade = sprite.shadow
    if shadow:
        if shade is not None:
            box = common(whole, box_at(shade.left, shade.top, shade.share))
            if box[0] < box[2] and box[1] < box[3]:
                _darken(within(canvas, origin, box), within(shade.share, (shade.left, shade.top), box))
        return
    at = (sprite.left, sprite.top)
    box = common(whole, box_at(*at, sprite.colour))
    if box[0] < box[2] and box[1] < box[3]:
        target = within(canvas, origin, box)
        _darken(target, within(sprite.through, at, box))
        cv2.add(target, within(sprite.colour, at, box), dst=target)


def _darken(target: Image, share: Image) -> None:
    cv2.multiply(target, cv2.cvtColor(share, cv2.COLOR_GRAY2BGR), dst=target, scale=1 / 255)


@cache
def _tone_curve(gamma: float) -> NDArray[np.float32]:
    return np.asarray((np.arange(256) / 255.0) ** gamma, dtype=np.float32)


def to_light(picture: Image, gamma: float) -> NDArray[np.float32]:
    """Grey values 0…255 → light 0…1."""
    return np.asarray(cv2.LUT(picture, _tone_curve(gamma)), dtype=np.float32)


def to_grey(light: NDArray[np.float32], gamma: float) -> Image:
    """Light 0…1 → grey values 0…255."""
    return np.asarray(cv2.convertScaleAbs(cv2.pow(light, 1 / gamma), alpha=255.0), dtype=np.uint8)


class Pad:
    """A sheet to draw a sprite on, `over` times the picture's size, with coverage.

    `gamma`: with other than 1, pixels average light, not grey values (`Look`).
    """

    def __init__(self, pixels: Floats, margin: int, gamma: float = 1.0, over: int = OVER) -> None:
        self._gamma = gamma
        self._over = over
        low = np.floor(pixels.min(axis=0)).astype(int) - margin
        high = np.ceil(pixels.max(axis=0)).astype(int) + margin
        self.left, self.top = int(low[0]), int(low[1])
        self.width, self.height = int(high[0] - low[0]) + 1, int(high[1] - low[1]) + 1
        self.colour: Image = np.zeros((self.height * over, self.width * over, 3), dtype=np.uint8)
        self.cover: NDArray[np.uint8] = np.zeros((self.height * over, self.width * over), dtype=np.uint8)

    def onto(self, pixels: Floats) -> Floats:
        """Picture coordinates → the pad's, both with whole numbers in the middle of a pixel."""
        moved: Floats = (pixels - (self.left, self.top) + 0.5) * self._over - 0.5
        return moved

    def polygon(self, pixels: Floats, colour: tuple[float, ...]) -> None:
        """Fill a convex polygon given in picture coordinates."""
        points = np.round(self.onto(pixels) * 16).astype(np.int32)
        cv2.fillConvexPoly(self.colour, points, colour, cv2.LINE_8, 4)
        cv2.fillConvexPoly(self.cover, points, 255, cv2.LINE_8, 4)

    def print(
        self, image: NDArray[np.uint8], corners: Floats, pixels: Floats, outline: Floats | None
    ) -> None:
        """Stick a picture on: its `corners` (4, 2) come to lie on `pixels`; cut to `outline` if given."""
        warp = cv2.getPerspectiveTransform(corners.astype(np.float32), self.onto(pixels).astype(np.float32))
        size = (self.colour.shape[1], self.colour.shape[0])
        sheet = image if image.ndim == 3 else cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
        turned = cv2.warpPerspective(
            sheet, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = np.zeros_like(self.cover)
        if outline is None:
            edge = np.array([[0, 0], [sheet.shape[1], 0], sheet.shape[1::-1], [0, sheet.shape[0]]]) - 0.5
            points = cv2.perspectiveTransform(edge[None].astype(np.float64), warp)[0]
        else:
            points = self.onto(outline)
        cv2.fillConvexPoly(mask, np.round(points * 16).astype(np.int32), 255, cv2.LINE_8, 4)
        cv2.copyTo(turned, mask, self.colour)
        cv2.bitwise_or(self.cover, mask, dst=self.cover)

    def done(self, shadow: Shade | None = None) -> Sprite:
        """Average down to picture size."""
        size = (self.width, self.height)
        if self._gamma == 1.0:
            colour = cv2.resize(self.colour, size, interpolation=cv2.INTER_AREA)
        else:
            light = cv2.resize(to_light(self.colour, self._gamma), size, interpolation=cv2.INTER_AREA)
            colour = to_grey(np.asarray(light, dtype=np.float32), self._gamma)
        cover = cv2.resize(self.cover, size, interpolation=cv2.INTER_AREA)
        through = np.asarray(cv2.bitwise_not(cover), np.uint8)
        return Sprite(self.left, self.top, np.asarray(colour, np.uint8), through, shadow)


def shadow_of(outlines: list[Floats], strength: float, soft_px: float) -> Shade:
    """A soft shadow in the shape of the outlines' hull, in picture size."""
    points = np.concatenate(outlines)
    margin = math.ceil(3 * soft_px) + 2
    low = np.floor(points.min(axis=0)).astype(int) - margin
    size = np.ceil(points.max(axis=0)).astype(int) + margin + 1 - low
    mask = np.zeros((int(size[1]), int(size[0])), dtype=np.uint8)
    hull_px = cv2.convexHull((points - low).astype(np.float32))
    cv2.fillConvexPoly(mask, np.round(hull_px * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), soft_px)
    share = np.asarray(cv2.convertScaleAbs(soft, alpha=-strength, beta=255), dtype=np.uint8)
    return Shade(int(low[0]), int(low[1]), share)


def draw(piece: Piece, optics: Optics, table: Table, ground_z: float) -> Sprite:
    """The piece as it lies or hangs; `ground_z`: height in mm of what its shadow falls on."""
    if piece.kind == "mini":
        return _mini(piece, optics, table, ground_z)
    if piece.kind == "token":
        return _token(piece, optics, table, ground_z)
    return _card(piece, optics, table)


def _rings(piece: Piece, optics: Optics, levels: list[tuple[float, float]]) -> Floats:
    """Outlines in the picture (n, 32, 2) of circles about the piece's axis: (height, radius) each."""
    frame = piece.pose.frame()
    foot = np.array([piece.pose.x, piece.pose.y, piece.pose.z])
    local = np.concatenate([_CIRCLE * radius + (0, 0, height) for height, radius in levels])
    return optics.project(foot + local @ frame.T).reshape(len(levels), 32, 2)


def _shadow_of(outline_mm: Floats, optics: Optics, ground_z: float) -> Floats:
    drop = (outline_mm[:, 2] - ground_z)[:, None]
    fallen = outline_mm[:, :2] + drop * np.array(SHADOW_SLOPE)
    return optics.project(np.column_stack([fallen, np.full(len(fallen), ground_z)]))


def _mini(piece: Piece, optics: Optics, table: Table, ground_z: float) -> Sprite:
    height, base, cap = table.mini_height_mm, table.mini_base_mm / 2, table.mini_cap_mm / 2
    body = [(0.0, base), (2.5, base), (4.5, base * 0.93), (5.0, base * 0.74)]
    body += [(5.0 + k * (height - 7.0) / 8, base * (0.74 - 0.02 * k)) for k in range(1, 9)]
    outlines = _rings(piece, optics, [*body, (height - 1.4, cap), (height, cap)])
    frame = piece.pose.frame()
    foot = np.array([piece.pose.x, piece.pose.y, piece.pose.z])
    shades = [
        _shadow_of(foot + (_CIRCLE * r + (0, 0, z)) @ frame.T, optics, ground_z)
        for z, r in ((0.0, base), (height, cap))
    ]
    pad = Pad(outlines.reshape(-1, 2), 2)
    tone = np.array(DEITY_COLOURS[piece.what][::-1], dtype=np.float64)
    up = optics.scale_at(piece.pose.z) * 0.8
    for n, (outline, (z, _)) in enumerate(zip(outlines, body, strict=False)):
        middle = outline.mean(axis=0)
        light = 0.42 + 0.5 * z / height + (0.14 if n == 2 else 0.0)
        pad.polygon(outline, tuple(np.clip(tone * light * 0.8, 0, 255)))
        lit = middle + (outline - middle) * 0.72 + (-0.2 * up, -0.35 * up)
        pad.polygon(lit, tuple(np.clip(tone * light * 1.1 + 8, 0, 255)))
    pad.polygon(outlines[-2], (120, 126, 130))
    pad.polygon(outlines[-1], (232, 236, 238))
    _stick_marker(pad, piece, optics, table, outlines[-1])
    return pad.done(shadow_of(shades, 0.45, 4.0))


def _token(piece: Piece, optics: Optics, table: Table, ground_z: float) -> Sprite:
    radius, height = table.token_diameter_mm / 2, table.token_height_mm
    outlines = _rings(piece, optics, [(0.0, radius), (height, radius), (height, radius - 0.5)])
    shade = outlines[0] + np.array([SHADOW_SLOPE[0], -SHADOW_SLOPE[1]]) * 3
    if piece.pose.z > ground_z + 1:
        ring = np.array([piece.pose.x, piece.pose.y, piece.pose.z]) + _CIRCLE * radius
        shade = _shadow_of(ring, optics, ground_z)
    pad = Pad(outlines.reshape(-1, 2), 2)
    tone = np.array(TOKEN_COLOURS[piece.what][::-1], dtype=np.float64)
    pad.polygon(outlines[0], tuple(tone * 0.55))
    pad.polygon(outlines[1], tuple(tone * 0.92))
    pad.polygon(outlines[2], (234, 238, 240))
    _stick_marker(pad, piece, optics, table, outlines[2])
    return pad.done(shadow_of([shade], 0.5, 2.2))


def _stick_marker(pad: Pad, piece: Piece, optics: Optics, table: Table, outline: Floats) -> None:
    image = marker_image(piece.marker, _MODULE_PX)
    edge, far = _MODULE_PX - 0.5, 8 * _MODULE_PX - 0.5
    corners = np.array([[edge, edge], [far, edge], [far, far], [edge, far]])
    pad.print(image, corners, optics.project(piece.marker_corners(table)), outline)


def _card(piece: Piece, optics: Optics, table: Table) -> Sprite:
    wide, long = table.card_width_mm / 2, table.card_length_mm / 2
    bent = 3.0
    rim = []
    for sx, sy, start in ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)):
        for angle in (start, start + 30, start + 60, start + 90):
            c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            rim.append((sx * (wide - bent) + bent * c, sy * (long - bent) + bent * s, CARD_THICKNESS_MM))
    frame = piece.pose.frame()
    foot = np.array([piece.pose.x, piece.pose.y, piece.pose.z])
    outline = optics.project(foot + np.array(rim) @ frame.T)
    face = card_face(piece.what, piece.number, piece.powered)
    half = table.card_marker_mm * CARD_PX_MM / 2
    cx, cy = (face.shape[1] - 1) / 2, (face.shape[0] - 1) / 2
    corners = np.array(
        [[cx - half, cy - half], [cx + half, cy - half], [cx + half, cy + half], [cx - half, cy + half]]
    )
    lifted = 2.0 + max(0.0, piece.pose.z - 6) * 0.5
    shade = outline + np.array([SHADOW_SLOPE[0], -SHADOW_SLOPE[1]]) * 3 * lifted
    pad = Pad(outline, 2)
    pad.print(face, corners, optics.project(piece.marker_corners(table)), outline)
    return pad.done(shadow_of([shade], 0.45, 2.0))


def frame_marker(
    marker: int, place: tuple[float, float, float], optics: Optics, table: Table, gamma: float = 1.0
) -> Sprite:
    """A corner marker of the table on its white card, lying at `place`: x, y in mm, turned by degrees."""
    half = table.frame_marker_mm / 2
    module = 24
    image = marker_image(marker, module)
    edge, far = module - 0.5, 8 * module - 0.5
    corners = np.array([[edge, edge], [far, edge], [far, far], [edge, far]])
    x, y, turned = place
    square = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
    c, s = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    world = np.column_stack([square @ np.array([[c, s], [-s, c]]) + (x, y), np.full(4, 0.1)])
    pixels = optics.project(world)
    middle = pixels.mean(axis=0)
    pad = Pad(middle + (pixels - middle) * 1.45, 8, gamma)
    pad.print(image, corners, pixels, None)
    outline = middle + (pixels - middle) * 9 / 7
    return pad.done(shadow_of([outline + np.array([1.5, 2.5])], 0.4, 2.0))
