"""Where the camera is: its pose over the table from the four frame markers.

Every pose is checked by reprojecting it, lies above the table, and is agreed on by the markers: one that was
bumped is voted out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.games.above.box import Table
from companion.messages import row, say
from companion.sensing.edges import sharpened
from companion.sensing.frame_prints import Frame, frames_in_view, is_a_picture, is_of_size
from companion.sensing.geometry import Camera, CameraPose, Floats, reference_scale
from companion.sensing.markers import Gray, Marker

# How far a marker's corners may be from where the pose puts them, in pixels of the reference picture: 1 mm is 2.9.
AGREE_PX = 2.5
# A lens that was only assumed bends the picture by a few pixels more.
AGREE_ASSUMED_PX = 5.0
# A pose from few markers must still fix the board to this.
BOARD_SIGMA_MM = 1.2
CORNER_SIGMA_PX = 0.35


@dataclass(frozen=True, eq=False, slots=True)
class Registration:
    """The camera's pose, the frame markers that agree on it, those voted out, and the corners' rms in pixels."""

    pose: CameraPose
    used: tuple[int, ...]
    bumped: tuple[int, ...]
    rms_px: float


@dataclass(frozen=True, slots=True)
class Unregistered:
    """Why there is no pose, as a sentence that says what to do."""

    reason: str


def marker_square(x: float, y: float, side: float, z: float = 0.0) -> Floats:
    """Corners (4, 3) in mm of an upright marker at (x, y), in OpenCV's order."""
    half = side / 2
    return np.array(
        [[x - half, y + half, z], [x + half, y + half, z], [x + half, y - half, z], [x - half, y - half, z]]
    )


def tolerance_px(camera: Camera) -> float:
    """How far a frame marker may be from where the pose puts it, in pixels of this camera's pictures."""
    return (AGREE_PX if camera.known else AGREE_ASSUMED_PX) * reference_scale(camera.size)


def register(
    gray: Gray, markers: Iterable[Marker], camera: Camera, table: Table, before: CameraPose | None = None
) -> Registration | Unregistered:
    """The camera's pose from the frame markers among `markers`, or why there is none.

    `before`: the pose that the camera had last. Where a telephone or a photograph shows the table, too, its prints
    are not the frame's: the frame is the larger, and it is asked for only where that does not tell them apart.
    """
    world = {marker: marker_square(x, y, table.frame_marker_mm) for marker, x, y in table.frame_centres_mm}
    seen = [marker for marker in markers if marker.id in world]
    if not seen:
        return Unregistered(say("table.frame_none", markers=row(sorted(world))))
    tolerance = tolerance_px(camera)
    every = frames_in_view(seen)
    ids = sorted(set().union(*({marker.id for marker in frame} for frame in every)))
    best: Registration | None = None
    doubtful = len(every) > 1
    # In heavy noise edges are only found in a smoothed picture.
    for smoothing in (0.0, 2.0):
        picture = np.asarray(cv2.GaussianBlur(gray, (0, 0), smoothing), np.uint8) if smoothing else gray
        corners = {marker: sharpened(picture, marker.corners) for marker in seen}
        candidates: list[tuple[Registration, Frame]] = []
        for frame in every:
            of_frame = {marker.id: corners[marker] for marker in frame}
            voted = _voted(sorted(of_frame), of_frame, world, camera, tolerance)
            if voted is not None and not (len(voted.used) == 2 and len(frame) > 3):
                candidates.append((voted, tuple(marker for marker in frame if marker.id in voted.used)))
        chosen = _the_frame(candidates, seen, before, world) if doubtful else candidates
        if chosen and (best is None or len(chosen[0][0].used) > len(best.used)):
            best = chosen[0][0]
        if best is not None and len(best.used) == len(ids):
            break
    if best is not None:
        return best
    if doubtful:
        return Unregistered(say("table.frame_twice"))
    if len(ids) >= 3:
        return Unregistered(say("table.frame_astray", markers=row(ids)))
    return Unregistered(say("table.frame_few", markers=row(ids)))


