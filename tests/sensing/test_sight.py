"""Sight over time: hands, what they cover, what they take, light, knocks, and what all that costs."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest

from companion.sensing.frames import Image
from companion.sensing.markers import detect
from companion.sensing.reading import Reading
from tests.sensing.photos import faults
from tests.sensing.table import SKIN, LiveTable

# Photograph 01: tokens on i3 and i5, Poseidon on i1, all south of the middle.
SOUTH = (1170, 880)


@pytest.fixture
def table() -> LiveTable:
    return LiveTable.settled()


def tokens_on_board(reading: Reading) -> set[str]:
    return {token.space for token in reading.tokens if token.space}


def test_nothing_is_read_before_the_table_is_settled() -> None:
    live = LiveTable()
    first = live.frame(live.shown())
    assert first.moving
    assert first.minis == ()


def test_a_quiet_table_reads_the_same_and_carries_each_frames_time(table: LiveTable) -> None:
    readings = table.wait(12)
    assert not any(reading.moving for reading in readings)
    assert all(faults(reading, "01") == [] for reading in readings)
    times = [reading.exposed_at for reading in readings]
    assert times == sorted(set(times))


def test_a_hand_means_moving_and_no_evidence(table: LiveTable) -> None:
    assert all(reading.moving for reading in table.reach(SOUTH))
    assert all(reading.moving for reading in table.withdraw(SOUTH))


def fidgeting(table: LiveTable, frame: int, reach: int) -> Image:
    """A hand over the eastern edge that never lies still, up to so many pixels from it."""
    image = table.shown()
    y = 560 + 50 * (frame % 3)
    cv2.line(image, (2303, y), (2303 - reach, y), SKIN, 70)
    return image


def test_a_hand_that_never_rests_beside_the_game_keeps_nothing_from_being_read(table: LiveTable) -> None:
    """What it reaches over is not told, and neither is anything while it reaches over what is played with."""
    beside = [table.frame(fidgeting(table, n, 110)) for n in range(4)]
    assert not any(reading.moving for reading in beside[2:])
    assert all(faults(reading, "01") == [] for reading in beside)
    table.take("at")
    seen = [table.frame(fidgeting(table, n, 110)) for n in range(3)]
    assert seen[0].moving and faults(seen[0], "01") == []
    assert not seen[-1].moving and faults(seen[-1], "01") == ["at not seen"]
    table.put_back("at")
    assert all(table.frame(fidgeting(table, n, 340)).moving for n in range(3))


def test_after_the_hand_has_left_one_quiet_frame_is_enough(table: LiveTable) -> None:
    table.reach(SOUTH)
    table.take("at")
    table.withdraw(SOUTH)
    reading, frames = table.settle()
    assert frames == 1
    assert "at" not in {mini.deity for mini in reading.minis}
    assert faults(reading, "01") == ["at not seen"]
    # Athena's own cap is all that hid her space.
    assert "a1" not in reading.hidden


def test_a_piece_put_back_is_seen_again(table: LiveTable) -> None:
    for change in (table.take, table.put_back):
        table.reach(SOUTH)
        change("ze")
        change("18")
        table.withdraw(SOUTH)
        reading, _ = table.settle()
    assert faults(reading, "01") == []


def test_what_a_resting_hand_covers_is_hidden_and_not_gone(table: LiveTable) -> None:
    before = tokens_on_board(table.wait(1)[0])
    table.reach(SOUTH)
    readings = table.wait(10, arm_to=SOUTH)
    assert readings[0].moving
    resting = readings[-1]
    assert not resting.moving
    gone = before - tokens_on_board(resting)
    assert gone
    assert gone <= resting.hidden
    assert not {"b1", "p3", "d5"} & resting.hidden
    assert {"at", "ze", "ap"} <= {mini.deity for mini in resting.minis}
    table.withdraw(SOUTH)
    reading, _ = table.settle()
    assert faults(reading, "01") == []
    assert tokens_on_board(reading) == before


def test_a_print_no_longer_readable_where_nothing_changed_stays_known(table: LiveTable) -> None:
    """Focus that drifts must not take pieces off the table."""
    sharp = table.image
    for sigma in (0.6, 0.9, 1.2, 1.5, 1.8, 2.1, 2.4, 2.7):
        table.image = np.asarray(cv2.GaussianBlur(sharp, (0, 0), sigma), dtype=np.uint8)
        table.wait(2)
    reading, _ = table.settle()
    assert faults(reading, "01") == []


def test_daylight_that_fades_slowly_is_no_motion(table: LiveTable) -> None:
    bright = table.image.astype(np.float32)
    for n in range(40):
        table.image = np.clip(bright * (1 - 0.008 * n), 0, 255).astype(np.uint8)
        reading = table.wait(1)[0]
        assert not reading.moving
    assert faults(reading, "01") == []


def test_a_lamp_switched_on_is_no_hand(table: LiveTable) -> None:
    light = np.linspace(1.8, 1.05, 2304)[None, :, None]
    table.image = np.clip(table.image * light + 8, 0, 255).astype(np.uint8)
    reading, frames = table.settle()
    assert frames <= 6
    assert faults(reading, "01") == []
    assert "h3" not in reading.hidden


def test_blinking_lights_on_the_board_do_not_hold_the_table_up(table: LiveTable) -> None:
    plain = table.image.copy()
    lit = plain.copy()
    for x, y in ((1170, 250), (1500, 640), (840, 640)):
        glow = np.zeros(lit.shape[:2], np.float32)
        cv2.circle(glow, (x, y), 26, 1.0, -1)
        lit = np.clip(lit + cv2.GaussianBlur(glow, (0, 0), 6)[..., None] * (20, 20, 150), 0, 255).astype(
            np.uint8
        )
    settled = 0
    for n in range(45):
        table.image = lit if n % 6 < 3 else plain
        reading = table.wait(1)[0]
        settled += not reading.moving
    assert settled > 20
    assert faults(reading, "01") == []


@pytest.mark.parametrize("by", [(2.0, 1.0), (9.0, -6.0)])
def test_a_knocked_camera_is_registered_again(table: LiveTable, by: tuple[float, float]) -> None:
    shift = np.array([[1, 0, by[0]], [0, 1, by[1]]], dtype=np.float64)
    table.image = np.asarray(
        cv2.warpAffine(table.image, shift, (2304, 1296), borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8
    )
    table.settle()
    assert faults(table.wait(10)[-1], "01") == []


def test_the_light_going_out_is_said_and_forgotten(table: LiveTable) -> None:
    lit = table.image
    table.image = np.zeros_like(lit)
    reading = table.wait(8)[-1]
    assert "black" in reading.frame
    assert reading.minis == ()
    table.image = lit
    reading, _ = table.settle()
    assert faults(reading, "01") == []


def test_a_hand_in_the_very_first_picture_leaves_no_ghost() -> None:
    live = LiveTable()
    live.wait(10, arm_to=SOUTH)
    live.withdraw(SOUTH)
    reading = live.wait(25)[-1]
    assert faults(reading, "01") == []
    assert "i3" not in reading.hidden


def test_a_hand_that_rests_long_over_pieces_never_makes_them_gone(table: LiveTable) -> None:
    before = tokens_on_board(table.wait(1)[0])
    table.reach(SOUTH)
    for reading in table.wait(60, arm_to=SOUTH):
        assert reading.moving or before - tokens_on_board(reading) <= reading.hidden
    table.withdraw(SOUTH)
    reading, _ = table.settle()
    assert faults(reading, "01") == []


def test_a_copied_print_is_no_second_piece_and_does_not_hide_the_first(table: LiveTable) -> None:
    where = [mini.space for mini in table.wait(1)[0].minis if mini.deity == "he"]
    patch = table.image[table.box("he", 40)].copy()
    table.reach(SOUTH)
    table.image[820:900, 1130:1210] = patch
    table.withdraw(SOUTH)
    reading, _ = table.settle()
    assert [mini.space for mini in reading.minis if mini.deity == "he"] == where != []


def test_only_what_changed_is_searched(table: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    areas: list[int] = []

    def watched(gray: np.ndarray, *rest: object) -> object:
        areas.append(gray.size)
        return detect(gray, *rest)  # type: ignore[arg-type]

    table.wait(10)
    for module in ("follow", "catching_up", "frame_look"):
        monkeypatch.setattr(f"companion.sensing.{module}.detect", watched)
    table.wait(5)
    assert areas == []
    table.reach(SOUTH)
    assert areas == []
    table.take("at")
    table.withdraw(SOUTH)
    table.settle()
    assert 0 < sum(areas) < 0.2 * 2304 * 1296


def test_a_quiet_frame_costs_a_few_milliseconds(table: LiveTable) -> None:
    table.wait(12)
    image = table.shown()
    spent = []
    for _ in range(15):
        start = time.process_time()
        table.frame(image)
        spent.append(time.process_time() - start)
    assert sorted(spent)[7] < 0.010
