"""Where pieces with a magnet are on the board, by their markers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from calibration.board_sight import BoardSight
from calibration.places import Lies, space_under
from calibration.pucks import PUCK_HEIGHT_MM, PUCK_IDS
from companion.games.above.box import DEITY_NAMES, MINI_BY_ID, TOKEN_BY_ID, Table
from companion.sensing.frames import Image
from companion.sensing.grey import gray_of
from companion.sensing.markers import QUICK, THOROUGH, Marker, detect

# From one look to the next a piece that rests moves by less than this; it lies so near to its space's middle.
STILL_MM = 3.0
NEAR_MM = 8.0


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece over the board: its marker's number and where it lies. `tall`: a miniature."""

    id: int
    lies: Lies
    at_mm: tuple[float, float]

    @property
    def tall(self) -> bool:
        """Is it a miniature?"""
        return self.id in MINI_BY_ID

    @property
    def name(self) -> str:
        """What people call it."""
        if self.id in MINI_BY_ID:
            return DEITY_NAMES[MINI_BY_ID[self.id]]
        return f"the {TOKEN_BY_ID[self.id]} token" if self.id in TOKEN_BY_ID else f"puck {self.id}"


def pieces_on(image: Image, sight: BoardSight, table: Table) -> tuple[Piece, ...]:
    """The pieces with a magnet on the board in one picture."""
    left, top, _, _ = sight.box
    gray = gray_of(sight.crop(image))
    for thoroughness in (QUICK, THOROUGH):
        found = tuple(
            _pieces((marker.moved(left, top) for marker in detect(gray, thoroughness)), sight, table)
        )
        if found:
            return found
    return ()


def _pieces(markers: Iterable[Marker], sight: BoardSight, table: Table) -> Iterable[Piece]:
    for marker in markers:
        height = _height_mm(marker.id, table)
        lies = (
            None
            if height is None
            else space_under(marker.centre, sight.pose, sight.rings, table.board, height)
        )
        if lies is not None and height is not None:
            x, y = (float(v) for v in sight.pose.intersect(marker.centre, height)[:2])
            yield Piece(marker.id, lies, (x, y))


def _height_mm(marker: int, table: Table) -> float | None:
    if marker in MINI_BY_ID:
        return table.mini_height_mm
    if marker in TOKEN_BY_ID:
        return table.token_height_mm
    return PUCK_HEIGHT_MM if marker in PUCK_IDS else None
