"""Pieces whose marker cannot be read: known by colour, size and place, with doubt, and never invented."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from companion.games.above.box import MINI_IDS, Table
from companion.sensing.follow import SCENERY_AFTER
from companion.sensing.frames import Frame, Image
from companion.sensing.gate import QUIET_HAND
from companion.sensing.grey import gray_of
from companion.sensing.known import Known
from companion.sensing.markers import Marker
from companion.sensing.reading import MiniSighting, Reading, TokenSighting
from companion.sensing.region import Region
from companion.sensing.sight import Sight, sighting
from companion.sensing.unread import Piece, Unread
from companion.virtual.scene import HandPose
from tests.sensing.photos import camera, photo, truth
from tests.sensing.rendered import RenderedTable
from tests.sensing.spoiled import SPOILT, bare, blank

TABLE = Table()
WHOLE = Region(0, 0, 2304, 1296)


# --- photographs ---------------------------------------------------------------------------------------------


class Studied:
    """One photograph, searched once: its pieces by their markers, and what is read of it."""

    def __init__(self, name: str) -> None:
        self.image: Image = photo(name)
        self.sight = Sight(camera(name))
        surveys: list[Known | Reading] = []
        survey = self.sight._survey

        def keep(frame: Frame, before: frozenset[int] | None) -> Known | Reading:
            surveys.append(survey(frame, before))
            return surveys[-1]

        with patch.object(self.sight, "_survey", keep):
            self.reading = self.sight.look(self.image)
        (known,) = surveys
        assert isinstance(known, Known)
        self.known = known
        self.pieces: dict[Marker, Piece] = {
            marker: one
            for marker in known.markers
            if isinstance(
                one := sighting(marker, known.pose, TABLE, self.sight.rings), MiniSighting | TokenSighting
            )
        }

    def without(self, ids: set[int], image: Image, remembered: bool, region: Region = WHOLE) -> Unread:
        """What is known of these pieces when their markers are not read in a picture."""
        unread = Unread(TABLE)
        if remembered:
            unread.saw(self.pieces.values())
        self.search(unread, ids, image, region)
        return unread

    def search(self, unread: Unread, ids: set[int], image: Image, region: Region = WHOLE) -> None:
        """Look for these pieces, when their markers are not read in a picture."""
        markers = [marker for marker in self.known.markers if marker.id not in ids]
        read = [one for one in self.pieces.values() if one.marker not in ids]
        unread.search(
            image, gray_of(image), self.known.pose, self.sight.rings, read, markers, [region], None, True
        )


@cache
def studied(name: str) -> Studied:
    return Studied(name)


def corners_of(name: str, number: int) -> np.ndarray:
    marker = next(one for one in truth(name)["markers"] if one["id"] == number)
    return np.array(marker["corners_px"], dtype=np.float64)


def around(corners: np.ndarray, reach: int) -> Region:
    """The part of the picture within so many pixels of a print's middle."""
    x, y = (int(value) for value in corners.mean(axis=0))
    return Region(max(0, x - reach), max(0, y - reach), min(2304, x + reach), min(1296, y + reach))


@pytest.mark.parametrize(
    ("name", "how"), [*(("01", how) for how in SPOILT), ("06", "smudged"), ("07", "glaring")]
)
def test_every_miniature_whose_marker_is_spoilt_is_still_known(name: str, how: str) -> None:
    known = 0
    for true in truth(name)["minis"].values():
        if true["id"] in truth(name)["occluded"]:
            continue
        image = SPOILT[how](photo(name), corners_of(name, true["id"]))
        pieces = studied(name).without({true["id"]}, image, remembered=True).pieces
        for one in pieces:
            assert not one.by_marker
            assert one.marker == true["id"]
            assert one.space == true["space"]
            assert 0.5 < one.spaces[0][1] <= 0.97
        known += bool(pieces)
        # Never seen before it may be known all the same, a little less surely.
        near = around(corners_of(name, true["id"]), 240)
        for one in studied(name).without({true["id"]}, image, remembered=False, region=near).pieces:
            assert (one.marker, one.space) == (true["id"], true["space"])
    assert known >= len(truth(name)["minis"]) - 1


