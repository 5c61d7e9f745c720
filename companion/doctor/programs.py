"""The programs: which versions, and whether two of them stand in each other's way."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path

from companion.doctor.check import Check, Computer, bad, warn, well

SHOWN = ("numpy", "opencv-python")
TRY_PICAMERA = "import picamera2, importlib.metadata as m; print(m.version('picamera2'))"


def check_programs(computer: Computer) -> list[Check]:
    """Python, the companion, and what it stands on."""
    model = computer.read("proc/device-tree/model") or platform.machine()
    system = _system(computer)
    return [
        well("computer", f"{model}, {system}"),
        well("companion", f"{metadata.version('olympus-companion')}, Python {platform.python_version()}"),
        check_cv2(metadata.packages_distributions(), sys.path),
    ]


def _system(computer: Computer) -> str:
    lines = (computer.read("etc/os-release") or "").splitlines()
    names = [line.partition("=")[2].strip('"') for line in lines if line.startswith("PRETTY_NAME=")]
    return names[0] if names else platform.system()


def check_cv2(owners: Mapping[str, Sequence[str]], path: Sequence[str]) -> Check:
    """OpenCV comes in packages of several names that write over each other's files: there may be one only.

    `owners`: which distributions bring a module; `path`: where modules are looked for. A copy that another one
    hides, as the system's behind that of a virtual environment, does no harm.
    """
    names = sorted(set(owners.get("cv2", ())))
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in (*names, "numpy") if _is_here(name))
    places = [Path(folder) for folder in dict.fromkeys(path) if _brings_cv2(Path(folder))]
    beside = [name for name in names if places and _lies_in(name, places[0])]
    if len(beside) > 1:
        return bad(
            "OpenCV",
            f"{' and '.join(beside)} lie in one place and have written over each other's files",
            f"pip uninstall {' '.join(beside)}, then: pip install opencv-python",
        )
    if not names:
        return bad("OpenCV", "is not installed", "pip install opencv-python, or install the companion again")
    if len(places) > 1:
        return well("OpenCV", f"{versions}; it hides another copy in {places[1]}")
    return well("OpenCV", versions)


def _is_here(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _brings_cv2(folder: Path) -> bool:
    try:
        return (folder / "cv2").is_dir() or any(folder.glob("cv2*.so"))
    except OSError:
        return False  # another user's folder: nothing is loaded from there


def _lies_in(name: str, folder: Path) -> bool:
    try:
        return Path(str(metadata.distribution(name).locate_file(""))) == folder
    except metadata.PackageNotFoundError:
        return False


def check_picamera(computer: Computer, wanted: bool) -> Check:
    """Does the system's camera library load beside the companion's NumPy?"""
    answer = computer.run([sys.executable, "-c", TRY_PICAMERA])
    if answer is not None:
        return well("picamera2", answer.strip() or "loads")
    if not wanted:
        return well("picamera2", "is not here, and not needed for these settings")
    if platform.machine() not in ("aarch64", "armv7l"):
        return bad("picamera2", "is a program of the Raspberry Pi, and this is none", 'set camera = "usb"')
    return warn(
        "picamera2",
        "does not load",
        "sudo apt install python3-picamera2; in a virtual environment made with --system-site-packages, as "
        "deploy/install.sh does, with the NumPy of its lock",
    )
