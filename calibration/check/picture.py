"""What one picture of the table says of camera, light and board, in numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.games.above.box import Table
from companion.games.olympeak.box import Table as OlympeakTable
from companion.sensing.edges import blur_px
from companion.sensing.frame_prints import of_the_tables_size
from companion.sensing.frames import Image
from companion.sensing.geometry import Camera, CameraPose, Floats
from companion.sensing.grey import gray_of
from companion.sensing.markers import QUICK, THOROUGH, Gray, Marker, detect
from companion.sensing.place import BoardPrint
from companion.sensing.registration import Registration, Unregistered, register
from companion.sensing.rings import measure_rings

# A marker is so many modules wide, with its black border.
MODULES = 7
# The glare map: the picture in so many cells (rows, columns), and what counts as burnt out.
GLARE_CELLS = (6, 9)
BURNT = 250
CUBE_Z_MM = 10.0


@dataclass(frozen=True, slots=True)
class Cell:
    """The smallest modules of one kind of marker, at the outermost `place` where it lies: `px` across."""

    kind: str
    place: str
    px: float
    in_view: bool


@dataclass(frozen=True, eq=False, slots=True)
class PictureCheck:
    """What was found. Where the frame markers are not seen, `trouble` says why and the rest that needs them is empty.

    `white`, `black`: grey levels of paper and print at each frame marker. `glare` (rows, columns): the share burnt out.
    """

    image: Image
    markers: tuple[Marker, ...]
    found: Registration | None
    trouble: str
    cells: tuple[Cell, ...]
    blur_px: float
    white: dict[int, float]
    black: dict[int, float]
    glare: Floats
    rings: BoardPrint | None

    @property
    def smallest_px(self) -> float:
        """The smallest module of all that must be read."""
        return min((cell.px for cell in self.cells), default=math.nan)


def check_picture(image: Image, lens: Camera | None, table: Table | None = None) -> PictureCheck:
    """Examine a picture of the table, best with no hands over it."""
    table = table or Table()
    gray = gray_of(image)
    size = (gray.shape[1], gray.shape[0])
    camera = (lens or Camera.assumed(size)).scaled_to(size)
    found: Registration | Unregistered = Unregistered("")
    markers: list[Marker] = []
    for thoroughness in (QUICK, THOROUGH):
        markers = detect(gray, thoroughness)
        found = register(gray, markers, camera, table)
        if isinstance(found, Registration):
            break
    pose = found.pose if isinstance(found, Registration) else None
    frame_ids = {number for number, _, _ in table.frame_centres_mm}
    # A telephone beside the board may show the frame markers, too, only smaller.
    frame = [
        marker
        for marker in markers
        if marker.id in frame_ids
        and (pose is None or of_the_tables_size(marker, pose, table.frame_marker_mm))
    ]
    levels = {marker.id: _levels(gray, marker) for marker in frame}
    return PictureCheck(
        image,
        tuple(markers),
        found if isinstance(found, Registration) else None,
        found.reason if isinstance(found, Unregistered) else "",
        () if pose is None else tuple(_cells(pose, table)),
        blur_px(gray, [marker.corners for marker in frame]),
        {number: white for number, (white, _) in levels.items()},
        {number: black for number, (_, black) in levels.items()},
        glare_map(image),
        None if pose is None else measure_rings(image, pose, table.board),
    )


def glare_map(image: Image) -> Floats:
    """The share of pixels burnt out in all colours, in each of GLARE_CELLS."""
    rows, columns = GLARE_CELLS
    burnt = image.min(axis=2) >= BURNT
    height, width = burnt.shape
    return np.array(
        [
            [
                burnt[
                    row * height // rows : (row + 1) * height // rows,
                    column * width // columns : (column + 1) * width // columns,
                ].mean()
                for column in range(columns)
            ]
            for row in range(rows)
        ]
    )


def _levels(gray: Gray, marker: Marker) -> tuple[float, float]:
    """The middle grey levels of the paper just outside a marker, and of its black border."""
    middle = marker.corners.mean(axis=0)
    return tuple(_along(gray, middle + (marker.corners - middle) * out) for out in (1.12, 6 / 7))  # type: ignore[return-value]


def _along(gray: Gray, quad: Floats) -> float:
    """The middle grey level on the four sides of a quadrilateral (4, 2)."""
    share = np.linspace(0.1, 0.9, 20)[:, None]
    points = np.concatenate([quad[n - 1] + (quad[n] - quad[n - 1]) * share for n in range(4)])
    height, width = gray.shape
    inside = (points >= 0).all(axis=1) & (points < (width - 1, height - 1)).all(axis=1)
    x, y = np.rint(points[inside]).astype(int).T
    return float(np.median(gray[y, x])) if len(x) else math.nan


def _cells(pose: CameraPose, table: Table) -> list[Cell]:
    """The smallest modules of every kind of marker."""
    board, other = table.board, OlympeakTable()
    rim = [f"{chr(ord('a') + column)}1" for column in range(board.columns)]
    spaces = [(space, board.space_centre(space)) for space in rim]
    cards = [(f"seat {seat + 1}", (x, y, 0.0)) for seat in range(2) for x, y in table.card_slots(seat, 2)]
    lanes = [
        (f"{lane} {place}", (*other.cube_centre(lane, place), CUBE_Z_MM))
        for lane, _ in (other.lanes_x_mm[0], other.lanes_x_mm[-1])
        for place in (-5, 35)
    ]
    kinds = (
        (
            "miniature",
            table.mini_marker_mm,
            [(name, (x, y, z + table.mini_height_mm)) for name, (x, y, z) in spaces],
        ),
        (
            "token",
            table.token_marker_mm,
            [(name, (x, y, z + table.token_height_mm)) for name, (x, y, z) in spaces],
        ),
        ("card", table.card_marker_mm, cards),
        ("cube", other.cube_marker_mm, lanes),
    )
    width, height = pose.camera.size
    found = []
    for kind, side_mm, places in kinds:
        # How far a module reaches the way it is foreshortened most.
        measured = [
            (float(np.linalg.svd(pose.px_per_mm(at), compute_uv=False)[-1]) * side_mm / MODULES, name, at)
            for name, at in places
        ]
        px, name, _ = min(measured)
        margin = 0.75 * side_mm
        corners = np.array(
            [
                (x + dx, y + dy, z)
                for _, _, (x, y, z) in measured
                for dx in (-margin, margin)
                for dy in (-margin, margin)
            ]
        )
        pixels = pose.project(corners)
        in_view = bool((pixels > 0).all() and (pixels < (width - 1, height - 1)).all())
        found.append(Cell(kind, name, px, in_view))
    return found
