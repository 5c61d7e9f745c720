"""Where a pixel lies on the table: the camera's lens, its place above the table, and the rays between them.

OpenCV's conventions: `X_camera = R · X_world + t`, x right, y down, z forward; the centre of the top left pixel
is (0, 0). World coordinates are the table's (HARDWARE: mm, z up, origin at the board's centre).
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.errors import CompanionError

Floats = NDArray[np.float64]

# The reference camera (Pi Camera Module 3): what is assumed when nothing is known of the lens.
REFERENCE_SIZE = (2304, 1296)
REFERENCE_FOCAL_PX = 1774.0


def reference_scale(size: tuple[int, int]) -> float:
    """How many pixels of a picture of `size` (w, h) make one of the reference picture.

    By the longer side: a picture on its side is the same camera's, turned.
    """
    return max(size) / max(REFERENCE_SIZE)


class CameraFileError(CompanionError, ValueError):
    """A camera file cannot be used. The message names the file, the key and what is expected."""


# Lenses have their centre this near to the picture's middle (see `_off_middle`).
MIDDLE = 0.06


@dataclass(frozen=True, slots=True)
class Camera:
    """A lens: focal lengths and centre in pixels, distortion (k1, k2, p1, p2, k3) at a picture of `size` (w, h).

    `known` is False for a lens that was only assumed. `guessed_size`: nothing said at which size it was measured.
    """

    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, ...]
    size: tuple[int, int]
    known: bool = True
    guessed_size: bool = False

    @classmethod
    def assumed(cls, size: tuple[int, int]) -> Camera:
        """The reference lens for pictures of `size`, for when no camera was measured."""
        focal = REFERENCE_FOCAL_PX * reference_scale(size)
        return cls(focal, focal, (size[0] - 1) / 2, (size[1] - 1) / 2, (0.0,) * 5, size, known=False)

    @property
    def matrix(self) -> Floats:
        """The 3 × 3 camera matrix."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    @property
    def coefficients(self) -> Floats:
        """The distortion as OpenCV takes it."""
        return np.array(self.distortion, dtype=np.float64)

    def scaled_to(self, size: tuple[int, int]) -> Camera:
        """The same lens for pictures of another resolution of the same shape.

        Raises ValueError for another shape: that picture was cropped, and nothing says where.
        """
        if size == self.size:
            return self
        if self.guessed_size and _off_middle(self.cx, self.cy, size) < MIDDLE:
            # Nobody said for which resolution it was measured, and it fits this one as it is.
            return replace(self, size=size, guessed_size=False)
        sx, sy = size[0] / self.size[0], size[1] / self.size[1]
        if abs(sx / sy - 1.0) > 0.01:
            raise ValueError(
                f"the camera was measured at {self.size[0]} × {self.size[1]}, the picture is "
                f"{size[0]} × {size[1]}, another shape: take pictures in the measured shape or measure again"
            )
        # Pixel centres are at whole numbers, so scaling turns about the picture's corner at (-0.5, -0.5).
        return replace(
            self,
            fx=self.fx * sx,
            fy=self.fy * sy,
            cx=(self.cx + 0.5) * sx - 0.5,
            cy=(self.cy + 0.5) * sy - 0.5,
            size=size,
        )

    def with_focal(self, factor: float) -> Camera:
        """The same lens with its focal length multiplied by `factor`."""
        return replace(self, fx=self.fx * factor, fy=self.fy * factor)


def _numbers(file: Path, key: str, value: Any, shape: tuple[int, ...]) -> Floats:
    expected = " × ".join(map(str, shape))
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise CameraFileError(f"{file}: `{key}` must be {expected} numbers.") from None
    if array.shape != shape or not np.isfinite(array).all():
        raise CameraFileError(f"{file}: `{key}` must be {expected} finite numbers, not {value!r}.")
    return array


