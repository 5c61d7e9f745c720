"""Creep against the profile: told when it is sure, against ring 1, and not when only measured badly."""

from __future__ import annotations

import pytest

from calibration.creep import crept
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose


def board(
    turns: dict[int, float],
    shift: tuple[float, float] = (0.0, 0.0),
    sigma: float = 0.03,
    whole_deg: float = 0.0,
) -> BoardPrint:
    return BoardPrint(
        {
            ring: RingPose(ring, turn + whole_deg, (shift if ring == 4 else (0.0, 0.0)), sigma, 3 * sigma)
            for ring, turn in turns.items()
        }
    )


BEFORE = board({1: 0.0, 2: 1.0, 3: -2.0, 4: 0.5})


def test_a_ring_that_moved_is_told() -> None:
    (creep,) = crept(BEFORE, board({1: 0.0, 2: 1.4, 3: -2.0, 4: 0.5}))
    assert creep.ring == 2
    assert creep.turn_deg == pytest.approx(0.4)
    assert creep.text == "ring 2 has crept by 0.40° counter-clockwise and 0.0 mm since it was measured"
    (creep,) = crept(BEFORE, board({1: 0.0, 2: 1.0, 3: -2.0, 4: 0.5}, shift=(0.6, -0.8)))
    assert creep.ring == 4
    assert creep.shift_mm == pytest.approx((0.6, -0.8))
    assert "1.0 mm" in creep.text


def test_a_nudged_board_has_not_crept() -> None:
    assert crept(BEFORE, board({1: 0.0, 2: 1.0, 3: -2.0, 4: 0.5}, whole_deg=1.5)) == ()


def test_what_is_within_the_measure_s_own_doubt_is_not_told() -> None:
    assert crept(BEFORE, board({1: 0.0, 2: 1.08, 3: -2.05, 4: 0.5})) == ()
    assert crept(BEFORE, board({1: 0.0, 2: 1.4, 3: -2.0, 4: 0.5}, sigma=0.3)) == ()


def test_rings_measured_only_once_are_left_out() -> None:
    assert crept(BEFORE, board({1: 0.0, 5: 3.0})) == ()
    assert crept(board({1: 0.0}), BEFORE) == ()
