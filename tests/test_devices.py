"""Real or simulated: what the settings choose, and what does not go together."""

from __future__ import annotations

from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

import pytest

from calibration.profile import (
    CameraProfile,
    Measured,
    ProfileError,
    TableProfile,
    rings_profile,
    save_profile,
)
from companion.devices import DeviceChoiceError, Devices, choose_devices, night_of, refuse_unusable
from companion.sensing.frames import CameraUnusable
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose
from companion.sensing.sources.folder import FolderCamera
from companion.sensing.sources.picamera import PiCamera
from companion.sensing.sources.watched import WatchedCamera
from companion.sensing.sources.wish import Wish
from companion.settings import Settings
from companion.signals.pins.plan import Part, PinPlanError
from companion.tables.above.kit import AboveKit
from companion.tables.catalogue import kit_for

LENS = CameraProfile(
    matrix=((1500.0, 0.0, 950.0), (0.0, 1500.0, 540.0), (0.0, 0.0, 1.0)),
    distortion=(-0.04, 0.0, 0.0, 0.0, 0.0),
    width_px=1920,
    height_px=1080,
    measured=Measured(at=datetime(2026, 5, 1, tzinfo=UTC), how="chessboard"),
)


def chosen(tmp_path: Path, settings: Settings) -> Devices:
    kit = AboveKit()
    book = kit.book(tmp_path / "journal.db", lambda: 0.0)
    try:
        return choose_devices(kit, settings, book.referee(2))
    finally:
        book.close()


def test_with_nothing_attached_everything_is_simulated(tmp_path: Path) -> None:
    devices = chosen(tmp_path, Settings(seed=1))
    assert devices.simulation is not None
    assert devices.camera is not None
    assert devices.camera.simulated
    assert devices.camera.name == devices.simulation.table.camera.name
    assert devices.port == devices.simulation.controller.path
    assert devices.profile == TableProfile()


@pytest.mark.parametrize(
    "settings",
    [
        Settings(camera="folder:pictures", motors=True),
        Settings(camera="folder:pictures", motors=True, controller="simulated"),
        Settings(camera="folder:pictures", motors=True, controller="none"),
        Settings(motors=True, controller="none", seed=1),
    ],
)
def test_motors_without_a_controller_are_no_silent_wish(tmp_path: Path, settings: Settings) -> None:
    with pytest.raises(DeviceChoiceError, match="no controller moves them"):
        chosen(tmp_path, settings)


def test_motors_with_a_controller_go_together(tmp_path: Path) -> None:
    wired = Settings(camera=f"folder:{tmp_path}", motors=True, controller="auto")
    assert chosen(tmp_path, wired).port == "auto"


def test_a_camera_of_the_owners_brings_nothing_simulated_along(tmp_path: Path) -> None:
    devices = chosen(tmp_path, Settings(camera=f"folder:{tmp_path}"))
    assert (devices.simulation, devices.port, devices.profile.camera) == (None, None, None)
    assert isinstance(devices.camera, FolderCamera)


@pytest.mark.parametrize("name", ["folder:", "folder:gone", "video:gone.mp4", "video:"])
def test_pictures_that_are_not_there_are_told_before_anything_runs(tmp_path: Path, name: str) -> None:
    kind, _, rest = name.partition(":")
    devices = chosen(tmp_path, Settings(camera=f"{kind}:{tmp_path / rest}"))
    with pytest.raises(CameraUnusable, match=str(tmp_path)) as told:
        refuse_unusable(devices)
    assert told.value.exit_status == 78


def test_calibrated_rings_are_used_for_a_camera_of_the_owners_only(tmp_path: Path) -> None:
    lies = BoardPrint({3: RingPose(3, 2.5, (0.4, -1.2), 0.03, 0.08)})
    profile = tmp_path / "table.toml"
    rings = rings_profile(lies, datetime(2026, 5, 1, tzinfo=UTC), "printed lines")
    save_profile(profile, TableProfile(rings=rings))
    assert chosen(tmp_path, Settings(camera=f"folder:{tmp_path}", profile=profile)).rings == lies
    assert chosen(tmp_path, Settings(seed=1, profile=profile)).rings is None


def test_a_measured_lens_is_the_owners_cameras_alone(tmp_path: Path) -> None:
    profile = tmp_path / "table.toml"
    save_profile(profile, TableProfile(camera=LENS))
    assert chosen(tmp_path, Settings(camera=f"folder:{tmp_path}", profile=profile)).profile.camera == LENS
    assert chosen(tmp_path, Settings(seed=1, profile=profile)).profile.camera is None


def test_a_profile_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match=r"cannot be read"):
        chosen(tmp_path, Settings(camera=f"folder:{tmp_path}", profile=tmp_path / "none.toml"))


def test_a_real_controller_cannot_feel_simulated_pieces(tmp_path: Path) -> None:
    with pytest.raises(DeviceChoiceError, match=r"cannot feel the pieces of a simulated table"):
        chosen(tmp_path, Settings(controller="/dev/olympus-table"))


def real_camera(devices: Devices) -> PiCamera:
    assert isinstance(devices.camera, WatchedCamera)
    camera = devices.camera._camera
    assert isinstance(camera, PiCamera)
    return camera


