"""Objecting: the way out of a refusal, or of a request that nobody can meet, for whoever sits at the table.

As in Above: it is said to everybody what would count, and only a second answer makes it a ruling of the house.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.olympeak.names import contender_name
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.standing import standing
from companion.messages import Text, row, say, sentences
from companion.referee.objection import OBJECT, RIGHT, asks_what_counts, what_would_count
from companion.referee.olympeak.misfits import Fault, Misfit
from companion.referee.olympeak.playing_on import as_it_lies, play_on
from companion.referee.olympeak.session import Session
from companion.referee.patience import OBJECTION_S
from companion.referee.requests import Refused
from companion.referee.verdict import Choice, Kind, Verdict


def with_objection(session: Session, verdict: Verdict, now: float) -> Verdict:
    """What is said of the table; where it is refused, or waits in vain for a card, with a way out after a while, and with
    what would count once people have objected.
    """
    objection = session.objection
    if session.undone is not None or session.doubtful is None or not _is_amiss(session, verdict):
        if not asks_what_counts(verdict):
            objection.forget()
        return verdict
    return verdict if objection.look(verdict, now) < OBJECTION_S else _open(session, verdict)


def take_objection(session: Session, key: str) -> bool:
    """Takes an answer to the way out or to what would count; False if it is none.

    Raises Refused if not everybody can have heard it yet, or if the table does not lie so any more.
    """
    objection = session.objection
    refused = objection.refused
    if refused is None:
        return False
    if objection.takes(key, session.verdict):
        session.verdict = _open(session, refused)
        return True
    if not (key.startswith(RIGHT) and objection.is_raised):
        return False
    objection.heard()
    event = as_it_lies(session, refused.text)
    if session.stirring or key != RIGHT + standing(session.course.ruled(event)[1]):
        raise Refused(say("referee.not_at_rest"))
    session.verdict = play_on(session, event)
    return True


def _is_amiss(session: Session, verdict: Verdict) -> bool:
    """Is it refused, or is somebody to show a card once more that perhaps nobody has any more?"""
    state = session.course.state
    asked = state is not None and state.phase is Phase.REVEAL and verdict.kind is Kind.UNFINISHED
    return asked or verdict.kind is Kind.ILLEGAL


def _open(session: Session, refused: Verdict) -> Verdict:
    """The refusal with what can be said against it, or what would count; the bare refusal where the game cannot be played
    on from what lies there.
    """
    assert session.doubtful is not None
    try:
        event = as_it_lies(session, refused.text)
    except Refused:
        return refused
    end = session.course.ruled(event)[1]
    if not session.objection.is_raised:
        text = sentences(refused.text, say("referee.right_so"))
        return replace(
            refused, text=text, choices=(*refused.choices, Choice(OBJECT, say("referee.is_right")))
        )
    things = [*_lies_so(*session.doubtful), *_stands_so(end)]
    return what_would_count(refused, things, [Choice(RIGHT + standing(end), say("referee.that_counts"))])


def _lies_so(state: GameState, misfits: tuple[Misfit, ...]) -> Iterator[Text]:
    """How each card lies that lies otherwise than in the game."""
    elsewhere = {each.card for each in misfits if each.fault is Fault.EXTRA}
    for each in misfits:
        match each.fault:
            case Fault.EXTRA:
                yield say("olympeak.lies_under", card=each.card, contender=contender_name(each.contender))
            case Fault.MISSING if each.card not in elsewhere:
                contender = contender_name(each.contender)
                yield say("olympeak.lies_under_no_more", card=each.card, contender=contender)
            case Fault.SWAPPED:
                assert each.seat is not None
                name = state.setup.players[each.seat].name
                yield say("olympeak.is_revealed", name=name, card=each.card)


def _stands_so(end: GameState) -> Iterator[Text]:
    """What would count besides the cards, as it was believed: the round, the cubes, and who is next."""
    yield say("olympeak.in_round", n=end.round)
    places = [
        say("olympeak.moved_to", contender=contender_name(contender), place=place)
        for contender, place in end.cube.items()
    ]
    yield say("olympeak.did_move", moves=row(places))
    if end.seat is not None:
        yield say("olympeak.next_turn", name=end.setup.players[end.seat].name)
    elif end.phase is Phase.REVEAL:
        yield say("olympeak.all_choose")
    else:
        yield say("olympeak.round_ends")
