"""Two turns that were played before anybody could see the first one by itself: they are written down at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.above.position import Position
from companion.messages import say
from companion.referee import verdicts
from companion.referee.ahead import owed_by
from companion.referee.question import chosen
from companion.referee.sequel import Sequel
from companion.referee.session import Session
from companion.referee.unseen import UNSEEN
from companion.referee.verdict import Verdict


def call_ahead(session: Session, found: Sequence[Sequel]) -> Verdict:
    """The next player is called after the two turns of `found` that lie there whole (see `Ahead`). Where the first one
    may have been another, whoever has played that can say so.
    """
    end = session.ahead.newest
    assert end is not None
    whole = session.ahead.pairs(end)
    second = whole[0].then.accepted
    assert second is not None
    session.is_doubtful = False
    asked = session.ask([each.first for each in found])
    taken = [each.first for each in whole] if len(whole) == 1 else []
    others = [choice for choice in asked.choices if chosen(choice.key, session.asked) not in taken]
    whose = session.names[whole[0].first.positions[0].turn]
    texts = [say("above.turn_by", name=whose, turn=choice.text) for choice in others]
    named = [replace(choice, text=text) for choice, text in zip(others, texts, strict=True)]
    return verdicts.taken_for(second, session.names, named)


def open_turns(session: Session) -> int:
    """How many whole turns lie there that might have gone on or been read otherwise."""
    if session.ahead.newest is None:
        return int(session.soft is not None)
    (pair, *_) = session.ahead.pairs(session.ahead.newest)
    return 2 + (session.over_as(pair.first.positions[0]) is not None)


def end_open(session: Session) -> None:
    """What lies there whole, and might have gone on or been read otherwise, is over as it was taken."""
    if session.ahead.newest is not None:
        play_ahead(session, session.ahead.newest)
    elif session.soft is not None:
        session.commit(session.soft)


def play_ahead(session: Session, end: Position) -> Verdict:
    """The two turns that have led there are over. Where several have, how it came there is nobody's guess."""
    pairs = session.ahead.pairs(end)
    over, second = session.over_as(pairs[0].first.positions[0]), pairs[0].then.accepted
    assert second is not None
    if over is not None:
        session.commit(over)
    session.owed.owe(owed_by(pairs))
    if len(pairs) > 1:
        session.course.rule(UNSEEN, "", end)
        return session.reach(end, UNSEEN)
    session.commit(pairs[0].first)
    return session.commit(second)
