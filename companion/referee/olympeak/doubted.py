"""Doubted: a revealed card that only the first looks read so, before hands came, and that goes by another name since.

Those looks may have misread it alike, and hands may have exchanged it: what is seen tells neither. So it is looked at
for longer, and then everybody is asked which card was turned up. Nobody is accused before that is said; a card that more
looks have agreed on was not misread, and another one in its place is called wrong at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.olympeak import rules
from companion.games.olympeak.events import Reveal
from companion.games.olympeak.position import GameState, Phase
from companion.messages import say
from companion.referee.olympeak import verdicts
from companion.referee.olympeak.explain import explain
from companion.referee.olympeak.left_open import played_on
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, Misfit
from companion.referee.olympeak.path import Memory, Path
from companion.referee.olympeak.patience import FEW_LOOKS, LOOKS, QUESTION_S
from companion.referee.olympeak.reveal import findings, is_possible
from companion.referee.olympeak.revealing import correct_reveal
from companion.referee.olympeak.session import Session
from companion.referee.verdict import Verdict

# Answers: the card before this seat is the one that is seen now, or the one that was read first.
TURNED_UP, AS_READ = "turned up:", "as read:"


@dataclass(frozen=True, slots=True)
class Doubt:
    """`cards`: the reveal, by seat, if the card before `seat` was misread at first; `best`: the turn since, if so."""

    seat: int
    cards: tuple[str, ...]
    best: Path


def doubted(
    session: Session, state: GameState, misfits: Sequence[Misfit], look: Look, now: float
) -> tuple[Verdict, Path | None] | None:
    """What is said where a card that was misread at first would explain all that lies there; None where it would not.

    With the turn, where nobody has answered and everybody plays on after it: then it was played with the card that lies
    there.
    """
    unit = session.course.turns[-1]
    if session.resuming or session.gap.was_long or len(unit.events) != 1:
        return None
    doubt = next(_doubts(session, unit.before, state, misfits, look), None)
    if doubt is None:
        return None
    read, card = state.revealed[doubt.seat], doubt.cards[doubt.seat]
    is_asked = any(choice.key == f"{TURNED_UP}{doubt.seat}:{card}" for choice in session.verdict.choices)
    if is_asked and doubt.best.is_over and played_on((doubt.best,), look, tiles=False) is not None:
        looks, _ = session.agreement.count(("played on", doubt.cards), now)
        if looks < LOOKS:
            return session.verdict, None
        name = state.setup.players[doubt.seat].name
        session.notes.find(say("olympeak.turned_up_is_open", name=name, read=read, card=card), "")
        return correct_reveal(session, doubt.cards, look), doubt.best
    _, lasted = session.agreement.count(("doubted", doubt.cards), now)
    if lasted < QUESTION_S:
        return session.verdict, None
    return verdicts.which_turned_up(state, doubt.seat, read, card), None


def take_answer(session: Session, key: str, look: Look) -> bool:
    """Takes what people say of a doubted card: it is told anew, or believed as it was read. False if it is neither."""
    state = session.course.state
    if state is None or not key.startswith((TURNED_UP, AS_READ)):
        return False
    _, place, card = key.split(":")
    seat = int(place)
    if key.startswith(AS_READ):
        session.prints.vouch(seat, card)
    else:
        cards = (*state.revealed[:seat], card, *state.revealed[seat + 1 :])
        session.verdict = correct_reveal(session, cards, look)
    return True


def _doubts(
    session: Session, before: GameState, state: GameState, misfits: Sequence[Misfit], look: Look
) -> Iterator[Doubt]:
    for seat, read in enumerate(state.revealed):
        looks = session.prints.looks_at(seat, read)
        gone = read not in (*look.in_view, look.discard_top, *session.traces.lain)
        if not (0 < looks <= FEW_LOOKS and gone):
            continue
        for each in misfits:
            lies = each.seat == seat if each.fault is Fault.SWAPPED else each.fault is Fault.EXTRA
            if not lies or each.card in state.revealed:
                continue
            cards = (*state.revealed[:seat], each.card, *state.revealed[seat + 1 :])
            best = _explained(session, before, cards, look)
            if best is not None:
                yield Doubt(seat, cards, best)


def _explained(session: Session, before: GameState, cards: tuple[str, ...], look: Look) -> Path | None:
    """The turn after this reveal, if all that lies there follows from it."""
    if not is_possible(before, cards) or findings(before, cards):
        return None
    start = rules.apply(before, Reveal(cards))
    if start.phase is not Phase.PLAY:
        return None
    best = explain(start, look, Memory(answers=session.course.answers)).best
    return None if best.misfits or best.unsure else best
