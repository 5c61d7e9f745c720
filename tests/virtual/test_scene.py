"""The simulated table as a body of things: where pieces stand, what they touch, which switches they close."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.games.above.box import Table
from companion.games.above.setup import initial_position
from companion.virtual.faults import Fault
from companion.virtual.jostle import overlap
from companion.virtual.layout import lay_out, pile
from companion.virtual.scene import MAX_OFF_CENTRE_MM, PUSHED, SLIPPED, Ring, Scene, SceneError
from companion.virtual.truth import lie_on

Laid = Callable[[int], Scene]


def test_every_piece_stands_on_the_space_the_position_names(laid: Laid) -> None:
    for seed in range(8):
        holding = laid(seed).holding()
        assert holding["a1"] == ("mini ze",)
        assert holding["n6"] == ("mini ap",)
        assert {names[0][:5] for space, names in holding.items() if space in ("b3", "l6", "p3")} == {"token"}
        assert len(holding) == 8 + 8


@pytest.mark.parametrize("seed", range(8))
def test_four_are_dealt_their_cards_by_sets(laid: Laid, seed: int) -> None:
    position = initial_position(4, random.Random(seed))
    scene = laid(1)
    lay_out(scene, str(position))
    sets: dict[int, set[str]] = {}
    for card in scene.pieces("card"):
        _, deity, number = card.name.split()
        seat = scene.table.seat_at(card.pose.x, card.pose.y, 4)
        assert seat is not None and deity in position.powered(seat)
        sets.setdefault(seat, set()).add(number)
        if (deity, number) == ("ze", "1"):
            assert seat == position.turn
    assert all(len(numbers) == 1 for numbers in sets.values())
    assert sets[0] != sets[2] and sets[1] != sets[3]


def test_pieces_stand_off_centre_but_never_beyond_what_people_do(laid: Laid) -> None:
    offs = []
    for seed in range(8):
        scene = laid(seed)
        for space, names in scene.holding().items():
            x, y, z = scene.printed_centre(space)
            pose = scene.piece(names[0]).pose
            offs.append(math.hypot(pose.x - x, pose.y - y))
            assert pose.z == z
            assert pose.tilt <= 4.0
    assert max(offs) <= MAX_OFF_CENTRE_MM + 1e-6
    assert max(offs) > 3.0


def test_caps_side_by_side_on_the_innermost_ring_do_not_intersect(laid: Laid) -> None:
    for seed in range(12):
        scene = laid(seed)
        for a, b in itertools.combinations(scene.pieces("mini"), 2):
            assert overlap(a, b, scene.table)[0] <= 0.4, (seed, a, b)


def test_rings_are_turned_and_shifted_but_the_first_is_the_frame(laid: Laid) -> None:
    rings = laid(3).rings
    assert rings[0] == Ring()
    assert len(rings) == 7
    assert all(abs(r.rotation_deg) <= 4 and math.hypot(*r.shift_mm) <= 3 for r in rings)
    assert len({r.rotation_deg for r in rings}) == 7


def test_ring_places_turn_into_print_places_and_back() -> None:
    ring = Ring(3.0, (1.5, -2.0))
    assert ring.to_print(*ring.to_world(50.0, -70.0)) == pytest.approx((50.0, -70.0))


def test_a_space_is_told_by_where_its_print_lies(laid: Laid) -> None:
    scene = laid(4)
    for space in ("a1", "c4", "p6", "top", "h5"):
        x, y, _ = scene.printed_centre(space)
        assert scene.space_at(x, y) == space
    assert scene.space_at(0.0, 196.0) is None
    assert scene.surface_z(300.0, 0.0) == 0.0


def test_creeping_carries_what_stands_on_the_ring(laid: Laid) -> None:
    scene = laid(5)
    before, lie = scene.rings, lie_on(scene, 2)
    for _ in range(40):
        scene.creep()
    assert scene.rings != before
    assert scene.rings[0] == Ring()
    assert all(abs(r.rotation_deg) <= 4 and math.hypot(*r.shift_mm) <= 3.0 + 1e-9 for r in scene.rings)
    assert not lie.differing(lie_on(scene, 2))


def test_nudges_never_change_the_space(laid: Laid) -> None:
    scene = laid(6)
    lie = lie_on(scene, 2)
    names = [piece.name for piece in scene.pieces() if piece.kind != "card" and piece.pose.z > 1]
    for _ in range(300):
        scene.nudge(scene.rng.choice(names), scene.rng.uniform(0, 5))
    assert not lie.differing(lie_on(scene, 2))


def test_the_reserve_lies_beside_the_board_in_view_and_apart(laid: Laid) -> None:
    for seed in range(6):
        scene = laid(seed)
        reserve = [p for p in scene.pieces("token") if scene.space_at(p.pose.x, p.pose.y) is None]
        assert len(reserve) == 16
        for token in reserve:
            (u, v) = scene.optics.project(token.marker_corners(scene.table)).mean(axis=0)
            assert 0 < u < 2304
            assert 0 < v < 1296
        for a, b in itertools.combinations(reserve, 2):
            assert math.hypot(a.pose.x - b.pose.x, a.pose.y - b.pose.y) >= 16


def test_four_players_lay_four_cards_each_and_the_rest_on_the_pile() -> None:
    scene = Scene(random.Random(2))
    lay_out(
        scene,
        "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=,fertility=,gate=,barrier= "
        "ze.he/ar.ar.at.po/ha/de.ze 0 4",
    )
    cards = lie_on(scene, 4).cards
    assert cards == {(0, "ze"): 1, (0, "he"): 1, (1, "ar"): 2, (1, "at"): 1, (1, "po"): 1} | {
        (2, "ha"): 1,
        (3, "de"): 1,
        (3, "ze"): 1,
    }
    assert len(pile(scene)) == 16 - 9


def test_magnets_close_switches_only_when_low_over_the_board(laid: Laid) -> None:
    scene = laid(1)
    assert scene.closed_reeds() == frozenset(scene.holding())
    pose = scene.piece("mini ze").pose
    scene.put("mini ze", replace(pose, z=pose.z + 40), held=True)
    assert "a1" not in scene.closed_reeds()
    x, y, z = scene.printed_centre("b2")
    scene.put("mini ze", replace(pose, x=x, y=y, z=z + 2), held=True)
    assert "b2" in scene.closed_reeds()
    assert "b2" not in scene.holding()


def test_switches_fail_when_told_to(laid: Laid) -> None:
    scene = laid(1)
    truth = scene.closed_reeds()
    scene.blame_reed("h4")
    scene.set_fault(Fault.REED_STUCK)
    assert scene.closed_reeds() == truth | {"h4"}
    scene.set_fault(Fault.REED_STUCK, False)
    scene.blame_reed("a1")
    scene.set_fault(Fault.REED_WEAK)
    seen = {"a1" in scene.closed_reeds() for _ in range(4)}
    assert seen == {True, False}
    scene.set_fault(Fault.REED_DEAD)
    assert scene.closed_reeds() == frozenset()
    scene.set_fault(Fault.REED_DEAD, False)
    scene.set_fault(Fault.REED_WEAK, False)
    assert scene.closed_reeds() == truth


def test_a_ring_that_slips_takes_along_what_stands_on_it_and_nothing_else(laid: Laid) -> None:
    scene = laid(2)
    before = {piece.name: piece.pose for piece in scene.pieces()}
    standing = scene.holding()
    rings = scene.rings
    ring, turn = SLIPPED
    scene.set_fault(Fault.RING_SLIPS)
    scene.set_fault(Fault.RING_SLIPS)
    assert scene.holding() == standing
    assert scene.rings[ring - 1].rotation_deg == pytest.approx(rings[ring - 1].rotation_deg + turn)
    riding = {name for space, names in standing.items() if space[1:] == str(ring) for name in names}
    assert riding
    assert {piece.name for piece in scene.pieces() if piece.pose != before[piece.name]} == riding
    scene.set_fault(Fault.RING_SLIPS, False)
    assert all(
        _close(piece.pose.x, piece.pose.y, before[piece.name].x, before[piece.name].y)
        for piece in scene.pieces()
    )


def test_a_board_that_is_pushed_takes_everything_along(laid: Laid) -> None:
    scene = laid(3)
    before = {piece.name: piece.pose for piece in scene.pieces()}
    standing = scene.holding()
    turn, shift = PUSHED
    scene.set_fault(Fault.BOARD_TURNED)
    assert scene.holding() == standing
    motion = Ring(turn, shift)
    riding = {name for names in standing.values() for name in names}
    for piece in scene.pieces():
        was = before[piece.name]
        x, y = motion.to_world(was.x, was.y) if piece.name in riding else (was.x, was.y)
        assert _close(piece.pose.x, piece.pose.y, x, y)
    scene.set_fault(Fault.BOARD_TURNED, False)
    for piece in scene.pieces():
        assert _close(piece.pose.x, piece.pose.y, before[piece.name].x, before[piece.name].y)


def _close(x: float, y: float, u: float, v: float) -> bool:
    return math.hypot(x - u, y - v) < 1e-6


def test_pieces_can_be_moved_about_freely(laid: Laid) -> None:
    scene = laid(1)
    x, y, z = scene.printed_centre("top")
    assert scene.move("mini he", x, y, yaw=30.0).pose.z == z
    assert scene.holding()["top"] == ("mini he",)
    assert scene.move("mini he", 260.0, 0.0).pose.z == 0.0
    with pytest.raises(SceneError, match="mini xx"):
        scene.move("mini xx", 0, 0)


def test_bad_positions_are_refused_by_name(laid: Laid) -> None:
    with pytest.raises(SceneError, match="five fields"):
        lay_out(laid(1), "ze=a1 nothing")


def test_equal_seeds_give_equal_tables(laid: Laid) -> None:
    first, second, other = laid(9), laid(9), laid(10)
    assert first.pieces() == second.pieces()
    assert first.rings == second.rings
    assert first.pieces() != other.pieces()


def test_cards_lie_in_their_seats_zones(laid: Laid) -> None:
    scene, table = laid(2), Table()
    zones = [table.seat_at(card.pose.x, card.pose.y, 2) for card in scene.pieces("card")]
    assert sorted(str(zone) for zone in zones) == ["0"] * 8 + ["1"] * 8
