"""How the rings of the board lie, measured from pictures of the table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.pucks import PucksError, better_of, ring_poses
from companion.games.above.box import Table
from companion.sensing.frames import Image
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.grey import gray_of
from companion.sensing.markers import QUICK, THOROUGH, Gray, Marker, detect
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose
from companion.sensing.registration import Registration, Unregistered, register
from companion.sensing.rings import measure_rings

# A ring whose turn is this uncertain was not seen; with more of them than this, neither was the board.
UNREAD_DEG = 0.6
MOST_UNREAD = 3


@dataclass(frozen=True, slots=True)
class RingsFailed:
    """Why a picture's rings could not be measured, as a sentence."""

    reason: str


def pose_of(gray: Gray, camera: Camera | None, table: Table) -> tuple[CameraPose, list[Marker]] | RingsFailed:
    """Where the camera of a grey picture is, with the markers in it."""
    size = (gray.shape[1], gray.shape[0])
    try:
        lens = (camera or Camera.assumed(size)).scaled_to(size)
    except ValueError as error:
        return RingsFailed(str(error))
    found: Registration | Unregistered = Unregistered("")
    markers: list[Marker] = []
    for thoroughness in (QUICK, THOROUGH):
        markers = detect(gray, thoroughness)
        found = register(gray, markers, lens, table)
        if isinstance(found, Registration):
            return found.pose, markers
    return RingsFailed(found.reason if isinstance(found, Unregistered) else "")


def rings_of(
    image: Image,
    camera: Camera | None,
    table: Table | None = None,
    pucks: Mapping[int, str] | None = None,
) -> BoardPrint | RingsFailed:
    """The rings' poses in the world in one picture; unmeasured rings are left out. `pucks`: space by marker id."""
    table = table or Table()
    gray = gray_of(image)
    found = pose_of(gray, camera, table)
    if isinstance(found, RingsFailed):
        return found
    pose, markers = found
    lines = measure_rings(image, pose, table.board)
    if not pucks:
        return lines
    try:
        return better_of(lines, ring_poses(markers, pucks, pose, table.board))
    except PucksError as error:
        return RingsFailed(str(error))


def unread(rings: BoardPrint, count: int = 6) -> list[int]:
    """The rings that were not seen."""
    return [ring for ring in range(1, count + 1) if rings.of(ring).sigma_deg > UNREAD_DEG]


def averaged(looks: Sequence[BoardPrint]) -> BoardPrint:
    """Several looks at one table as one: the middle of each ring's poses, with what they scatter by."""
    poses: dict[int, RingPose] = {}
    for ring in sorted({ring for look in looks for ring in look.poses}):
        seen = [look.poses[ring] for look in looks if ring in look.poses]
        # Seen in less than half of the pictures: something lies over it.
        if 2 * len(seen) < len(looks):
            continue
        turns = np.array([pose.rotation_deg for pose in seen])
        shifts = np.array([pose.shift_mm for pose in seen])
        shift = np.median(shifts, axis=0)
        scatter_deg = 1.48 * float(np.median(np.abs(turns - np.median(turns))))
        scatter_mm = 1.48 * float(np.median(np.linalg.norm(shifts - shift, axis=1))) / math.sqrt(2)
        # What all looks share (the lens, the frame, the print) does not become smaller by looking again.
        poses[ring] = RingPose(
            ring,
            float(np.median(turns)),
            (float(shift[0]), float(shift[1])),
            math.hypot(float(np.median([pose.sigma_deg for pose in seen])), scatter_deg),
            math.hypot(float(np.median([pose.sigma_mm for pose in seen])), scatter_mm),
        )
    return BoardPrint(poses)


def rings_json(picture: str, rings: BoardPrint, count: int = 6) -> dict[str, Any]:
    """The notation's object: ring 1 to `count` against ring 1; an unmeasured ring is straight and says so by sigma."""
    told = {pose.ring: pose for pose in rings.against_ring_one()}
    return {
        "picture": picture,
        "rings": [_ring_json(told.get(ring) or rings.of(ring)) for ring in range(1, count + 1)],
    }


def _ring_json(pose: RingPose) -> dict[str, Any]:
    return {
        "ring": pose.ring,
        "rotation_deg": round(pose.rotation_deg, 3) + 0.0,
        "shift_mm": [round(value, 3) + 0.0 for value in pose.shift_mm],
        "sigma_deg": round(pose.sigma_deg, 3),
        "sigma_mm": round(pose.sigma_mm, 3),
    }


def told(rings: Iterable[int]) -> str:
    """Rings in words: `ring 2`, `rings 2 and 4`."""
    names = [str(ring) for ring in rings]
    if len(names) == 1:
        return f"ring {names[0]}"
    return f"rings {', '.join(names[:-1])} and {names[-1]}"
