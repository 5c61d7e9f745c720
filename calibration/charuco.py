"""The ChArUco sheet a camera is measured with: its geometry, and finding its corners in a picture.

The one place that talks to `cv2.aruco` about chessboards, whatever its version: OpenCV 5 returns corners as
(N, 2) and ids as (N,), earlier ones as (N, 1, 2) and (N, 1), and nothing at all where nothing was found.

A sheet that is not the one it is said to be (rows and columns swapped, inner corners counted for squares, the
layout of OpenCV before 4.6) shows markers but no corners. The markers' places tell which sheet it really is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.sensing.geometry import Floats
from companion.sensing.markers import Gray, Marker, as_markers, merge_prints

# Sides of sheets tried when the one asked for does not fit, in squares.
SIDES = range(3, 15)
# A marker lies where a layout has it when its corners are within this share of its side.
NEAR_SHARE = 0.12
# A layout is believed when it explains at least so many markers, and all but a few of those found.
FEWEST_MARKERS = 4
EXPLAINED_SHARE = 0.75
MOSTLY_SEEN = 0.6
# A corner is looked for within this share of a marker's side: nothing else is so near.
REACH_SHARE = 0.2
FEWEST_CORNERS = 6
# With this share of the sheet's markers nothing is searched more thoroughly.
ENOUGH_SHARE = 0.9
EDGE_PADDING_PX = 40
WINDOWS = (23, 45, 11)


class SheetError(CompanionError, ValueError):
    """A sheet that cannot exist. The message says what it needs."""


@dataclass(frozen=True, slots=True)
class CharucoSheet:
    """A chessboard of `columns` × `rows` squares with markers in its white ones; `legacy`: as before OpenCV 4.6.

    Raises SheetError for measures that no sheet has.
    """

    columns: int = 7
    rows: int = 5
    square_mm: float = 40.0
    marker_mm: float = 30.0
    dictionary: str = "DICT_4X4_50"
    legacy: bool = False

    def __post_init__(self) -> None:
        if not (2 <= self.columns <= 40 and 2 <= self.rows <= 40):
            raise SheetError(
                f"a sheet of {self.columns} × {self.rows} squares cannot be read; it has 2 to 40 each way."
            )
        if not 0 < self.marker_mm < self.square_mm:
            raise SheetError(
                f"markers of {self.marker_mm:g} mm do not fit into squares of {self.square_mm:g} mm; "
                "measure both on the sheet."
            )
        if not self.dictionary.startswith("DICT_") or not hasattr(cv2.aruco, self.dictionary):
            raise SheetError(f"OpenCV has no dictionary {self.dictionary!r}; use one such as DICT_4X4_50.")

    @property
    def corner_count(self) -> int:
        """Number of inner corners."""
        return (self.columns - 1) * (self.rows - 1)

    @property
    def corners_mm(self) -> Floats:
        """The inner corners (n, 3) in mm on the sheet, by id; x to the right, y down, z = 0."""
        x, y = np.meshgrid(np.arange(1, self.columns), np.arange(1, self.rows))
        flat = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
        return np.asarray(flat * self.square_mm, dtype=np.float64)

    @property
    def said(self) -> str:
        """The sheet in words, as `7 × 5 squares`."""
        return f"{self.columns} × {self.rows} squares" + (" in the layout before OpenCV 4.6" * self.legacy)


@dataclass(frozen=True, eq=False, slots=True)
class SheetView:
    """A sheet seen in one picture: `ids` (n,) of its inner corners and their `pixels` (n, 2).

    `sheet` is the sheet that is really there, `remark` says how it differs from the one asked for.
    """

    name: str
    sheet: CharucoSheet
    ids: tuple[int, ...]
    pixels: Floats
    size: tuple[int, int]
    remark: str = ""

    @property
    def points_mm(self) -> Floats:
        """The corners (n, 3) on the sheet, in mm."""
        return self.sheet.corners_mm[list(self.ids)]


@dataclass(frozen=True, slots=True)
class SheetMissed:
    """Why no sheet was found in a picture, as a sentence that says what to do."""

    name: str
    reason: str


def find_sheet(gray: Gray, sheet: CharucoSheet, name: str = "picture") -> SheetView | SheetMissed:
    """The corners of a sheet in a grey picture; of the sheet that is there, if that is another layout."""
    pad = EDGE_PADDING_PX
    picture = np.asarray(cv2.copyMakeBorder(gray, pad, pad, pad, pad, cv2.BORDER_REPLICATE), dtype=np.uint8)
    markers = _markers(picture, sheet)
    if len(markers) < FEWEST_MARKERS:
        return SheetMissed(
            name,
            f"{len(markers) or 'no'} marker{'s' * (len(markers) != 1)} of the sheet ({sheet.dictionary}) can be read; "
            "hold the whole sheet into the picture, sharp, lit and without glare",
        )
    real = _real_sheet(markers, sheet)
    if real is None:
        return SheetMissed(
            name,
            f"board size mismatch: its {len(markers)} markers do not lie as on a sheet of {sheet.said}, nor "
            "on any other that is known; print the sheet anew with `calibrate stickers --charuco`",
        )
    ids, pixels = _corners(picture, markers, real)
    inside = ((pixels >= pad) & (pixels < pad + np.array([gray.shape[1], gray.shape[0]]))).all(axis=1)
    ids, pixels = ids[inside], pixels[inside] - pad
    if len(ids) < FEWEST_CORNERS or _on_a_line(pixels):
        return SheetMissed(
            name,
            f"only {len(ids)} of the sheet's {real.corner_count} corners can be seen; "
            "keep fingers and glare off it and hold it still",
        )
    size = (gray.shape[1], gray.shape[0])
    return SheetView(name, real, tuple(int(n) for n in ids), pixels, size, _remark(sheet, real))


def _remark(asked: CharucoSheet, real: CharucoSheet) -> str:
    """How the sheet in the picture differs from the one asked for; empty if it does not."""
    if real == asked:
        return ""
    here = f"the sheet in the picture has {real.said}"
    if (real.columns, real.rows) == (asked.columns, asked.rows):
        return f"{here}, not those of {'today' if real.legacy else 'OpenCV before 4.6'}"
    if (real.columns, real.rows) == (asked.rows, asked.columns):
        return f"rows and columns are swapped: {here}, not {asked.said}"
    inner = sorted((asked.columns + 1, asked.rows + 1))
    if sorted((real.columns, real.rows)) == inner:
        return (
            f"board size mismatch: {here}; {asked.columns} × {asked.rows} is the number of its inner corners"
        )
    return f"board size mismatch: {here}, not {asked.said}"


@cache
def _board(sheet: CharucoSheet) -> Any:
    board = cv2.aruco.CharucoBoard(
        (sheet.columns, sheet.rows), sheet.square_mm, sheet.marker_mm, _dictionary(sheet.dictionary)
    )
    board.setLegacyPattern(sheet.legacy)
    return board


@cache
def _dictionary(name: str) -> Any:
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))


def _markers(picture: Gray, sheet: CharucoSheet) -> list[Marker]:
    """The sheet's markers: none of an id seen twice, none of quite another size."""
    found: list[Marker] = []
    for window in WINDOWS:
        parameters = cv2.aruco.DetectorParameters()
        parameters.adaptiveThreshWinSizeMin = window
        parameters.adaptiveThreshWinSizeMax = window
        parameters.minMarkerPerimeterRate = 0.01
        corners, ids, _ = cv2.aruco.ArucoDetector(_dictionary(sheet.dictionary), parameters).detectMarkers(
            picture
        )
        found = merge_prints([*found, *as_markers(corners, ids)])
        if len(found) >= ENOUGH_SHARE * (sheet.columns * sheet.rows // 2):
            break
    seen = [marker.id for marker in found]
    usual = float(np.median([marker.side_px for marker in found])) if found else 0.0
    return [marker for marker in found if seen.count(marker.id) == 1 and 0.4 < marker.side_px / usual < 2.5]


def marker_corners_mm(sheet: CharucoSheet) -> dict[int, Floats]:
    """The corners (4, 2) in mm on the sheet of each of its markers, by id, in OpenCV's order."""
    ids = np.ravel(_board(sheet).getIds())
    return {
        int(marker): np.asarray(quad, dtype=np.float64).reshape(4, 3)[:, :2]
        for marker, quad in zip(ids, _board(sheet).getObjPoints(), strict=True)
    }


def _real_sheet(markers: Sequence[Marker], asked: CharucoSheet) -> CharucoSheet | None:
    """The sheet on which the markers lie as they do: the one asked for if it fits as well as any."""
    enough = max(FEWEST_MARKERS, EXPLAINED_SHARE * len(markers))
    # A false marker must not hide the sheet asked for. Sheets of the two layouts share most places of an odd row.
    if _explained(markers, asked, forgiving=True) >= max(enough, len(markers) - 1):
        return asked
    mistakes = set(_mistakes(asked))
    best: tuple[tuple[int, bool, float], CharucoSheet] | None = None
    for sheet in dict.fromkeys((*_mistakes(asked), *_others(asked))):
        explained = _explained(markers, sheet, forgiving=sheet in mistakes)
        # Of several sheets that begin alike a usual mistake is meant, else the one of which most is seen.
        share = explained / (sheet.columns * sheet.rows // 2)
        score = (explained, sheet in mistakes and share > MOSTLY_SEEN, share)
        if explained >= enough and (best is None or score > best[0]):
            best = (score, sheet)
    return best[1] if best else None


def _mistakes(asked: CharucoSheet) -> Iterator[CharucoSheet]:
    """The sheet asked for, and what it is mistaken for, likeliest first."""
    sizes = [(asked.columns, asked.rows), (asked.rows, asked.columns)]
    for more in (1, -1):
        sizes += [(columns + more, rows + more) for columns, rows in sizes[:2]]
    return _of_sizes(asked, [size for size in sizes if min(size) >= 2])


def _others(asked: CharucoSheet) -> Iterator[CharucoSheet]:
    """Every sheet of usual size."""
    return _of_sizes(asked, [(columns, rows) for columns in SIDES for rows in SIDES])


def _of_sizes(asked: CharucoSheet, sizes: Sequence[tuple[int, int]]) -> Iterator[CharucoSheet]:
    for columns, rows in sizes:
        for legacy in (asked.legacy, not asked.legacy):
            # With an odd number of rows both layouts are the same.
            if legacy == asked.legacy or rows % 2 == 0:
                yield replace(asked, columns=columns, rows=rows, legacy=legacy)


def _explained(markers: Sequence[Marker], sheet: CharucoSheet, forgiving: bool) -> int:
    """How many markers lie in one plane as on the sheet; `forgiving`: even if others do not."""
    known = marker_corners_mm(sheet)
    here = [marker for marker in markers if marker.id in known]
    if len(here) < FEWEST_MARKERS:
        return 0
    flat = np.concatenate([known[marker.id] for marker in here])
    seen = np.concatenate([marker.corners for marker in here]).astype(np.float64)
    # From the picture onto the sheet: there all markers are of one size.
    near = NEAR_SHARE * sheet.marker_mm
    plane, _ = cv2.findHomography(seen, flat, cv2.RANSAC if forgiving else 0, near, maxIters=300)
    if plane is None:
        return 0
    back = cv2.perspectiveTransform(seen.reshape(-1, 1, 2), plane).reshape(-1, 4, 2)
    misses = np.linalg.norm(back - flat.reshape(-1, 4, 2), axis=2)
    return int((misses < 2 * near).all(axis=1).sum())


def _corners(picture: Gray, markers: Sequence[Marker], sheet: CharucoSheet) -> tuple[Floats, Floats]:
    """Ids (n,) and pixels (n, 2) of the inner corners between the markers."""
    parameters = cv2.aruco.CharucoParameters()
    detector = cv2.aruco.CharucoDetector(_board(sheet), parameters)
    corners, ids, _, _ = detector.detectBoard(
        picture,
        markerCorners=[marker.corners.reshape(1, 4, 2) for marker in markers],
        markerIds=np.array([[marker.id] for marker in markers], dtype=np.int32),
    )
    found, pixels = as_corners(corners, ids)
    return found, _refined(picture, pixels, markers)


def _refined(picture: Gray, pixels: Floats, markers: Sequence[Marker]) -> Floats:
    """The corners (n, 2) to a tenth of a pixel: some OpenCV put them half a pixel beside."""
    if len(pixels) == 0:
        return pixels
    side = min(marker.side_px for marker in markers)
    reach = int(np.clip(side * REACH_SHARE, 2, 11))
    ends = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.005)
    refined = cv2.cornerSubPix(
        picture, pixels.astype(np.float32).reshape(-1, 1, 2), (reach, reach), (-1, -1), ends
    )
    return np.asarray(refined, dtype=np.float64).reshape(-1, 2)


def as_corners(corners: Any, ids: Any) -> tuple[Floats, Floats]:
    """What any OpenCV's `detectBoard` returned, as ids (n,) and pixels (n, 2), ids ascending."""
    if corners is None or ids is None or np.size(ids) == 0:
        return np.zeros(0, dtype=int), np.zeros((0, 2))
    flat = np.asarray(ids).reshape(-1).astype(int)
    pixels = np.asarray(corners, dtype=np.float64).reshape(-1, 2)
    order = np.argsort(flat)
    return flat[order], pixels[order]


def _on_a_line(pixels: Floats) -> bool:
    """Do the corners lie on one line? Then they say nothing of the plane."""
    spread = np.linalg.svd(pixels - pixels.mean(axis=0), compute_uv=False)
    return bool(spread[1] < 0.05 * spread[0])