def test_of_two_spoilt_miniatures_each_is_known_by_its_colour() -> None:
    """Photograph 01: Ares and Poseidon, both at the rim."""
    image = photo("01")
    for deity in ("ar", "po"):
        image = blank(image, corners_of("01", MINI_IDS[deity]))
    pieces = studied("01").without({MINI_IDS["ar"], MINI_IDS["po"]}, image, remembered=False).pieces
    known = {one.deity: one for one in pieces if isinstance(one, MiniSighting) and one.spaces[0][1] > 0.5}
    assert {deity: one.space for deity, one in known.items()} == {
        deity: truth("01")["minis"][deity]["space"] for deity in ("ar", "po")
    }


def test_a_token_is_known_by_its_rim_where_it_lay() -> None:
    for true in truth("05")["tokens"]:
        if true["id"] in truth("05")["occluded"] or true["space"] is None:
            continue
        image = blank(photo("05"), corners_of("05", true["id"]))
        pieces = studied("05").without({true["id"]}, image, remembered=True).pieces
        assert [(one.marker, one.space, one.by_marker) for one in pieces] == [
            (true["id"], true["space"], False)
        ]
        assert pieces[0].spaces[0][1] > 0.5


def test_what_was_found_before_is_found_again_however_much_else_is_as_bright(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A look at the whole picture goes after a few of its spots only, here after one."""
    study, lost = studied("05"), 0
    for true in truth("05")["tokens"]:
        if true["id"] in truth("05")["occluded"] or true["space"] is None:
            continue
        ids, image = {true["id"]}, blank(photo("05"), corners_of("05", true["id"]))
        unread = study.without(ids, image, remembered=True)
        before = unread.pieces
        with monkeypatch.context() as few:
            few.setattr("companion.sensing.discs.MOST", 1)
            lost += not study.without(ids, image, remembered=True).pieces
            study.search(unread, ids, image)
        assert [(one.marker, one.space) for one in unread.pieces] == [
            (one.marker, one.space) for one in before
        ]
        if lost:
            break
    assert lost


def test_a_token_without_its_sticker_is_known_by_its_face() -> None:
    known = lying = 0
    for true in truth("07")["tokens"]:
        if true["id"] in truth("07")["occluded"] or true["space"] is None:
            continue
        corners = corners_of("07", true["id"])
        image = bare(photo("07"), corners, true["type"])
        pieces = studied("07").without({true["id"]}, image, True, around(corners, 120)).pieces
        assert all((one.marker, one.space) == (true["id"], true["space"]) for one in pieces)
        known += bool(pieces)
        lying += 1
    assert lying > 5
    assert known >= lying - 1


def test_what_has_been_taken_away_is_never_invented() -> None:
    """Photograph 09 is the table of 01 without any piece: everything is missing, and nothing is there."""
    study = studied("01")
    unread = Unread(TABLE)
    unread.saw(study.pieces.values())
    frame = [marker for marker in study.known.markers if marker.id < 4]
    image = photo("09")
    unread.search(image, gray_of(image), study.known.pose, study.sight.rings, [], frame, [WHOLE], None, True)
    assert unread.pieces == ()


@pytest.mark.parametrize("name", ["03", "04", "08", "09"])
def test_a_whole_photograph_holds_no_piece_without_a_marker(name: str) -> None:
    """A hand, glare, a miniature on the summit, a bare board: whatever is white there is no piece."""
    study, image = studied(name), photo(name)
    pieces: tuple[Piece, ...] = (*study.reading.minis, *study.reading.tokens)
    assert all(one.by_marker for one in pieces)
    # Even if all miniatures were missing and may be anywhere.
    minis = {marker.id for marker in study.pieces if marker.id in MINI_IDS.values()}
    gone = image.copy()
    for number in minis:
        x, y = (round(float(value)) for value in corners_of(name, number).mean(axis=0))
        cv2.circle(gone, (x, y), 45, (70, 80, 90), -1)
    for one in study.without(minis, gone, remembered=True).pieces:
        assert sum(p for _, p in one.spaces) < 0.7


def test_a_second_miniature_of_a_colour_casts_doubt_on_a_print() -> None:
    """Hera's sticker on Ares' body: the print says one thing, the body another, after both were seen as they are."""
    study = studied("01")
    unread, around = Unread(TABLE), list(study.pieces.values())
    for one in around:
        assert unread.doubt(study.image, study.known.pose, one, around, 0.9) < 0.05
    ares = next(one for one in around if isinstance(one, MiniSighting) and one.deity == "ar")
    wrong = MiniSighting("he", MINI_IDS["he"], ares.spaces, ares.xyz_mm)
    well = unread.doubt(study.image, study.known.pose, wrong, around, 0.9)
    badly = unread.doubt(study.image, study.known.pose, wrong, around, 0.65)
    assert 0.02 < well < badly <= 0.6


# --- a live table --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def filmed() -> RenderedTable:
    rendered = RenderedTable(2)
    reading, _ = rendered.settle()
    assert rendered.wrong(reading) == []
    return rendered


@pytest.fixture
def table(filmed: RenderedTable) -> Iterator[RenderedTable]:
    pieces = filmed.scene.pieces()
    yield filmed
    filmed.spoilt = {}
    for piece in pieces:
        filmed.scene.put(piece.name, piece.pose)
    after_a_hand(filmed)


def after_a_hand(table: RenderedTable) -> Reading:
    table.push()
    reading, _ = table.settle()
    return reading


def mini(reading: Reading, deity: str) -> MiniSighting | None:
    return next((one for one in reading.minis if one.deity == deity), None)


def test_a_miniature_with_a_lost_print_is_followed_over_the_board(table: RenderedTable) -> None:
    table.spoilt = {"mini ar": blank}
    for space in ("e1", "f2", "e3"):
        if space != "e1":
            table.scene.stand("mini ar", space)
        seen = mini(after_a_hand(table), "ar")
        assert seen is not None
        assert (seen.space, seen.by_marker) == (space, False)
        assert 0.6 < seen.spaces[0][1] <= 0.97
    table.spoilt = {}
    seen = mini(after_a_hand(table), "ar")
    assert seen is not None
    assert seen.by_marker
    assert seen.spaces[0][1] > 0.99


def test_a_miniature_taken_away_is_not_the_spoilt_one_beside_it(table: RenderedTable) -> None:
    table.spoilt = {"mini he": blank}
    table.scene.move("mini ze", 700.0, 0.0)
    reading = after_a_hand(table)
    assert mini(reading, "ze") is None
    seen = mini(reading, "he")
    assert seen is not None and seen.space == "c1"
    table.scene.move("mini he", 700.0, 60.0)
    assert mini(after_a_hand(table), "he") is None


def test_a_token_that_loses_its_sticker_is_still_there_until_it_is_taken(table: RenderedTable) -> None:
    name = next(piece for space, pieces in table.scene.holding().items() for piece in pieces if space == "d2")
    token = table.scene.piece(name)
    table.spoilt = {name: partial(bare, token=token.what)}
    seen = next(one for one in after_a_hand(table).tokens if one.marker == token.number)
    assert (seen.token, seen.space, seen.by_marker) == ("fertility", "d2", False)
    table.spoilt = {}
    table.scene.move(name, 700.0, 0.0)
    assert all(one.marker != token.number for one in after_a_hand(table).tokens)


def test_a_token_known_by_its_face_stays_when_an_arm_far_from_it_turns_out_to_be_none(
    table: RenderedTable,
) -> None:
    """The look at the whole is too coarse for it, and nothing has changed where it lies."""
    name = next(piece for space, pieces in table.scene.holding().items() for piece in pieces if space == "d2")
    token = table.scene.piece(name)
    table.spoilt = {name: partial(bare, token=token.what)}
    after_a_hand(table)
    with patch.object(table.sight, "_survey", wraps=table.sight._survey) as survey:
        table.scene.show_hand("towel", HandPose((-330.0, -190.0, 20.0), (-330.0, -500.0, 60.0)))
        readings = [one for one in table.wait(QUIET_HAND + SCENERY_AFTER + 1) if not one.moving]
    table.scene.show_hand("towel", None)
    survey.assert_called_once()
    for reading in readings:
        seen = next(one for one in reading.tokens if one.marker == token.number)
        assert (seen.space, seen.by_marker) == ("d2", False)


def test_what_a_hand_rests_on_is_hidden_though_it_has_no_marker(table: RenderedTable) -> None:
    table.spoilt = {"mini at": blank}
    seen = mini(after_a_hand(table), "at")
    assert seen is not None and not seen.by_marker
    x, y, _ = seen.xyz_mm
    table.scene.show_hand("hand", HandPose((x, y + 25.0, 45.0), (x + 30.0, y - 330.0, 80.0)))
    reading = table.wait(10)[-1]
    assert mini(reading, "at") is None
    assert "g1" in reading.hidden
    table.scene.show_hand("hand", None)
