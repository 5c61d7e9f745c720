"""A lens measured from views of a ChArUco sheet: focal lengths, centre and distortion, and how far to trust them.

The plainest lens model that explains the corners is taken: a richer one bends where no corner was seen. Views
that disagree with all others (a bent sheet, a shaken picture) are dropped one after the other, and named.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from calibration.charuco import SheetView
from companion.errors import CompanionError
from companion.sensing.geometry import Camera, Floats

# A view is dropped when its error is this many times the median view's, and more than this in pixels of a
# picture 2304 wide.
OUTLIER_RATIO = 2.5
OUTLIER_PX = 0.35
# So is a single corner, against the usual corner of all views and of its own.
CORNER_RATIO = 6.0
CORNER_PX = 1.0
STRAY_RATIO = 4.0
REFERENCE_WIDTH = 2304
# A solution this good and usual needs no second beginning: focal length in picture widths.
FOUND_PX, SHORTEST, LONGEST = 1.0, 0.35, 4.0
FEWEST_VIEWS = 3

_FIXED = cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K1 | cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3
# From the plainest to the richest: OpenCV's flags, and how many numbers of distortion are free.
MODELS: tuple[tuple[int, int], ...] = (
    (_FIXED & ~cv2.CALIB_FIX_K1, 1),
    (_FIXED & ~cv2.CALIB_FIX_K1 & ~cv2.CALIB_FIX_K2, 2),
    (cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3, 3),
    (cv2.CALIB_FIX_K3, 4),
    (0, 5),
)


class LensError(CompanionError, ValueError):
    """No lens can be computed from these views. The message says what to do."""


@dataclass(frozen=True, eq=False, slots=True)
class FittedView:
    """One view under the fitted lens: `rms_px`, and the sheet's `tilt_deg` against the picture.

    `raised`: (2,) in the picture (x right, y down), where its nearer side is; as long as the sine of the tilt.
    `misses_px`: (n, 2), seen minus expected, of the corners that were used.
    """

    view: SheetView
    rms_px: float
    tilt_deg: float
    raised: Floats
    misses_px: Floats


@dataclass(frozen=True, slots=True)
class DroppedView:
    """A view that was not used, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class LensFit:
    """A lens, the views it came from, those dropped, and its uncertainty (one sigma) in pixels."""

    camera: Camera
    views: tuple[FittedView, ...]
    dropped: tuple[DroppedView, ...]
    sigma_focal_px: float
    sigma_centre_px: float
    corners_dropped: int = 0
    median_px: float = field(init=False)
    worst_px: float = field(init=False)

    def __post_init__(self) -> None:
        errors = [view.rms_px for view in self.views]
        object.__setattr__(self, "median_px", float(np.median(errors)))
        object.__setattr__(self, "worst_px", max(errors))


@dataclass(frozen=True, eq=False, slots=True)
class _Solved:
    """What one call of the solver gave: lens, sigmas of fx, fy, cx, cy, poses and residuals of each view."""

    camera: Camera
    sigmas: Floats
    rotations: list[Floats]
    residuals: list[Floats]
    cost: float


def fit_lens(views: Sequence[SheetView]) -> LensFit:
    """The lens that all views of one size agree on. Raises LensError where too few of them are left."""
    views, dropped = _of_one_size(views)
    corners_dropped = 0
    while True:
        if len(views) < FEWEST_VIEWS:
            raise LensError(_too_few(views, dropped))
        solved = _best_model(views)
        scale = max(views[0].size) / REFERENCE_WIDTH
        thinned, lost = _without_stray_corners(views, solved, scale)
        if lost:
            corners_dropped += lost
            views = thinned
            continue
        errors = [_rms(residual) for residual in solved.residuals]
        worst = int(np.argmax(errors))
        limit = max(OUTLIER_RATIO * float(np.median(errors)), OUTLIER_PX * scale)
        if errors[worst] > limit and len(views) > FEWEST_VIEWS:
            dropped.append(
                DroppedView(
                    views[worst].name,
                    f"its corners are off by {errors[worst]:.2f} px where the others are by "
                    f"{float(np.median(errors)):.2f} px: it was shaken, or the sheet was bent",
                )
            )
            views = [view for n, view in enumerate(views) if n != worst]
            continue
        return _told(views, solved, dropped, corners_dropped)


def _told(
    views: Sequence[SheetView], solved: _Solved, dropped: Sequence[DroppedView], corners_dropped: int
) -> LensFit:
    fitted = []
    for view, rotation, residual in zip(views, solved.rotations, solved.residuals, strict=True):
        # The sheet's z axis, as far as it points away from the camera: it leans towards the nearer side.
        normal = rotation[:, 2] * (1.0 if rotation[2, 2] > 0 else -1.0)
        fitted.append(
            FittedView(
                view,
                _rms(residual),
                math.degrees(math.acos(min(1.0, float(normal[2])))),
                normal[:2],
                residual,
            )
        )
    return LensFit(
        solved.camera,
        tuple(fitted),
        tuple(dropped),
        float(max(solved.sigmas[:2])),
        float(max(solved.sigmas[2:4])),
        corners_dropped,
    )


