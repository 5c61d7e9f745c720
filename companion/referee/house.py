"""What the people of the house decide: where a game begins, and that they go on from what lies there."""

from __future__ import annotations

from companion.games.above.position import Position
from companion.messages import say
from companion.referee.laid_out import laid_out
from companion.referee.requests import Refused
from companion.referee.session import Session
from companion.referee.verdict import Kind, Verdict


def start_here(session: Session, seat: int) -> Verdict:
    """Begins the game from whatever lies on the table, `seat` to move.

    Raises Refused with everything that makes that impossible.
    """
    if session.position is not None:
        raise Refused(say("referee.under_way"))
    position = laid_out(session.lying(), session.known_seat(seat), session.names)
    if position.is_over:
        raise Refused(say("above.over_already_there"))
    session.course.begin(session.names, position)
    return session.reach(position, say("referee.begins_here"))


def may_rule(session: Session) -> bool:
    """Can the players declare that they play on from what lies there?"""
    if session.position is None or session.was_taken_back:
        return False
    return session.verdict.kind in (Kind.ILLEGAL, Kind.SETUP)


def rule(session: Session, seat: int) -> Verdict:
    """A ruling of the house: what lies there is taken as it is, and `seat` is next to move.

    Raises Refused if nothing is amiss, or with everything that makes the position impossible.
    """
    if not may_rule(session):
        raise Refused(say("referee.nothing_wrong"))
    said, seen = session.verdict, session.lying()
    before = session.judged_from if session.soft is not None else session.position
    assert before is not None
    after = laid_out(seen, session.known_seat(seat), session.names, before)
    if after.is_over:
        # Who reached the summit has won, whoever would be next.
        after = laid_out(seen, before.turn, session.names, before)
    return play_on(session, said, before, after)


def play_on(session: Session, said: Verdict, before: Position, after: Position) -> Verdict:
    """Play goes on from `after`, although of the table, judged from `before`, `said` was said; and everybody is told."""
    over = session.over_as(before)
    if over is not None:
        session.commit(over)
    session.course.rule(said.text, said.rule, after)
    return session.reach(after, say("referee.house_ruled"))
