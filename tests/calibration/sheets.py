"""Views of a ChArUco sheet for the tests: computed corners, and drawn pictures."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from calibration.charuco import CharucoSheet, SheetView
from companion.sensing.geometry import Camera, Floats
from companion.sensing.markers import Gray

LENS = Camera(1774.0, 1776.0, 1158.0, 643.0, (-0.045, 0.0, 0.0, 0.0, 0.0), (2304, 1296))


def pose(tilt_deg: float, towards_deg: float, roll_deg: float = 0.0) -> Floats:
    """A sheet's rotation (3, 3) to the camera: tilted, its raised side in the picture at `towards_deg` (y down)."""
    around = np.radians(towards_deg + 90)
    tip = cv2.Rodrigues(np.radians(tilt_deg) * np.array([np.cos(around), np.sin(around), 0.0]))[0]
    spin = cv2.Rodrigues(np.radians(roll_deg) * np.array([0.0, 0.0, 1.0]))[0]
    return np.asarray(tip @ spin, dtype=np.float64)


def pixels_of(
    points_mm: Floats, lens: Camera, turn: Floats, centre_px: tuple[float, float], z: float
) -> Floats:
    """Where points (n, 3) of a sheet centred on its middle lie in the picture, (n, 2)."""
    at = np.array([(centre_px[0] - lens.cx) / lens.fx * z, (centre_px[1] - lens.cy) / lens.fy * z, z])
    seen, _ = cv2.projectPoints(points_mm, cv2.Rodrigues(turn)[0], at, lens.matrix, lens.coefficients)
    return np.asarray(seen, dtype=np.float64).reshape(-1, 2)


def views(
    lens: Camera,
    tilts_deg: list[float],
    seed: int = 1,
    noise_px: float = 0.12,
    sheet: CharucoSheet | None = None,
) -> list[SheetView]:
    """Views all over the picture, tilted as given to ever other sides, with noisy corners."""
    sheet = sheet or CharucoSheet()
    rng = np.random.default_rng(seed)
    width, height = lens.size
    middle = np.array([sheet.columns, sheet.rows, 0]) * sheet.square_mm / 2
    found = []
    for n, tilt in enumerate(tilts_deg):
        centre = (width * (0.25 + 0.25 * (n % 3)), height * (0.25 + 0.25 * (n // 3 % 3)))
        z = lens.fx * sheet.columns * sheet.square_mm / (width * rng.uniform(0.38, 0.5))
        turn = pose(tilt, 137.5 * n, rng.uniform(-20, 20))
        pixels = pixels_of(sheet.corners_mm - middle, lens, turn, centre, z)
        pixels = pixels + rng.normal(0, noise_px, pixels.shape)
        ids = np.nonzero(((pixels > 0) & (pixels < np.array(lens.size) - 1)).all(axis=1))[0]
        found.append(SheetView(f"{n + 1}.jpg", sheet, tuple(int(i) for i in ids), pixels[ids], lens.size))
    return found


@cache
def _rays(lens: Camera) -> Floats:
    """The rays (n, 3) through a picture's pixels, row by row."""
    grid = np.stack(np.meshgrid(np.arange(lens.size[0]), np.arange(lens.size[1])), axis=-1).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(grid.astype(np.float64), lens.matrix, lens.coefficients).reshape(-1, 2)
    return np.column_stack([rays, np.ones(len(rays))])


def drawn(
    sheet: CharucoSheet,
    tilt_deg: float = 20.0,
    towards_deg: float = 30.0,
    *,
    lens: Camera = LENS,
    size: tuple[int, int] = (1152, 648),
    centre: tuple[float, float] = (0.5, 0.5),
    wide: float = 0.5,
) -> tuple[Gray, Floats]:
    """A grey picture of a sheet on a grey table, and where its inner corners truly are (n, 2)."""
    lens = lens.scaled_to(size)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, sheet.dictionary))
    board = cv2.aruco.CharucoBoard((sheet.columns, sheet.rows), sheet.square_mm, sheet.marker_mm, dictionary)
    board.setLegacyPattern(sheet.legacy)
    px_mm, edge_mm = 2.5, 8
    edge = round(edge_mm * px_mm)
    art = board.generateImage(
        (round(sheet.columns * sheet.square_mm * px_mm), round(sheet.rows * sheet.square_mm * px_mm))
    )
    art = cv2.copyMakeBorder(art, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=255)
    middle = np.array([sheet.columns, sheet.rows, 0]) * sheet.square_mm / 2
    turn = pose(tilt_deg, towards_deg)
    z = lens.fx * sheet.columns * sheet.square_mm / (size[0] * wide)
    centre_px = (centre[0] * size[0], centre[1] * size[1])
    # Pixel by pixel through the bent lens back onto the sheet.
    at = np.array([(centre_px[0] - lens.cx) / lens.fx * z, (centre_px[1] - lens.cy) / lens.fy * z, z])
    onto = np.linalg.inv(np.column_stack([turn[:, 0], turn[:, 1], at]))
    flat = _rays(lens) @ onto.T
    mm = flat[:, :2] / flat[:, 2:] + middle[:2]
    where = ((mm + edge_mm) * px_mm - 0.5).astype(np.float32).reshape(size[1], size[0], 2)
    picture = cv2.remap(
        art, where[..., 0], where[..., 1], cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=90
    )
    picture = cv2.GaussianBlur(picture, (0, 0), 0.6)
    truth = pixels_of(sheet.corners_mm - middle, lens, turn, centre_px, z)
    return np.asarray(picture, dtype=np.uint8), truth