def _too_few(views: Sequence[SheetView], dropped: Sequence[DroppedView]) -> str:
    said = "".join(f" {one.name}: {one.reason}." for one in dropped)
    return f"{len(views)} usable views of the sheet are too few, at least {FEWEST_VIEWS} are needed.{said}"


def _of_one_size(views: Sequence[SheetView]) -> tuple[list[SheetView], list[DroppedView]]:
    """The views of the resolution, and of the sheet, that most have; the others dropped."""
    sizes = [view.size for view in views]
    kept, dropped = list(views), []
    if sizes:
        usual = max(sizes, key=sizes.count)
        dropped = [
            DroppedView(
                view.name,
                f"it is {view.size[0]} × {view.size[1]} px, the others are {usual[0]} × {usual[1]}: "
                "take all in one resolution",
            )
            for view in kept
            if view.size != usual
        ]
        kept = [view for view in kept if view.size == usual]
    return kept, dropped


def _rms(residual: Floats) -> float:
    return float(np.sqrt((residual**2).sum(axis=1).mean()))


def _best_model(views: Sequence[SheetView]) -> _Solved:
    """The plainest lens model that is not clearly worse than a richer one (Schwarz's criterion)."""
    best: tuple[float, _Solved] | None = None
    for flags, numbers in MODELS:
        solved = _solve(views, flags)
        if solved is None:
            continue
        count = 2 * sum(len(view.ids) for view in views)
        # Corners of one view err together (a sheet is never quite flat): they count for fewer than they are.
        score = count / 4 * math.log(max(solved.cost, 1e-12) / count) + numbers * math.log(count / 4)
        if best is None or score < best[0]:
            best = (score, solved)
    if best is None:
        raise LensError(
            "no lens explains these views; hold the sheet flat, tilted to different sides, and take them again."
        )
    return best[1]


def _solve(views: Sequence[SheetView], flags: int) -> _Solved | None:
    """One lens model fitted by OpenCV, from two beginnings; None where it does not come to an end."""
    size = views[0].size
    points = [view.points_mm.astype(np.float32) for view in views]
    pixels = [view.pixels.astype(np.float32).reshape(-1, 1, 2) for view in views]
    best: _Solved | None = None
    middle = ((size[0] - 1) / 2, (size[1] - 1) / 2)
    for guess in (None, 0.77 * max(size)):
        focal = guess or 1.0
        matrix = np.array([[focal, 0.0, middle[0]], [0.0, focal, middle[1]], [0.0, 0.0, 1.0]])
        begin = 0 if guess is None else cv2.CALIB_USE_INTRINSIC_GUESS
        try:
            _, matrix, bend, turns, shifts, sigmas, *_ = cv2.calibrateCameraExtended(
                points, pixels, size, matrix, np.zeros(5), flags=flags | begin
            )
        except cv2.error:
            continue
        if not (np.isfinite(matrix).all() and np.isfinite(bend).all() and matrix[0, 0] > 0 < matrix[1, 1]):
            continue
        residuals = []
        for point, pixel, turn, shift in zip(points, pixels, turns, shifts, strict=True):
            expected, _ = cv2.projectPoints(point, turn, shift, matrix, bend)
            residuals.append(np.asarray(pixel - expected, dtype=np.float64).reshape(-1, 2))
        cost = float(sum((residual**2).sum() for residual in residuals))
        if best is not None and cost >= best.cost:
            continue
        camera = Camera(
            float(matrix[0, 0]),
            float(matrix[1, 1]),
            float(matrix[0, 2]),
            float(matrix[1, 2]),
            tuple(float(k) for k in np.ravel(bend)[:5]),
            size,
        )
        rotations = [np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64) for turn in turns]
        best = _Solved(camera, np.asarray(sigmas, dtype=np.float64).ravel()[:4], rotations, residuals, cost)
        off = math.sqrt(cost / sum(len(view.ids) for view in views)) / max(size) * REFERENCE_WIDTH
        if off < FOUND_PX and SHORTEST < camera.fx / max(size) < LONGEST:
            break
    return best


def _without_stray_corners(
    views: Sequence[SheetView], solved: _Solved, scale: float
) -> tuple[list[SheetView], int]:
    """The views without single corners far from where they should be (glare, a finger), and how many those were."""
    lengths = [np.linalg.norm(residual, axis=1) for residual in solved.residuals]
    usual = float(np.median(np.concatenate(lengths)))
    limit = max(CORNER_RATIO * usual, CORNER_PX * scale)
    thinned, lost = [], 0
    for view, length in zip(views, lengths, strict=True):
        # One stray corner pulls at the others of its view; a view that is off as a whole is dropped as a whole.
        good = length <= max(limit, STRAY_RATIO * float(np.median(length)))
        if good.all() or good.mean() < 0.8:
            thinned.append(view)
            continue
        lost += int((~good).sum())
        ids = tuple(corner for corner, keep in zip(view.ids, good, strict=True) if keep)
        thinned.append(replace(view, ids=ids, pixels=view.pixels[good]))
    return thinned, lost
