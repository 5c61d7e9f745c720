"""A token that goes out of sight as a cap comes to lean over it may lie there still; nobody is told to put it back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.above.position import Position
from companion.referee.evidence import Switches
from companion.referee.leaned_over import LeanedOver
from companion.referee.verdict import Kind
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Session, started

LOOKS = 60


def hera_came_beside_it() -> tuple[Session, Tabletop]:
    """A Fertility token lies on d2; Ada's Hera steps to c2, beside it, and names Ben's Ares: Ben is next."""
    session, table = started(START.replace("fertility=d3", "fertility=d2"))
    session.look(table, 3)
    table.cards[0]["he"] = table.cards[1]["ar"] = 0
    table.minis["he"] = "c2"
    table.partly.add("d2")
    assert session.look(table, LOOKS).kind is Kind.READY
    return session, table


def test_it_is_not_missed_as_long_as_the_cap_leans_over_it() -> None:
    session, table = hera_came_beside_it()
    assert len(session.notes.turns) == 1 and not session.notes.refusals
    # Ben's turn is told as ever.
    table.cards[1]["at"] = 0
    table.minis["at"] = "g2"
    assert session.look(table, LOOKS).kind is Kind.COMPLETE


@pytest.mark.parametrize("is_there", [True, False])
def test_it_is_missed_once_its_space_is_in_view_without_it(is_there: bool) -> None:
    session, table = hera_came_beside_it()
    table.partly.clear()
    if not is_there:
        table.tokens.remove(("fertility", "d2"))
    # Ben's Hera may have gone over it and back: her card is asked for.
    assert session.look(table, LOOKS).kind is (Kind.READY if is_there else Kind.UNFINISHED)


@pytest.mark.parametrize("stood_there", [True, False])
def test_one_that_was_read_beside_the_same_cap_has_gone(stood_there: bool) -> None:
    position = Position.parse(START.replace("fertility=d3", "fertility=d2").replace("he=c1", "he=c2"))
    table, leaned_over = Tabletop.of(position), LeanedOver()
    partly = frozenset({"d2"})
    if not stood_there:
        table.minis["he"] = "c1"
    shown = replace(table.reading(), partly_hidden=partly)
    assert leaned_over.reading(shown, position) == shown
    table.tokens.remove(("fertility", "d2"))
    table.minis["he"] = "c2"
    gone = replace(table.reading(), partly_hidden=partly)
    for _ in range(2):
        assert ("d2" in leaned_over.reading(gone, position).hidden) is not stood_there


def test_one_that_was_shown_under_the_cap_in_its_own_turn_is_not_missed_in_the_next() -> None:
    before = Position.parse(START)
    after = Position.parse(START.replace("barrier=j2.p3", "barrier=d2.j2.p3").replace("he=c1", "he=c2"))
    table, leaned_over = Tabletop.of(after), LeanedOver()
    table.minis["he"] = None  # lifted, to show what its cap covers
    assert leaned_over.reading(table.reading(), before) == table.reading()
    table.minis["he"] = "c2"
    table.partly.add("d2")
    assert "d2" in leaned_over.reading(table.reading(), after).hidden
    # What somebody lays there by mistake, and takes off again, tells nothing of it.
    table.partly.clear()
    table.tokens.remove(("barrier", "d2"))
    beside = replace(
        replace(table, tokens=table.tokens | {("gate", "d2")}).reading(), partly_hidden=frozenset({"d2"})
    )
    leaned_over.reading(beside, after)
    assert (
        "d2" in leaned_over.reading(replace(table.reading(), partly_hidden=frozenset({"d2"})), after).hidden
    )


@pytest.mark.parametrize(
    ("switches", "in_doubt"),
    [(Switches(frozenset()), False), (Switches(frozenset(), frozenset({"d2"})), True)],
)
def test_where_a_switch_can_tell_it_tells(switches: Switches, in_doubt: bool) -> None:
    """Whoever takes a token off with the miniature that comes to lean over its space is not overlooked."""
    position = Position.parse(START.replace("fertility=d3", "fertility=d2"))
    table, leaned_over = Tabletop.of(position), LeanedOver()
    leaned_over.reading(table.reading(), position, switches)
    table.tokens.remove(("fertility", "d2"))
    table.minis["he"] = "c2"
    gone = replace(table.reading(), partly_hidden=frozenset({"d2"}))
    assert ("d2" in leaned_over.reading(gone, position, switches).hidden) is in_doubt
