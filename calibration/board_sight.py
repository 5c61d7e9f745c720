"""How camera and board lie to each other, for steps that look at spaces: told once, from the first good picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.bench import Bench
from calibration.profile import TableProfile
from calibration.rings import RingsFailed, pose_of
from calibration.step import Advice, StepError
from companion.games.above.box import Board, Table
from companion.sensing.frames import Frame, Image
from companion.sensing.geometry import CameraPose
from companion.sensing.grey import gray_of
from companion.sensing.place import BoardPrint
from companion.sensing.rings import measure_rings

# So many pictures in a row without enough frame markers, and the step is given up.
MOST_BLIND = 40
# The board's edge is seen with so much of the table around it, in mm: what the lights do not reach tells of the room.
AROUND_MM = 25.0


@dataclass(frozen=True, eq=False, slots=True)
class BoardSight:
    """Where the camera is, and how the rings lie. `box`: the part of the picture that holds the board."""

    pose: CameraPose
    rings: BoardPrint
    size: tuple[int, int]
    box: tuple[int, int, int, int]

    @property
    def px_per_mm(self) -> float:
        """Pixels a millimetre at the board's middle."""
        middle, aside = self.pose.project(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]))
        return float(np.hypot(*(aside - middle)))

    def crop(self, image: Image) -> Image:
        """The board's part of a picture."""
        left, top, right, bottom = self.box
        return image[top:bottom, left:right]


async def sighted(bench: Bench, table: Table) -> tuple[BoardSight, Frame]:
    """The board in the first picture in which it is seen. Raises StepError if it never is."""
    reason = "no picture came"
    blind = 0
    async for frame in bench.frames():
        seen = await bench.work(board_sight, frame.image, bench.profile, table)
        if isinstance(seen, BoardSight):
            return seen, frame
        reason = seen.reason.rstrip(".")
        bench.say(Advice(f"{reason[0].upper()}{reason[1:]}."), frame)
        blind += 1
        if blind >= MOST_BLIND:
            break
    raise StepError(
        f"The board cannot be found: {reason}. Lay the four frame markers in view and begin again."
    )


def board_sight(image: Image, profile: TableProfile, table: Table) -> BoardSight | RingsFailed:
    """The board in one picture; its rings as the profile has them, else as the picture shows them."""
    lens = None if profile.camera is None else profile.camera.lens()
    found = pose_of(gray_of(image), lens, table)
    if isinstance(found, RingsFailed):
        return found
    pose, _ = found
    rings = measure_rings(image, pose, table.board) if profile.rings is None else profile.rings.board_print()
    size = (int(image.shape[1]), int(image.shape[0]))
    return BoardSight(pose, rings, size, _box(pose, table.board, size))


def _box(pose: CameraPose, board: Board, size: tuple[int, int]) -> tuple[int, int, int, int]:
    radius = board.outer_radius_mm + AROUND_MM
    angles = np.linspace(0, 2 * np.pi, 48)
    rim = np.stack([radius * np.cos(angles), radius * np.sin(angles), np.zeros_like(angles)], axis=1)
    pixels = pose.project(rim)
    left, top = np.clip(np.floor(pixels.min(axis=0)), 0, size).astype(int)
    right, bottom = np.clip(np.ceil(pixels.max(axis=0)), 0, size).astype(int)
    return int(left), int(top), int(right), int(bottom)


def beside_board(sight: BoardSight, board: Board) -> NDArray[np.bool_]:
    """The pixels of `sight.crop` that show what is around the board, (h, w)."""
    left, top, right, bottom = sight.box
    middle = sight.pose.project(np.array([[0.0, 0.0, 0.0]]))[0]
    rim = sight.pose.project(np.array([[board.outer_radius_mm + 8.0, 0.0, 0.0]]))[0]
    ys, xs = np.mgrid[top:bottom, left:right].astype(np.float32)
    away = np.hypot(xs - middle[0], ys - middle[1])
    return np.asarray(away > np.hypot(*(rim - middle)), dtype=np.bool_)
