"""How a camera is to be set."""

from __future__ import annotations

from dataclasses import dataclass

REFERENCE_SIZE = (2304, 1296)


@dataclass(frozen=True, slots=True)
class Wish:
    """`size` (w, h) of the pictures in pixels. `lens_position`: of a Pi camera in dioptres, of a USB camera in its
    driver's own measure; None: autofocus looks for the table once, then the lens stays. `exposure_ms`; None: the
    camera's choice.
    """

    size: tuple[int, int] = REFERENCE_SIZE
    lens_position: float | None = None
    exposure_ms: float | None = None
