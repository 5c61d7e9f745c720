"""Reading picture files."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.sensing.frames import Image

_JPEG, _JPEG_END, _SCAN = b"\xff\xd8", b"\xff\xd9", b"\xda"
_PNG, _PNG_END = b"\x89PNG", b"IEND"


class PictureUnreadable(CompanionError, OSError):
    """A picture file cannot be read. The message names it."""


def load_picture(file: Path) -> Image:
    """A picture file as (h, w, 3) BGR. Raises PictureUnreadable, naming the file, also for one that was cut off."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise PictureUnreadable(f"{file}: cannot be read ({error.strerror}); check the path.") from None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if is_whole(data) else None
    except cv2.error:
        image = None
    if image is None:
        raise PictureUnreadable(f"{file}: is not a picture this can read; use JPEG or PNG.")
    return np.asarray(image, dtype=np.uint8)


def is_whole(data: bytes) -> bool:
    """Is a file's end there? False for an empty file, and for a JPEG or PNG that was cut off or is still being written.

    Some decoders fill up what is missing with grey, which would look like an empty table, and others complain of it
    on the terminal. Markers: ITU-T T.81 (JPEG), B.1; PNG specification, 5.6.
    """
    if data.startswith(_PNG):
        return _PNG_END in data
    if not data.startswith(_JPEG):
        return bool(data)
    # Segments with a length, a thumbnail with an end of its own among them, stand before the scan.
    at = len(_JPEG)
    while data[at : at + 1] == b"\xff" and data[at + 1 : at + 2] != _SCAN:
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return _JPEG_END in data[at:]
