"""Pictures without a single marker of the table, full of what might be taken for one.

Wood, cloth and foliage, the bare board and hands over it, patterned shirts, QR codes and crosswords, text, dice, black
frames with other cells, codes of other families; each at the size prints have, in the same light, blur and noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import segno
from numpy.typing import NDArray

from companion.games.above.box import Table
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.grey import gray_of
from companion.sensing.markers import Gray, dictionary
from companion.sensing.print_model import bits
from companion.virtual.scene import HandPose
from companion.virtual.textures import TABLES, noise, table_top
from tests.sensing.prints import corners_at, stick
from tests.sensing.shots import RenderedAbove

Rng = np.random.Generator
Drawer = Callable[[Rng, Gray], None]

SMALL, FULL = (480, 320), (2304, 1296)
WORDS = ("Zeus", "Hera", "thunder", "OLYMPUS", "12:45", "no.", "A1", "B2", "HHEE", "EHEH", "0123456789")
# Sides of prints in pixels: tokens, miniatures, cards and what lies between.
SIDES = (22.0, 60.0)
# Blur, as sigma in pixels.
FOCUS_PX = (0.5, 0.8, 1.3, 2.0)
# Codes of other families, as they stand on boxes and games.
FAMILIES = (cv2.aruco.DICT_4X4_50, cv2.aruco.DICT_6X6_250, cv2.aruco.DICT_APRILTAG_16H5)


@dataclass(frozen=True, eq=False, slots=True)
class Unmarked:
    """A grey picture without markers, the camera it would come from, and its blur (sigma in pixels)."""

    gray: Gray
    pose: CameraPose
    kind: str
    blur_px: float


def unmarked(seed: int, size: tuple[int, int] = SMALL) -> Unmarked:
    """The picture of a seed: a part of the table's picture, of a size (w, h), at the full scale."""
    rng = np.random.default_rng(seed)
    width, height = size
    kind = list(KINDS)[seed % len(KINDS)]
    gray = np.ascontiguousarray(_ground(rng, size))
    for _ in range(1 if kind in ("board", "hand", "shirt", "foliage") else max(6, width * height // 18000)):
        KINDS[kind](rng, gray)
    focus = float(rng.choice(FOCUS_PX))
    return Unmarked(_taken(rng, gray, focus), _pose(rng, size), kind, focus)


def _pose(rng: Rng, size: tuple[int, int]) -> CameraPose:
    """The reference camera from above, of whose picture a part is shown: one of two."""
    which = int(rng.integers(0, 2))
    left, top = (which * (whole - part) // 2 for whole, part in zip(FULL, size, strict=True))
    return _pose_of(left, top, size)


@cache
def _pose_of(left: int, top: int, size: tuple[int, int]) -> CameraPose:
    camera = Camera(1774.0, 1774.0, 1151.5 - left, 647.5 - top, (0.0,) * 5, size)
    return CameraPose(camera, np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 620.0]))


def _taken(rng: Rng, gray: Gray, focus_px: float) -> Gray:
    """In some light, with a blur, and with more or less noise."""
    light = np.float32(rng.choice([1.0, 0.7, 0.35, 0.15]))
    soft = cv2.GaussianBlur(gray, (0, 0), focus_px)
    grain = np.float32(rng.choice([1.0, 2.5, 6.0])) * rng.standard_normal(gray.shape, dtype=np.float32)
    return np.clip(np.asarray(soft, np.float32) * light + grain, 0, 255).astype(np.uint8)


def _part(rng: Rng, picture: Gray, size: tuple[int, int]) -> Gray:
    """Some part of a larger picture, turned over or not."""
    width, height = size
    tall, wide = picture.shape
    if tall < height or wide < width:
        picture = np.asarray(cv2.resize(picture, (max(wide, width), max(tall, height))), dtype=np.uint8)
        tall, wide = picture.shape
    y, x = int(rng.integers(0, tall - height + 1)), int(rng.integers(0, wide - width + 1))
    part = picture[y : y + height, x : x + width]
    return part[:: int(rng.choice([-1, 1])), :: int(rng.choice([-1, 1]))]


@cache
def _top(kind: str) -> Gray:
    return gray_of(table_top(kind, 5, 810.0, 460.0, 2.86))


def _ground(rng: Rng, size: tuple[int, int]) -> Gray:
    return _part(rng, _top(str(rng.choice(TABLES))), size)


@cache
def _bare_board(seed: int, hands: bool) -> Gray:
    table = RenderedAbove(seed)
    table.clear_away()
    if hands:
        for n, (x, y) in enumerate(((-150.0, -60.0), (60.0, 40.0), (190.0, -120.0))):
            table.scene.show_hand(f"hand {n}", HandPose((x, y, 30.0), (x + 60.0, y - 380.0, 90.0), n))
    shot = table.shot()
    gray = gray_of(np.clip(shot.light ** np.float32(1 / 2.2) * 255, 0, 255).astype(np.uint8))
    # Without the frame's markers.
    shown = np.asarray(gray).copy()
    for _, x, y in Table().frame_centres_mm:
        u, v = shot.pose.project((x, y, 0.0))
        cv2.rectangle(shown, (int(u) - 75, int(v) - 75), (int(u) + 75, int(v) + 75), 90.0, -1)
    return shown


def _board(rng: Rng, gray: Gray) -> None:
    gray[:] = _part(rng, _bare_board(int(rng.integers(2)), hands=False), gray.shape[::-1])


def _hand(rng: Rng, gray: Gray) -> None:
    gray[:] = _part(rng, _bare_board(int(rng.integers(2)), hands=True), gray.shape[::-1])


def _place(rng: Rng, gray: Gray) -> tuple[tuple[float, float], float, float]:
    """Somewhere to draw something: middle, side and turn."""
    side = float(rng.uniform(*SIDES))
    height, width = gray.shape
    middle = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
    return middle, side, float(rng.uniform(0, 360))


def _stuck(rng: Rng, gray: Gray, cells: NDArray[np.bool_]) -> None:
    """Cells printed on a sticker, round as a token's or square."""
    middle, side, turn = _place(rng, gray)
    corners = corners_at(middle, side, turn, float(rng.uniform(0.8, 1.0)))
    x, y = corners.min(axis=0) - side
    right, bottom = corners.max(axis=0) + side
    if x > 0 and y > 0 and right < gray.shape[1] and bottom < gray.shape[0]:
        stick(gray, cells, corners, 1.5 if rng.random() < 0.5 else None, int(rng.integers(10, 90)))


@cache
def _all_prints() -> NDArray[np.bool_]:
    """Every print of the dictionary in each turn, (n, 25)."""
    count = dictionary().bytesList.shape[0]
    inner = [bits(marker)[2:-2, 2:-2] for marker in range(count)]
    return np.array([np.rot90(one, turn).ravel() for one in inner for turn in range(4)])


def _blocks(rng: Rng, gray: Gray) -> None:
    """A black frame with cells of no print of the dictionary: by chance, one of it mirrored, or but for two cells."""
    inner = rng.random((5, 5)) < 0.5
    how = int(rng.integers(3))
    if how:
        inner = bits(int(rng.integers(250)))[2:-2, 2:-2].copy()
        if how == 1:
            inner = inner[:, ::-1]
        else:
            inner.ravel()[rng.choice(25, 2, replace=False)] ^= True
    if (_all_prints() == inner.ravel()).all(axis=1).any():
        return
    cells = np.ones((9, 9), np.bool_)
    cells[1:-1, 1:-1] = False
    cells[2:-2, 2:-2] = inner
    _stuck(rng, gray, cells)


def _codes(rng: Rng, gray: Gray) -> None:
    """A QR code, or a code of another family."""
    if rng.random() < 0.5:
        code = segno.make(f"{rng.integers(10**9)}", micro=bool(rng.random() < 0.3))
        cells = np.array([[not dark for dark in row] for row in code.matrix_iter(border=1)])
    else:
        family = cv2.aruco.getPredefinedDictionary(int(rng.choice(FAMILIES)))
        across = family.markerSize + 2
        print_ = cv2.aruco.generateImageMarker(family, int(rng.integers(30)), across)
        cells = np.pad(np.asarray(print_ > 127), 1, constant_values=True)
    _stuck(rng, gray, cells)


def _crossword(rng: Rng, gray: Gray) -> None:
    """A grid of black and white squares, a chess board, or a domino's pips."""
    count = int(rng.integers(5, 14))
    cells = rng.random((count, count)) < rng.choice([0.4, 0.6, 0.8])
    how = int(rng.integers(3))
    if how == 1:
        cells = np.indices((count, count)).sum(axis=0) % 2 == 0
    elif how == 2:
        cells = np.zeros((9, 9), np.bool_)
        cells[0], cells[-1], cells[:, 0], cells[:, -1] = True, True, True, True
        spots = rng.choice([2, 4, 6], (int(rng.integers(1, 7)), 2))
        cells[spots[:, 0], spots[:, 1]] = True
    _stuck(rng, gray, cells)


def _text(rng: Rng, gray: Gray) -> None:
    middle, side, _ = _place(rng, gray)
    word = str(rng.choice(WORDS))
    tone, thick = float(rng.choice([15, 235])), int(rng.integers(1, 7))
    at = (round(middle[0]), round(middle[1]))
    cv2.putText(gray, word, at, int(rng.integers(0, 4)), side / 25, tone, thick, cv2.LINE_AA)


def _shirt(rng: Rng, gray: Gray) -> None:
    """Stripes, checks, dots or squares on cloth that hangs in folds."""
    height, width = gray.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    turn, pitch = rng.uniform(0, math.pi), float(rng.uniform(10, 70))
    folds = 0.6 * pitch * noise(rng, height, width, (150, 150), 2)
    u = (x * np.float32(math.cos(turn)) + y * np.float32(math.sin(turn)) + folds) / pitch
    v = (y * np.float32(math.cos(turn)) - x * np.float32(math.sin(turn)) + folds) / pitch
    across, down = u % 1, v % 1
    on = {
        0: across < 0.5,
        1: (across < 0.5) ^ (down < 0.5),
        2: np.hypot(across - 0.5, down - 0.5) < 0.3,
        3: np.maximum(np.abs(across - 0.5), np.abs(down - 0.5)) < 0.33,
        4: (across < 0.5) & (down < 0.5) | ((np.floor((across + down) * 4) % 2 == 0) & (across < 0.5)),
    }[int(rng.integers(5))]
    dark, light = rng.uniform(10, 90), rng.uniform(150, 245)
    gray[:] = np.where(on, dark, light).astype(np.uint8)


def _foliage(rng: Rng, gray: Gray) -> None:
    """Leaves over leaves, or speckles."""
    height, width = gray.shape
    if rng.random() < 0.4:
        lumps = noise(rng, height, width, (float(rng.uniform(8, 60)),) * 2, 4)
        gray[:] = np.clip(120 + 110 * lumps, 0, 255).astype(np.uint8)
        return
    for _ in range(width * height // 500):
        at = (int(rng.integers(width)), int(rng.integers(height)))
        axes = (int(rng.uniform(4, 45)), int(rng.uniform(3, 22)))
        cv2.ellipse(
            gray, at, axes, float(rng.uniform(0, 360)), 0, 360, float(rng.uniform(5, 250)), -1, cv2.LINE_AA
        )


def _boxes(rng: Rng, gray: Gray) -> None:
    """Dark squares, windows, screens and frames within frames."""
    middle, side, turn = _place(rng, gray)
    for share in np.linspace(1.0, 0.2, int(rng.integers(1, 5))):
        quad = corners_at(middle, side * float(share) * 1.4, turn, float(rng.uniform(0.7, 1.0)))
        cv2.fillConvexPoly(
            gray, np.rint(quad * 16).astype(np.int32), float(rng.uniform(5, 250)), cv2.LINE_AA, 4
        )


KINDS: dict[str, Drawer] = {
    "blocks": _blocks,
    "board": _board,
    "boxes": _boxes,
    "codes": _codes,
    "crossword": _crossword,
    "foliage": _foliage,
    "hand": _hand,
    "shirt": _shirt,
    "text": _text,
}
