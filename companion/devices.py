"""Devices: the one place that chooses between real and simulated ones, by the settings and nothing else."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from calibration.profile import TableProfile, load_profile
from companion.errors import CONFIGURATION, CompanionError
from companion.sensing.frames import FrameSource
from companion.sensing.place import BoardPrint
from companion.sensing.sources.opening import open_source
from companion.sensing.sources.watched import WatchedCamera
from companion.sensing.sources.wish import Wish
from companion.settings import Settings
from companion.signals.night import Dimming, Night
from companion.signals.pins.panel import Panel
from companion.signals.pins.plan import PinPlan
from companion.signals.pins.ports import Pins
from companion.simulation import Simulation
from companion.tables.kit import Kit, Referee
from companion.virtual.arm import HUMAN


class DeviceChoiceError(CompanionError, ValueError):
    """Settings that do not go together; the text says which and what would."""

    exit_status = CONFIGURATION


@dataclass(frozen=True, slots=True)
class Devices:
    """What the table is made of. `camera` and `port`, the controller's serial port or "auto": None where none is fitted.

    `rings`: how the board's rings lay when they were measured. `panel`: lamps and buttons, None where no pin is named.
    `profile`: the lens, and how the controller is wired, as far as their owner had them measured; a simulated table has
    nothing measured.
    """

    camera: FrameSource | None
    port: str | None
    simulation: Simulation | None
    rings: BoardPrint | None = None
    panel: Panel | None = None
    profile: TableProfile = field(default_factory=TableProfile)


def choose_devices(kit: Kit, settings: Settings, referee: Referee) -> Devices:
    """Devices for the settings; a simulated table is laid out as the referee's game stands.

    Raises DeviceChoiceError for settings that do not go together, PinPlanError for pins that cannot be wired so,
    ProfileError for a profile that cannot be read.
    """
    profile = TableProfile() if settings.profile is None else load_profile(settings.profile)
    # What the settings leave open the profile says: it is the table's own.
    said = settings.model_fields_set
    camera_setting = settings.camera if "camera" in said else profile.source or settings.camera
    port_setting = settings.controller if "controller" in said else profile.port or settings.controller
    port_simulated = port_setting == "simulated"
    blind = camera_setting == "none"
    if blind:
        _refuse_blindness(kit, port_setting)
    camera_simulated = camera_setting == "simulated" or (blind and port_simulated)
    if camera_simulated and not port_simulated and port_setting != "none":
        raise DeviceChoiceError(
            f"The controller {port_setting} cannot feel the pieces of a simulated table. Set the camera "
            'to a real one as well, or the controller to "simulated" or "none".'
        )
    if settings.motors and (port_setting == "none" or (port_simulated and not camera_simulated)):
        raise DeviceChoiceError(
            "Motors are set, but no controller moves them. Set the controller to its serial port or to "
            '"auto" as well, or leave motors out.'
        )
    if profile.source == "simulated" and not camera_simulated:
        raise DeviceChoiceError(
            f"The profile {settings.profile} was measured at a simulated table; measure this one: calibrate all "
            f"real.toml --source {camera_setting}, or leave the profile out."
        )
    panel = _panel(settings.pins if "pins" in said else profile.pins or settings.pins, settings)
    if not camera_simulated:
        port = None if port_setting in ("none", "simulated") else port_setting
        rings = None if profile.rings is None else profile.rings.board_print()
        camera = None if blind else _camera(camera_setting, settings, profile)
        return Devices(camera, port, None, rings, panel, profile)
    seed = settings.seed if settings.seed is not None else time.time_ns() % 1_000_000
    simulation = Simulation(
        kit,
        referee.players,
        seed,
        time.monotonic,
        referee=referee,
        motors=settings.motors and port_simulated,
        illegal=settings.illegal,
        pace=HUMAN,
    )
    # Faults of the simulated camera are noticed as those of a real one are.
    camera = None if blind else WatchedCamera(simulation.table.camera)
    port = simulation.controller.path if port_simulated else None
    return Devices(camera, port, simulation, panel=panel)


def _refuse_blindness(kit: Kit, port: str) -> None:
    """Without a camera there must be switches, and a game that they can tell."""
    if kit.blind(0.0) is None:
        raise DeviceChoiceError(
            f"{kit.title} cannot be followed without a camera: its cards have no magnets. Set the camera."
        )
    if port == "none":
        raise DeviceChoiceError(
            "With neither a camera nor a controller nothing of the game can be told. Set the camera, or the "
            'controller to its serial port or to "auto".'
        )


def refuse_unusable(devices: Devices) -> None:
    """A folder or file that shows no pictures is told before anything is started. Raises CameraUnusable."""
    camera = devices.camera
    if devices.simulation is None and camera is not None and camera.simulated:
        camera.open()
        camera.close()


def night_of(settings: Settings) -> Night:
    """The lights' brightness as the settings have it, by this computer's clock."""
    dimming = Dimming(settings.brightness, settings.night_brightness, settings.night_from, settings.night_to)
    return Night(dimming, lambda: datetime.now(UTC).astimezone().time())


def _panel(said: object, settings: Settings) -> Panel | None:
    """Only pins that are named are ever looked at, and the library for them only if one is."""
    plan = PinPlan.parse(said)
    return Panel(plan, _open_pins, silent=not settings.sound) if plan.numbers else None


def _open_pins(plan: PinPlan) -> Pins:
    from companion.signals.pins.gpio import open_pins

    return open_pins(plan)


def _camera(setting: str, settings: Settings, profile: TableProfile) -> FrameSource:
    """The camera, set as it was when its lens was measured: another focus or size is another lens."""
    measured = profile.camera
    if measured is None:
        return open_source(setting, wish=Wish(exposure_ms=settings.exposure_ms))
    size = (measured.width_px, measured.height_px)
    return open_source(setting, wish=Wish(size, measured.lens_position, settings.exposure_ms))
