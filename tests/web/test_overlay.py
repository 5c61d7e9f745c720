"""The camera picture with what was recognised."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.sensing.frames import Image
from companion.sensing.reading import CardSighting, MiniSighting, Reading, TokenSighting
from companion.web.overlay import annotate

PX_PER_MM = 2.5


def px(x: float, y: float) -> tuple[float, float]:
    """Where a point of the table lies in the test picture, seen straight from above."""
    return 1152 + PX_PER_MM * x, 648 - PX_PER_MM * y


def square(x: float, y: float, side: float) -> tuple[tuple[float, float], ...]:
    half = side / 2
    return tuple(px(x + dx * half, y + dy * half) for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1)))


def cards() -> tuple[CardSighting, ...]:
    places = ((-237.0, 114.0), (-298.0, -114.0), (237.0, -114.0), (298.0, 114.0))
    return tuple(
        CardSighting(deity, 1, deity != "ar", 40 + n, (x, y, 0.4), square(x, y, 18))
        for n, (deity, (x, y)) in enumerate(zip(("ze", "he", "ar", "at"), places, strict=True))
    )


def drawn(reading: Reading, image: Image | None = None) -> Image:
    jpeg = annotate(blank() if image is None else image, reading)
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)


def blank() -> Image:
    return np.full((1296, 2304, 3), 90, dtype=np.uint8)


def changed(picture: Image, centre_px: tuple[float, float], radius: int = 12) -> bool:
    """Whether anything was drawn around this point (of the full-size picture)."""
    u, v = round(centre_px[0] / 2), round(centre_px[1] / 2)
    patch = picture[max(0, v - radius) : v + radius, max(0, u - radius) : u + radius].astype(int)
    return bool(np.abs(patch - 90).max() > 40)


def test_the_picture_is_halved_and_the_frame_left_alone() -> None:
    image = blank()
    mini = MiniSighting("ze", 8, (("a1", 0.99),), (0, 177.5, 38), square(0, 177.5, 14))
    picture = drawn(Reading(0.0, minis=(mini,)), image)
    assert picture.shape == (648, 1152, 3)
    assert bool((image == 90).all())


def test_a_small_camera_is_not_enlarged() -> None:
    image = np.full((480, 640, 3), 90, dtype=np.uint8)
    assert drawn(Reading(0.0), image).shape == (480, 640, 3)


def test_every_piece_is_outlined_where_it_is_and_nothing_elsewhere() -> None:
    minis = (MiniSighting("he", 9, (("c4", 0.98), ("c3", 0.02)), (80, 60, 47), square(80, 60, 14)),)
    tokens = (
        TokenSighting("gate", 28, (("h3", 0.6),), (-50, -90, 11), square(-50, -90, 10)),
        TokenSighting("thunder", 16, (), (-170, -170, 2), square(-170, -170, 10)),
    )
    picture = drawn(Reading(0.0, minis=minis, tokens=tokens, cards=cards()))
    every: tuple[MiniSighting | TokenSighting | CardSighting, ...] = (*minis, *tokens, *cards())
    for sighting in every:
        assert changed(picture, px(sighting.xyz_mm[0], sighting.xyz_mm[1])), sighting
    assert not changed(picture, px(0, 0))
    assert not changed(picture, px(330, 180))


def test_a_doubtful_space_looks_different_from_a_sure_one() -> None:
    def token(sure: float) -> Image:
        sighting = TokenSighting("gate", 28, (("h3", sure),), (0, 0, 11), square(0, 0, 10))
        return drawn(Reading(0.0, tokens=(sighting,)))

    sure, doubtful = token(0.99), token(0.5)
    assert np.abs(sure.astype(int) - doubtful.astype(int)).max() > 60


def test_a_piece_at_the_edge_keeps_its_name_in_the_picture() -> None:
    corner = ((2.0, 2.0), (36.0, 2.0), (36.0, 36.0), (2.0, 36.0))
    mini = MiniSighting("ap", 15, (), (-450, 255, 38), corner)
    assert changed(drawn(Reading(0.0, minis=(mini,))), (100.0, 20.0), 30)


def test_hidden_spaces_are_ringed_once_the_table_is_located() -> None:
    hidden = frozenset({"e3"})  # straight east: x = 127.5, y = 0
    assert changed(drawn(Reading(0.0, cards=cards(), hidden=hidden)), px(127.5, 0), 16)
    assert not changed(drawn(Reading(0.0, cards=cards()[:3], hidden=hidden)), px(127.5, 0), 16)


def test_pieces_in_one_line_do_not_locate_the_table() -> None:
    line = tuple(
        TokenSighting("gate", 28 + n, (), (200, 40.0 * n - 60, 2), square(200, 40.0 * n - 60, 10))
        for n in range(4)
    )
    assert not changed(drawn(Reading(0.0, tokens=line, hidden=frozenset({"m3"}))), px(-127.5, 0), 16)


@pytest.mark.parametrize(
    "reading",
    [Reading(0.0, frame="no frame marker in view – turn the camera"), Reading(0.0, moving=True)],
)
def test_what_is_wrong_with_the_picture_stands_at_the_top(reading: Reading) -> None:
    picture = drawn(reading)
    assert picture[:30, :600].astype(int).std() > 20
    assert picture[100:].astype(int).std() < 5
