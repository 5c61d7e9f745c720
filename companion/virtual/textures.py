"""Printed and grown surfaces: table tops, the rings' artwork, the cards' faces. Pictures are BGR, uint8."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import CARD_IDS, DEITY_COLOURS, DEITY_NAMES, MARKER_DICTIONARY, Board
from companion.lettering import lettered
from companion.virtual.boxes import bands

Image = NDArray[np.uint8]
Field = NDArray[np.float32]

RING_PX_MM = 4.0
# A JPEG that keeps the colour of every pixel.
_FULL_COLOUR = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444
CARD_PX_MM = 7.0
TABLES = ("oak", "walnut", "pine", "cloth")
_PLANK = {"oak": (70, 118, 172), "walnut": (48, 72, 108), "pine": (120, 172, 214), "cloth": (60, 62, 120)}


def noise(
    rng: np.random.Generator, height: int, width: int, cells: tuple[float, float], octaves: int = 3
) -> Field:
    """Smooth noise in about −1…1; `cells` is the size in pixels (down, across) of its coarsest lumps."""
    total = np.zeros((height, width), dtype=np.float32)
    strength = 1.0
    for octave in range(octaves):
        rows = max(2, int(height / cells[0] * 2**octave) + 2)
        columns = max(2, int(width / cells[1] * 2**octave) + 2)
        seed = rng.uniform(-1, 1, (rows, columns)).astype(np.float32)
        total += strength * cv2.resize(seed, (width, height), interpolation=cv2.INTER_CUBIC)
        strength *= 0.55
    return total


def marker_image(marker: int, module_px: int, quiet_modules: int = 1) -> NDArray[np.uint8]:
    """The printed marker, grey, with a white border of `quiet_modules`; 7 × 7 modules without it."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
    bits = cv2.aruco.generateImageMarker(dictionary, marker, 7)
    bits = np.pad(bits, quiet_modules, constant_values=255)
    # Ink is not quite black and paper not quite white.
    tones = np.where(bits > 127, 236, 26).astype(np.uint8)
    return np.kron(tones, np.ones((module_px, module_px), dtype=np.uint8))


def packed(make: Callable[..., Image], maxsize: int, *, exact: bool = False) -> Callable[..., Image]:
    """`make` with its latest pictures kept, packed: they take long to make, much room, and are seldom needed.

    `exact`: to be packed without loss.
    """

    @lru_cache(maxsize=maxsize)
    def kept(*args: Any) -> NDArray[np.uint8]:
        fine = (cv2.IMWRITE_JPEG_QUALITY, 95, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, _FULL_COLOUR)
        if exact:
            _, file = cv2.imencode(".png", make(*args), (cv2.IMWRITE_PNG_COMPRESSION, 1))
        else:
            _, file = cv2.imencode(".jpg", make(*args), fine)
        return np.asarray(file, dtype=np.uint8)

    def unpacked(*args: Any) -> Image:
        return np.asarray(cv2.imdecode(kept(*args), cv2.IMREAD_COLOR), dtype=np.uint8)

    return unpacked


def _table_top(kind: str, seed: int, width_mm: float, height_mm: float, px_mm: float) -> Image:
    """A table top of `kind` (one of TABLES), seen from above."""
    rng = np.random.default_rng(seed)
    width, height = int(width_mm * px_mm), int(height_mm * px_mm)
    tone = np.array(_PLANK[kind], dtype=np.float32)
    if kind == "cloth":
        return _tartan(rng, width, height, px_mm, tone)
    rows = np.arange(height, dtype=np.float32)[:, None]
    warp = noise(rng, height, width, (90 * px_mm, 300 * px_mm), 3)
    fibre = noise(rng, height, width, (1.2 * px_mm, 60 * px_mm), 2)
    plank = (rows / (95 * px_mm)).astype(np.int32)
    shift = rng.uniform(0, 60, plank.max() + 1).astype(np.float32)[plank]
    bright = rng.uniform(0.9, 1.08, plank.max() + 1).astype(np.float32)[plank]
    top: Image = np.empty((height, width, 3), np.uint8)
    for _, start, _, end in bands((0, 0, width, height)):
        some = slice(start, end)
        growth = np.sin((rows[some] / px_mm + shift[some] + 26 * warp[some]) * 0.75) + 0.6 * np.sin(
            (rows[some] / px_mm + 40 * warp[some]) * 0.21
        )
        shade = bright[some] * (1 + 0.085 * growth + 0.10 * fibre[some] + 0.05 * warp[some])
        seam = np.abs((rows[some] / (95 * px_mm)) % 1 - 0.0)
        shade = shade * np.where(seam < 0.9 / 95, 0.45, 1.0)
        top[some] = np.clip(tone * shade[:, :, None], 0, 255)
    return top


