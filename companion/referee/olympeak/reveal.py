"""Reveal: recognised when every seat shows a card, or told afterwards when its picture was missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from companion.games.olympeak import rules
from companion.games.olympeak.events import Event, Play, Reveal
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.refusal import FINDINGS, Refusal
from companion.referee.olympeak.explain import explain
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, Misfit
from companion.referee.olympeak.path import Memory

# With more cards already played than this, too many orders of events would have to be tried.
_MOST_MISSED = 3


def findings(state: GameState, cards: tuple[str, ...]) -> tuple[Refusal, ...]:
    """What is odd about these revealed cards, though the game goes on."""
    return tuple(each for each in rules.refusals(state, Reveal(cards)) if each.reason in FINDINGS)


def is_possible(state: GameState, cards: tuple[str, ...]) -> bool:
    """Can these cards be revealed, findings apart?"""
    return all(each.reason in FINDINGS for each in rules.refusals(state, Reveal(cards)))


def missed_reveals(
    state: GameState,
    look: Look,
    misfits: Sequence[Misfit],
    known: tuple[str, ...] = (),
    glimpsed: Mapping[int, str] | None = None,
) -> tuple[tuple[str, ...], ...]:
    """The reveals, by seat, after which what lies there was rightly played.

    `known`: what was revealed before this turn was taken back; if it fits, it is the answer. `glimpsed`: what lay face
    up before a seat since the last turn, though not before all of them at once. Glimpses of all of them tell as much as
    one look would have: also of a card that has gone since, taken back (O5) or by a Remove.
    """
    glimpsed = glimpsed or {}
    if state.phase is not Phase.REVEAL:
        return ()
    if known and _explains(state, known, look, 1):
        return (known,)
    extra = [each.card for each in misfits if each.fault is Fault.EXTRA]
    seats = state.setup.seats
    absent = [seat for seat in seats if seat not in look.shown]
    if all(seat in glimpsed for seat in seats) and all(
        look.is_empty(seat) or glimpsed[seat] in extra for seat in absent
    ):
        every = tuple(glimpsed[seat] for seat in seats)
        if len(extra) == len(misfits) and _explains(state, every, look, len(extra)):
            return (every,)
    if (
        len(extra) != len(misfits)
        or len(extra) != len(absent)
        or not 1 <= len(absent) <= _MOST_MISSED
        or (len(absent) == len(seats) and not any(glimpsed.get(seat) in extra for seat in absent))
        # Who was seen with a card that lies there now may have chosen the next one already.
        or not all(look.is_empty(seat) or glimpsed.get(seat) in extra for seat in absent)
    ):
        return ()
    fitting = []
    for cards in permutations(extra):
        if any(
            glimpsed.get(seat, card) in extra and glimpsed.get(seat, card) != card
            for seat, card in zip(absent, cards, strict=True)
        ):
            continue
        shown = {**look.shown, **dict(zip(absent, cards, strict=True))}
        revealed = tuple(shown[seat] for seat in seats)
        if _explains(state, revealed, look, len(extra)):
            fitting.append(revealed)
    return tuple(fitting)


def discarded_unseen(
    state: GameState, look: Look, chosen: frozenset[int], glimpsed: Mapping[int, str]
) -> bool:
    """Have order cards alone been turned up and discarded though no picture showed all of them (O3)?

    A card that lay chosen before a seat comes to the discard pile in no other way without any card in a column. `chosen`:
    before which seats a card has lain since the last turn; `glimpsed`: what lay face up before a seat since then.
    """
    top, deck = look.discard_top, state.setup.deck
    orders = all(card in deck and deck[card].is_order for card in glimpsed.values())
    if top not in glimpsed.values() or top in state.discarded or not orders:
        return False
    return chosen.issuperset(state.setup.seats) and all(look.is_empty(seat) for seat in state.setup.seats)


def taken_up(
    state: GameState, look: Look, misfits: Sequence[Misfit], chosen: frozenset[int]
) -> tuple[int, ...]:
    """The seats that have played or taken back their cards after a reveal that nothing tells; none if it was not so.

    `chosen`: before which seats a card has lain since the last turn. Where the others' cards, if there are any left,
    are turned up and fewer lie in the columns than have gone from before these seats, somebody could not play (O5).
    """
    seats = state.setup.seats
    absent = tuple(seat for seat in seats if seat not in look.shown)
    row = max((each.row for each in state.placed), default=0) + 1
    in_row = all(each.fault is Fault.EXTRA and each.row == row for each in misfits)
    if not in_row or not len(misfits) < len(absent) or not chosen.issuperset(absent):
        return ()
    return absent if all(look.is_empty(seat) for seat in absent) else ()


def _explains(state: GameState, cards: tuple[str, ...], look: Look, plays: int) -> bool:
    """Does the table show at least so many plays of a turn with these cards, and nothing else?"""
    if not is_possible(state, cards) or findings(state, cards):
        return False
    after = rules.apply(state, Reveal(cards))
    if after.phase is not Phase.PLAY:
        return False
    best = explain(after, look, Memory()).best
    return not best.misfits and sum(_is_play(event) for event in best.events) >= plays


def _is_play(event: Event) -> bool:
    return isinstance(event, Play)
