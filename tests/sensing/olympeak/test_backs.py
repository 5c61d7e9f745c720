"""Cards face down: found by their outline on any table, and nothing else taken for one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.olympeak.box import Table
from companion.sensing.frames import Image
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.olympeak.backs import card_outline, shows_print
from companion.sensing.olympeak.sight import OlympeakSight
from tests.sensing.photos import camera, photo, pose, truth

TABLE = Table()
ZONES = TABLE.reveal_centres_mm
PX_PER_MM = 3.0


def view() -> CameraPose:
    """A camera straight above the table that sees 3 px a mm, without distortion."""
    lens = Camera(1860.0, 1860.0, 1151.5, 647.5, (0.0,) * 5, (2304, 1296))
    turn = np.diag([1.0, -1.0, -1.0])
    return CameraPose(lens, turn, np.array([0.0, 0.0, 620.0]))


def surface(kind: str) -> Image:
    """A table top, (1296, 2304, 3)."""
    rng = np.random.default_rng(3)
    y, x = np.mgrid[:1296, :2304] / PX_PER_MM
    if kind == "white":
        top = np.full(x.shape, 238.0)
    elif kind == "black":
        top = np.full(x.shape, 14.0)
    elif kind == "stripes":
        top = np.where((x // 21) % 2 > 0, 190.0, 90.0)
    elif kind == "squares of a card's size":
        top = np.where((x // 31.5 + y // 44) % 2 > 0, 200.0, 60.0)
    elif kind == "tartan":
        top = 60 + 50 * ((x % 63) < 20) + 40 * ((y % 88) < 30) + 90.0 * (((x % 63) < 1.5) | ((y % 88) < 1.5))
    elif kind == "grain":
        rows = cv2.GaussianBlur(rng.normal(0, 1, (1296, 1)), (0, 0), 2)
        top = 110 + 260 * np.repeat(rows, 2304, axis=1)
    else:
        top = np.kron(rng.uniform(30, 220, (44, 77)), np.ones((30, 30)))[:1296, :2304]
    noisy = np.clip(top + rng.normal(0, 3, top.shape), 0, 255).astype(np.uint8)
    return np.repeat(noisy[..., None], 3, axis=2)


def lay(image: Image, at: tuple[float, float], turn_deg: float, ink: int, size: tuple[float, float]) -> None:
    """Draw a card with a light border and a patterned back."""
    a = np.radians(turn_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])

    def quad(width: float, height: float) -> np.ndarray:
        corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (width / 2, height / 2) @ turn.T + at
        return np.round(view().project(np.column_stack([corners, np.full(4, 1.0)])) * 16).astype(np.int32)

    cv2.fillConvexPoly(image, quad(size[0] + 1.0, size[1] + 1.0) + 16, (25, 25, 25), cv2.LINE_AA, shift=4)
    cv2.fillConvexPoly(image, quad(*size), (225, 230, 232), cv2.LINE_AA, shift=4)
    cv2.fillConvexPoly(image, quad(size[0] - 5, size[1] - 5), (ink, 40, 60), cv2.LINE_AA, shift=4)
    u, v = view().project((*at, 1.0))
    cv2.circle(image, (round(u), round(v)), 50, (200, 190, 60), -1, cv2.LINE_AA)


SURFACES = ("white", "black", "stripes", "squares of a card's size", "tartan", "grain", "patches")


@pytest.mark.parametrize("kind", SURFACES)
def test_a_back_is_seen_on_any_table(kind: str) -> None:
    image = surface(kind)
    lay(image, (-292.0, 4.0), -11.0, 90, TABLE.card_mm)
    found = card_outline(image, view(), ZONES[1], TABLE)
    assert found is not None
    assert found.at == pytest.approx((-292.0, 4.0), abs=2.6)
    assert found.turn_deg == pytest.approx(-11.0, abs=1.0)
    assert not shows_print(image, view(), found, TABLE)


@pytest.mark.parametrize("kind", SURFACES)
def test_no_table_is_taken_for_a_card(kind: str) -> None:
    image = surface(kind)
    for x in range(-300, 301, 75):
        for y in (-110, 0, 110):
            assert card_outline(image, view(), (float(x), float(y)), TABLE) is None


@pytest.mark.parametrize("size", [(74.0, 99.0), (54.0, 79.0), (90.0, 60.0), (72.0, 148.0)])
def test_a_thing_of_another_size_is_no_card(size: tuple[float, float]) -> None:
    image = surface("grain")
    lay(image, ZONES[1], 3.0, 90, size)
    assert card_outline(image, view(), ZONES[1], TABLE) is None


def test_a_card_half_under_something_is_not_claimed() -> None:
    image = surface("grain")
    lay(image, ZONES[1], 3.0, 90, TABLE.card_mm)
    u, v = view().project((*ZONES[1], 1.0)).round().astype(int)
    cv2.circle(image, (int(u) + 40, int(v) + 130), 150, (105, 140, 200), -1)
    assert card_outline(image, view(), ZONES[1], TABLE) is None


def test_a_zone_outside_the_picture_shows_nothing() -> None:
    assert card_outline(surface("grain"), view(), (-380.0, 0.0), TABLE) is None


@pytest.mark.parametrize("name", ["01", "05", "06", "07", "09"])
def test_the_tables_of_the_other_photographs_show_no_cards(name: str) -> None:
    spots = [(x, y) for x in (-160.0, 180.0, 0.0) for y in (-190.0, 185.0)]
    beside = [(-295.0, -20.0), (295.0, 20.0)] if name == "09" else []
    assert not [
        spot for spot in (*spots, *beside) if card_outline(photo(name), pose(name), spot, TABLE) is not None
    ]


def test_backs_lie_where_the_photographs_say_and_faces_show_their_print() -> None:
    for name in ("52", "54", "56"):
        lying = {one["seat"]: one for one in truth(name)["reveal"]}
        for seat, centre in enumerate(ZONES):
            found = card_outline(photo(name), pose(name), centre, TABLE)
            assert (found is not None) == (seat in lying)
            if found is not None:
                assert np.hypot(*np.subtract(found.at, lying[seat]["centre_mm"])) < 3.0
                assert abs(found.turn_deg - lying[seat]["yaw_deg"]) < 1.5
                face_up = lying[seat]["card"] is not None
                assert shows_print(photo(name), pose(name), found, TABLE) == face_up


def test_a_face_whose_print_is_smeared_is_neither_read_nor_called_a_back() -> None:
    image = photo("51")
    marker = next(m for m in truth("51")["markers"] if m["id"] == 172)
    u, v = (round(value) for value in marker["uv_px"])
    image[v - 12 : v + 12, u - 12 : u + 12] = 140
    reading = OlympeakSight(camera("51")).look(image)
    assert 1 not in {one.seat for one in reading.reveal}
    assert "reveal 1" in reading.hidden
