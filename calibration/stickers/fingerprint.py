"""The markers as they are drawn, cell by cell, and a fingerprint of all of them.

OpenCV has changed how it draws markers of some families, and the order of their corners. Stickers that are on the
pieces stay: a program that would draw them otherwise must say so before it prints.
"""

from __future__ import annotations

import hashlib
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.charuco import CharucoSheet, marker_corners_mm
from calibration.stickers.prints import all_groups
from companion.errors import CompanionError
from companion.games.above.box import MARKER_DICTIONARY

# Of every marker of the table and of the ChArUco sheet, as OpenCV 4.10 to 5.0 draw them.
FINGERPRINT = "b069cd196f8e"


class DrawnOtherwise(CompanionError):
    """This OpenCV draws the table's markers otherwise than those in use."""


@cache
def _bits(marker: int, family: str) -> bytes:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, family))
    drawn = cv2.aruco.generateImageMarker(dictionary, marker, dictionary.markerSize + 2)
    return (np.asarray(drawn) < 128).astype(np.uint8).tobytes()


def cells(marker: int, family: str = MARKER_DICTIONARY) -> NDArray[np.bool_]:
    """Which cells (n, n) of a marker with its border are black, row by row from its upper left corner."""
    bits = np.frombuffer(_bits(marker, family), dtype=np.uint8)
    across = round(len(bits) ** 0.5)
    return bits.reshape(across, across).astype(bool)


def fingerprint() -> str:
    """Twelve hexadecimal digits that change as soon as one cell of one marker is drawn otherwise."""
    drawn = hashlib.sha256()
    sheet = CharucoSheet()
    ids = {(MARKER_DICTIONARY, sticker.id) for group in all_groups() for sticker in group.prints}
    ids |= {(sheet.dictionary, marker) for marker in marker_corners_mm(sheet)}
    for family, marker in sorted(ids):
        drawn.update(f"{family} {marker} ".encode() + _bits(marker, family))
    return drawn.hexdigest()[:12]


def check_fingerprint() -> str:
    """The fingerprint; raises DrawnOtherwise where it is not that of the stickers in use."""
    here = fingerprint()
    if here != FINGERPRINT:
        raise DrawnOtherwise(
            f"OpenCV {cv2.__version__} draws the markers otherwise (fingerprint {here}) than those in use "
            f"({FINGERPRINT}): stickers printed now would not fit them. Install the version in requirements.lock."
        )
    return here
