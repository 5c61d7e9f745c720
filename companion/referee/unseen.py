"""What was played and nobody could see: then people are asked how it lies, and nobody is accused."""

from __future__ import annotations

from dataclasses import replace

from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES
from companion.games.above.position import Position
from companion.messages import say, sentences
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.explain import state_of
from companion.referee.laid_out import laid_out
from companion.referee.requests import Refused
from companion.referee.session import Session
from companion.referee.verdict import Choice, Verdict

UNSEEN = say("above.unseen")
LIES = "lies:"
_TOP = SPACES.index("top")


def went_by(position: Position, evidence: Evidence) -> bool:
    """Do cards of both sides lie otherwise, and stand two miniatures elsewhere, or one with a token laid besides, or with
    cards of two deities turned by each side?

    No single turn does that: whole turns have gone by that were not told apart. Who has just made a mistake has
    not done all that: one player's turn and mistake may turn several cards of the own side, but one deity's of the other.
    """
    turned = {
        (seat % 2, deity)
        for seat in range(position.players)
        for deity in range(len(DEITIES))
        if evidence.card_cost(seat, deity, state_of(position, ("card", seat, deity))) >= CONTRADICTION
    }
    fewest = min(sum(side == each for each, _ in turned) for side in (0, 1))
    moved = sum(
        evidence.mini_cost(deity, space) >= CONTRADICTION for deity, space in enumerate(position.minis)
    )
    laid = sum(
        p > 0.5 and not position.laid[token] >> space & 1
        for (token, space), p in evidence.tokens_seen().items()
    )
    return fewest > 0 and moved > 0 and (moved + laid >= 2 or fewest >= 2)


def not_seen(session: Session, evidence: Evidence, first: str = "") -> Verdict:
    """What lies there was played while nobody could see it, and the rules do not tell how: nobody is accused.

    That it is right as it lies is offered only where the game can be played on from there. `first`: what has to be done
    before it can.
    """
    verdict = session.differing(evidence, say("above.not_seen"))
    # Who reached the summit was not seen either.
    won = any(evidence.mini_at(deity) == _TOP for deity in range(len(DEITIES)))
    whose = tuple(
        Choice(f"{LIES}{seat}", say("above.right_won" if won else "above.right_next", name=name))
        for seat, name in enumerate(session.names)
        if _can_play_from(session, evidence, seat)
    )
    if not (verdict.todo and (whose or first)):
        return replace(verdict, choices=whose)
    # Going on from what lies there is the first of the two ways: it was played, as a rule.
    text = sentences(
        say("above.not_seen"), first, say("referee.right_so"), say("above.if_not", act=verdict.todo[0].text)
    )
    return replace(verdict, text=text, choices=whose)


def _can_play_from(session: Session, evidence: Evidence, seat: int) -> bool:
    try:
        laid_out(evidence, seat, session.names, session.position)
    except Refused:
        return False
    return True


def declare(session: Session, seat: int) -> None:
    """People say that it is right as it lies, `seat` to move. That counts once the next settled look shows it so.

    By then a hand may have changed what was seen when they were asked. Raises Refused with all that makes the position
    impossible.
    """
    session.declared = laid_out(session.seen(), session.known_seat(seat), session.names, session.position)
    session.say(replace(session.verdict, choices=()))


def as_declared(session: Session, evidence: Evidence) -> Verdict | None:
    """The game goes on from what people have said is right, if the table still shows just that."""
    declared, session.declared = session.declared, None
    if declared is None or evidence.is_blind:
        return None
    try:
        if laid_out(evidence, declared.turn, session.names, session.position) != declared:
            return None
    except Refused:
        return None
    session.course.rule(UNSEEN, "", declared)
    return session.reach(declared, UNSEEN)
