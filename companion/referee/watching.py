"""Watching: one reading after the other comes in, and what is said of the table follows."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES
from companion.messages import say
from companion.referee.evidence import Switches
from companion.referee.gap import SETTLED_S
from companion.referee.judging import judge
from companion.referee.objecting import unfinished_with_objection
from companion.referee.objection import asks_what_counts
from companion.referee.patience import BLIND_PORTION, TELL_S
from companion.referee.portion import Portion
from companion.referee.put_back import take_back_restored
from companion.referee.session import Session
from companion.referee.told_turn import may_be_told
from companion.referee.verdict import Kind, Verdict
from companion.sensing.reading import Reading


def observe(session: Session, reading: Reading, switches: Switches | None = None) -> Verdict:
    """Weighs one reading. What is seen while hands move is no evidence: the verdict stands,
    but what the switches say is in a hand is shown where it may go.

    A reading without a picture is weighed by the switches alone, if there are any and no camera is to be
    waited for.
    """
    now = reading.exposed_at
    session.portion = Portion(BLIND_PORTION)
    session.at_rest = False
    session.objection.tick(now)
    switches = session.reeds.look(reading, switches)
    session.gap.look(reading, now)
    _note_touched(session, reading, switches)
    trouble = _trouble(session, reading, switches)
    if trouble:
        session.declared = None
        session.disturbed()
        if not session.course.is_over:
            session.say(Verdict(Kind.HOLD, session.course.seat, trouble))
        return session.verdict
    if reading.frame != "ok":
        reading = Reading(now, blind=True)
    if reading.moving or (reading.blind and session.reeds.settled_for(now) < SETTLED_S):
        # A disturbance: agreement among looks before it counts no longer.
        session.disturbed()
        if reading.moving:
            lifted = session.lift.shown(session.stands, session.position, switches, now)
            session.verdict = session.owed.said_with(lifted)
        return session.verdict
    steady = reading if reading.blind else session.steady.reading(reading)
    if steady is None:
        session.agreement.look(None)
        return session.verdict  # a print is read in two ways: the next look tells
    told = session.leaned_over.reading(steady, session.position, switches)
    reading = session.brought_to_light.reading(told, session.position, switches)
    session.reading, session.switches, session.at_rest = reading, switches, not reading.hands_beside
    if session.position is not None:
        session.owed.look(session.evidence(reading), session.position)
    evidence = session.evidence(reading)
    for space in session.owed.asked_in_vain(evidence, session.verdict):
        session.reeds.is_told(space, there=False)
    says = evidence.says
    # Without a camera nothing changes from look to look: there only time tells.
    session.agreement.look(None if evidence.is_blind else says)
    _weigh_anew_unless(session, (says, session.position, session.taken_back, session.owed.slots))
    before = session.stands = session.lift.settle(session.stands, evidence, switches)
    if session.course.is_over:
        session.stands = take_back_restored(session, evidence, now) or session.stands
    else:
        session.stands = judge(session, evidence, now)
        if session.stands.kind is Kind.UNFINISHED and session.stands is not before:
            session.stands = unfinished_with_objection(session, session.stands, evidence, now)
        elif session.stands.kind not in (Kind.ILLEGAL, Kind.UNFINISHED) and not asks_what_counts(
            session.stands
        ):
            session.objection.forget()
    if evidence.is_blind and before.kind is Kind.QUESTION and session.stands.kind is Kind.ILLEGAL:
        # A whole turn lies there that people have yet to name: who goes on meanwhile has gone on from that, and
        # switches alone accuse nobody of it.
        session.stands = before
    session.verdict = session.owed.said_with(session.stands)
    if evidence.is_blind and session.reeds.settled_for(now) >= TELL_S:
        session.verdict = may_be_told(session, session.verdict)
    return session.verdict


def _trouble(session: Session, reading: Reading, switches: Switches | None) -> str:
    """Why nothing can be judged at all; empty if it can, by sight or by the switches alone."""
    if reading.frame == "ok" and not reading.blind:
        return ""
    why = say("above.camera_away") if reading.frame == "ok" else reading.frame
    if switches is None:
        return why
    if session.gap.may_return(reading.exposed_at) or (session.position is None and reading.frame != "ok"):
        return why
    return ""


def _weigh_anew_unless(session: Session, key: object) -> None:
    """What was thought of the table counts only as long as nothing about it changes."""
    if key != session.key:
        session.key = key
        session.explanation = session.accounts = session.claims = session.doubtful = None
        session.concluded = session.telling = None
        session.sequels.clear()
        session.anew.clear()


def _note_touched(session: Session, reading: Reading, switches: Switches | None) -> None:
    """Remembers which miniatures left their space this turn, if only for a moment, and since it may have been over."""
    if session.position is None:
        return
    seen = {} if reading.moving else {mini.deity: mini.space for mini in reading.minis}

    def touched(minis: tuple[int, ...]) -> Iterator[int]:
        for deity, space in enumerate(minis):
            name = SPACES[space]
            lifted = switches is not None and session.reeds.has_opened(space)
            if lifted or seen.get(DEITIES[deity], name) != name:
                yield deity

    session.touched.update(touched(session.position.minis))
    if session.soft is not None:
        session.touched_since.update(touched(session.soft.after.minis))
