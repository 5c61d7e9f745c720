"""How a camera is set while it takes its pictures: where its lens stands, and which part of the sensor it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from companion.sensing.frames import FrameSource

Crop = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Setting:
    """`lens_position` in the camera's own measure, `crop_px` (x, y, w, h) on the sensor; None: it does not tell."""

    lens_position: float | None = None
    crop_px: Crop | None = None


@runtime_checkable
class TellsSetting(Protocol):
    """A camera, or the device behind it, that can say how it is set."""

    @property
    def setting(self) -> Setting: ...


def setting_of(source: FrameSource) -> Setting:
    """How a source is set now; nothing of one that cannot say."""
    return source.setting if isinstance(source, TellsSetting) else Setting()