def _the_frame(
    candidates: Sequence[tuple[Registration, Frame]],
    seen: Sequence[Marker],
    before: CameraPose | None,
    world: dict[int, Floats],
) -> list[tuple[Registration, Frame]]:
    """Of frames that agree in themselves the table's own, best first; none if nothing tells which it is."""
    real = [one for one in candidates if not is_a_picture(one[1], seen)]
    real.sort(key=lambda one: (-len(one[0].used), one[0].rms_px))
    if real and all(set(one[1]) & set(real[0][1]) for one in real):
        return real
    if before is None:
        return []
    # A larger print may have been laid or held up beside the table: the frame looks as it did.
    same = [
        one
        for one in candidates
        if all(is_of_size(marker.side_px, before.project(world[marker.id])) for marker in one[1])
    ]
    same.sort(key=lambda one: (-len(one[0].used), one[0].rms_px))
    return same if same and all(set(one[1]) & set(same[0][1]) for one in same) else []


def _voted(
    ids: Sequence[int],
    corners: dict[int, Floats],
    world: dict[int, Floats],
    camera: Camera,
    tolerance: float,
) -> Registration | None:
    """The well-fixed pose most markers agree on, the closest of several; None if no two do."""
    best: Registration | None = None
    for count in range(len(ids), 1, -1):
        for subset in itertools.combinations(ids, count):
            found = _agreed(subset, ids, corners, world, camera, tolerance)
            if found is None or not _well_conditioned(found, world):
                continue
            if best is None or (len(found.used), -found.rms_px) > (len(best.used), -best.rms_px):
                best = found
        if best is not None and len(best.used) >= count:
            break
    return best


def _agreed(
    subset: Sequence[int],
    ids: Sequence[int],
    corners: dict[int, Floats],
    world: dict[int, Floats],
    camera: Camera,
    tolerance: float,
) -> Registration | None:
    """The pose `subset` gives, if all of it agrees; with what else agrees and what does not."""
    lens = camera if camera.known else _fitted_lens(subset, corners, world, camera)
    pose = solve_pose(
        np.concatenate([world[n] for n in subset]), np.concatenate([corners[n] for n in subset]), lens
    )
    if pose is None:
        return None
    misses = {n: _misses(pose.project(world[n]), corners[n]) for n in ids}
    used = tuple(n for n in ids if misses[n].max() <= tolerance)
    if not set(subset) <= set(used):
        return None
    rms = float(np.sqrt(np.mean(np.concatenate([misses[n] for n in used]) ** 2)))
    return Registration(pose, used, tuple(n for n in ids if n not in used), rms)


def _misses(expected: Floats, seen: Floats) -> Floats:
    """How far each corner (4, 2) is from where it should be, in pixels, whatever the marker's size.

    Blur and exposure make a black square in white look smaller, evenly to all sides: that moves nothing.
    """
    middle, around = seen.mean(axis=0), seen - seen.mean(axis=0)
    size = float((around * (expected - expected.mean(axis=0))).sum() / (around * around).sum())
    size = min(1.05, max(0.95, size))
    return np.asarray(np.linalg.norm(expected - middle - size * around, axis=1), dtype=np.float64)


def solve_pose(world_mm: Floats, pixels: Floats, camera: Camera) -> CameraPose | None:
    """The pose that maps points (n, 3) of one level to pixels (n, 2); None if none lies above the table."""
    level = float(world_mm[0, 2])
    # The planar solver mirrors poses of points that are not exactly in z = 0.
    flat = world_mm - np.array([0.0, 0.0, level])
    flat[:, 2] = 0.0
    count, rotations, translations, _ = cv2.solvePnPGeneric(
        flat, pixels.reshape(-1, 1, 2), camera.matrix, camera.coefficients, flags=cv2.SOLVEPNP_IPPE
    )
    best: tuple[float, CameraPose] | None = None
    for n in range(count):
        rotation, translation = cv2.solvePnPRefineLM(
            flat,
            pixels.reshape(-1, 1, 2),
            camera.matrix,
            camera.coefficients,
            np.array(rotations[n], dtype=np.float64),
            np.array(translations[n], dtype=np.float64),
        )
        matrix = np.asarray(cv2.Rodrigues(rotation)[0], dtype=np.float64)
        shifted = np.asarray(translation, dtype=np.float64).reshape(3) - matrix @ np.array([0.0, 0.0, level])
        pose = CameraPose(camera, matrix, shifted)
        # Below the table, or looking at it from behind: a mirrored solution.
        if pose.centre_mm[2] <= level or (world_mm @ matrix.T + shifted)[:, 2].min() <= 0:
            continue
        miss = float(np.mean(np.linalg.norm(pose.project(world_mm) - pixels, axis=1)))
        if np.isfinite(miss) and (best is None or miss < best[0]):
            best = (miss, pose)
    return best[1] if best else None


