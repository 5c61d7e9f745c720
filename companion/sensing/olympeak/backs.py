"""Cards face down: a back carries no print, so the card itself is looked for, an outline of exactly its size.

What counts is not how strong an edge is but how much of one piece it is all along a side: the grain of wood, the
stripes of cloth and the pattern of a back are strong and broken, a card's edge is the same from end to end, on a
dark table and on a light one. Four such lines at the distances of a card's sides do not come about by chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.olympeak.box import Table
from companion.sensing.frames import Image
from companion.sensing.geometry import CameraPose, Floats

Singles = NDArray[np.float32]

# Sums over four sides of how much each is one line (0…1): cards come to 3.6 and more, with no side below 0.65; wood
# to 2.9, cloth in squares to 3.6. But a card's sides end at its corners, and the lines of a cloth or between planks
# run on: the share of the sides' edges that is still there beyond the corners counts against, so many times.
ONE_CARD = 3.3
WEAKEST_SIDE = 0.45
RUNS_ON_COUNTS = 2.0
ENDS_AT_CORNERS = 3.0
BEYOND_MM = 10.0
# How far off its zone's middle and how far turned a card is looked for.
OFF_MM = 14.0
TURN_DEG = 20.0
COARSE_PX_PER_MM, COARSE_STEP_DEG = 1.0, 2.0
FINE_PX_PER_MM, FINE_STEP_DEG, FINE_OFF_MM = 2.0, 0.5, 2.5
# A card's corners are round: its sides are looked at without them.
ROUND_MM = 6.0
BENT_MM = 1.0
# Grey levels of noise that do not count as an edge.
FLAT = 2.0
# The dark square of a face's print in its white: a face that cannot be read is not a back.
PRINT_SHOWS = 0.62


@dataclass(frozen=True, slots=True)
class Outline:
    """A card's outline: its middle (x, y) mm, its turn in degrees, and how much its sides are lines (0…4)."""

    at: tuple[float, float]
    turn_deg: float
    lines: float
    corners_px: tuple[tuple[float, float], ...]


def card_outline(image: Image, pose: CameraPose, centre: tuple[float, float], table: Table) -> Outline | None:
    """A card that lies about `centre`, face up or down; None if none does, or it is partly hidden."""
    size = table.card_mm
    reach = max(size) / 2 + OFF_MM
    x, y = centre
    corners = pose.project([[x + a * reach, y + b * reach, BENT_MM] for a in (-1, 1) for b in (-1, 1)])
    width, height = pose.camera.size
    if (corners < 0).any() or (corners[:, 0] >= width).any() or (corners[:, 1] >= height).any():
        return None
    turns = np.arange(-TURN_DEG, TURN_DEG + 0.1, COARSE_STEP_DEG)
    best = max(
        (_best_at(image, pose, centre, turn, OFF_MM, size, COARSE_PX_PER_MM) for turn in turns),
        key=lambda found: found[0],
    )
    if best[0] < 0.8 * ONE_CARD:
        return None
    near = np.arange(-COARSE_STEP_DEG, COARSE_STEP_DEG + 0.1, FINE_STEP_DEG)
    score, weakest, at, turn = max(
        (_best_at(image, pose, best[2], best[3] + step, FINE_OFF_MM, size, FINE_PX_PER_MM) for step in near),
        key=lambda found: found[0],
    )
    if score < ONE_CARD or weakest < WEAKEST_SIDE:
        return None
    if score - RUNS_ON_COUNTS * _runs_on(image, pose, at, turn, size) < ENDS_AT_CORNERS:
        return None
    half = np.array(size) / 2
    square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half
    on_table = np.array(at) + square @ _turned(turn).T
    pixels = pose.project(np.column_stack([on_table, np.full(4, BENT_MM)]))
    return Outline(at, turn, score, tuple((float(u), float(v)) for u, v in pixels))


def shows_print(image: Image, pose: CameraPose, outline: Outline, table: Table) -> bool:
    """Does a card with this outline show a print in its corner, upright or upside down?"""
    half_w, half_h = table.card_mm[0] / 2, table.card_mm[1] / 2
    inset, side = table.card_marker_inset_mm, table.card_marker_mm
    cell = side / 7
    reach = side / 2 + cell
    spare = 3.0
    for sign in (1, -1):
        offset = np.array([sign * (inset - half_w), sign * (half_h - inset)])
        at = np.array(outline.at) + _turned(outline.turn_deg) @ offset
        patch = _patch(
            image, pose, (float(at[0]), float(at[1])), outline.turn_deg, (reach + spare,) * 2, FINE_PX_PER_MM
        )
        gray = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
        count = round(2 * reach * FINE_PX_PER_MM)
        axis = (np.arange(count) + 0.5) / FINE_PX_PER_MM - reach
        ring = np.maximum(*np.abs(np.meshgrid(axis, axis)))
        template = (ring > side / 2).astype(np.float32)
        mask = (ring > side / 2 - cell).astype(np.float32)
        if float(cv2.matchTemplate(gray, template, cv2.TM_CCOEFF_NORMED, mask=mask).max()) >= PRINT_SHOWS:
            return True
    return False