table_top = packed(_table_top, maxsize=2)


def _tartan(rng: np.random.Generator, width: int, height: int, px_mm: float, tone: Field) -> Image:
    across = np.zeros(width, dtype=np.float32)
    down = np.zeros(height, dtype=np.float32)
    for line in (across, down):
        for start, wide, strength in ((0, 22, 0.35), (30, 4, -0.5), (44, 10, 0.6), (62, 3, -0.7)):
            place = (np.arange(line.size) / px_mm) % 80
            line[(place >= start) & (place < start + wide)] += strength
    cloth: Image = np.empty((height, width, 3), np.uint8)
    for _, start, _, end in bands((0, 0, width, height)):
        weave = rng.uniform(0.85, 1.1, (end - start, width)).astype(np.float32)
        shade = (1 + 0.4 * across[None, :] + 0.4 * down[start:end, None]) * weave
        cloth[start:end] = np.clip(tone * shade[:, :, None], 0, 235)
    return cloth


_GROUND = (
    ((38, 92, 88), (52, 128, 122)),
    ((36, 78, 84), (58, 110, 118)),
    ((62, 72, 82), (104, 122, 136)),
    ((122, 104, 92), (196, 180, 164)),
    ((150, 128, 108), (214, 200, 186)),
    ((128, 140, 152), (208, 214, 218)),
)
_GOLD, _DARK = (110, 172, 196), (28, 44, 60)


