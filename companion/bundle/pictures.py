"""The pictures of a bundle: read afresh, as they would be on any computer, so that two readings can be compared."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import cv2
import numpy as np
from pydantic import TypeAdapter, ValidationError

from calibration.profile import TableProfile
from companion.bundle.contents import BundleError
from companion.sensing.frames import Image
from companion.sensing.game import game_on_table
from companion.sensing.geometry import Camera
from companion.sensing.grey import gray_of
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.olympeak.sight import OlympeakSight
from companion.sensing.place import BoardPrint
from companion.sensing.reading import Reading
from companion.sensing.sight import Sight

MOST_PIXELS = 50_000_000
_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured at the table and is needed to read its pictures: lens and rings."""

    lens: Camera | None = None
    rings: BoardPrint | None = None

    @classmethod
    def of(cls, profile: TableProfile) -> Measured:
        """From a table profile."""
        return cls(
            None if profile.camera is None else profile.camera.lens(),
            None if profile.rings is None else profile.rings.board_print(),
        )


def read_picture(png: bytes, measured: Measured) -> Reading | OlympeakReading:
    """The whole reading of one picture. Raises BundleError for what is no picture."""
    image = _image(png)
    if game_on_table(gray_of(image)) == "olympeak":
        return OlympeakSight(measured.lens).look(image)
    return Sight(measured.lens, rings=measured.rings).look(image)


def tried(png: bytes, measured: Measured) -> Reading | OlympeakReading | None:
    """The reading of one picture; None for one on which sight fails, which is what it was kept for.

    Raises BundleError for what is no picture.
    """
    try:
        return read_picture(png, measured)
    except (cv2.error, ArithmeticError, LookupError, ValueError, TypeError, AssertionError) as error:
        if isinstance(error, BundleError):
            raise
        return None


def as_json(reading: Reading | OlympeakReading) -> bytes:
    """A reading, exact to the last bit."""
    return TypeAdapter(type(reading)).dump_json(reading)


def is_as_written(reading: Reading | OlympeakReading, text: bytes) -> bool:
    """Is it, to the last bit, the reading that was written? Raises BundleError for what is no reading."""
    try:
        return TypeAdapter(type(reading)).validate_json(text) == reading
    except ValidationError:
        raise BundleError("A reading of the bundle is none of this companion's.") from None


def _image(png: bytes) -> Image:
    if png[:8] != _PNG or len(png) < 33:
        raise BundleError("A picture of the bundle is no PNG.")
    width, height = struct.unpack(">II", png[16:24])
    if width * height > MOST_PIXELS:
        raise BundleError(f"A picture of the bundle is too large ({width} × {height}).")
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise BundleError("A picture of the bundle is damaged.")
    return np.asarray(image, np.uint8)
