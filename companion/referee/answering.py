"""Answers: what people say to the choices of a verdict."""

from __future__ import annotations

from dataclasses import replace

from companion.referee.felt import was_felt
from companion.referee.objecting import take_objection
from companion.referee.put_back import keep
from companion.referee.question import NONE, chosen, denies_all
from companion.referee.requests import KEEP
from companion.referee.session import Session
from companion.referee.starting import STANDS
from companion.referee.telling import TELL
from companion.referee.told_turn import may_be_told, take_told, tell
from companion.referee.two_turns import end_open, open_turns
from companion.referee.unseen import LIES, declare
from companion.referee.verdict import Kind, Verdict


def answer(session: Session, key: str) -> bool:
    """Takes an answer to the verdict's choices. False when it answers nothing that is asked now."""
    if key not in {choice.key for choice in session.verdict.choices}:
        return False
    if key == "done" and open_turns(session):
        end_open(session)
        return True
    if key == KEEP and session.undone:
        keep(session)
        return True
    if key == STANDS and session.position is None:
        session.course.begin(session.names, session.told)
        session.reeds.are_told(session.told)
        session.reach(session.told)
        return True
    if key.startswith(LIES):
        declare(session, int(key.removeprefix(LIES)))
        return True
    return _answer_question(session, key)


def _answer_question(session: Session, key: str) -> bool:
    """The same for the questions which turn was played."""
    if session.telling is not None:
        return take_told(session, session.telling, key)
    if take_objection(session, key):
        return True
    if key == TELL:
        return tell(session)
    asked = session.asked
    end = chosen(key, asked)
    if key == NONE and session.is_doubtful and denies_all(asked, session.said):
        # So it was not played, nor what the answers before have ruled out: the table is judged without all of it.
        found = (each.first for search in session.sequels.values() for each in search.found)
        session.denied = frozenset(each.after for each in (*asked, *found))
        session.asked, session.is_doubtful = (), False
        session.agreement.reset()
        session.say(Verdict(Kind.UNFINISHED, session.verdict.seat, session.verdict.text))
        return True
    if end is None:
        if not session.said.take(key, asked):
            return False
        left = session.said.narrowed(asked)
        if not left and session.reading is not None and session.reading.blind:
            return tell(session)
        if len(left) != 1:
            # The next question, with the same verdict around it.
            anew = session.ask(left or asked, or_none=session.is_doubtful)
            session.say(replace(session.verdict, choices=anew.choices))
            return True
        if session.reading is not None and session.reading.blind and not was_felt(session, left[0]):
            # Nothing has told all of it yet: it may have been done elsewhere, over a switch that nobody knows is dead.
            session.say(may_be_told(session, session.ask(left)))
            return True
        end = left[0]
    if session.ends_before and end is session.ends_before[0]:
        # It is as it was taken; this turn is still to be ended.
        session.ends_before, session.asked = (), ()
        session.say(replace(session.verdict, kind=Kind.UNFINISHED, seat=session.course.seat, choices=()))
        return True
    if session.reading is not None and session.reading.blind:
        lying = {space for _, space in session.earlier.left_lying(end)}
        session.reeds.is_played(end.positions[0], end.after, lying)
    over = session.over_as(end.positions[0])
    if over is not None:
        session.commit(over)
    elif end.positions[0] != session.position:
        session.course.take_back(1)
    session.commit(end)
    return True