def _turned(degrees: float) -> Floats:
    turn = np.radians(degrees)
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def _patch(
    image: Image,
    pose: CameraPose,
    centre: tuple[float, float],
    turn_deg: float,
    half_mm: tuple[float, float],
    px_per_mm: float,
) -> Image:
    """The table around `centre` seen from straight above, turned so that a card turned by `turn_deg` is upright."""
    half = np.array(half_mm)
    square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half
    on_table = np.array(centre) + square @ _turned(turn_deg).T
    pixels = pose.project(np.column_stack([on_table, np.full(4, BENT_MM)]))
    wide, tall = (round(float(2 * value) * px_per_mm) for value in half)
    # Pixel centres are at whole numbers.
    flat = np.array([[-0.5, -0.5], [wide - 0.5, -0.5], [wide - 0.5, tall - 0.5], [-0.5, tall - 0.5]])
    warp = cv2.getPerspectiveTransform(flat.astype(np.float32), pixels.astype(np.float32))
    patch = cv2.warpPerspective(
        image,
        warp,
        (wide, tall),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(patch, dtype=np.uint8)


def _soft(patch: Image, px_per_mm: float) -> Singles:
    """A patch smoothed over half a millimetre."""
    soft = cv2.GaussianBlur(patch.astype(np.float32), (0, 0), 0.5 * px_per_mm)
    return np.asarray(soft, dtype=np.float32)


def _best_at(
    image: Image,
    pose: CameraPose,
    centre: tuple[float, float],
    turn_deg: float,
    off_mm: float,
    size_mm: tuple[float, float],
    px_per_mm: float,
) -> tuple[float, float, tuple[float, float], float]:
    """The best outline with one turn: its score, its weakest side, its middle and the turn."""
    spare = 2.0
    half = (size_mm[0] / 2 + off_mm + spare, size_mm[1] / 2 + off_mm + spare)
    patch = _soft(_patch(image, pose, centre, turn_deg, half, px_per_mm), px_per_mm)
    across = np.zeros_like(patch)
    along = np.zeros_like(patch)
    across[:, 1:-1] = patch[:, 2:] - patch[:, :-2]
    along[1:-1] = patch[2:] - patch[:-2]
    tall = int((size_mm[1] - 2 * ROUND_MM) * px_per_mm)
    wide = int((size_mm[0] - 2 * ROUND_MM) * px_per_mm)
    upright = cv2.dilate(_one_line(across, (1, tall)), np.ones((1, 3)))
    level = cv2.dilate(_one_line(along, (wide, 1)), np.ones((3, 1)))
    a, b = round(size_mm[0] / 2 * px_per_mm), round(size_mm[1] / 2 * px_per_mm)
    sides = np.stack(
        [
            upright[b:-b, : -2 * a],
            upright[b:-b, 2 * a :],
            level[: -2 * b, a:-a],
            level[2 * b :, a:-a],
        ]
    )
    lines = sides.sum(axis=0)
    row, column = np.unravel_index(int(np.argmax(lines)), lines.shape)
    offset = (
        np.array([column - (lines.shape[1] - 1) / 2, (lines.shape[0] - 1) / 2 - row], dtype=np.float64)
        / px_per_mm
    )
    at = np.array(centre) + _turned(turn_deg) @ offset
    return (
        float(lines[row, column]),
        float(sides[:, row, column].min()),
        (float(at[0]), float(at[1])),
        float(turn_deg),
    )


def _runs_on(
    image: Image,
    pose: CameraPose,
    centre: tuple[float, float],
    turn_deg: float,
    size_mm: tuple[float, float],
) -> float:
    """How much of the edges of an outline's sides is still there beyond its corners: 0 nothing, 1 all of it."""
    scale = FINE_PX_PER_MM
    spare = BEYOND_MM + 4.0
    half = (size_mm[0] / 2 + spare, size_mm[1] / 2 + spare)
    patch = _soft(_patch(image, pose, centre, turn_deg, half, scale), scale)
    shares = []
    for picture, long_mm, short_mm in (
        (patch, size_mm[1], size_mm[0]),
        (patch.transpose(1, 0, 2), size_mm[0], size_mm[1]),
    ):
        # Upright sides of the picture: rows run along them.
        steps = picture[:, 2:] - picture[:, :-2]
        middle_row, middle = picture.shape[0] / 2, steps.shape[1] / 2
        ends = long_mm / 2 * scale
        inner = round(ends - ROUND_MM * scale)
        first, last = round(middle_row - inner), round(middle_row + inner)
        for sign in (-1, 1):
            column = round(middle + sign * short_mm / 2 * scale - 0.5)
            near = steps[first:last, column - 3 : column + 4].mean(axis=0)
            k = int(np.argmax(np.linalg.norm(near, axis=1)))
            edge = near[k]
            beyond = [
                steps[round(middle_row - ends - BEYOND_MM * scale) : round(middle_row - ends - 2 * scale)],
                steps[round(middle_row + ends + 2 * scale) : round(middle_row + ends + BEYOND_MM * scale)],
            ]
            there = [
                float(
                    (part[:, column - 4 + k : column - 1 + k].mean(axis=0) @ edge).max()
                    / (edge @ edge + FLAT)
                )
                for part in beyond
            ]
            shares.append(min(max(float(np.mean(there)), 0.0), 1.0))
    return float(np.mean(shares))


def _one_line(steps: Singles, kernel: tuple[int, int]) -> Singles:
    """How much (0…1) the steps (h, w, 3) from pixel to pixel are the same all along a line of a kernel's length."""
    mean = np.asarray(cv2.blur(steps, kernel, borderType=cv2.BORDER_CONSTANT), dtype=np.float32)
    power = cv2.blur(_squares(steps), kernel, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(np.sqrt(_squares(mean) / (power + 3 * FLAT**2)), dtype=np.float32)


def _squares(picture: Singles) -> Singles:
    """The sum of a pixel's squared colours, (h, w, 3) → (h, w)."""
    return np.asarray(cv2.transform(picture * picture, np.ones((1, 3), np.float32)), dtype=np.float32)
