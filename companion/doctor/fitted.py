"""What is fitted: camera, controller, pins. Nothing is opened: a game may be going on with all of it."""

from __future__ import annotations

import grp
import importlib.util
import os
from collections.abc import Callable
from pathlib import Path

from companion.doctor.check import Check, Computer, bad, warn, well
from companion.sensing.frames import CameraAbsent
from companion.sensing.sources.v4l import find_camera, held, holding, why_not
from companion.signals.pins.chips import Chip, header_chip
from companion.signals.pins.plan import PinPlan, PinPlanError
from companion.signals.pins.ports import PinError
from firmware_bridge.holders import holders
from firmware_bridge.ports import AUTO, STABLE_NAME, PortFinder

OURS = "companion"
ATTACH = "connect its USB cable; firmware-bridge ports lists what is there"


def check_camera(computer: Computer, setting: str) -> Check:
    """The camera that the settings name."""
    kind, _, rest = setting.partition(":")
    if kind == "simulated":
        return well("camera", "SIMULATED, as the settings have it")
    if kind in ("folder", "video"):
        there = os.path.exists(rest)
        return well("camera", setting) if there else bad("camera", f"{rest} is not there", "mend its name")
    if kind == "picamera":
        names = [computer.read(str(path.relative_to(computer.root))) or "" for path in _sensors(computer)]
        if names:
            return well("camera", f"{', '.join(names)} on the Pi's own cable")
        return bad(
            "camera",
            "no camera is on the Pi's own cable",
            "with the power off push the ribbon cable in and close its latch; look: rpicam-hello --list-cameras",
        )
    try:
        node = find_camera(rest)
    except CameraAbsent as error:
        return bad("camera", str(error), "plug it in; companion play --help tells how cameras are named")
    users = [holder for holder in holding([node]) if holder.program != OURS]
    if users:
        return bad("camera", f"{node} is used by {users[0]}", "close that program")
    if not os.path.exists(node) or not os.access(node, os.R_OK | os.W_OK):
        return bad("camera", why_not(node, "the camera"), "sudo usermod -aG video $USER, then log in again")
    return well("camera", f"{node}{' (in use by the table)' if held('', [node]) else ''}")


def _sensors(computer: Computer) -> list[Path]:
    """The image sensors that the kernel has found on the camera cable: each is a V4L subdevice with its name."""
    found = []
    for name in sorted(computer.root.glob("sys/class/video4linux/v4l-subdev*/name")):
        # "imx708_wide" or "imx219 10-0010", "ov5647 4-0036"; not the focus motor nor the receiver itself.
        if (computer.read(str(name.relative_to(computer.root))) or "").startswith(("imx", "ov", "arducam")):
            found.append(name)
    return found


def check_controller(
    setting: str,
    finder: Callable[[str], PortFinder] = PortFinder,
    can_use: Callable[[str], bool] = lambda path: os.access(path, os.R_OK | os.W_OK),
) -> Check:
    """The table's controller on its serial port."""
    if setting == "simulated":
        return well("controller", "SIMULATED, as the settings have it")
    if setting == "none":
        return well("controller", "none, as the settings have it")
    ports = finder(setting).candidates()
    if not ports:
        where = "no board is plugged in" if setting == AUTO else f"there is no {setting}"
        return bad("controller", where, ATTACH)
    port = ports[0]
    if not can_use(port):
        group = _group_of(port)
        return bad(
            "controller",
            f"{port} may not be used by this user",
            f"sudo usermod -aG {group} $USER, then log in again (the service has its own user)",
        )
    others = [holder for holder in holders(port) if holder.name != OURS]
    if others:
        return bad("controller", f"{port} is used by {others[0]}", "close that program")
    if setting == AUTO and port != STABLE_NAME:
        return warn(
            "controller",
            f"{port}, which has no name of its own",
            "sudo sh deploy/install.sh --step devices gives it the name /dev/olympus-table",
        )
    return well("controller", port)


def _group_of(path: str) -> str:
    try:
        return grp.getgrgid(os.stat(path).st_gid).gr_name
    except (OSError, KeyError):
        return "dialout"


def check_pins(setting: object, chip: Callable[[], Chip] = header_chip) -> Check:
    """The pins that the settings name."""
    try:
        plan = PinPlan.parse(setting)
    except PinPlanError as error:
        return bad("pins", str(error), "mend the setting pins")
    if not plan.numbers:
        return well("pins", "none, as the settings have it")
    if plan.simulated:
        return well("pins", "SIMULATED, as the settings have it")
    wired = ", ".join(f"{part.value} {number}" for part, number in plan.numbers.items())
    try:
        found = chip()
    except PinError as error:
        return bad("pins", str(error), "sudo usermod -aG gpio $USER, then log in again; or take pins out")
    if importlib.util.find_spec("lgpio") is None:
        return bad("pins", "lgpio is not installed", "sudo apt install python3-lgpio")
    return well("pins", f"{wired} on {found.label}")
