"""Devices: the one place that chooses between real and simulated ones, by the settings and nothing else."""

from __future__ import annotations

import time
from dataclasses import dataclass

from companion.errors import CompanionError
from companion.sensing.frames import FrameSource
from companion.sensing.geometry import Camera
from companion.settings import Settings
from companion.simulation import Simulation
from companion.tables.kit import Kit, Referee
from companion.virtual.arm import HUMAN


class DeviceChoiceError(CompanionError, ValueError):
    """Settings that do not go together; the text says which and what would."""


@dataclass(frozen=True, slots=True)
class Devices:
    """What the table is made of. `port`: the controller's serial port or "auto"; None: none fitted.

    `lens`: the camera's as its owner measured it, None if nobody has.
    """

    camera: FrameSource
    port: str | None
    simulation: Simulation | None
    lens: Camera | None = None


def choose_devices(kit: Kit, settings: Settings, referee: Referee) -> Devices:
    """Devices for the settings; a simulated table is laid out as the referee's game stands.

    Raises DeviceChoiceError for settings that do not go together, ProfileError for a profile that cannot be read.
    """
    camera_simulated = settings.camera == "simulated"
    port_simulated = settings.controller == "simulated"
    if camera_simulated and not port_simulated and settings.controller != "none":
        raise DeviceChoiceError(
            f"The controller {settings.controller} cannot feel the pieces of a simulated table. Set the camera "
            'to a real one as well, or the controller to "simulated" or "none".'
        )
    if not camera_simulated:
        from calibration.profile import load_profile
        from companion.sensing.sources import open_source

        port = None if settings.controller in ("none", "simulated") else settings.controller
        measured = None if settings.profile is None else load_profile(settings.profile).camera
        if measured is None:
            return Devices(open_source(settings.camera), port, None)
        # Another focus is another lens.
        camera = open_source(settings.camera, lens_position=measured.lens_position)
        return Devices(camera, port, None, measured.lens())
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
    return Devices(
        simulation.table.camera, simulation.controller.path if port_simulated else None, simulation
    )
