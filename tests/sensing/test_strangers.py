"""A whole table with prints on it that are no pieces: mirrored, cropped, reflected, on a shirt, on a telephone."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.games.above.box import FRAME_IDS, MINI_BY_ID
from companion.sensing.frames import Frame, Image
from companion.sensing.grey import gray_of
from companion.sensing.markers import detect
from companion.sensing.reading import Reading
from companion.sensing.sight import Sight
from tests.sensing.prints import cells_of, corners_at, stick
from tests.sensing.shots import Exposure, Shot, rendered_above

# Places where nothing lies, beside the board: for a telephone, and for the rest.
PHONE = (372.0, 60.0)
FREE = ((-45.0, 210.0), (40.0, 210.0), (100.0, 212.0), (-60.0, -215.0), (-375.0, 40.0), (-375.0, -60.0))
# Cards' sides that do not lie up on this table, a token that lies elsewhere, and who stands on the board.
CARD, TOKEN = 60, 27
MINI = 8


@pytest.fixture(scope="module")
def shot() -> Shot:
    return rendered_above(2).shot()


@pytest.fixture(scope="module")
def plain(shot: Shot) -> Image:
    return shot.taken(Exposure(), 1)


def side_px(shot: Shot, side_mm: float, z_mm: float = 0.0) -> float:
    """How large a print of a side is in the picture, lying at a height."""
    ends = shot.pose.project([(0.0, 0.0, z_mm), (side_mm, 0.0, z_mm)])
    return float(np.linalg.norm(ends[1] - ends[0]))


def at(shot: Shot, place: tuple[float, float]) -> tuple[float, float]:
    x, y = shot.pose.project((*place, 0.0))
    return float(x), float(y)


def pieces(reading: Reading) -> dict[int, str | None]:
    """Every piece read, with its space."""
    found: dict[int, str | None] = {one.marker: "card" for one in reading.cards}
    found |= {one.marker: one.space for one in reading.minis}
    return found | {one.marker: one.space for one in reading.tokens}


@pytest.fixture(scope="module")
def strangers(plain: Image, shot: Shot) -> Image:
    """Mirrored, reflected, cropped and oversized prints on free places of the table."""
    shown = plain.copy()
    card = side_px(shot, 18.0)
    mirrored = cells_of(CARD)[:, ::-1]
    stick(shown, mirrored, corners_at(at(shot, FREE[0]), card, 20.0))
    # In a window or a glossy cup: mirrored, and faint.
    window = shown.copy()
    stick(window, cells_of(CARD + 1)[:, ::-1], corners_at(at(shot, FREE[1]), card, 70.0))
    shown = np.asarray(cv2.addWeighted(shown, 0.6, window, 0.4, 0.0), dtype=np.uint8)
    # Half of it cut off with the paper it is on.
    for place, marker, side in ((FREE[2], CARD + 2, card), (FREE[3], TOKEN, side_px(shot, 10.0))):
        x, y = at(shot, place)
        cut = shown.copy()
        stick(cut, cells_of(marker), corners_at((x, y), side))
        right = (slice(None), slice(round(x - 0.05 * side), None))
        cut[right] = shown[right]
        shown = cut
    # On a shirt at the table's edge: too large, and in folds.
    x, y = at(shot, FREE[4])
    big = shown.copy()
    stick(big, cells_of(CARD + 3), corners_at((x, y), 1.6 * card))
    rows, columns = np.mgrid[0 : shown.shape[0], 0 : shown.shape[1]].astype(np.float32)
    folded = cv2.remap(big, columns + 3 * np.sin(rows / 9), rows + 3 * np.sin(columns / 11), cv2.INTER_LINEAR)
    box = (
        slice(round(y - 1.3 * card), round(y + 1.3 * card)),
        slice(round(x - 1.3 * card), round(x + 1.3 * card)),
    )
    shown[box] = folded[box]
    shown.flags.writeable = False
    return shown


def test_the_strangers_are_prints_that_the_detector_or_a_person_would_see(
    strangers: Image, shot: Shot
) -> None:
    shown = strangers.copy()
    # Straight and whole, such a print in such a place would be a piece.
    stick(shown, cells_of(CARD + 4), corners_at(at(shot, FREE[5]), side_px(shot, 18.0), 20.0))
    assert CARD + 4 in pieces(Sight(shot.pose.camera).look(shown))


def test_none_of_them_is_a_piece_and_all_pieces_are_read_beside_them(strangers: Image, shot: Shot) -> None:
    reading = pieces(Sight(shot.pose.camera).look(strangers))
    clear = {one.id for one in shot.prints if one.clear}
    known = {one.id for one in shot.prints}
    assert not known & {CARD, CARD + 1, CARD + 2, CARD + 3}
    assert clear <= reading.keys() <= known


def with_telephone(plain: Image, shot: Shot, marker: int, side_mm: float) -> Image:
    """A telephone beside the board that shows a photograph of a piece, as large as the piece itself."""
    shown = plain.copy()
    x, y = (round(value) for value in at(shot, PHONE))
    cv2.rectangle(shown, (x - 70, y - 60), (x + 70, y + 60), (16, 14, 14), -1)
    cv2.rectangle(shown, (x - 62, y - 52), (x + 62, y + 52), (250, 246, 240), -1)
    stick(shown, cells_of(marker), corners_at((x, y), side_px(shot, side_mm)))
    return shown


@pytest.mark.parametrize(("marker", "side_mm"), [(MINI, 14.8), (16, 10.0)])
def test_a_telephone_that_shows_a_piece_does_not_disturb_it(
    plain: Image, shot: Shot, marker: int, side_mm: float
) -> None:
    sight = Sight(shot.pose.camera)
    for n in range(5):
        before = sight.process(Frame(plain, n / 15, n))
    shown = with_telephone(plain, shot, marker, side_mm)
    for n in range(5, 16):
        after = sight.process(Frame(shown, n / 15, n))
    assert not after.moving
    assert pieces(after) == pieces(before)
    assert len(after.minis) + len(after.tokens) + len(after.cards) == len(pieces(after))


def without_mini(shot: Shot) -> Image:
    """The same table while somebody has taken that miniature away."""
    table = rendered_above(2)
    stands = table.scene.piece(f"mini {MINI_BY_ID[MINI]}").pose
    table.scene.put(f"mini {MINI_BY_ID[MINI]}", replace(stands, x=2000.0))
    image = table.shot().taken(Exposure(), 2)
    table.scene.put(f"mini {MINI_BY_ID[MINI]}", stands)
    return image


def test_a_telephone_that_shows_a_miniature_nobody_sees_is_no_miniature(plain: Image, shot: Shot) -> None:
    sight, gone = Sight(shot.pose.camera), without_mini(shot)
    pictures = [plain] * 5 + [gone] * 6 + [with_telephone(gone, shot, MINI, 14.8)] * 11
    for n, picture in enumerate(pictures):
        after = sight.process(Frame(picture, n / 15, n))
    assert not after.moving
    assert MINI not in pieces(after)
    # Nor in the very first picture, when nobody knows yet how the miniature looks.
    assert MINI not in pieces(Sight(shot.pose.camera).look(pictures[-1]))


@pytest.mark.parametrize("exposure", [Exposure(), Exposure(level=0.1), Exposure(photons=120.0, read=0.004)])
def test_a_miniature_put_down_beside_the_board_is_one(shot: Shot, exposure: Exposure) -> None:
    table = rendered_above(2)
    name = f"mini {MINI_BY_ID[MINI]}"
    stands = table.scene.piece(name).pose
    table.scene.put(name, replace(stands, x=372.0, y=-60.0, z=0.0))
    put_down = table.shot().taken(exposure, 3)
    table.scene.put(name, stands)
    sight = Sight(shot.pose.camera)
    for n, picture in enumerate([shot.taken(exposure, 1)] * 5 + [put_down] * 6):
        reading = sight.process(Frame(picture, n / 15, n))
    assert pieces(reading)[MINI] is None


def with_photographed_table(plain: Image) -> Image:
    """A telephone at the table's edge that shows a photograph of the whole table."""
    shown = plain.copy()
    photo = cv2.resize(plain, None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA)
    height, width = photo.shape[:2]
    turned = np.ascontiguousarray(np.rot90(cv2.copyMakeBorder(photo, *(12,) * 4, cv2.BORDER_CONSTANT)))
    shown[420 : 420 + width + 24, 60 : 60 + height + 24] = turned
    return shown


def test_a_photograph_of_the_table_on_the_table_hides_what_it_lies_on_and_nothing_else(
    plain: Image, shot: Shot
) -> None:
    sight = Sight(shot.pose.camera)
    shown = with_photographed_table(plain)
    bumped = np.roll(shown, 30, axis=1)
    first = Sight(shot.pose.camera).look(shown)
    copies = [marker.id for marker in detect(gray_of(shown)) if marker.id in FRAME_IDS]
    assert len(copies) > len(FRAME_IDS)
    for n in range(5):
        everything = pieces(sight.process(Frame(plain, n / 15, n)))
    for n in range(5, 21):
        live = sight.process(Frame(shown if n < 12 else bumped, n / 15, n))
    assert not live.moving
    for reading in (first, live):
        assert reading.frame == "ok"
        assert pieces(reading).items() <= everything.items()
        assert len(reading.minis) + len(reading.tokens) + len(reading.cards) == len(pieces(reading))
    lost = everything.keys() - pieces(first).keys()
    assert pieces(live).keys() == pieces(first).keys()
    assert len(lost) <= 4
