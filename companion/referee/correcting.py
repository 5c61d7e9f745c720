"""Corrections: a piece or a card is not what it was taken for, and the last turn is read anew."""

from __future__ import annotations

from dataclasses import replace

from companion.games.above.board import SPACES
from companion.games.above.box import MINI_IDS
from companion.messages import say
from companion.referee.corrected import MINI
from companion.referee.corrections import Correction
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.requests import Refused
from companion.referee.session import Session
from companion.referee.verdict import Verdict
from companion.referee.watching import observe
from companion.referee.wording import deity_name, place_name
from companion.sensing.reading import MiniSighting, Reading


def correct(session: Session, what: str, place: str, shown: str, said: str) -> Verdict:
    """What is `shown` at `place` is `said`: the table is weighed anew, the last turn too if it was misread.

    `what`: "mini", "token" or "card"; `place`: a space, or `cards` and a seat. Raises Refused with a sentence.
    """
    reading = session.reading
    if reading is None:
        raise Refused(say("referee.nothing_seen"))
    if what == MINI and _stands_unseen(session, reading, place, shown):
        _correct_turn(session, reading, place, shown, said)
    else:
        correction = session.corrected.correction(reading, what, place, shown, said)
        session.ledger.correction(correction)
        session.corrected.add(correction)
        _read_last_turn_anew(session, session.evidence(reading))
    session.key = session.explanation = None
    return observe(session, reading, session.switches)


def _stands_unseen(session: Session, reading: Reading, place: str, deity: str) -> bool:
    """Does the game have a deity on a space where no picture shows anything?"""
    known = session.position is not None and place in SPACES and session.position.mini_on(place) == deity
    return known and all(mini.space != place and mini.deity != deity for mini in reading.minis)


def _correct_turn(session: Session, reading: Reading, place: str, shown: str, said: str) -> None:
    """Only switches told of the last turn, and it was another's: it is read anew with what is said."""
    if said not in MINI_IDS:
        raise Refused(say("above.no_such_mini", name=said))
    told = MiniSighting(said, MINI_IDS[said], ((place, 1.0),), (0.0, 0.0, 0.0))
    evidence = session.evidence(replace(reading, minis=(*reading.minis, told)))
    if not _read_last_turn_anew(session, evidence, Correction("turn", place, shown, said)):
        raise Refused(say("above.no_turn_brings", deity=deity_name(said), place=place_name(place)))


def _read_last_turn_anew(session: Session, evidence: Evidence, correction: Correction | None = None) -> bool:
    """Where what lies there fits another turn and not the one that was accepted, it is that one."""
    last = session.course.last
    if last is None or session.was_taken_back or explain(last.after, evidence).best.fits:
        return False
    other = explain(last.before, evidence).accepted
    if other is None or other.after == last.after:
        return False
    if correction is not None:
        session.ledger.correction(correction)
    session.course.take_back(1)
    session.commit(other)
    return True
