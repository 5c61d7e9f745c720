"""Switches that cannot be believed are found out, ignored and named."""

from __future__ import annotations

import random
from dataclasses import replace

from companion.referee.evidence import Switches
from companion.referee.reeds import Reeds
from tests.referee.tabletop import Tabletop, random_position

POSITION = random_position(2, 4, random.Random(5))
TABLE = Tabletop.of(POSITION)
CLOSED = frozenset(space for space in TABLE.minis.values() if space) | {space for _, space in TABLE.tokens}
STOOD_ON = sorted(CLOSED)[0]
BARE = next(f"{column}6" for column in "abcdefghijklmnop" if f"{column}6" not in CLOSED)


def watched(closed: frozenset[str], seconds: float, reeds: Reeds, start: float = 0.0) -> Switches | None:
    seen = None
    for tick in range(round(seconds * 15)):
        seen = reeds.look(TABLE.reading(start + tick / 15), Switches(closed))
    return seen


def test_switches_that_agree_with_what_is_seen_are_believed() -> None:
    reeds = Reeds()
    assert watched(CLOSED, 5.0, reeds) == Switches(CLOSED)
    assert reeds.findings == ()


def test_a_dead_switch_is_named_and_believed_again_when_it_closes() -> None:
    reeds = Reeds()
    seen = watched(CLOSED - {STOOD_ON}, 5.0, reeds)
    assert seen is not None and seen.ignored == {STOOD_ON}
    assert reeds.findings[0].text == f"The switch at {STOOD_ON} looks dead: ignored."
    watched(CLOSED, 1.0, reeds, start=5.0)
    assert reeds.findings == ()


def test_a_stuck_switch_is_named() -> None:
    reeds = Reeds()
    seen = watched(CLOSED | {BARE}, 5.0, reeds)
    assert seen is not None and seen.ignored == {BARE}
    assert f"The switch at {BARE} looks stuck" in reeds.findings[0].text


def test_a_flickering_switch_is_weak_unless_something_moves() -> None:
    for moving, told in ((False, True), (True, False)):
        reeds = Reeds()
        for tick in range(60):
            reading = replace(TABLE.reading(tick / 15), moving=moving)
            reeds.look(reading, Switches(CLOSED if tick % 2 else CLOSED - {STOOD_ON}))
        assert any("flickers" in each.text for each in reeds.findings) == told


def test_where_no_switch_closes_at_all_none_is_gone_by() -> None:
    reeds = Reeds()
    assert watched(frozenset(), 5.0, reeds) is None
    assert "No switch under the board closes" in reeds.findings[0].text


def test_once_the_cable_is_in_again_no_switch_is_called_dead_for_its_having_been_out() -> None:
    reeds = Reeds()
    watched(frozenset(), 5.0, reeds)
    # Hands move over the board just then, so that nobody sees what stands there; one switch truly never closes.
    for tick in range(5):
        reeds.look(replace(TABLE.reading(5.0 + tick / 15), moving=True), Switches(CLOSED - {STOOD_ON}))
        assert reeds.findings == ()
    seen = watched(CLOSED - {STOOD_ON}, 3.0, reeds, start=6.0)
    assert seen is not None and seen.ignored == {STOOD_ON}


def test_of_switches_that_are_known_to_be_bad_nothing_is_said_and_nothing_follows() -> None:
    reeds = Reeds()
    known = frozenset({STOOD_ON, BARE})
    for tick in range(90):
        flickering = CLOSED - {STOOD_ON} if tick % 2 else CLOSED | {BARE}
        seen = reeds.look(TABLE.reading(tick / 15), Switches(flickering, known))
        assert seen is not None and seen.ignored == known
    assert reeds.findings == ()
    assert reeds.settled_for(6.0) == 6.0
    reeds.are_told(POSITION)
    assert reeds.findings == ()
