"""A turn that is told by buttons: when that is offered, and what comes of it."""

from __future__ import annotations

import math
from collections.abc import Set
from dataclasses import replace

from companion.games.above.board import SPACES, bits
from companion.messages import say
from companion.referee.evidence import Evidence
from companion.referee.hypothesis import Hypothesis
from companion.referee.magnets import gainsaying
from companion.referee.patience import MOST_BROKEN
from companion.referee.question import WRONG
from companion.referee.session import Session
from companion.referee.telling import TELL, Telling
from companion.referee.verdict import Choice, Kind, Verdict

# A token's type and the space it lies on, by index.
Slot = tuple[int, int]


def may_be_told(session: Session, verdict: Verdict) -> Verdict:
    """The verdict with the offer to tell the turn: no table waits for what switches cannot tell."""
    told = session.telling is not None or session.was_taken_back or session.resuming
    if session.position is None or told or verdict.kind is Kind.OVER:
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
        # Told from a position that the table is not in: nothing is taken for played, unless it is told again.
        session.told_in_vain = None if end is None else end.after
        session.telling = None
        text = say("above.as_before") if end is None else say("above.as_before_or_again")
        session.say(Verdict(Kind.UNFINISHED, session.course.seat, text))
    elif end is None:
        session.say(telling.verdict())
    else:
        _play(session, end)
    return True


def _play(session: Session, end: Hypothesis) -> None:
    """The turn was played as it was told. A token it has taken off that is still felt is asked for from now on."""
    session.told_in_vain = None
    before = end.positions[0]
    lying = _left_lying(session.seen(), end)
    owed = {slot for slot in lying if not _may_be_covered(session, end, slot[1])}
    session.reeds.is_played(before, end.after, {space for _, space in owed})
    _disbelieve_one(session, end, owed)
    session.is_catching_up = bool(_gainsaying(session, end, owed))
    session.commit(end, more_lies_there=session.is_catching_up)
    session.owed.owe(owed)


def _gainsaying(session: Session, end: Hypothesis, owed: Set[Slot]) -> frozenset[int]:
    """The spaces whose switch says otherwise than a told turn, and is not held by a token that is still owed."""
    return gainsaying(session.seen(), end.after) - {space for _, space in owed}


def _disbelieve_one(session: Session, end: Hypothesis, owed: Set[Slot]) -> None:
    """One switch alone that said otherwise before a turn that was told, and says so after it, is broken.

    If more was played than was told, more than one says so.
    """
    otherwise = _gainsaying(session, end, owed)
    if len(otherwise) == 1 and otherwise <= gainsaying(session.seen(), end.positions[0]):
        (space,) = otherwise
        session.reeds.is_told(space, there=bool(end.after.stood_on >> space & 1))


def _left_lying(evidence: Evidence, end: Hypothesis) -> frozenset[Slot]:
    """The tokens that a told turn has taken off and where a magnet is felt all the same."""
    felt = gainsaying(evidence, end.after)
    return frozenset(
        (token, space)
        for token, laid in enumerate(end.positions[0].laid)
        for space in bits(laid & ~end.after.stood_on)
        if space in felt
    )


def _may_be_covered(session: Session, end: Hypothesis, space: int) -> bool:
    """May what is felt where a token was taken off be what the next turns have put there?

    Its switch has changed, and others tell of more than was told.
    """
    return session.reeds.has_changed(space) and len(gainsaying(session.seen(), end.after)) > 1


def _is_believed(session: Session, end: Hypothesis) -> bool:
    """Do few switches gainsay a turn that was told, or no more than before it?

    What is felt where a token was taken off is none of them: it may lie there yet, or something else by now. Nor is one
    that gainsays it only now and has changed since the turn began: the next turns may have come there, or gone on.
    """
    if end.after == session.told_in_vain:
        return True  # whoever tells the same once more knows better than the switches
    evidence = session.seen()
    lying = {space for _, space in _left_lying(evidence, end)}
    before = gainsaying(evidence, end.positions[0])
    against = gainsaying(evidence, end.after) - lying
    against -= {space for space in against - before if session.reeds.has_changed(space)}
    return len(against) <= max(MOST_BROKEN, len(before))
