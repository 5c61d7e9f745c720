"""Video4Linux nodes: which of them are cameras, how those are called, and who holds one."""

from __future__ import annotations

import contextlib
import os
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.messages import row, say
from companion.sensing.frames import CameraAbsent

# Cameras by names that stay when /dev/video numbers change.
STABLE_NAMES = Path("/dev/v4l/by-id")
NODES = Path("/dev")
PROCESSES = Path("/proc")

# VIDIOC_QUERYCAP and the flags of its answer, from the kernel's include/uapi/linux/videodev2.h.
_QUERYCAP = 0x80685600
_CAPABILITY = struct.Struct("16s32s32sIII12x")
_VIDEO_CAPTURE = 0x00000001 | 0x00001000  # single or multi planar
_DEVICE_CAPS = 0x80000000


@dataclass(frozen=True, slots=True)
class Holder:
    """A program that has a device open."""

    pid: int
    program: str

    def __str__(self) -> str:
        return f"{self.program} (process {self.pid})"


def find_camera(name: str) -> str:
    """The node of the camera of which `name` is part of its stable name; "": of the only one there is.

    A number or a path that begins with "/" is meant as it is. Raises CameraAbsent when no camera's name, or more
    than one's, holds it, with the names there are.
    """
    if name.isdigit():
        return str(NODES / f"video{name}")
    if name.startswith("/"):
        return name
    cameras = usb_cameras()
    fitting = {stem: node for stem, node in cameras.items() if name.lower() in stem.lower()}
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    listed = row(sorted(cameras))
    if not cameras:
        raise CameraAbsent(say("camera.usb_none"))
    if not fitting:
        raise CameraAbsent(say("camera.usb_not_called", name=repr(name), names=listed))
    if name:
        raise CameraAbsent(say("camera.usb_several_called", name=repr(name), names=listed))
    raise CameraAbsent(say("camera.usb_several", names=listed))


def usb_cameras() -> dict[str, str]:
    """The connected USB cameras: by stable name the node that gives pictures, not the one of its metadata."""
    named: dict[str, list[tuple[int, str]]] = {}
    for link in sorted(STABLE_NAMES.glob("*")) if STABLE_NAMES.is_dir() else []:
        found = re.fullmatch(r"(.*?)(?:-video-index(\d+))?", link.name)
        if found is not None:
            named.setdefault(found[1], []).append((int(found[2] or 0), os.path.realpath(link)))
    if not named:
        # Without udev there are no names, only numbers.
        for node in sorted(NODES.glob("video*")):
            if captures(str(node), bus="usb"):
                named[node.name] = [(0, str(node))]
    cameras = {}
    for stem, nodes in named.items():
        # Nodes that cannot be asked are taken for cameras: opening them tells what is wrong.
        giving = [node for _, node in sorted(nodes) if captures(node) is not False]
        if giving:
            cameras[stem] = giving[0]
    return cameras


def captures(node: str, bus: str = "") -> bool | None:
    """Does a node give pictures (and hang on the named bus)? None if it cannot be asked."""
    try:
        import fcntl
    except ImportError:  # Windows has neither such nodes nor fcntl
        return None
    answer = bytearray(_CAPABILITY.size)
    try:
        descriptor = os.open(node, os.O_RDWR | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        fcntl.ioctl(descriptor, _QUERYCAP, answer)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    _, _, where, _, everything, own = _CAPABILITY.unpack(answer)
    flags = own if everything & _DEVICE_CAPS else everything
    return bool(flags & _VIDEO_CAPTURE) and where.startswith(bus.encode())


def why_not(node: str, name: str) -> str:
    """Why a camera's node cannot be opened, and what to do, in a sentence."""
    if not os.path.exists(node):
        return say("camera.not_connected", camera=name)
    if not os.access(node, os.R_OK | os.W_OK):
        return say("camera.not_allowed", camera=name)
    if captures(node) is False:
        return say("camera.only_data", camera=name, node=node)
    return held(name, [node]) or say("camera.cannot_open", camera=name)


def held(name: str, nodes: list[str]) -> str | None:
    """Who holds a camera's nodes, and what to do, in a sentence; None if nobody is seen to."""
    holders = list(holding(nodes))
    if not holders:
        return None
    if any(holder.pid == os.getpid() for holder in holders):
        return say("camera.hangs", camera=name)
    return say("camera.used_by", camera=name, program=str(holders[0]))


def holding(nodes: list[str]) -> Iterator[Holder]:
    """The programs that have one of the nodes open, as far as this user may see."""
    wanted = {os.path.realpath(node) for node in nodes}
    for process in sorted(PROCESSES.glob("[0-9]*"), key=lambda path: int(path.name)):
        # Programs end and files are closed while one looks; those of others may not be looked at.
        with contextlib.suppress(OSError):
            if any(os.path.realpath(link) in wanted for link in (process / "fd").iterdir()):
                program = (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
                yield Holder(int(process.name), program)
