"""Turns that are taken back: by the button, or by restoring the table."""

from __future__ import annotations

from companion.games.above.position import Position
from companion.messages import say, sentences
from companion.referee.evidence import Evidence
from companion.referee.patience import ILLEGAL_LOOKS, RESTORED_S
from companion.referee.restored import turns_restored
from companion.referee.session import Session
from companion.referee.setup import differences
from companion.referee.verdict import Kind, Verdict


def take_back(session: Session, turns: int = 1) -> Verdict:
    """Takes the last turns back, so many; the table is then to be restored, or another turn played."""
    if session.soft is not None:
        session.commit(session.soft)
    turns = min(turns, len(session.turns))
    if not turns:
        return session.stands
    shown = session.position
    text = session.course.take_back(turns)
    session.forget()
    session.taken_back = shown
    session.say(Verdict(Kind.SETUP, session.course.seat, sentences(text, say("above.as_before"))))
    return session.stands


def take_back_restored(session: Session, evidence: Evidence, now: float) -> Verdict | None:
    """Who restores the table takes a turn back as well; None while it does not show an earlier position."""
    turns = turns_restored(session.turns, evidence)
    if not turns:
        return None
    looks, lasted = session.agree(("restored", turns), now)
    if looks <= ILLEGAL_LOOKS or lasted < RESTORED_S:
        return session.stands
    before = session.turns[-turns].before
    return session.reach(before, session.course.take_back(turns))


def still_taken_back(session: Session, evidence: Evidence, undone: Position) -> Verdict | None:
    """While the table still shows the turn that was taken back, it is not accepted a second time."""
    if differences(undone, evidence, session.names):
        session.taken_back = None
        session.resuming = True
        return None
    return session.differing(evidence, say("above.taken_back", n=1))