def _well_conditioned(found: Registration, world: dict[int, Floats]) -> bool:
    """Do the markers used fix the board's rim to within BOARD_SIGMA_MM, given the noise of a corner?"""
    pose = found.pose
    points = np.concatenate([world[n] for n in found.used])
    jacobian = _pose_jacobian(pose, points)
    try:
        covariance = np.linalg.inv(jacobian.T @ jacobian) * max(CORNER_SIGMA_PX, found.rms_px) ** 2
    except np.linalg.LinAlgError:
        return False
    rim = np.array([[190.0, 0, 0], [-190.0, 0, 0], [0, 190.0, 0], [0, -190.0, 0], [0, 0, 56.0]])
    scale = float(np.linalg.norm(pose.px_per_mm((0.0, 0.0, 0.0))[:, 0]))
    for point in rim:
        at = _pose_jacobian(pose, point[None])
        if np.sqrt(np.trace(at @ covariance @ at.T)) / scale > BOARD_SIGMA_MM:
            return False
    return True


def _pose_jacobian(pose: CameraPose, points: Floats) -> Floats:
    """How pixels move with rotation (3) and translation (3): (2n, 6)."""
    _, jacobian = cv2.projectPoints(
        points.reshape(-1, 1, 3),
        pose.rotation_vector,
        pose.translation,
        pose.camera.matrix,
        pose.camera.coefficients,
    )
    return np.asarray(jacobian[:, :6], dtype=np.float64)


def _fitted_lens(
    subset: Sequence[int], corners: dict[int, Floats], world: dict[int, Floats], camera: Camera
) -> Camera:
    """An assumed lens made to fit: its bend, and its focal length where the view is tilted enough to tell.

    The markers' own size against their distances gives the bend. Seen from straight above, focal length and
    height trade against each other, and the assumed one stays.
    """
    if len(subset) < 4:
        return camera
    flags = (
        cv2.CALIB_USE_INTRINSIC_GUESS
        | cv2.CALIB_FIX_PRINCIPAL_POINT
        | cv2.CALIB_FIX_FOCAL_LENGTH
        | cv2.CALIB_ZERO_TANGENT_DIST
        | cv2.CALIB_FIX_K2
        | cv2.CALIB_FIX_K3
    )
    points = np.concatenate([world[n] for n in subset]).astype(np.float32)
    pixels = np.concatenate([corners[n] for n in subset]).astype(np.float32)
    fits: dict[float, tuple[float, float]] = {}
    for factor in (1.0, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3):
        rms, _, distortion, _, _ = cv2.calibrateCamera(
            [points],
            [pixels.reshape(-1, 1, 2)],
            camera.size,
            camera.with_focal(factor).matrix,
            np.zeros(5),
            flags=flags,
        )
        fits[factor] = (float(rms), float(np.ravel(distortion)[0]))
    best = min(fits, key=lambda factor: fits[factor][0])
    if fits[best][0] > 0.7 * fits[1.0][0]:
        best = 1.0
    bent = camera.with_focal(best)
    bend = fits[best][1]
    if abs(bend) > 0.6:
        return camera
    return Camera(bent.fx, bent.fy, bent.cx, bent.cy, (bend, 0.0, 0.0, 0.0, 0.0), bent.size, known=False)
