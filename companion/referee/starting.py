"""How a game starts: set up in view of the camera, or as people are told where there is none."""

from __future__ import annotations

from dataclasses import replace

from companion.messages import say
from companion.referee import verdicts
from companion.referee.evidence import Evidence
from companion.referee.patience import ANOTHER_S, ILLEGAL_LOOKS
from companion.referee.session import Session
from companion.referee.setup import read_start
from companion.referee.told import told_acts
from companion.referee.verdict import Choice, Verdict

STANDS = "stands"


def told_set_up(session: Session, evidence: Evidence) -> Verdict:
    """Without a camera people are told how to set up, and say when it lies so."""
    verdict = verdicts.set_up(told_acts(session.told, evidence, session.names))
    return replace(verdict, choices=(Choice(STANDS, say("above.lies_so")),), by_rules=True)


def set_up(session: Session, evidence: Evidence) -> Verdict:
    """The table before the game: what is still to be set up; once all lies there the game begins."""
    session.drawn.look(evidence.reading)
    start, acts = read_start(evidence, session.names, session.drawn)
    if start is None:
        return verdicts.set_up(acts)
    session.course.begin(session.names, start)
    session.news = say("above.all_set", name=session.names[start.turn])
    return verdicts.ready(start, session.names, session.news)


def shows_another(session: Session, evidence: Evidence, now: float) -> bool:
    """Has a whole new game been set up, and stood there for a while?"""
    start = None if evidence.is_blind or not session.offered else read_start(evidence, session.names)[0]
    if start is None or start == session.position:
        return False
    looks, lasted = session.agree(("another", start), now)
    return looks > ILLEGAL_LOOKS and lasted >= ANOTHER_S
