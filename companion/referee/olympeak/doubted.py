"""Doubted: a revealed card that only the first looks read so, before hands came, and that goes by another name since.

Those looks may have misread it alike, and hands may have exchanged it: what is seen tells neither. Nor does it where
hands hid how the last cards were turned up, however many looks read another one before: until then a choice is free. So
it is looked at for longer, and then everybody is asked which card was turned up. Nobody is accused before that is said;
a card that more looks have agreed on with all turned up was not misread, and another one in its place is wrong at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

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

# With more cards in doubt at once too many reveals would have to be tried.
_MOST_DOUBTED = 3
# Answers: the cards that are turned up by this reveal are those that lie there now, or those that were read first.
TURNED_UP, AS_READ = "turned up:", "as read:"


@dataclass(frozen=True, slots=True)
class Doubt:
    """`cards`: the reveal, by seat, if some of it was misread at first; `best`: the turn since, if so.

    None where others have then played out of turn: who has is said once the cards are.
    """

    cards: tuple[str, ...]
    best: Path | None


def doubted(
    session: Session, state: GameState, misfits: Sequence[Misfit], look: Look, now: float
) -> tuple[Verdict, Path | None] | None:
    """What is said where cards that were misread at first would explain all that lies there; None where none would.

    With the turn, where nobody has answered and everybody plays on after it: then it was played with what lies there.
    """
    unit = session.course.turns[-1]
    if session.resuming or session.gap.was_long or len(unit.events) != 1:
        return None
    doubts = _doubts(session, unit.before, state, misfits, look)
    if not doubts:
        return None
    cards, best = doubts[0].cards, doubts[0].best
    is_asked = any(choice.key == key_of(TURNED_UP, cards) for choice in session.verdict.choices)
    if is_asked and best and best.is_over and played_on((best,), look, tiles=False) is not None:
        looks, _ = session.agreement.count(("played on", cards), now)
        if looks < LOOKS:
            return session.verdict, None
        read, lay = (
            verdicts.cards_of(state, each, _changed(state, cards)) for each in (state.revealed, cards)
        )
        session.notes.find(say("olympeak.turned_up_is_open", read=read, cards=lay), "")
        return correct_reveal(session, cards, look), best
    reveals = tuple(each.cards for each in doubts)
    _, lasted = session.agreement.count(("doubted", reveals), now)
    if lasted < QUESTION_S:
        return session.verdict, None
    seats = sorted({seat for each in reveals for seat in _changed(state, each)})
    choices = [(key_of(TURNED_UP, each), each) for each in reveals]
    choices.append((key_of(AS_READ, state.revealed), state.revealed))
    return verdicts.which_turned_up(state, seats, choices), None


def key_of(answer: str, cards: Sequence[str]) -> str:
    """The answer that these cards were turned up, by seat."""
    return answer + ",".join(cards)


def take_answer(session: Session, key: str, look: Look) -> bool:
    """Takes what people say of doubted cards: they are told anew, or believed as they were read. False if neither."""
    if not key.startswith((TURNED_UP, AS_READ)):
        return False
    cards = tuple(key.partition(":")[2].split(","))
    if key.startswith(AS_READ):
        session.prints.vouch(cards)
    else:
        session.verdict = correct_reveal(session, cards, look)
    return True


def _changed(state: GameState, cards: Sequence[str]) -> tuple[int, ...]:
    """The seats before which another card was turned up than was read."""
    return tuple(
        seat for seat, (read, card) in enumerate(zip(state.revealed, cards, strict=True)) if read != card
    )


def _doubts(
    session: Session, before: GameState, state: GameState, misfits: Sequence[Misfit], look: Look
) -> Sequence[Doubt]:
    """Every reveal that would explain all, with as few cards misread as possible."""
    others = {
        seat: cards for seat in state.setup.seats if (cards := _others(session, state, seat, misfits, look))
    }
    for count in range(1, min(len(others), _MOST_DOUBTED) + 1):
        found = []
        for seats in combinations(others, count):
            for said in product(*(others[seat] for seat in seats)):
                names = dict(zip(seats, said, strict=True))
                cards = tuple(names.get(seat, card) for seat, card in enumerate(state.revealed))
                best = _explained(session, before, cards, look)
                if best is not None:
                    found.append(Doubt(cards, best))
        if found:
            return found
    if all(each.fault is Fault.SWAPPED and each.seat in others for each in misfits):
        # All else is in order as it was read: still, who exchanged nothing is not to be accused of it.
        names = {seat: said[0] for seat, said in others.items()}
        cards = tuple(names.get(seat, card) for seat, card in enumerate(state.revealed))
        return (Doubt(cards, None),) if is_possible(before, cards) else ()
    return ()


def _others(
    session: Session, state: GameState, seat: int, misfits: Sequence[Misfit], look: Look
) -> Sequence[str]:
    """What else may have been turned up before this seat; nothing where enough looks tell, or the card is there still."""
    read = state.revealed[seat]
    gone = read not in (*look.in_view, look.discard_top, *session.traces.lain)
    if not 0 < session.prints.looks_at(seat, read) <= FEW_LOOKS or not gone or look.zone_hidden(seat):
        return ()
    laid = [each.card for each in misfits if each.fault is Fault.EXTRA]
    # Where everybody shows a card and more lie in the columns, the next ones have been turned up.
    if seat in look.shown and not (laid and len(look.shown) == len(state.setup.players)):
        lies = [each.card for each in misfits if each.fault is Fault.SWAPPED and each.seat == seat]
    else:
        lies = laid
    return [card for card in lies if card not in state.revealed]


def _explained(session: Session, before: GameState, cards: tuple[str, ...], look: Look) -> Path | None:
    """The turn after this reveal, if all that lies there follows from it."""
    if not is_possible(before, cards) or findings(before, cards):
        return None
    start = rules.apply(before, Reveal(cards))
    if start.phase is not Phase.PLAY:
        return None
    best = explain(start, look, Memory(answers=session.course.answers)).best
    return None if best.misfits or best.unsure else best
