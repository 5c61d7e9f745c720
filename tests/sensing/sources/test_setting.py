"""How a camera is set is read back from it, through all that lies between."""

from __future__ import annotations

from companion.sensing.sources.picamera import PiDevice
from companion.sensing.sources.setting import Setting, setting_of
from companion.sensing.sources.usb import FOCUS_S, UsbDevice
from companion.sensing.sources.watched import WatchedCamera
from companion.sensing.sources.wish import Wish
from tests.calibration.scripted import ScriptedCamera
from tests.sensing.sources.drivers import FakeCapture, FakePicamera2, pictures


class TellingCamera(ScriptedCamera):
    setting = Setting(1.6, (0, 432, 4608, 2592))


def test_a_camera_that_tells_is_asked_and_one_that_does_not_is_unknown() -> None:
    assert setting_of(TellingCamera()) == Setting(1.6, (0, 432, 4608, 2592))
    assert setting_of(ScriptedCamera()) == Setting()
    assert setting_of(WatchedCamera(TellingCamera())) == Setting(1.6, (0, 432, 4608, 2592))
    assert setting_of(WatchedCamera(ScriptedCamera())) == Setting()


def test_the_pi_camera_tells_lens_and_crop_of_its_last_picture() -> None:
    class Cropped(FakePicamera2):
        def metadata(self) -> dict[str, object]:
            return {**super().metadata(), "ScalerCrop": (768, 432, 3072, 1728)}

    device = PiDevice(Cropped(), Wish((64, 36), lens_position=2.0), lambda: 0)
    device.grab()
    device.retrieve()
    assert device.setting == Setting(2.0, (768, 432, 3072, 1728))
    device.release()


def test_a_usb_camera_tells_its_lens_once_that_is_locked() -> None:
    clock = [0.0]
    device = UsbDevice(FakeCapture(pictures()), Wish(), lambda: clock[0])  # type: ignore[arg-type]
    assert device.setting == Setting()
    clock[0] = FOCUS_S + 1
    device.grab()
    assert device.setting == Setting(device.lens_position)
    assert device.setting.lens_position is not None
    locked = UsbDevice(FakeCapture(pictures()), Wish(lens_position=45.0), lambda: 0.0)  # type: ignore[arg-type]
    assert locked.setting == Setting(45.0)
