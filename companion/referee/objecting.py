"""Objecting: the way out of a refusal, for whoever sits at the table.

No table is called wrong for ever. What was refused for a while can be objected to; then it is said to everybody what
would count, and only a second answer makes it a ruling of the house, which is written down and told as one. Whoever has
broken a rule is not waved through by one tap that nobody notices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.above.position import Position
from companion.messages import say, sentences
from companion.referee.evidence import Evidence
from companion.referee.house import play_on
from companion.referee.laid_out import laid_out
from companion.referee.objection import OBJECT, RIGHT, what_would_count
from companion.referee.patience import OBJECTION_S, UNFINISHED_S
from companion.referee.requests import Refused
from companion.referee.session import Session
from companion.referee.trajectory import otherwise
from companion.referee.verdict import Choice, Kind, Verdict
from companion.referee.wording import lies_text


def with_objection(session: Session, refused: Verdict, evidence: Evidence, now: float) -> Verdict:
    """The refusal; with a way out once it has stood for a while; what would count, once people have objected."""
    if session.objection.look(refused, now) < OBJECTION_S or evidence.is_blind:
        return refused
    return _open_to_objection(session, refused, evidence)


def unfinished_with_objection(session: Session, verdict: Verdict, evidence: Evidence, now: float) -> Verdict:
    """The same for a turn that is to be finished and is not: it may be over already. `verdict`: what is to be done."""
    waited = session.objection.look(verdict, now)
    if waited < UNFINISHED_S or evidence.is_blind or session.soft is not None or session.position is None:
        return verdict
    session.judged_from = session.position
    return _open_to_objection(session, verdict, evidence)


def take_objection(session: Session, key: str) -> bool:
    """Takes an answer to the way out or to what would count; False if it is none.

    Raises Refused if not everybody can have heard it yet, or if the table does not lie so any more.
    """
    objection, before = session.objection, session.judged_from
    if objection.refused is None or before is None:
        return False
    if objection.takes(key, session.verdict):
        session.say(_open_to_objection(session, objection.refused, session.seen()))
        return True
    if not (key.startswith(RIGHT) and objection.is_raised):
        return False
    objection.heard()
    after = Position.parse(key.removeprefix(RIGHT))
    if after not in _ends(session, session.lying()):
        raise Refused(say("referee.not_at_rest"))
    play_on(session, objection.refused, before, after)
    return True


def _open_to_objection(session: Session, refused: Verdict, evidence: Evidence) -> Verdict:
    """The refusal with what can be said against it, or what would count; the bare refusal where the game cannot be played
    on from what lies there.
    """
    before, ends = session.judged_from, tuple(_ends(session, evidence))
    assert before is not None
    things = [lies_text(end, item, session.names) for end in ends[:1] for item in otherwise(before, end)]
    if not things:
        return refused
    if not session.objection.is_raised:
        # Whoever only thinks about how to go on is not spoken to.
        is_refused = refused.kind is Kind.ILLEGAL
        text = sentences(refused.text, say("referee.right_so")) if is_refused else refused.text
        return replace(
            refused, text=text, choices=(*refused.choices, Choice(OBJECT, say("referee.is_right")))
        )
    choices = [
        Choice(
            RIGHT + str(end),
            say("above.right_won" if end.is_over else "above.right_next", name=session.names[end.turn]),
        )
        for end in ends
    ]
    if ends[0].is_over:
        # The house rule goes by whose turn it was, and so should those who choose.
        things.append(say("above.was_turn", name=session.names[before.turn]))
    return what_would_count(refused, things, choices)


def _ends(session: Session, evidence: Evidence) -> Iterator[Position]:
    """What lies there as a position, with each seat next that can be, whose turn it was judged as first.

    Whoever stands on the summit has won it for their side: of a game that is over there is one for each.
    """
    before = session.judged_from
    if before is None:
        return
    sides: set[int] = set()
    for count in range(session.players):
        seat = (before.turn + count) % session.players
        try:
            end = laid_out(evidence, seat, session.names, before)
        except Refused:
            continue
        if end.is_over:
            if end.turn % 2 in sides:
                continue
            sides.add(end.turn % 2)
        yield end
