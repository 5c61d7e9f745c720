"""Hands in the picture: modelled once as rounded limbs, lit, and laid over each frame where the hand is."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.virtual.boxes import Box
from companion.virtual.optics import Optics
from companion.virtual.scene import HandPose
from companion.virtual.textures import Image, noise

Field = NDArray[np.float32]

PX_MM = 2.4
# The model lies finger tips at the origin, arm along −y (in mm); limbs: (x0, y0, r0, x1, y1, r1, lift).
_LIMBS = (
    (-3, 0, 7.0, -8, -38, 8.6, 6),  # index
    (-8, -38, 8.6, -13, -82, 10.5, 9),
    (9, 3, 7.2, 8, -38, 8.8, 8),  # middle
    (8, -38, 8.8, 4, -86, 11.0, 10),
    (24, -10, 6.8, 23, -48, 8.4, 4),  # ring
    (23, -48, 8.4, 18, -90, 10.5, 7),
    (38, -30, 6.0, 36, -58, 7.4, 0),  # little
    (36, -58, 7.4, 30, -95, 9.8, 4),
    (-14, 3, 8.0, -34, -34, 9.6, -4),  # thumb
    (-34, -34, 9.6, -26, -84, 13.0, 0),
    (-16, -88, 15.0, -9, -150, 20.0, 8),  # palm
    (4, -88, 16.0, 3, -152, 21.0, 9),
    (22, -94, 14.0, 14, -150, 19.0, 7),
    (3, -148, 25.0, 2, -200, 25.0, 4),  # wrist
    (2, -200, 25.0, 0, -330, 34.0, 6),  # forearm
)
_SLEEVE = ((2, -226, 33.0, 0, -330, 43.0, 12), (0, -330, 43.0, 0, -760, 52.0, 12))
_SKIN = ((122, 154, 206), (92, 124, 178), (140, 172, 222), (62, 88, 136))
_CLOTH = ((120, 84, 60), (70, 70, 74), (82, 104, 70), (86, 60, 128))
# How softly limbs flow into each other.
_BLEND_MM = 4.0
_WIDE_MM, _AHEAD_MM, _BACK_MM = 75, 32, 760
_BAND_PX = 96


@cache
def model(look: int) -> Image:
    """A right hand of this look with its soft shadow, (h, w, 4): blue, green and red times opacity, opacity."""
    width, height = int(2 * _WIDE_MM * PX_MM), int((_AHEAD_MM + _BACK_MM) * PX_MM)
    xs = (np.arange(width, dtype=np.float32) / PX_MM - _WIDE_MM)[None, :]
    ys = (_AHEAD_MM - np.arange(height, dtype=np.float32) / PX_MM)[:, None]
    skin_z = _heights(xs, ys, _LIMBS)
    cloth_z = _heights(xs, ys, _SLEEVE)
    rng = np.random.default_rng(look)
    folds = noise(rng, height, width, (60, 90), 3)
    cloth_z = np.where(cloth_z > 0, cloth_z + np.float32(2.2) * folds, cloth_z)
    worn = cloth_z > skin_z
    relief = cv2.GaussianBlur(np.maximum(np.maximum(skin_z, cloth_z), 0), (0, 0), 3.2)
    slope_x = cv2.Sobel(relief, cv2.CV_32F, 1, 0, scale=PX_MM / 8)
    slope_y = cv2.Sobel(relief, cv2.CV_32F, 0, 1, scale=PX_MM / 8)
    facing = 1 / np.sqrt(1 + slope_x**2 + slope_y**2)
    light = np.clip((0.82 + 0.30 * slope_x + 0.34 * slope_y) * facing, 0.12, 1.25) * 0.72 + 0.22
    tone = np.where(
        worn[:, :, None], np.array(_CLOTH[look % 4], np.float32), np.array(_SKIN[look % 4], np.float32)
    )
    mottled = 1 + 0.035 * noise(rng, height, width, (22, 22), 3)
    _nails(tone, xs, ys)
    colour = np.clip(tone * (light * mottled)[:, :, None], 0, 250)
    solid = (np.maximum(skin_z, cloth_z) > 0).astype(np.float32)
    solid = np.asarray(cv2.GaussianBlur(solid, (0, 0), 0.8), dtype=np.float32)
    shade = np.roll(solid, (int(9 * PX_MM), int(5 * PX_MM)), axis=(0, 1))
    shade[: int(10 * PX_MM)] = 0
    shade = 0.42 * cv2.GaussianBlur(shade, (0, 0), 5 * PX_MM)
    opacity = solid + (1 - solid) * shade
    colour = colour * (solid / np.maximum(opacity, 1e-4))[:, :, None]
    hand = np.dstack((colour * opacity[:, :, None], opacity * 255))
    return np.asarray(np.clip(np.rint(hand), 0, 255), dtype=np.uint8)


def _nails(tone: Field, xs: Field, ys: Field) -> None:
    """Lighter, pinker patches at the finger tips."""
    for x0, y0, r0, x1, y1, *_ in (_LIMBS[n] for n in (0, 2, 4, 6, 8)):
        length = float(np.hypot(x1 - x0, y1 - y0))
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        along = (xs - x0) * ux + (ys - y0) * uy + 0.5
        across = (xs - x0) * uy - (ys - y0) * ux
        nail = (along / (0.62 * r0)) ** 2 + (across / (0.48 * r0)) ** 2 < 1
        tone[nail] = tone[nail] * 0.55 + np.array((176, 178, 226), np.float32) * 0.45


def _heights(xs: Field, ys: Field, limbs: tuple[tuple[float, ...], ...]) -> Field:
    """Height field in mm of rounded limbs that flow into each other, 0 or less where there is none."""
    total = np.zeros((ys.shape[0], xs.shape[1]), dtype=np.float32)
    solid = np.zeros(total.shape, dtype=bool)
    for x0, y0, r0, x1, y1, r1, lift in limbs:
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((xs - x0) * dx + (ys - y0) * dy) / (dx * dx + dy * dy), 0, 1)
        radius = r0 + (r1 - r0) * along
        inside = radius**2 - (xs - x0 - along * dx) ** 2 - (ys - y0 - along * dy) ** 2
        solid |= inside > 0
        height = np.where(inside > 0, np.sqrt(np.maximum(inside, 0)) + lift + 10, 0.0)
        total += np.where(inside > 0, np.exp(height / _BLEND_MM), 0.0).astype(np.float32)
    heights = _BLEND_MM * np.log(np.maximum(total, 1e-6))
    return np.asarray(np.where(solid, heights, -1.0), dtype=np.float32)


def place(hand: HandPose, optics: Optics, step: int = 1) -> list[tuple[Box, Image]]:
    """The hand in the picture, in bands from top to bottom: each band's box and what to lay over it there.

    As `model` has it, (h, w, 4). An arm lies aslant: bands hold little of what is beside it. Empty if outside. With a
    `step` all is told of every so many pixels of the picture.
    """
    hand_up = model(hand.look)
    tip, elbow = optics.project([hand.tip, hand.elbow])
    reach = float(np.hypot(*(np.array(hand.elbow[:2]) - np.array(hand.tip[:2])))) or 1.0
    direction = (elbow - tip) / reach
    # Model axes in the picture, per millimetre: −y runs from the tips to the elbow, x across.
    across = np.array([direction[1], -direction[0]]) * (1.0 if hand.right else -1.0)
    warp = np.empty((2, 3))
    warp[:, 0] = across / PX_MM
    warp[:, 1] = direction / PX_MM
    warp[:, 2] = tip - warp[:, :2] @ np.array([_WIDE_MM * PX_MM, _AHEAD_MM * PX_MM])
    warp /= step
    height, width = hand_up.shape[:2]
    rim = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]) @ warp.T
    first = max(int(np.floor(rim[:, 1].min())), 0)
    last = min(int(np.ceil(rim[:, 1].max())), -(-optics.size[1] // step))
    across_px = -(-optics.size[0] // step)
    bands = []
    for top in range(first, last, _BAND_PX):
        bottom = min(top + _BAND_PX, last)
        xs = _crossed(rim, top - 1, bottom + 1)
        left, right = max(int(np.floor(min(xs))), 0), min(int(np.ceil(max(xs))), across_px)
        if left >= right:
            continue
        here = warp.copy()
        here[:, 2] -= (left, top)
        band = cv2.warpAffine(hand_up, here, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
        bands.append(((left, top, right, bottom), np.asarray(band, dtype=np.uint8)))
    return bands


def _crossed(rim: NDArray[np.float64], top: float, bottom: float) -> list[float]:
    """The x of a quad's corners and sides between two heights."""
    xs = [float(x) for x, y in rim if top <= y <= bottom]
    for (x0, y0), (x1, y1) in zip(rim, np.roll(rim, -1, axis=0), strict=True):
        xs += [
            float(x0 + (x1 - x0) * (y - y0) / (y1 - y0))
            for y in (top, bottom)
            if min(y0, y1) <= y <= max(y0, y1) and y0 != y1
        ]
    return xs
