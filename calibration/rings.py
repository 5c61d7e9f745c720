"""`calibrate rings`: how the rings of the board lie, measured from pictures of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.above.box import Table
from companion.sensing.frames import Image
from companion.sensing.geometry import Camera
from companion.sensing.markers import QUICK, THOROUGH, detect
from companion.sensing.place import BoardPrint
from companion.sensing.registration import Unregistered, register
from companion.sensing.rings import measure_rings
from companion.sensing.sight import gray_of


@dataclass(frozen=True, slots=True)
class RingsFailed:
    """Why a picture's rings could not be measured, as a sentence."""

    reason: str


def rings_of(image: Image, camera: Camera | None, table: Table | None = None) -> BoardPrint | RingsFailed:
    """The rings' poses in the world in one picture; unmeasured rings are left out."""
    table = table or Table()
    gray = gray_of(image)
    size = (gray.shape[1], gray.shape[0])
    try:
        lens = (camera or Camera.assumed(size)).scaled_to(size)
    except ValueError as error:
        return RingsFailed(str(error))
    found = register(gray, detect(gray, QUICK), lens, table)
    if isinstance(found, Unregistered):
        found = register(gray, detect(gray, THOROUGH), lens, table)
    if isinstance(found, Unregistered):
        return RingsFailed(found.reason)
    return measure_rings(image, found.pose, table.board)


def rings_json(picture: str, rings: BoardPrint, count: int = 6) -> dict[str, Any]:
    """The notation's object: ring 1 to `count` against ring 1; an unmeasured ring is straight and says so by sigma."""
    told = {pose.ring: pose for pose in rings.against_ring_one()}
    return {
        "picture": picture,
        "rings": [
            {
                "ring": ring,
                "rotation_deg": round(pose.rotation_deg, 3) + 0.0,
                "shift_mm": [round(value, 3) + 0.0 for value in pose.shift_mm],
                "sigma_deg": round(pose.sigma_deg, 3),
                "sigma_mm": round(pose.sigma_mm, 3),
            }
            for ring in range(1, count + 1)
            for pose in (told.get(ring) or rings.of(ring),)
        ],
    }
