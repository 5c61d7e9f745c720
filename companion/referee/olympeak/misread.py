"""Misread: a revealed card that was read wrongly at first, as its print says that nobody has touched since.

Two looks in a row may misread a print alike, and a reveal is believed after two. What has not been touched cannot have
been exchanged: so nobody is accused of it, and the reveal is told anew with the card that lies there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.olympeak.events import Reveal
from companion.games.olympeak.position import GameState
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, Misfit
from companion.referee.olympeak.patience import LOOKS, MISREAD_S
from companion.referee.olympeak.reveal import is_possible
from companion.referee.olympeak.revealing import correct_reveal
from companion.referee.olympeak.session import Session
from companion.referee.verdict import Verdict


def untouched(session: Session, state: GameState, misfits: Iterable[Misfit]) -> Sequence[Misfit]:
    """The cards of `misfits` that look exchanged since the reveal that led to `state`, though nobody has touched them."""
    went_by = session.prints.went_by
    return [
        each
        for each in misfits
        if each.fault is Fault.SWAPPED
        and each.seat is not None
        and {each.card, state.revealed[each.seat]} <= went_by.get(each.seat, frozenset())
    ]


def told_anew(
    session: Session, state: GameState, misread: Sequence[Misfit], look: Look, now: float
) -> Verdict | None:
    """The open turn with the cards that lie there untouched in place of those that were read first; None where it is not
    certain that these are the right ones.
    """
    unit, since = session.course.turns[-1], session.unit_since
    if len(unit.events) != 1 or not isinstance(unit.events[0], Reveal):
        return None
    if session.resuming or since is None or now - since > MISREAD_S:
        return None
    lies = {each.seat: each.card for each in misread}
    cards = tuple(lies.get(seat, card) for seat, card in enumerate(state.revealed))
    if not is_possible(unit.before, cards):
        return None
    looks, _ = session.agreement.count(("misread", cards), now)
    return session.verdict if looks < LOOKS else correct_reveal(session, cards, look)
