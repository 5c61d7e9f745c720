"""Playing on from what lies there: a ruling of the house, and what follows from it."""

from __future__ import annotations

from companion.games.olympeak import rules
from companion.games.olympeak.events import Ruling
from companion.games.olympeak.refusal import Reason
from companion.messages import say
from companion.referee.olympeak.course import IN_TURN
from companion.referee.olympeak.explain import explain
from companion.referee.olympeak.house import ruling
from companion.referee.olympeak.playing import end_turn
from companion.referee.olympeak.session import Session
from companion.referee.requests import Refused
from companion.referee.verdict import Verdict


def as_it_lies(session: Session, text: str) -> Ruling:
    """What lies there, although `text` was said of it. Raises Refused if nothing is amiss, or with all that makes it
    impossible.
    """
    look, before = session.look, session.course.state
    if session.doubtful is None or look is None or before is None:
        raise Refused(say("referee.nothing_wrong"))
    state, misfits = session.doubtful
    shown = frozenset(s for s in state.waiting if look.shown.get(s) == state.revealed[s])
    event = ruling(state, misfits, shown, text)
    wrong = [each for each in rules.refusals(before, event) if each.reason is not Reason.RULING]
    if wrong:
        raise Refused(say("olympeak.cannot_play_from"), tuple(each.text for each in wrong))
    return event


def play_on(session: Session, event: Ruling) -> Verdict:
    """The game goes on from there, and everybody is told."""
    look = session.look
    assert look is not None
    after = session.course.rule(event)
    session.begin_unit()
    session.resuming = session.offered = False
    session.notes.news = say("referee.house_ruled")
    if after.phase in IN_TURN:
        best = explain(after, look, session.memory).best
        return end_turn(session, best, look) if best.is_over else session.play_verdict(best)
    return session.after_turn_verdict(after, look)
