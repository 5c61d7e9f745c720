"""Hands of cards as integers, and the ready-made lists of actions that cards allow.

A hand has two bits per deity: how many Powered cards of it there are, 0 to 2. All hands of a game are one
integer, `HAND_BITS` per seat. Lists are in code-point order of the actions' texts; deities sort by name
there, which is not their canonical order.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from companion.games.above.action import DEITY_INDEX, PICKED, SEATS, Action
from companion.games.above.box import DEITIES

Actions = tuple[Action, ...]

ONE_OF_EACH = 0x5555
TWO_OF_EACH = 0xAAAA
HAND = 0xFFFF
HAND_BITS = 16

DEITIES_BY_NAME: tuple[int, ...] = tuple(sorted(range(len(DEITIES)), key=lambda n: DEITIES[n]))

DONE = Action("done")
_ACTIVATE = tuple(Action("activate", deity=deity) for deity in DEITIES)
_DISGRACE = tuple(Action("disgrace", deity=deity) for deity in DEITIES)
_EXHAUST = tuple(tuple(Action("exhaust", deity=d, seat=seat) for seat in range(SEATS)) for d in DEITIES)


def hand_deities(hand: int) -> tuple[str, ...]:
    """The deities of a hand in canonical order, twice if held twice."""
    return tuple(deity for n, deity in enumerate(DEITIES) for _ in range(hand >> 2 * n & 3))


def hand_of(cards: int, seat: int) -> int:
    """The Powered cards of a seat."""
    return cards >> HAND_BITS * seat & HAND


def pile(cards: int) -> int:
    """The common discard pile of four players: what no seat holds of the two sets."""
    held = (cards & HAND) + (cards >> 16 & HAND) + (cards >> 32 & HAND) + (cards >> 48)
    return TWO_OF_EACH - held


def opposing_hands(players: int, turn: int, cards: int) -> int:
    """The hands of the active player's opponents laid over each other: whose kinds they hold."""
    if players == 2:
        return cards >> HAND_BITS * (1 - turn) & HAND
    one = (turn + 1) & 3
    return (cards >> HAND_BITS * one | cards >> HAND_BITS * (one ^ 2)) & HAND


class KindLists(dict[int, Actions]):
    """One action per kind of card in a hand, by hand, filled in as hands occur."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions

    def __missing__(self, hand: int) -> Actions:
        listed = self[hand] = tuple(self._actions[n] for n in DEITIES_BY_NAME if hand >> 2 * n & 3)
        return listed


#: The cards of a hand that can be activated.
activate_lists = KindLists(_ACTIVATE)
#: The deities that Hera can name, given what the opponents hold (A15).
disgrace_lists = KindLists(_DISGRACE)


@lru_cache(maxsize=1 << 12)
def exhaust_list(own: int, seat: int, other: int, mate: int) -> Actions:
    """`done` and what Athena can exhaust of two seats' hands; the hand 0 is not to be touched (A16)."""
    low, high = ((own, seat), (other, mate)) if seat < mate else ((other, mate), (own, seat))
    listed = [DONE]
    for n in DEITIES_BY_NAME:
        for hand, holder in (low, high):
            if hand >> 2 * n & 3:
                listed.append(_EXHAUST[n][holder])
    return tuple(listed)


def recover_list(seat: int, pile: int) -> Actions:
    """Every choice of four cards from the discard pile, of as many kinds as it has (A5), sorted."""
    kinds = (pile | pile >> 1) & ONE_OF_EACH
    # With four kinds or more no card is picked twice, so it does not matter which of them lie there twice.
    return _recoveries(seat, kinds if kinds.bit_count() >= PICKED else pile)[0]


def can_recover(action: Action, seat: int, pile: int) -> bool:
    """Whether that choice is one of `recover_list`."""
    kinds = (pile | pile >> 1) & ONE_OF_EACH
    return action in _recoveries(seat, kinds if kinds.bit_count() >= PICKED else pile)[1]


@lru_cache(maxsize=1 << 12)
def _recoveries(seat: int, pile: int) -> tuple[Actions, frozenset[Action]]:
    counts = [pile >> 2 * n & 3 for n in range(len(DEITIES))]
    kinds = [n for n, count in enumerate(counts) if count]
    doubles = [n for n, count in enumerate(counts) if count == 2]
    kept = min(PICKED, len(kinds))
    picks = [
        sorted(chosen + more)
        for chosen in combinations(kinds, kept)
        for more in combinations(doubles, PICKED - kept)
    ]
    listed = [Action("recover", seat=seat, deities=tuple(DEITIES[n] for n in pick)) for pick in picks]
    listed.sort(key=str)
    return tuple(listed), frozenset(listed)


@lru_cache(maxsize=1 << 10)
def hand_of_deities(deities: tuple[str, ...]) -> int:
    """The hand that these cards are."""
    return sum(1 << 2 * DEITY_INDEX[deity] for deity in deities)
