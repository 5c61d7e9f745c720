"""A turn that is told by buttons: when that is offered, and what comes of it."""

from __future__ import annotations

import math
from dataclasses import replace

from companion.games.above.board import SPACES
from companion.messages import say
from companion.referee.hypothesis import Hypothesis
from companion.referee.magnets import contrary, gainsaying
from companion.referee.patience import MOST_BROKEN
from companion.referee.question import WRONG
from companion.referee.session import Session
from companion.referee.telling import TELL, Telling
from companion.referee.verdict import Choice, Kind, Verdict


def may_be_told(session: Session, verdict: Verdict) -> Verdict:
    """The verdict with the offer to tell the turn: no table waits for what switches cannot tell."""
    told = session.telling is not None or session.was_taken_back or session.resuming
    if session.position is None or told or verdict.kind in (Kind.OVER, Kind.COMPLETE):
        return verdict
    if any(choice.key == TELL for choice in verdict.choices):
        return verdict
    return replace(verdict, choices=(*verdict.choices, Choice(TELL, say("above.tell"))))


def tell(session: Session) -> bool:
    """The turn is told from its beginning."""
    position, seen = session.position, session.seen()
    assert position is not None
    session.asked = ()
    session.telling = Telling(
        position,
        session.names,
        lambda name: not seen.is_felt_bare(SPACES.index(name)),
        session.course.last,
    )
    session.say(session.telling.verdict())
    return True


def take_told(session: Session, telling: Telling, key: str) -> bool:
    """Takes an answer to a turn that is being told; False if it is none. Once all is told it is played."""
    if key.startswith(WRONG):
        # One turn more has to be told, and the switches have felt all that came since.
        session.course.take_back(1)
        session.forget(since=-math.inf)
        return tell(session)
    if not telling.take(key):
        return False
    end = telling.end
    if telling.is_given_up or (end is not None and not _is_believed(session, end)):
        # Told from a position that the table is not in: nothing is taken for played.
        session.telling = None
        session.say(Verdict(Kind.UNFINISHED, session.course.seat, say("above.as_before")))
    elif end is None:
        session.say(telling.verdict())
    else:
        session.reeds.is_played(end.positions[0], end.after)
        _disbelieve_one(session, end)
        session.is_catching_up = contrary(session.seen(), end.after) > 0
        session.commit(end, more_lies_there=session.is_catching_up)
    return True


def _disbelieve_one(session: Session, end: Hypothesis) -> None:
    """One switch alone that said otherwise before a turn that was told, and says so after it, is broken.

    If more was played than was told, more than one says so.
    """
    otherwise = gainsaying(session.seen(), end.after)
    if len(otherwise) == 1 and otherwise <= gainsaying(session.seen(), end.positions[0]):
        (space,) = otherwise
        session.reeds.is_told(space, there=bool(end.after.stood_on >> space & 1))


def _is_believed(session: Session, end: Hypothesis) -> bool:
    """Do few switches gainsay a turn that was told, or no more than before it?"""
    gainsaying = contrary(session.seen(), end.after)
    return gainsaying <= MOST_BROKEN or gainsaying <= contrary(session.seen(), end.positions[0])
