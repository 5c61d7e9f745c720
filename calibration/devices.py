"""Devices to calibrate with: the one place that chooses between real and simulated ones, by what was asked for."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from calibration.profile import TableProfile, load_profile
from calibration.step import Advice
from companion.errors import CompanionError
from companion.sensing.frames import FrameSource
from firmware_bridge.controller import Controller
from firmware_bridge.errors import ControllerTimeoutError

SIMULATED = "simulated"
NONE = "none"
# A board starts anew when its port is opened, and says who it is within this time.
FIRST_WORD_S = 4.0


class DeviceChoiceError(CompanionError, ValueError):
    """Devices that do not go together. The message says which and what would."""


@dataclass(frozen=True, eq=False, slots=True)
class Devices:
    """What a session works with. `obey`: the simulated owner; None at a real table."""

    camera: FrameSource | None
    controller: Controller | None = None
    obey: Callable[[Advice], None] | None = None


def chosen_source(file: Path, source: str | None) -> str:
    """The camera asked for, or else that of the profile in `file`, or else the simulated one. Raises ProfileError."""
    if source is not None:
        return source
    return (load_profile(file).source if file.exists() else None) or SIMULATED


def named_source(file: Path, source: str | None, *, simulated: bool) -> str | None:
    """The camera asked for; None leaves it to the profile in `file`, which must name one.

    Raises DeviceChoiceError where nothing says which table is meant: a simulated one is never guessed.
    """
    if simulated and source not in (None, SIMULATED):
        raise DeviceChoiceError(f"--simulated and --source {source} are two tables; leave one out.")
    if simulated or source is not None:
        return SIMULATED if simulated else source
    if not file.exists() or load_profile(file).source is None:
        raise DeviceChoiceError(
            "Which table? Name its camera, --source picamera or usb (none: without one), or type --simulated to try "
            "it without hardware."
        )
    return None


@contextlib.contextmanager
def open_devices(
    profile: TableProfile,
    source: str | None,
    controller: str | None,
    seed: int,
    *,
    built: bool = False,
    blind: bool = False,
    refocus: bool = False,
) -> Iterator[Devices]:
    """The devices asked for, or else those of the profile; the controller is closed at the end.

    `source` and `controller` as in the settings (`picamera`, `usb`, `none`, `simulated`; `auto`, `none`, a port).
    `built`: a simulated board is put together already; `blind`: the camera is left out; `refocus`: the lens is to be
    measured, and may look for the table anew, else it stays where the profile's was measured. Raises
    DeviceChoiceError, CameraUnusable.
    """
    camera = source or profile.source or SIMULATED
    if profile.source is not None and (profile.source == SIMULATED) != (camera == SIMULATED):
        was, now = ("a simulated", "a real") if profile.source == SIMULATED else ("a real", "the simulated")
        raise DeviceChoiceError(
            f"This profile was measured at {was} table and would be mixed up with {now} one; name another file."
        )
    port = controller or (SIMULATED if camera == SIMULATED else profile.port or NONE)
    if camera == SIMULATED:
        if port not in (SIMULATED, NONE):
            raise DeviceChoiceError(
                f"The controller {port} does not light a simulated table; name the camera with --source as well."
            )
        # Everything simulated stays unloaded at a real table.
        from calibration.simulated import SimulatedTable

        table = SimulatedTable(seed, time.monotonic, time.sleep, built=built)
        if port == NONE:
            yield Devices(table.camera, obey=table.obey)
            return
        with table.wires.switched_on() as board:
            if blind:
                yield Devices(None, board, table.obey_unseen)
            else:
                yield Devices(table.camera, board, table.obey)
        return
    from companion.sensing.sources.opening import open_source
    from companion.sensing.sources.wish import Wish

    measured = profile.camera
    # Another focus is another lens: what is measured or judged beside the lens is seen through the one that was.
    wish = (
        Wish()
        if measured is None
        else Wish((measured.width_px, measured.height_px), None if refocus else measured.lens_position)
    )
    opened = None if blind or camera == NONE else open_source(camera, wish=wish)
    if port in (NONE, SIMULATED):
        yield Devices(opened)
        return
    with Controller(port) as board:
        # What it has is known when it has said so; one that comes later is waited for by the step that needs it.
        with contextlib.suppress(ControllerTimeoutError):
            board.wait_ready(FIRST_WORD_S)
        yield Devices(opened, board)
