"""What the sources that read through OpenCV share."""

from __future__ import annotations

import cv2
import numpy as np

from companion.sensing.frames import Image


def hush() -> None:
    """OpenCV tells every failed attempt in lines of its own on the terminal; what matters is told by CameraAbsent."""
    logging = getattr(cv2.utils, "logging", None)
    if logging is not None:
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)


def bgr(picture: Image) -> Image:
    """A picture as (h, w, 3) BGR in one piece, also a grey one (h, w) or one with a fourth channel."""
    if picture.ndim == 2 or picture.shape[2] == 1:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    if picture.shape[2] == 4:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGRA2BGR), dtype=np.uint8)
    return np.ascontiguousarray(picture)
