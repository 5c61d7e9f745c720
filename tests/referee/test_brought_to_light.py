"""A token that was seen in this turn counts where a cap hides it now, until something else is seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.above.position import Position
from companion.referee.brought_to_light import LOOKS, BroughtToLight
from companion.referee.evidence import Switches
from companion.sensing.reading import Reading
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START

POSITION = Position.parse(START)
LAID = ("barrier", "k2")


def table_with(*tokens: tuple[str, str]) -> Tabletop:
    table = Tabletop.of(POSITION)
    table.tokens |= set(tokens)
    return table


def hidden(reading: Reading, space: str = LAID[1]) -> Reading:
    """The same while a cap hides a space."""
    tokens = tuple(token for token in reading.tokens if token.space != space)
    return replace(reading, tokens=tokens, hidden=reading.hidden | {space})


def counted(reading: Reading) -> set[tuple[str, str | None]]:
    return {(token.token, token.space) for token in reading.tokens}


@pytest.fixture
def shown() -> BroughtToLight:
    """A Barrier has been seen on k2."""
    memory = BroughtToLight()
    for _ in range(LOOKS):
        memory.reading(table_with(LAID).reading(), POSITION)
    return memory


def test_what_was_seen_counts_behind_a_cap(shown: BroughtToLight) -> None:
    for _ in range(9):
        assert LAID in counted(shown.reading(hidden(table_with(LAID).reading()), POSITION))


def test_what_a_cap_covers_in_part_counts_as_well(shown: BroughtToLight) -> None:
    table = table_with(LAID)
    table.partly = {LAID[1]}
    assert LAID in counted(shown.reading(table.reading(), POSITION))


def test_what_was_read_too_seldom_does_not_count() -> None:
    memory = BroughtToLight()
    for _ in range(LOOKS - 1):
        memory.reading(table_with(LAID).reading(), POSITION)
    assert LAID not in counted(memory.reading(hidden(table_with(LAID).reading()), POSITION))


def test_a_space_that_was_seen_bare_is_bare(shown: BroughtToLight) -> None:
    shown.reading(table_with().reading(), POSITION)
    assert LAID not in counted(shown.reading(hidden(table_with().reading()), POSITION))


def test_a_token_that_is_seen_elsewhere_is_not_behind_the_cap(shown: BroughtToLight) -> None:
    """One look may have misread its print: it counts as behind the cap again if the next ones do not say so."""
    moved = hidden(table_with(LAID).reading())
    (there,) = (token for token in table_with(LAID).reading().tokens if token.space == LAID[1])
    elsewhere = replace(moved, tokens=(*moved.tokens, replace(there, spaces=(("m3", 1.0),))))
    assert LAID not in counted(shown.reading(elsewhere, POSITION))
    assert LAID in counted(shown.reading(moved, POSITION))
    for _ in range(LOOKS):
        shown.reading(elsewhere, POSITION)
    assert LAID not in counted(shown.reading(moved, POSITION))


def test_where_a_miniature_stands_now_or_a_hand_is_at_work_nothing_is_said_to_lie(
    shown: BroughtToLight,
) -> None:
    table = table_with(LAID)
    table.under_hand = {LAID[1]}
    assert LAID not in counted(shown.reading(table.reading(), POSITION))
    table = table_with()
    table.minis["ze"] = LAID[1]
    stood_on = replace(table.reading(), partly_hidden=frozenset({LAID[1]}))
    assert LAID not in counted(shown.reading(stood_on, POSITION))


def test_where_a_switch_can_tell_it_tells(shown: BroughtToLight) -> None:
    reading = hidden(table_with(LAID).reading())
    assert LAID not in counted(shown.reading(reading, POSITION, Switches(frozenset())))
    deaf = Switches(frozenset(), ignored=frozenset({LAID[1]}))
    assert LAID in counted(shown.reading(reading, POSITION, deaf))


def test_what_lay_there_as_the_turn_began_is_for_the_rules_to_say(shown: BroughtToLight) -> None:
    token = next(iter(Tabletop.of(POSITION).tokens))
    assert token not in counted(shown.reading(hidden(table_with(LAID).reading(), token[1]), POSITION))
    shown.forget()
    assert LAID not in counted(shown.reading(hidden(table_with(LAID).reading()), POSITION))
