"""Reading picture files."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.sensing.frames import Image


class PictureUnreadable(CompanionError, OSError):
    """A picture file cannot be read. The message names it."""


def load_picture(file: Path) -> Image:
    """A picture file as (h, w, 3) BGR. Raises PictureUnreadable, naming the file."""
    try:
        data = np.frombuffer(file.read_bytes(), dtype=np.uint8)
    except OSError as error:
        raise PictureUnreadable(f"{file}: cannot be read ({error.strerror}); check the path.") from None
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except cv2.error:
        image = None
    if image is None:
        raise PictureUnreadable(f"{file}: is not a picture this can read; use JPEG or PNG.")
    return np.asarray(image, dtype=np.uint8)
