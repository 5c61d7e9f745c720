"""What people say at an OlymPeak table: turns taken back, rulings of the house, corrections, answers."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from companion.games.olympeak.events import Reveal
from companion.games.olympeak.position import Phase
from companion.messages import say
from companion.referee.olympeak import verdicts
from companion.referee.olympeak.closing import finish
from companion.referee.olympeak.corrected import CARD
from companion.referee.olympeak.doubted import take_answer
from companion.referee.olympeak.objecting import take_objection
from companion.referee.olympeak.playing import answer_order, end_turn
from companion.referee.olympeak.playing_on import as_it_lies, play_on
from companion.referee.olympeak.reread import reread
from companion.referee.olympeak.revealing import commit_reveal, go_on_from
from companion.referee.olympeak.session import Session
from companion.referee.requests import KEEP, Refused
from companion.referee.verdict import Kind, Verdict


class Taken(Enum):
    """What has come of an answer."""

    NO = "no"  # it answers nothing that is asked now
    DONE = "done"  # the verdict has followed
    WEIGH_AGAIN = "weigh_again"  # the table is to be weighed with it


def take_back(session: Session, turns: int) -> Verdict:
    """The last turns are taken back, so many, the open one if it has begun; the table is then to be restored."""
    course = session.course
    turns = min(turns, len(course.turns))
    if not turns:
        return session.verdict
    units = tuple(course.turns[-turns:])
    unit = course.take_back(turns)
    session.tiles.forget()
    session.notes.news = ""
    session.begin_unit()
    session.undone, session.undone_units = unit, units
    first = unit.events[0]
    if isinstance(first, Reveal) and turns == 1:
        session.known_reveal = first.cards
    verdict = Verdict(Kind.SETUP, session.seat, say("olympeak.taken_back_put", n=turns))
    session.verdict = session.with_keeping(verdict)
    return session.verdict


def may_rule(session: Session) -> bool:
    """Is something amiss from which the players can declare to play on?"""
    amiss = session.doubtful is not None and session.undone is None
    state = session.course.state
    # Before a reveal, what is unfinished is that somebody is to show a card once more: perhaps nobody has it any more.
    asked = state is not None and state.phase is Phase.REVEAL and session.verdict.kind is Kind.UNFINISHED
    return amiss and (asked or session.verdict.kind in (Kind.ILLEGAL, Kind.SETUP))


def rule(session: Session) -> Verdict:
    """What lies there is taken as it is. Raises Refused if nothing is amiss, or with all that makes it impossible."""
    if not may_rule(session):
        raise Refused(say("referee.nothing_wrong"))
    return play_on(session, as_it_lies(session, session.verdict.text))


def correct(session: Session, what: str, place: str, shown: str, said: str) -> None:
    """The card `shown` at `place` is `said`; the last turn is read anew if it was in it. Raises Refused."""
    if what != CARD or session.reading is None:
        raise Refused(say("olympeak.only_cards"))
    course = session.course
    correction = session.corrected.correction(session.reading, place, shown, said)
    events = reread(course.turns[-1], correction, shown) if course.turns else None
    if events is not None:
        # Raises before anything is written if the rules do not lead there.
        session.ledger.correction(correction)
        course.rewrite(1, events)
        session.begin_unit()
    else:
        session.ledger.correction(correction)
    session.corrected.add(correction)
    session.steady.forget()
    session.prints.forget()
    session.agreement.reset()
    session.told = session.corrected.reading(session.reading)


def answer(session: Session, key: str) -> Taken:
    """An answer to the verdict's choices."""
    look, state = session.look, session.course.state
    if key not in {choice.key for choice in session.verdict.choices} or state is None:
        return Taken.NO
    if key == "undo":
        take_back(session, 1)
    elif key == KEEP:
        after = session.course.restore(session.undone_units)
        session.begin_unit()
        session.resuming = session.offered = False
        if after.phase is not Phase.OVER:
            session.verdict = replace(session.verdict, choices=())
            return Taken.WEIGH_AGAIN
        session.verdict = verdicts.over(after)
    elif key == "new":
        session.left_over.forget()
        return Taken.WEIGH_AGAIN
    elif key == "old":
        session.left_over.is_old()
        return Taken.WEIGH_AGAIN
    elif key.startswith("tile:"):
        _, seat, side, contender = key.split(":")
        session.tiles.say(int(seat), side, contender)
        return Taken.WEIGH_AGAIN
    elif key.startswith("lay:"):
        _, card, contender = key.split(":")
        session.traces.lay(card, contender)
        return Taken.WEIGH_AGAIN
    elif key == "round over" and session.round_over is not None and look is not None:
        session.verdict = go_on_from(session, session.round_over, look)
    elif key == "as it lies":
        event = session.tiles.predictions(state)
        if event is None:
            return Taken.NO
        session.verdict = finish(session, event)
    elif key.startswith("revealed:") and look is not None:
        cards = session.missed[int(key.removeprefix("revealed:"))]
        session.verdict = commit_reveal(session, state, cards, look)
    elif key.startswith("turn:") and session.choosing is not None and look is not None:
        path = session.choosing.rivals[int(key.removeprefix("turn:"))]
        session.verdict = end_turn(session, path, look)
    elif look is not None and take_answer(session, key, look):
        return Taken.WEIGH_AGAIN
    elif not (take_objection(session, key) or answer_order(session, key)):
        return Taken.NO
    return Taken.DONE
