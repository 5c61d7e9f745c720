"""Acts against the rules of OlymPeak: what people get wrong, each certainly illegal when it is done."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.olympeak import rules
from companion.games.olympeak.cards import Kind
from companion.games.olympeak.events import Event, Insert, Play, Remove
from companion.games.olympeak.position import GameState
from companion.virtual.olympeak.illegal import is_explainable
from companion.virtual.olympeak.truth import Lie, lie_of

# What people get wrong. `sign`: a column the card does not name. `taken`: a second card of the row under a
# contender. `seat`: out of turn. `swapped`: another card than the revealed one is laid, `exchanged`: it is
# put in the revealed one's place. `two`: two cards at once. `remove`: a card of another row is taken away.
KINDS: tuple[str, ...] = ("sign", "taken", "seat", "swapped", "exchanged", "two", "remove")


@dataclass(frozen=True, slots=True)
class Wrong:
    """One illegal act: `seat` lays `card` under `to` in `row`; `lie`: what lies then.

    `to` is empty where no column is concerned. `first`: the legal play that goes before (`two`). `from_hand`:
    the card comes from the hand, not from the zone.
    """

    kind: str
    seat: int
    card: str
    to: str
    row: int
    lie: Lie
    from_hand: bool = False
    first: Play | None = None


def mischief(
    state: GameState,
    planned: Event,
    hands: Sequence[Sequence[str]],
    rng: random.Random,
    kinds: Sequence[str] = KINDS,
) -> Wrong | None:
    """An illegal act at this moment, None when none offers itself. `planned`: what is really to be done."""
    offers: dict[str, list[Wrong]] = {}
    for wrong in _all(state, planned, hands):
        if wrong.kind in kinds:
            offers.setdefault(wrong.kind, []).append(wrong)
    while offers:
        kind = rng.choice(sorted(offers))
        wrong = rng.choice(offers.pop(kind))
        if not is_explainable(state, wrong.lie):
            return wrong
    return None


def _all(state: GameState, planned: Event, hands: Sequence[Sequence[str]]) -> Iterator[Wrong]:
    if isinstance(planned, Play):
        yield from _misplaced(state, planned, from_hand=False)
        yield from _out_of_turn(state, planned.seat)
        yield from _other_card(state, planned, hands[planned.seat])
        yield from _two_at_once(state, planned, hands[planned.seat])
    elif isinstance(planned, Insert):
        yield from _misplaced(state, planned, from_hand=True)
    elif isinstance(planned, Remove):
        here = lie_of(state)
        for each in state.placed:
            if each.card != state.pending and each.card not in state.removable():
                columns = here.columns - {(each.card, each.contender, each.row)}
                lie = replace(here, columns=columns)
                yield Wrong("remove", planned.seat, each.card, each.contender, each.row, lie)


def _with(state: GameState, seat: int | None, *laid: tuple[str, str, int]) -> Lie:
    """The table with cards added to columns, and the zone of `seat` emptied."""
    here = lie_of(state)
    zones = {each: card for each, card in here.zones.items() if each != seat}
    return Lie(here.columns | set(laid), zones)


def _misplaced(state: GameState, planned: Play | Insert, *, from_hand: bool) -> Iterator[Wrong]:
    card, seat = planned.card, planned.seat
    row, free = state.open_row
    known = state.setup.deck[card]
    from_zone = None if from_hand else seat
    for to in state.setup.racing:
        named = known.is_order or to in known.signs
        if to in free and not named:
            yield Wrong("sign", seat, card, to, row, _with(state, from_zone, (card, to, row)), from_hand)
        elif named and to not in free:
            lie = _with(state, from_zone, (card, to, row + 1))
            yield Wrong("taken", seat, card, to, row + 1, lie, from_hand)


def _out_of_turn(state: GameState, seat: int) -> Iterator[Wrong]:
    row = state.open_row[0]
    for other in state.waiting:
        card = state.revealed[other]
        if other != seat:
            for to in state.targets(card):
                yield Wrong("seat", other, card, to, row, _with(state, other, (card, to, row)))


def _other_card(state: GameState, planned: Play, hand: Sequence[str]) -> Iterator[Wrong]:
    row, seat = state.open_row[0], planned.seat
    here = lie_of(state)
    for card in hand:
        for to in state.targets(card):
            yield Wrong("swapped", seat, card, to, row, _with(state, seat, (card, to, row)), from_hand=True)
        zones: Mapping[int, str | None] = {**here.zones, seat: card}
        yield Wrong("exchanged", seat, card, "", 0, Lie(here.columns, zones), from_hand=True)


def _two_at_once(state: GameState, planned: Play, hand: Sequence[str]) -> Iterator[Wrong]:
    if state.setup.deck[planned.card].kind is Kind.INSERT:
        return
    after = rules.apply(state, planned)
    first = (planned.card, planned.to, state.open_row[0])
    row = after.open_row[0]
    for card in hand:
        for to in after.targets(card):
            lie = _with(state, planned.seat, first, (card, to, row))
            yield Wrong("two", planned.seat, card, to, row, lie, from_hand=True, first=planned)
