"""The computer: power, heat, disk, and the service."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from companion.doctor.check import Check, Computer, bad, nearest, warn, well

# From here on a Pi slows down by itself (80 °C soft limit, 85 °C hard limit).
WARM_C, HOT_C = 70.0, 80.0
# A game takes less than a megabyte; a log, the newest pictures and the system want the rest.
FULL_BYTES, TIGHT_BYTES = 100 * 10**6, 500 * 10**6
# File systems that are gone with the power: the read-only card of a Pi has an overlay in the memory.
FLEETING = ("overlay", "tmpfs", "ramfs")
# The bits of `vcgencmd get_throttled`: now, and since the start.
UNDER_VOLTAGE, CAPPED, THROTTLED, SOFT_LIMIT = 1, 1 << 1, 1 << 2, 1 << 3
EVER = 16
UNIT = "olympus-companion.service"
SUPPLY = (
    "use the Pi's own power supply (5 V, 3 A; a Pi 5: 5 A) with its own cable, and motors on one of theirs"
)


def check_computer(computer: Computer, kept: Path) -> list[Check]:
    """`kept`: the folder in which games are kept."""
    return [check_power(computer), check_heat(computer), check_disk(computer, kept), check_service(computer)]


def check_power(computer: Computer) -> Check:
    """Has the supply broken down, now or since the start?"""
    said = computer.run(["vcgencmd", "get_throttled"])
    text = (
        said.partition("=")[2].strip()
        if said
        else computer.read("sys/devices/platform/soc/soc:firmware/get_throttled")
    )
    try:
        bits = int(text or "", 16)
    except ValueError:
        alarm = _voltage_alarm(computer)
        if alarm is None:
            return well("power", "this computer does not tell")
        bits = UNDER_VOLTAGE if alarm else 0
    if bits & UNDER_VOLTAGE:
        return bad("power", "the voltage is too low now", SUPPLY)
    if bits >> EVER & UNDER_VOLTAGE:
        return warn("power", "the voltage was too low since the start", SUPPLY)
    if bits & (CAPPED | THROTTLED | SOFT_LIMIT):
        return warn("power", "the processor is slowed down", "let air to it, or fit a cooler")
    return well("power", "the voltage has held since the start")


def _voltage_alarm(computer: Computer) -> bool | None:
    for name in sorted(computer.root.glob("sys/class/hwmon/hwmon*/name")):
        if computer.read(str(name.relative_to(computer.root))) == "rpi_volt":
            alarm = computer.read(str((name.parent / "in0_lcrit_alarm").relative_to(computer.root)))
            return alarm == "1"
    return None


def check_heat(computer: Computer) -> Check:
    """How warm is the processor?"""
    try:
        celsius = int(computer.read("sys/class/thermal/thermal_zone0/temp") or "") / 1000
    except ValueError:
        return well("temperature", "this computer does not tell")
    text = f"{celsius:.0f} °C"
    if celsius >= HOT_C:
        return bad("temperature", text, "it is slowed down now: let air to it, or fit a cooler")
    if celsius >= WARM_C:
        return warn("temperature", text, "let air to it before it gets slow at 80 °C")
    return well("temperature", text)


def check_disk(computer: Computer, kept: Path) -> Check:
    """May the games be written, is there room for them, and are they there when the power was off?"""
    folder = nearest(kept)
    if not os.access(folder, os.W_OK):
        who = "as its own user it may all the same" if os.geteuid() != 0 else "the medium is read-only"
        return warn(
            "disk",
            f"{folder} may not be written by this user",
            f"nothing, if the service keeps its games there ({who}); else name another file with --journal",
        )
    if (kind := _medium(computer, folder)) in FLEETING:
        return warn(
            "disk",
            f"{folder} lies in the memory ({kind}): games are gone when the power is",
            "mount a medium that is written to there (docs/care.md), or switch the overlay off: sudo raspi-config",
        )
    free = shutil.disk_usage(folder).free
    text = f"{free / 1e9:.1f} GB free where games are kept ({folder})"
    if free < FULL_BYTES:
        return bad("disk", text, "free some space: sudo apt clean; sudo journalctl --vacuum-size=50M")
    if free < TIGHT_BYTES:
        return warn("disk", text, "free some space soon: sudo apt clean; sudo journalctl --vacuum-size=50M")
    return well("disk", text)


def _medium(computer: Computer, folder: Path) -> str:
    """The kind of file system that a folder lies in, as the kernel names it; "" if it does not tell."""
    place = folder.resolve()
    found, kind = Path(), ""
    for line in (computer.read("proc/self/mounts") or "").splitlines():
        _, point, named, *_ = [*line.split(), "", "", ""]
        # proc(5): a space is written in octal.
        mounted = Path(point.replace("\\040", " "))
        if place.is_relative_to(mounted) and len(mounted.parts) >= len(found.parts):
            found, kind = mounted, named
    return kind


def check_service(computer: Computer) -> Check:
    """Does the table run as a service?"""
    said = computer.run(["systemctl", "show", "-p", "LoadState,ActiveState,NRestarts,StatusText", UNIT])
    told = dict(line.split("=", 1) for line in (said or "").splitlines() if "=" in line)
    if told.get("LoadState") != "loaded":
        return well("service", "is not installed here; the table is started by hand (companion play)")
    restarts = told.get("NRestarts", "0")
    if told.get("ActiveState") == "active":
        if restarts not in ("0", ""):
            return warn(
                "service",
                f"runs, and had to be started again {restarts} times",
                f"journalctl -u {UNIT} -n 100 says why; companion bundle collects it",
            )
        return well("service", f"runs. {told.get('StatusText', '')}".strip())
    return bad(
        "service",
        f"does not run ({told.get('ActiveState', 'unknown')})",
        f"journalctl -u {UNIT} -n 30 says why; then: sudo systemctl restart {UNIT}",
    )
