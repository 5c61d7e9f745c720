"""Turns that are taken back: by the button, or by restoring the table."""

from __future__ import annotations

from dataclasses import replace

from companion.games.above.position import Position
from companion.messages import say, sentences
from companion.referee.evidence import Evidence
from companion.referee.patience import ILLEGAL_LOOKS, RESTORED_S
from companion.referee.requests import KEEP
from companion.referee.restored import turns_restored
from companion.referee.session import Session
from companion.referee.setup import differences
from companion.referee.two_turns import end_open
from companion.referee.verdict import Choice, Kind, Verdict


def take_back(session: Session, turns: int = 1) -> Verdict:
    """Takes the last turns back, so many; the table is then to be restored, or another turn played."""
    end_open(session)
    turns = min(turns, len(session.turns))
    if not turns:
        return session.stands
    shown, undone = session.position, tuple(session.turns[-turns:])
    text = session.course.take_back(turns)
    session.forget()
    session.taken_back, session.undone = shown, undone
    said = sentences(text, say("above.as_before"))
    session.say(with_keeping(session, Verdict(Kind.SETUP, session.course.seat, said)))
    return session.stands


def with_keeping(session: Session, verdict: Verdict) -> Verdict:
    """The verdict with the button for those who did not mean to take anything back, as long as that can be undone."""
    if not session.undone:
        return verdict
    text = say("referee.counts_after_all", n=len(session.undone))
    return replace(verdict, choices=(Choice(KEEP, text),), by_rules=True)


def keep(session: Session) -> None:
    """What was taken back counts after all: it is written down again, and the table weighed from there."""
    for turn in session.undone:
        if turn.actions:
            session.course.play(turn.actions, turn.after)
        else:
            session.course.rule(turn.ruling, turn.rule, turn.after)
    session.reach(session.course.turns[-1].after)


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
    text = say("referee.taken_back", n=max(1, len(session.undone)))
    return with_keeping(session, session.differing(evidence, text))