def test_the_camera_is_set_as_it_was_measured(tmp_path: Path) -> None:
    profile = tmp_path / "table.toml"
    save_profile(profile, TableProfile(camera=LENS.model_copy(update={"lens_position": 1.62})))
    devices = chosen(tmp_path, Settings(camera="picamera", profile=profile, exposure_ms=20.0))
    assert real_camera(devices)._wish == Wish((1920, 1080), 1.62, 20.0)


def test_without_a_profile_the_camera_has_the_reference_size_and_its_own_focus(tmp_path: Path) -> None:
    devices = chosen(tmp_path, Settings(camera="picamera"))
    assert real_camera(devices)._wish == Wish((2304, 1296), None, None)


def test_what_the_settings_leave_open_the_profile_says(tmp_path: Path) -> None:
    profile = tmp_path / "table.toml"
    save_profile(profile, TableProfile(source="picamera", port="/dev/olympus-table"))
    devices = chosen(tmp_path, Settings(profile=profile))
    assert real_camera(devices).name == "Pi camera"
    assert devices.port == "/dev/olympus-table"
    folder = chosen(tmp_path, Settings(profile=profile, camera=f"folder:{tmp_path}", controller="none"))
    assert isinstance(folder.camera, FolderCamera)
    assert folder.port is None


def test_a_profile_does_not_make_a_table_real_that_is_asked_to_be_simulated(tmp_path: Path) -> None:
    profile = tmp_path / "table.toml"
    save_profile(profile, TableProfile(source="picamera", port="/dev/olympus-table", camera=LENS))
    devices = chosen(tmp_path, Settings(profile=profile, camera="simulated", controller="simulated", seed=1))
    assert devices.simulation is not None
    assert devices.profile == TableProfile()


def test_what_was_measured_at_a_simulated_table_is_not_used_at_a_real_one(tmp_path: Path) -> None:
    profile = tmp_path / "table.toml"
    save_profile(profile, TableProfile(source="simulated", camera=LENS))
    with pytest.raises(DeviceChoiceError, match="measured at a simulated table; measure this one"):
        chosen(tmp_path, Settings(profile=profile, camera="picamera"))
    assert chosen(tmp_path, Settings(profile=profile, seed=1)).simulation is not None


@pytest.mark.parametrize(
    "settings", [Settings(seed=1), Settings(seed=1, pins="none"), Settings(seed=1, pins={})]
)
def test_no_pin_is_claimed_that_nobody_names(tmp_path: Path, settings: Settings) -> None:
    assert chosen(tmp_path, settings).panel is None


def test_pins_are_simulated_only_where_that_is_said(tmp_path: Path) -> None:
    panel = chosen(tmp_path, Settings(seed=1, pins="simulated", sound=False)).panel
    assert panel is not None
    assert (panel.plan.simulated, panel.silent) == (True, True)
    assert isinstance(panel.pins, type(None))  # nothing is opened before the table runs
    panel.step(0.0)
    assert panel.pins is not None and panel.trouble == ""
    panel.close()


def test_real_pins_are_asked_for_also_with_a_simulated_table(tmp_path: Path) -> None:
    panel = chosen(tmp_path, Settings(seed=1, pins={"green": 17})).panel
    assert panel is not None and not panel.plan.simulated
    assert panel.plan.numbers == {Part.GREEN: 17}


def test_the_profile_may_name_the_pins_and_the_settings_win(tmp_path: Path) -> None:
    profile = tmp_path / "table.toml"
    save_profile(profile, TableProfile(pins={"red": 27, "emergency": 19, "emergency_opens": False}))
    panel = chosen(tmp_path, Settings(seed=1, profile=profile)).panel
    assert panel is not None
    assert panel.plan.numbers == {Part.RED: 27, Part.EMERGENCY: 19}
    assert not panel.plan.emergency_opens
    assert chosen(tmp_path, Settings(seed=1, profile=profile, pins="none")).panel is None


@pytest.mark.parametrize("pins", ["gren=17", {"green": 17, "red": 17}, "green"])
def test_pins_that_cannot_be_wired_so_are_told_before_anything_runs(tmp_path: Path, pins: Any) -> None:
    with pytest.raises(PinPlanError):
        chosen(tmp_path, Settings(seed=1, pins=pins))


def test_the_night_goes_by_this_computers_clock() -> None:
    night = night_of(Settings(night_from=time(0, 0), night_to=time(23, 59, 59, 999999), night_brightness=0.3))
    assert night.brightness == 0.3
    assert night_of(Settings(brightness=0.7)).brightness == 0.7


def test_without_a_camera_the_switches_tell_the_game(tmp_path: Path) -> None:
    devices = chosen(tmp_path, Settings(camera="none", seed=1))
    assert devices.camera is None
    assert devices.simulation is not None
    assert devices.port == devices.simulation.controller.path
    real = chosen(tmp_path, Settings(camera="none", controller="auto"))
    assert (real.camera, real.simulation, real.port) == (None, None, "auto")


def test_without_camera_and_controller_there_is_nothing_to_go_by(tmp_path: Path) -> None:
    with pytest.raises(DeviceChoiceError, match="neither a camera nor a controller"):
        chosen(tmp_path, Settings(camera="none", controller="none"))


def test_cards_cannot_be_followed_without_a_camera(tmp_path: Path) -> None:
    kit = kit_for("olympeak")
    book = kit.book(tmp_path / "journal.db", lambda: 0.0)
    try:
        with pytest.raises(DeviceChoiceError, match="no magnets"):
            choose_devices(kit, Settings(camera="none"), book.referee(2))
    finally:
        book.close()
