"""Rings and board of a filmed table: bumped, pushed, covered. What stands on them is never told wrongly."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np
import pytest

from companion.games.above.box import Board
from companion.sensing.creep import Motion
from companion.sensing.place import BoardPrint
from companion.sensing.reading import MiniSighting, Reading, RingPose, TokenSighting
from companion.sensing.ring_watch import Standing, carried_along
from companion.virtual.faults import Fault
from companion.virtual.scene import HandPose
from tests.sensing.rendered import RenderedTable

WITHIN = 15
RINGS = range(1, 7)


def ring_errors(table: RenderedTable, reading: Reading) -> dict[int, float]:
    """By ring, how many degrees the reading is off, against ring 1."""
    true = table.scene.rings
    first = true[0].rotation_deg
    return {
        one.ring: abs(one.rotation_deg - (true[one.ring - 1].rotation_deg - first)) for one in reading.rings
    }


@pytest.fixture
def table(filmed: RenderedTable) -> Iterator[RenderedTable]:
    scene = filmed.scene
    rings, pieces = scene.rings, scene.pieces()
    yield filmed
    for fault in scene.faults:
        scene.set_fault(fault, False)
    for number, (now, before) in enumerate(zip(scene.rings, rings, strict=True), 1):
        x, y = (b - n for b, n in zip(before.shift_mm, now.shift_mm, strict=True))
        scene.slip(number, before.rotation_deg - now.rotation_deg, (x, y))
    for piece in pieces:
        scene.put(piece.name, piece.pose)
    filmed.wait(WITHIN)


# Ring 3 has a miniature and a token on it, ring 2 tokens, ring 5 a miniature and a token, ring 6 two and a token.
@pytest.mark.parametrize(("ring", "turn"), [(3, 5.0), (6, -9.0), (5, 10.0), (2, 2.0), (6, 16.0)])
def test_a_ring_bumped_during_play_is_followed_at_once_and_told(
    table: RenderedTable, ring: int, turn: float
) -> None:
    table.push()
    table.scene.slip(ring, turn)
    readings = table.wait(WITHIN)
    settled = [reading for reading in readings if not reading.moving]
    assert settled
    for reading in settled:
        assert table.wrong(reading) == []
        assert max(ring_errors(table, reading).values()) < 0.2
        pieces: tuple[MiniSighting | TokenSighting, ...] = (*reading.minis, *reading.tokens)
        on_it = [one for one in pieces if (one.space or "").endswith(str(ring))]
        assert all(one.spaces[0][1] > 0.98 for one in on_it)
    assert all(reading.findings == () for reading in readings[:4])
    (finding,) = table.wait(16)[-1].findings
    assert f"Ring {ring} has slipped {abs(turn):.1f}°" in finding.text


def test_a_hand_that_bumps_a_ring_and_rests_on_it_leads_to_nothing_wrong(table: RenderedTable) -> None:
    scene = table.scene
    scene.show_hand("hand", HandPose((90.0, -60.0, 40.0), (120.0, -420.0, 80.0)))
    readings = table.wait(3)
    scene.slip(4, 4.0, (1.0, 0.5))
    readings += table.wait(WITHIN)
    scene.show_hand("hand", None)
    readings += table.wait(WITHIN)
    settled = [reading for reading in readings if not reading.moving]
    assert all(table.wrong(reading) == [] for reading in settled)
    assert max(ring_errors(table, settled[-1]).values()) < 0.2


def test_a_board_pushed_and_turned_is_read_again_within_a_second_and_told_once(table: RenderedTable) -> None:
    table.push()
    table.scene.set_fault(Fault.BOARD_TURNED)
    readings = table.wait(WITHIN)
    settled = [reading for reading in readings if not reading.moving]
    assert settled
    assert all(table.wrong(reading) == [] for reading in settled)
    assert len(settled[-1].hidden) < 20
    keys = {finding.key for reading in table.wait(20) for finding in reading.findings}
    assert keys == {"board-pushed"}


def test_a_bare_board_that_is_pushed_is_found_by_its_lines() -> None:
    table = RenderedTable(4)
    for piece in table.scene.pieces():
        if piece.kind != "card":
            table.scene.move(piece.name, 700.0, 0.0)
    table.settle()
    table.scene.push_board(-4.0, (9.0, 6.0))
    readings = table.wait(WITHIN)
    settled = [reading for reading in readings if not reading.moving]
    assert max(ring_errors(table, settled[-1]).values()) < 0.2
    for ring, pose in table.sight.rings.poses.items():
        true = table.scene.rings[ring - 1]
        assert pose.rotation_deg == pytest.approx(true.rotation_deg, abs=0.3)
        assert math.dist(pose.shift_mm, true.shift_mm) < 1.0


def test_an_arm_across_the_board_is_no_board(table: RenderedTable) -> None:
    """Two arms over a third of the board: what they cover stays hidden, however long they rest."""
    scene = table.scene
    scene.show_hand("hand", HandPose((-40.0, 110.0, 40.0), (-80.0, -330.0, 80.0)))
    scene.show_hand("other", HandPose((70.0, 90.0, 40.0), (90.0, -330.0, 80.0), 1))
    readings = table.wait(30)
    settled = [reading for reading in readings if not reading.moving]
    assert settled
    assert all(table.wrong(reading) == [] for reading in settled)
    assert all(reading.findings == () for reading in readings)
    assert len(settled[-1].hidden) > 20
    scene.show_hand("hand", None)
    scene.show_hand("other", None)


def test_a_ring_that_slipped_since_it_was_calibrated_is_told_in_the_first_seconds() -> None:
    scene = RenderedTable(5).scene
    lies = {
        ring: RingPose(ring, lie.rotation_deg, lie.shift_mm, 0.03, 0.07)
        for ring, lie in enumerate(scene.rings[:6], 1)
    }
    before = lies[4]
    lies[4] = RingPose(4, before.rotation_deg - 2.4, before.shift_mm, 0.03, 0.07)
    table = RenderedTable(5, BoardPrint(lies))
    reading, _ = table.settle()
    assert table.wrong(reading) == []
    assert reading.findings == ()
    (finding,) = table.wait(35)[-1].findings
    assert finding.text == "Ring 4 has slipped 2.4° counter-clockwise since calibration."


# --- what the pieces tell of it ------------------------------------------------------------------------------


def standing(rng: random.Random, ring: int) -> Standing:
    board = Board()
    radius = 190 - 25 * (ring - 0.5)
    angle = rng.uniform(0, math.tau)
    return Standing((radius * math.cos(angle), radius * math.sin(angle), board.ring_z(ring) + 35.0), ring)


def carried(motion: Motion, one: Standing) -> tuple[float, float]:
    x, y, _ = one.xyz_mm
    return motion.moved(x, y)


def test_what_stands_on_a_pushed_board_tells_its_motion_whoever_plays_at_the_same_time() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        before = {marker: standing(rng, rng.randint(1, 6)) for marker in range(8, 20)}
        motion = Motion(rng.uniform(-20, 20), (rng.uniform(-20, 20), rng.uniform(-20, 20)))
        after = {
            marker: tuple(np.add(carried(motion, one), [rng.gauss(0, 0.2), rng.gauss(0, 0.2)]))
            for marker, one in before.items()
        }
        for moved in rng.sample(sorted(before), 3):
            after[moved] = (rng.uniform(-180, 180), rng.uniform(-180, 180))
        found = carried_along(before, {m: (float(x), float(y)) for m, (x, y) in after.items()}, RINGS)
        assert set(found) == set(RINGS)
        assert found[1].turn_deg == pytest.approx(motion.turn_deg, abs=0.5)
        assert math.dist(found[1].shift_mm, motion.shift_mm) < 1.5


def test_two_pieces_of_a_ring_tell_that_it_was_turned() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        before = {marker: standing(rng, 1 + marker % 6) for marker in range(8, 26)}
        motion = Motion(rng.choice((-1, 1)) * rng.uniform(3, 15))
        after = {
            marker: carried(motion, one) if one.ring == 3 else one.xyz_mm[:2]
            for marker, one in before.items()
        }
        found = carried_along(before, after, RINGS)
        assert set(found) == {3}
        assert found[3].turn_deg == pytest.approx(motion.turn_deg, abs=0.1)


def test_pieces_that_players_move_carry_no_ring_along() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        before = {marker: standing(rng, rng.randint(1, 6)) for marker in range(8, 20)}
        after = {marker: one.xyz_mm[:2] for marker, one in before.items()}
        for moved in rng.sample(sorted(before), 2):
            after[moved] = (rng.uniform(-180, 180), rng.uniform(-180, 180))
        assert carried_along(before, after, RINGS) == {}
