"""The Raspberry Pi's own cameras through picamera2, which comes with the system's packages."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from companion.messages import say
from companion.sensing.frames import CameraAbsent, CameraUnusable, Clock
from companion.sensing.sources.live import LiveCamera
from companion.sensing.sources.opencv import bgr
from companion.sensing.sources.setting import Crop, Setting
from companion.sensing.sources.v4l import held
from companion.sensing.sources.wish import Wish
from companion.sensing.sources.worker import Shot

INSTALL = "sudo apt install python3-picamera2"
# libcamera's numbers for its control values AfModeManual, AfModeAuto and AfTriggerStart.
_FOCUS_MANUAL, _FOCUS_AUTO, _FOCUS_START = 0, 1, 0
# A lens within so many dioptres of where it belongs is there: 0.05 is 2 cm at the table's distance.
_FOCUS_NEAR = 0.05
# An exposure within this share is the one wished for: sensors expose in whole lines.
_EXPOSURE_NEAR = 0.05
# So many pictures on end a lens or an exposure may be elsewhere: it takes a few to get there.
_PATIENCE = 30

BootClock = Callable[[], int]


def since_boot_ns() -> int:
    """The clock that libcamera stamps its pictures by, in nanoseconds."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


class PiCamera(LiveCamera):
    """A camera on the Pi's ribbon cable: `number` as `rpicam-hello --list-cameras` counts them."""

    def __init__(
        self, number: int, clock: Clock, wish: Wish, since_boot_ns: BootClock = since_boot_ns
    ) -> None:
        super().__init__(clock)
        self._which = number
        self._wish = wish
        self._since_boot_ns = since_boot_ns

    @property
    def name(self) -> str:
        """How the camera is called in messages."""
        return say("camera.pi") if self._which == 0 else say("camera.pi_numbered", n=self._which)

    def silent(self) -> str:
        """What to do about it."""
        return say("camera.pi_silent")

    def connect(self) -> PiDevice:
        """Start it.

        Raises CameraUnusable when picamera2 is not installed or was built for another NumPy, CameraAbsent when the
        camera is missing or busy.
        """
        picamera2 = self._library()
        found = picamera2.global_camera_info()
        if self._which >= len(found):
            raise CameraAbsent(say("camera.pi_not_found", camera=self.name, n=len(found), todo=self.silent()))
        try:
            camera = picamera2(self._which)
        except RuntimeError as error:
            # picamera2 keeps the reason in the context of what it raises.
            reason = error.__context__ or error
            nodes = [str(node) for node in sorted(Path("/dev").glob("media*"))]
            raise CameraAbsent(
                held(self.name, nodes) or say("camera.pi_not_open", camera=self.name, why=str(reason))
            ) from None
        try:
            return PiDevice(camera, self._wish, self._since_boot_ns)
        except (RuntimeError, ValueError) as error:
            camera.close()
            raise CameraAbsent(say("camera.pi_not_start", camera=self.name, why=str(error))) from None

    def _library(self) -> Any:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            if error.name not in (None, "picamera2"):
                raise CameraUnusable(
                    f"picamera2 is there, but lacks {error.name}; type: {INSTALL} --reinstall"
                ) from None
            raise CameraUnusable(
                f"The Pi camera needs picamera2, which is not installed; type: {INSTALL}, and set the companion up "
                "with the system's packages in view (python -m venv --system-site-packages)."
            ) from None
        except (ValueError, AttributeError) as error:
            # Its compiled parts were made for the NumPy of the system and met another one.
            raise CameraUnusable(
                f"picamera2 does not work with NumPy {np.__version__} ({error}); it needs the NumPy of the "
                "system's packages: pip uninstall numpy in the companion's environment."
            ) from None
        return Picamera2


