"""While a camera is away, one switch alone accuses nobody: it is likelier broken than somebody wrong."""

from __future__ import annotations

import pytest

from companion.games.above.position import Position
from companion.referee.evidence import Switches
from companion.referee.gap import BACK_WITHIN_S
from companion.referee.verdict import Kind, Verdict
from companion.sensing.reading import Reading
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Session, standing

# Whoever may lay a token or take one off is Spent.
POSITION = Position.parse(START.replace(" ze.he.ar.at.ha.de.po.ap/", " he.ap/", 1))
TABLE = Tabletop.of(POSITION)
CLOSED = standing(TABLE) | {space for _, space in TABLE.tokens}
BARRIER = next(space for token, space in sorted(TABLE.tokens) if token == "barrier")
GATE = next(space for token, space in sorted(TABLE.tokens) if token == "gate")
BARE = "d5"


def feel(session: Session, closed: frozenset[str], seconds: float) -> Verdict:
    for _ in range(round(seconds / 0.1)):
        session.now += 0.1
        session.referee.observe(Reading(session.now, blind=True), Switches(closed))
    return session.referee.verdict


def without_a_camera(*, seen_before: bool) -> Session:
    """A game under way that is followed by switches alone."""
    session = Session(POSITION)
    if seen_before:
        session.look(TABLE, 3)
    assert feel(session, CLOSED, BACK_WITHIN_S + 3.0).kind is Kind.READY
    return session


@pytest.mark.parametrize(
    ("closed", "act"),
    [
        (CLOSED - {BARRIER}, f"Put the Barrier token back on {BARRIER}."),
        (CLOSED | {BARE}, f"Take away what stands on {BARE}."),
        ((CLOSED - {"c1", BARRIER}) | {"c2"}, f"Put the Barrier token back on {BARRIER}."),
    ],
)
def test_what_one_switch_tells_is_asked_to_be_put_right(closed: frozenset[str], act: str) -> None:
    session = without_a_camera(seen_before=True)
    verdict = feel(session, closed, 30.0)
    assert verdict.kind is Kind.SETUP
    assert act in verdict.text and [todo.text for todo in verdict.todo] == [act]
    assert not session.notes.refusals and not session.notes.turns
    # The switch works again, and nothing has happened.
    assert feel(session, CLOSED, 3.0).kind is Kind.READY


def test_what_several_switches_tell_is_refused() -> None:
    session = without_a_camera(seen_before=True)
    assert feel(session, CLOSED - {BARRIER, GATE}, 5.0).kind is Kind.ILLEGAL


def test_where_there_never_was_a_camera_one_switch_may_be_broken_and_two_are_not() -> None:
    session = without_a_camera(seen_before=False)
    verdict = feel(session, CLOSED - {BARRIER}, 9.0)
    assert verdict.kind is Kind.SETUP and [todo.space for todo in verdict.todo] == [BARRIER]
    assert "camera" not in verdict.text and not session.notes.refusals
    assert feel(session, CLOSED - {BARRIER, GATE}, 9.0).kind is Kind.ILLEGAL


ZEUS = Position.parse(START)
LAID_OUT = Tabletop.of(ZEUS)
STANDING = standing(LAID_OUT) | {space for _, space in LAID_OUT.tokens}
MOVED = (STANDING - {"a1"}) | {"b1"}


def test_a_switch_that_breaks_while_a_token_is_laid_is_not_taken_for_it_and_accuses_nobody() -> None:
    session = Session(ZEUS)
    session.look(LAID_OUT, 3)
    feel(session, STANDING, BACK_WITHIN_S + 3.0)
    feel(session, MOVED, 0.3)
    # The switch breaks; only then is the token laid.
    feel(session, MOVED | {"d5"}, 2.0)
    assert not session.notes.turns
    assert feel(session, MOVED | {"d5", "e4"}, 20.0).kind is not Kind.ILLEGAL
    assert not session.notes.refusals


def test_a_turn_that_only_switches_have_told_is_open_again_if_it_ended_otherwise() -> None:
    session = Session(ZEUS)
    session.look(LAID_OUT, 3)
    feel(session, STANDING, BACK_WITHIN_S + 3.0)
    feel(session, MOVED, 0.3)
    assert feel(session, MOVED | {"d5"}, 6.0).kind is Kind.READY and len(session.notes.turns) == 1
    # The switch was broken, and the token comes to lie where it was meant to.
    verdict = feel(session, MOVED | {"e4"}, 20.0)
    assert verdict.kind is not Kind.ILLEGAL and not session.notes.refusals
    assert any("place thunder e4" in choice.key for choice in verdict.choices)