def load_camera(file: Path, size: tuple[int, int] = REFERENCE_SIZE) -> Camera:
    """The lens of a JSON file's `camera.matrix` and `camera.distortion`; nothing else in it is read.

    The file does not say for which resolution it was measured. A picture in whose middle the principal point
    lies is taken to be of that resolution (`scaled_to`); for others the
    multiple of `size` that fits. Raises CameraFileError, naming the wrong key.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise CameraFileError(f"{file}: cannot be read ({error.strerror}); check the path.") from None
    except (ValueError, RecursionError) as error:
        raise CameraFileError(f"{file}: is not JSON ({error}).") from None
    if not isinstance(data, dict) or not isinstance(data.get("camera"), dict):
        raise CameraFileError(
            f"{file}: `camera` is missing; expected an object with `matrix` and `distortion`."
        )
    camera = data["camera"]
    for key in ("matrix", "distortion"):
        if key not in camera:
            near = next((k for k in camera if k.lower().startswith(key[:4])), None)
            hint = f"; is `camera.{near}` meant?" if near else "."
            raise CameraFileError(f"{file}: `camera.{key}` is missing{hint}")
    matrix = _numbers(file, "camera.matrix", camera["matrix"], (3, 3))
    raw = camera["distortion"]
    length = len(raw) if isinstance(raw, list) else 5
    if length not in (4, 5, 8, 12, 14):
        raise CameraFileError(
            f"{file}: `camera.distortion` must hold 4, 5, 8, 12 or 14 numbers, not {length}."
        )
    distortion = _numbers(file, "camera.distortion", raw, (length,))
    fx, fy, cx, cy = matrix[0, 0], matrix[1, 1], matrix[0, 2], matrix[1, 2]
    if fx <= 0 or fy <= 0 or cx <= 0 or cy <= 0:
        raise CameraFileError(
            f"{file}: `camera.matrix` must hold focal lengths and a centre above 0, as "
            f"[[fx, 0, cx], [0, fy, cy], [0, 0, 1]]."
        )
    measured_size = _size_of(float(cx), float(cy), size)
    return Camera(
        float(fx),
        float(fy),
        float(cx),
        float(cy),
        tuple(float(k) for k in distortion),
        measured_size,
        guessed_size=True,
    )


def _off_middle(cx: float, cy: float, size: tuple[int, int]) -> float:
    """How far a principal point is off the middle of a picture of this size, as a logarithm of the ratio."""
    return max(abs(math.log(2 * cx / size[0])), abs(math.log(2 * cy / size[1])))


def _size_of(cx: float, cy: float, size: tuple[int, int]) -> tuple[int, int]:
    """The resolution a lens was measured at: `size` times the simple ratio that puts the centre in the middle."""
    ratios = (1.0, 2.0, 0.5, 1.5, 2 / 3, 4 / 3, 0.75, 3.0, 1 / 3, 4.0, 0.25, 1.2, 5 / 6)
    measured = (2 * cx / size[0], 2 * cy / size[1])

    def miss(ratio: float) -> float:
        return max(abs(math.log(m / ratio)) for m in measured)

    if miss(1.0) < 0.14:
        return size
    best = min(ratios, key=miss)
    return (round(size[0] * best), round(size[1] * best))


@dataclass(frozen=True, eq=False, slots=True)
class CameraPose:
    """A camera above the table: lens, and rotation `R` (3, 3) and translation `t` (3,) from world to camera."""

    camera: Camera
    rotation: Floats
    translation: Floats

    @property
    def centre_mm(self) -> Floats:
        """The camera in the world, (3,) mm."""
        return np.asarray(-self.rotation.T @ self.translation, dtype=np.float64)

    @property
    def rotation_vector(self) -> Floats:
        """The rotation as OpenCV's (3,) axis-angle vector."""
        return np.asarray(cv2.Rodrigues(self.rotation)[0], dtype=np.float64).reshape(3)

    def project(self, points_mm: ArrayLike) -> Floats:
        """World points (..., 3) in mm to pixels (..., 2)."""
        points = np.asarray(points_mm, dtype=np.float64)
        pixels, _ = cv2.projectPoints(
            points.reshape(-1, 1, 3),
            self.rotation_vector,
            self.translation,
            self.camera.matrix,
            self.camera.coefficients,
        )
        return np.asarray(pixels, dtype=np.float64).reshape((*points.shape[:-1], 2))

    def rays(self, pixels: ArrayLike) -> Floats:
        """Directions (..., 3) in the world of the rays through pixels (..., 2); from `centre_mm`, not of unit length."""
        pixel = np.asarray(pixels, dtype=np.float64)
        flat = cv2.undistortPoints(
            pixel.reshape(-1, 1, 2), self.camera.matrix, self.camera.coefficients
        ).reshape(-1, 2)
        directions = np.column_stack([flat, np.ones(len(flat))]) @ self.rotation
        return np.asarray(directions, dtype=np.float64).reshape((*pixel.shape[:-1], 3))

    def intersect(self, pixels: ArrayLike, z_mm: ArrayLike) -> Floats:
        """Where the rays through pixels (..., 2) meet the level(s) z: world points (..., 3) in mm."""
        rays = self.rays(pixels)
        centre = self.centre_mm
        level = np.broadcast_to(np.asarray(z_mm, dtype=np.float64), rays.shape[:-1])
        along = (level - centre[2]) / rays[..., 2]
        points = centre + rays * along[..., None]
        return np.asarray(points, dtype=np.float64)

    def px_per_mm(self, point_mm: ArrayLike) -> Floats:
        """The (2, 2) matrix from a step (dx, dy) in mm on the level of a world point to a step in pixels there."""
        x, y, z = np.asarray(point_mm, dtype=np.float64)
        around = self.project([[x - 1, y, z], [x + 1, y, z], [x, y - 1, z], [x, y + 1, z]])
        return np.column_stack([(around[1] - around[0]) / 2, (around[3] - around[2]) / 2])
