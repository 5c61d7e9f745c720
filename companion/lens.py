"""The lens that a table is seen through: as its owner measured it, fitted to the pictures that really come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from calibration.profile import CameraProfile, LensMismatch
from companion.messages import say
from companion.sensing.frames import Frame, FrameSource
from companion.sensing.geometry import Camera
from companion.sensing.place import BoardPrint
from companion.sensing.reading import Finding
from companion.sensing.sources.setting import Setting, setting_of
from companion.tables.kit import Eyes, Kit

CALIBRATE = "calibrate camera"


@dataclass(frozen=True, slots=True)
class LensInUse:
    """`camera`: what sight goes by. `finding`: what people should know of it, None for the lens exactly as measured."""

    camera: Camera
    finding: Finding | None = None


def lens_in_use(measured: CameraProfile, size: tuple[int, int], setting: Setting) -> LensInUse:
    """The lens for pictures of `size` (w, h) in pixels from a camera that is set so.

    Where the measured one does not hold, the game goes on with one that is only assumed, which sight fits to the frame
    markers; the finding says so and what to do.
    """
    lens = measured.lens()
    sizes = {"size": _times(size), "other": _times(lens.size)}
    fine = say("camera.lens_fine")
    try:
        fitted, scaled = measured.lens_for(size, setting.lens_position, setting.crop_px)
    except LensMismatch:
        pass
    else:
        if not scaled:
            return LensInUse(fitted)
        other_part = None not in (setting.crop_px, measured.crop_px) and setting.crop_px != measured.crop_px
        key = "camera.lens_cropped" if other_part else "camera.lens_scaled"
        said = say(key, size=sizes["size"]) if other_part else say(key, **sizes)
        return LensInUse(fitted, Finding(f"lens {sizes['size']}", said, fine))
    try:
        fitted, _ = measured.lens_for(size, None, setting.crop_px)
    except LensMismatch:
        text = say("camera.lens_other_shape", **sizes)
        todo = say("camera.lens_shape_todo", other=sizes["other"], command=CALIBRATE)
        return LensInUse(Camera.assumed(size), Finding(f"lens shape {sizes['size']}", text, todo))
    # Only the focus is another: that changes a lens by little, and what was measured is a better guess than any other.
    wanted, now = f"{measured.lens_position:.2f}", f"{setting.lens_position:.2f}"
    text = say("camera.lens_other_focus", wanted=wanted, now=now)
    todo = say("camera.lens_focus_todo", command=CALIBRATE)
    return LensInUse(replace(fitted, known=False), Finding(f"lens focus {now}", text, todo))


class LensedEyes:
    """Eyes that get their lens with the first picture, and another one when the camera is set otherwise.

    `make`: eyes for a lens. `measured`: the lens as its owner measured it. `setting`: how the camera is set now.
    """

    def __init__(
        self, make: Callable[[Camera], Eyes], measured: CameraProfile, setting: Callable[[], Setting]
    ) -> None:
        self._make = make
        self._measured = measured
        self._setting = setting
        self._seen: tuple[tuple[int, int], Setting] | None = None
        self._lens: LensInUse | None = None
        self._eyes: Eyes | None = None

    def process(self, frame: Frame) -> Any:
        """The next picture of a live table: a reading of the game's own kind, with what is to be said of the lens."""
        eyes = self._eyes_for(frame)
        reading = eyes.process(frame)
        if self._lens is None or self._lens.finding is None:
            return reading
        return replace(reading, findings=(self._lens.finding, *reading.findings))

    def _eyes_for(self, frame: Frame) -> Eyes:
        seen = (frame.size, self._setting())
        if self._eyes is None or seen != self._seen:
            self._seen = seen
            before, self._lens = self._lens, lens_in_use(self._measured, *seen)
            if self._eyes is None or before is None or before.camera != self._lens.camera:
                self._eyes = self._make(self._lens.camera)
        return self._eyes


def eyes_for(
    kit: Kit, camera: FrameSource | None, measured: CameraProfile | None, rings: BoardPrint | None
) -> Eyes:
    """Sight for a table that plays; without a measured lens the reference lens is assumed.

    `rings`: how the board's rings lay when they were measured.
    """
    if camera is None or measured is None:
        return kit.eyes(rings=rings)
    return LensedEyes(lambda lens: kit.eyes(lens, rings), measured, lambda: setting_of(camera))


def _times(size: tuple[int, int]) -> str:
    return f"{size[0]} × {size[1]}"
