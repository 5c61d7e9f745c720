"""Parts of a picture that show nothing: found in torn and painted pictures, never in photographs."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.above.box import Table
from companion.sensing.blank import LEAST_CM2, blank_parts
from companion.sensing.frames import STRIDE, Frame, Image
from companion.sensing.gate import PICTURE_WIDTH_MM
from companion.sensing.hidden import SpaceViews
from companion.sensing.olympeak.sight import OlympeakSight
from companion.sensing.place import BoardPrint
from companion.sensing.reading import Reading
from companion.sensing.sight import Sight
from tests.sensing.harder import compressed, noisy
from tests.sensing.olympeak.photos import NAMES as OLYMPEAK
from tests.sensing.photos import NAMES, camera, faults, photo, pose, truth

FILLS = {"black": (0, 0, 0), "grey": (128, 128, 128), "white": (255, 255, 255), "blue": (180, 90, 20)}


def filled(image: Image, colour: tuple[int, int, int], from_row: int = 600) -> Image:
    """A picture of which the lower part never came."""
    image[from_row:] = colour
    return image


def spaces_of(reading: Reading) -> set[str | None]:
    return {mini.space for mini in reading.minis} | {token.space for token in reading.tokens}


@pytest.mark.parametrize("name", (*NAMES, *OLYMPEAK))
def test_no_photograph_has_a_blank_part(name: str) -> None:
    image = photo(name)
    for picture in (image, compressed(image), np.ascontiguousarray(image[..., 1])):
        assert not blank_parts(picture).any()


@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("name", ["01", "06"])
def test_whatever_a_part_is_filled_with_it_is_blank_to_its_edge(name: str, fill: str) -> None:
    mask = blank_parts(filled(photo(name), FILLS[fill]))
    edge = 600 // STRIDE
    assert mask[edge + 1 :].all()
    assert not mask[: edge - 2].any()


def test_a_part_without_light_is_blank_though_it_has_grain() -> None:
    image = photo("05")
    image[:, :1000] = noisy(image[:, :1000], 1.0, 0.005)
    mask = blank_parts(image)
    assert mask[:, : 1000 // STRIDE - 2].all()
    assert not mask[:, 1000 // STRIDE + 2 :].any()


@pytest.mark.parametrize(("share", "blank"), [(0.6, False), (2.5, True)])
def test_only_what_is_larger_than_a_hand_counts(share: float, blank: bool) -> None:
    """A glossy print may mirror a lamp."""
    image = photo("07")
    side = round((share * LEAST_CM2 * 100) ** 0.5 * image.shape[1] / PICTURE_WIDTH_MM)
    image[300 : 300 + side, 700 : 700 + side] = 255
    assert blank_parts(image).any() == blank


def test_an_even_shade_is_not_blank() -> None:
    """Light falls off towards one side of any table."""
    shade = np.linspace(90, 150, 2304, dtype=np.float32)[None, :] * np.linspace(0.8, 1.2, 1296)[:, None]
    assert not blank_parts(noisy(np.repeat(shade.astype(np.uint8)[..., None], 3, axis=2), 0.7)).any()


@pytest.mark.parametrize("fill", FILLS)
def test_every_space_in_a_part_that_shows_nothing_is_hidden(fill: str) -> None:
    views = SpaceViews(pose("01"), Table(), BoardPrint())
    hidden = views.hidden((), blank_parts(filled(photo("01"), FILLS[fill]))).spaces
    for mini in truth("01")["minis"].values():
        x, y = pose("01").project(mini["xyz_cap_mm"])
        assert (mini["space"] in hidden) == (y > 600), (mini["space"], x, y)
    assert {"cards sw", "cards se"} <= hidden


def test_a_torn_first_picture_makes_no_table_empty_and_the_next_one_shows_it() -> None:
    sight = Sight(camera("01"))
    torn = filled(photo("01"), FILLS["grey"])
    for n in range(8):
        reading = sight.process(Frame(torn, n / 8, n))
    assert reading.frame == "ok"
    assert not reading.moving
    gone = {mini["space"] for mini in truth("01")["minis"].values()} - spaces_of(reading)
    assert len(gone) == 5
    assert gone <= reading.hidden
    whole = photo("01")
    for n in range(8, 48):
        reading = sight.process(Frame(whole, n / 8, n))
    assert faults(reading, "01") == []
    assert not reading.hidden & {"i3", "h4", "j5", "cards sw", "cards se"}


def test_of_olympeak_too_what_never_came_is_hidden() -> None:
    small = np.asarray(cv2.resize(photo("51"), (1728, 972), interpolation=cv2.INTER_AREA), np.uint8)
    reading = OlympeakSight(camera("51")).look(filled(small, FILLS["black"], 525))
    assert reading.frame == "ok"
    gone = {one["seat"] for one in truth("51")["reveal"]} - {one.seat for one in reading.reveal}
    assert gone
    assert {f"reveal {seat}" for seat in gone} <= reading.hidden