def _ring_print(board: Board, ring: int, seed: int) -> Image:
    """The artwork of one ring (`rings + 1`: the summit) as a square around its centre, north up."""
    rng = np.random.default_rng((seed, ring))
    summit = ring > board.rings
    radius = board.summit_radius_mm if summit else board.ring_radii(ring)[1]
    inner = 0.0 if summit else board.ring_radii(ring)[0]
    size = int((radius + 3) * 2 * RING_PX_MM)
    middle = (size - 1) / 2
    low, high = ((92, 190, 222), (196, 236, 246)) if summit else _GROUND[(ring - 1) * 6 // board.rings]
    lumps = noise(rng, size, size, (46 * RING_PX_MM, 46 * RING_PX_MM), 5)
    art: Image = np.empty((size, size, 3), np.uint8)
    for _, start, _, end in bands((0, 0, size, size)):
        mix = np.clip(0.5 + 0.55 * lumps[start:end], 0, 1)[:, :, None]
        image = np.array(low, np.float32) * (1 - mix) + np.array(high, np.float32) * mix
        grain = rng.normal(1.0, 0.035, (end - start, size, 1)).astype(np.float32)
        art[start:end] = np.clip(image * grain, 0, 255)
    if summit:
        _sun(art, middle, radius)
        return art
    _scatter(art, rng, ring, board, middle, inner, radius)
    _lines(art, board, middle, inner, radius)
    _lettering(art, board, ring, middle, inner, radius)
    # What the next ring covers, however it lies, is bare cardboard.
    bare = tuple((a + b) / 2 for a, b in zip(low, high, strict=True))
    cv2.circle(art, _point(middle, 0, 0), round(max(inner - 14, 0) * RING_PX_MM * 16), bare, -1, shift=4)
    return art


# The rings of two boards.
ring_print = packed(_ring_print, maxsize=14)


def _point(middle: float, radius: float, angle: float) -> tuple[int, int]:
    """Drawing coordinates with 4 fractional bits of a polar place on the print."""
    x = middle + radius * RING_PX_MM * math.cos(math.radians(angle))
    y = middle - radius * RING_PX_MM * math.sin(math.radians(angle))
    return (round(x * 16), round(y * 16))


def _scatter(
    art: Image, rng: np.random.Generator, ring: int, board: Board, middle: float, inner: float, radius: float
) -> None:
    for _ in range(int((radius**2 - inner**2) * 0.012)):
        place, angle = float(rng.uniform(inner + 2, radius - 2)), float(rng.uniform(0, 360))
        centre = _point(middle, place, angle)
        if ring * 6 <= 2 * board.rings:
            green = (30 + int(rng.integers(30)), 84 + int(rng.integers(50)), 40 + int(rng.integers(50)))
            size = round(float(rng.uniform(0.7, 1.6)) * RING_PX_MM * 16)
            cv2.circle(art, (centre[0] + 12, centre[1] + 14), size, (16, 38, 30), -1, cv2.LINE_AA, 4)
            cv2.circle(art, centre, size, green, -1, cv2.LINE_AA, 4)
        elif ring * 6 <= 3 * board.rings:
            if rng.random() < 0.25:
                _temple(art, centre, float(rng.uniform(1.6, 2.6)))
            else:
                rock = int(rng.integers(60, 150))
                axes = (round(float(rng.uniform(8, 26)) * 4), round(float(rng.uniform(6, 12)) * 4))
                cv2.ellipse(art, centre, axes, float(angle), 0, 360, (rock, rock, rock), 2, cv2.LINE_AA, 4)
        elif rng.random() < 0.12:
            _temple(art, centre, float(rng.uniform(1.6, 2.6)))
        else:
            axes = (round(float(rng.uniform(1.5, 4)) * 64), round(float(rng.uniform(0.8, 1.8)) * 64))
            tone = int(rng.integers(196, 246))
            cv2.ellipse(art, centre, axes, 0, 0, 360, (tone, tone - 3, tone - 8), -1, cv2.LINE_AA, 4)


def _temple(art: Image, centre: tuple[int, int], size_mm: float) -> None:
    x, y, s = centre[0] / 16, centre[1] / 16, size_mm * RING_PX_MM
    stone, edge = (206, 212, 216), (96, 100, 104)
    roof = np.array([[x - s, y - s * 0.4], [x, y - s], [x + s, y - s * 0.4]])
    cv2.fillConvexPoly(art, np.round(roof * 16).astype(np.int32), stone, cv2.LINE_AA, 4)
    cv2.polylines(art, [np.round(roof * 16).astype(np.int32)], True, edge, 1, cv2.LINE_AA, 4)
    for k in (-0.75, -0.25, 0.25, 0.75):
        foot, top = (
            (round((x + k * s) * 16), round((y + s * 0.8) * 16)),
            (
                round((x + k * s) * 16),
                round((y - s * 0.35) * 16),
            ),
        )
        cv2.line(art, top, foot, stone, max(1, round(s * 0.22)), cv2.LINE_AA, 4)


def _lines(art: Image, board: Board, middle: float, inner: float, radius: float) -> None:
    step = 360.0 / board.columns
    for column in range(board.columns):
        angle = board.column_angle(column) + step / 2
        start, end = _point(middle, max(inner - 8, 2), angle), _point(middle, radius - 0.6, angle)
        cv2.line(art, start, end, _DARK, 4, cv2.LINE_AA, 4)
        cv2.line(art, start, end, _GOLD, 2, cv2.LINE_AA, 4)
    centre = _point(middle, 0, 0)
    for where, colour, wide in ((radius - 0.4, _DARK, 4), (radius - 1.0, _GOLD, 2)):
        cv2.circle(art, centre, round(where * RING_PX_MM * 16), colour, wide, cv2.LINE_AA, 4)


@lettered
def _lettering(art: Image, board: Board, ring: int, middle: float, inner: float, radius: float) -> None:
    step = 360.0 / board.columns
    _write(art, str(ring), middle, (inner + radius) / 2 + 1, board.column_angle(0) + 2.0, 1.15)
    if ring == 1:
        for column in range(board.columns):
            angle = board.column_angle(column) - step * 0.40
            _write(art, chr(ord("a") + column), middle, radius - 5.5, angle, 0.95)


def _write(art: Image, text: str, middle: float, radius: float, angle: float, scale: float) -> None:
    """Letter a place of the print, its foot towards the centre."""
    font = cv2.FONT_HERSHEY_TRIPLEX
    (wide, high), _ = cv2.getTextSize(text, font, scale, 2)
    patch = np.zeros((60, 60), dtype=np.uint8)
    cv2.putText(patch, text, (30 - wide // 2, 30 + high // 2), font, scale, 255, 2, cv2.LINE_AA)
    turned = cv2.warpAffine(patch, cv2.getRotationMatrix2D((29.5, 29.5), angle - 90, 1.0), (60, 60))
    x, y = (round(v / 16) - 30 for v in _point(middle, radius, angle))
    target = art[y : y + 60, x : x + 60]
    for mask, colour in (
        (cv2.dilate(turned, np.ones((5, 5), np.uint8)), (40, 52, 58)),
        (turned, (214, 232, 238)),
    ):
        share = (mask.astype(np.float32) / 255)[: target.shape[0], : target.shape[1], None]
        target[:] = (target * (1 - share) + np.array(colour, np.float32) * share).astype(np.uint8)


def _sun(art: Image, middle: float, radius: float) -> None:
    for ray in range(16):
        angle = 22.5 * ray + 5
        wedge = [_point(middle, radius * 0.42, angle)]
        wedge += [_point(middle, radius - 2, angle - 3.4), _point(middle, radius - 2, angle + 3.4)]
        cv2.fillConvexPoly(art, np.array(wedge, dtype=np.int32), (62, 160, 218), cv2.LINE_AA, 4)
    centre = _point(middle, 0, 0)
    cv2.circle(art, centre, round(0.36 * radius * RING_PX_MM * 16), (206, 224, 230), -1, cv2.LINE_AA, 4)
    for where, colour, wide in (
        (0.36 * radius, _DARK, 3),
        (radius - 0.4, _DARK, 4),
        (radius - 1.2, _GOLD, 3),
    ):
        cv2.circle(art, centre, round(where * RING_PX_MM * 16), colour, wide, cv2.LINE_AA, 4)
    _temple(art, centre, radius * 0.2)


def _card_face(deity: str, number: int, powered: bool) -> Image:
    """One side of a deity card with its marker in the middle, CARD_PX_MM pixels to the millimetre."""
    width, height = int(44 * CARD_PX_MM), int(68 * CARD_PX_MM)
    rng = np.random.default_rng((sum(deity.encode()), number))
    colour = np.array(DEITY_COLOURS[deity][::-1], dtype=np.float32)
    if not powered:
        colour = colour * 0.22 + 52
    lumps = noise(rng, height, width, (90, 90), 5)[:, :, None]
    mix = np.clip(0.55 + 0.5 * lumps, 0, 1)
    image = colour * 0.62 * (1 - mix) + (colour * 0.55 + (112 if powered else 60)) * mix
    art: Image = np.clip(image, 0, 255).astype(np.uint8)
    for _ in range(16):
        x, y = (
            int(rng.integers(20, width - 50)),
            int(rng.choice([rng.integers(70, 150), rng.integers(330, 410)])),
        )
        tone = tuple(int(v) for v in np.clip(colour * rng.uniform(0.5, 1.3), 0, 255))
        cv2.rectangle(art, (x, y), (x + int(rng.integers(14, 46)), y + int(rng.integers(10, 26))), tone, -1)
    cream = (196, 218, 226) if powered else (96, 96, 98)
    ink = (40, 44, 52)
    cv2.rectangle(art, (16, 14), (width - 17, 58), cream, -1)
    cv2.rectangle(art, (16, 14), (width - 17, 58), ink, 2)
    _caption(art, DEITY_NAMES[deity].upper(), width // 2, 46, 0.95, ink)
    footer = f"{'POWERED' if powered else 'SPENT'} {number}"
    _caption(art, footer, width // 2, height - 26, 0.8, (232, 236, 238) if powered else (150, 150, 150))
    edge = tuple(int(v) for v in np.clip(colour * 0.5 + (120 if powered else 40), 0, 255))
    cv2.rectangle(art, (5, 5), (width - 6, height - 6), edge, 5)
    module = int(18 * CARD_PX_MM) // 7
    marker = marker_image(CARD_IDS[(deity, number, powered)], module)
    top, left = (height - marker.shape[0]) // 2, (width - marker.shape[1]) // 2
    art[top : top + marker.shape[0], left : left + marker.shape[1]] = marker[:, :, None]
    return art


# Both sides of all the cards.
card_face = packed(_card_face, len(CARD_IDS), exact=True)


@lettered
def _caption(art: Image, text: str, x: int, y: int, scale: float, colour: tuple[int, int, int]) -> None:
    font = cv2.FONT_HERSHEY_TRIPLEX
    (wide, _), _ = cv2.getTextSize(text, font, scale, 2)
    cv2.putText(art, text, (x - wide // 2, y), font, scale, colour, 2, cv2.LINE_AA)