class PiDevice:
    """A started Picamera2, set as wished; what it was told is read back from each picture's metadata."""

    def __init__(self, camera: Any, wish: Wish, since_boot_ns: BootClock) -> None:
        self.notice = ""
        self.lens_position: float | None = None
        self._crop: Crop | None = None
        self._camera = camera
        self._wish = wish
        self._since_boot_ns = since_boot_ns
        self._request: Any = None
        self._astray = 0
        self._has_focus = "LensPosition" in camera.camera_controls
        controls = self._controls()
        configuration = camera.create_video_configuration(
            # picamera2 names channels from the last byte: this is BGR in memory.
            main={"size": wish.size, "format": "RGB888"},
            buffer_count=3,
            # Told with the configuration: starting would reset what was told before.
            controls=controls,
        )
        camera.configure(configuration)
        camera.start()
        # A lens that is told its place before the camera runs may not hear it.
        self._tell(controls)
        if wish.lens_position is not None and not self._has_focus:
            self.notice = say("camera.no_autofocus", wanted=f"{wish.lens_position:g}")

    @property
    def setting(self) -> Setting:
        """How the camera was set for the last picture."""
        return Setting(self.lens_position, self._crop)

    def _controls(self) -> dict[str, object]:
        controls: dict[str, object] = {}
        if self._has_focus:
            if self._wish.lens_position is None:
                # Once: a focus that wanders while people play is another lens each time.
                controls |= {"AfMode": _FOCUS_AUTO, "AfTrigger": _FOCUS_START}
            else:
                controls |= {"AfMode": _FOCUS_MANUAL, "LensPosition": self._wish.lens_position}
        if self._wish.exposure_ms is not None:
            controls |= {"ExposureTime": round(self._wish.exposure_ms * 1000)}
        return controls

    def _tell(self, controls: Mapping[str, object]) -> None:
        if controls:
            self._camera.set_controls(dict(controls))

    def grab(self) -> bool:
        """Wait for the next picture; one that nobody asked for goes back to the camera."""
        self._give_back()
        self._request = self._camera.capture_request()
        return self._request is not None

    def retrieve(self) -> Shot | None:
        """Copy it out of the camera's buffer."""
        metadata = self._request.get_metadata()
        picture = bgr(np.asarray(self._request.make_array("main"), dtype=np.uint8))
        self._give_back()
        self._compare(metadata)
        stamp = metadata.get("SensorTimestamp")
        return Shot(picture, None if stamp is None else (self._since_boot_ns() - stamp) / 1e9)

    def _compare(self, metadata: Mapping[str, Any]) -> None:
        """Is the lens where it was told to be, and the exposure as wished?"""
        self.lens_position = metadata.get("LensPosition")
        crop = metadata.get("ScalerCrop")
        self._crop = None if crop is None else (int(crop[0]), int(crop[1]), int(crop[2]), int(crop[3]))
        complaint = self._lens_complaint() or self._exposure_complaint(metadata.get("ExposureTime"))
        if complaint is None:
            if self._astray:
                self._astray, self.notice = 0, ""
            return
        self._astray += 1
        if self._astray == _PATIENCE // 2:
            self._tell(self._controls())
        if self._astray >= _PATIENCE:
            self.notice = complaint

    def _lens_complaint(self) -> str | None:
        wanted, now = self._wish.lens_position, self.lens_position
        if wanted is None or not self._has_focus or now is None or abs(now - wanted) <= _FOCUS_NEAR:
            return None
        return say("camera.lens_moved", now=f"{now:.2f}", wanted=f"{wanted:.2f}")

    def _exposure_complaint(self, exposure_us: float | None) -> str | None:
        wanted = self._wish.exposure_ms
        if wanted is None or exposure_us is None:
            return None
        if abs(exposure_us / 1000 - wanted) <= _EXPOSURE_NEAR * wanted:
            return None
        return say("camera.exposes", now=f"{exposure_us / 1000:.1f}", wanted=f"{wanted:g}")

    def _give_back(self) -> None:
        if self._request is not None:
            self._request.release()
            self._request = None

    def release(self) -> None:
        """Stop the camera."""
        self._give_back()
        self._camera.close()

    def abort(self) -> None:
        """Stop a camera that hangs: its next user could not open it otherwise."""
        self._camera.close()
