"""What a lens, a sensor, a hand at the table or a telephone does to a picture."""

from __future__ import annotations

import cv2
import numpy as np

from companion.sensing.frames import Image


def noisy(image: Image, sigma: float, gain: float = 1.0) -> Image:
    """Sensor noise of `sigma` grey levels; `gain` below 1 darkens."""
    height, width, colours = image.shape
    # One stretch of noise again and again: as good as any, in a fraction of the time.
    half = np.random.default_rng(7).standard_normal((height // 2, width // 2, colours), dtype=np.float32)
    noise = np.tile(half * np.float32(sigma), (2, 2, 1))
    noise += image * np.float32(gain)
    return np.clip(noise, 0, 255, out=noise).astype(np.uint8)


def blurred(image: Image, sigma: float) -> Image:
    """Out of focus by `sigma` pixels."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), dtype=np.uint8)


def shaken(image: Image) -> Image:
    """Moved by seven pixels to the side while it was exposed."""
    kernel = np.zeros((9, 9), np.float32)
    kernel[4, 1:8] = 1 / 7
    return np.asarray(cv2.filter2D(image, -1, kernel), dtype=np.uint8)


def compressed(image: Image) -> Image:
    """A JPEG of quality 30."""
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 30])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)


def lit_from_one_side(image: Image, darkest: float) -> Image:
    """Light that grows from `darkest` at the left edge to 1.3 at the right."""
    light = np.linspace(darkest, 1.3, image.shape[1], dtype=np.float32)[None, :, None]
    return np.asarray(np.clip(image * light, 0, 255), dtype=np.uint8)
