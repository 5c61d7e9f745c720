"""Trajectories: the states that every item takes along a path of actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from companion.games.above.action import Action
from companion.games.above.board import SPACES, bits
from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.position import Position
from companion.games.above.rules import apply, is_legal
from companion.referee.evidence import Evidence
from companion.referee.hypothesis import Item, Trajectory

_THUNDER = TOKENS.index("thunder")
_SEAT_BITS = 2 * len(DEITIES)
_MINIS: tuple[Item, ...] = tuple(("mini", deity, 0) for deity in range(len(DEITIES)))
_TOKENS: tuple[tuple[Item, ...], ...] = tuple(
    tuple(("token", token, space) for space in range(len(SPACES))) for token in range(len(TOKENS))
)
_CARDS: tuple[Item, ...] = tuple(("card", seat, deity) for seat in range(4) for deity in range(len(DEITIES)))
_REEDS: tuple[Item, ...] = tuple(("reed", space, 0) for space in range(len(SPACES)))


def state_of(position: Position, item: Item) -> int:
    """The state of an item in a position."""
    kind, first, second = item
    if kind == "mini":
        return position.minis[first]
    if kind == "token":
        return position.laid[first] >> second & 1
    if kind == "card":
        return position.powered_bits >> (_SEAT_BITS * first + 2 * second) & 3
    return position.stood_on >> first & 1


def cost_of(evidence: Evidence, item: Item, state: int) -> float:
    """How badly this state of an item fits what was seen."""
    kind, first, second = item
    if kind == "mini":
        return evidence.mini_cost(first, state)
    if kind == "token":
        return evidence.token_cost(first, second, bool(state))
    if kind == "card":
        return evidence.card_cost(first, second, state)
    return evidence.magnet_cost(first, bool(state))


def is_sure(evidence: Evidence, item: Item, state: int) -> bool:
    """Was this state of an item positively seen? Of a magnet its piece tells that."""
    kind, first, second = item
    if kind == "mini":
        return evidence.mini_sure(first, state)
    if kind == "token":
        return evidence.token_sure(first, second, bool(state))
    if kind == "card":
        return evidence.card_sure(first, second, state)
    return True


def struck_by(position: Position, jump: Action) -> int:
    """The Thunder tokens (a bit set of spaces) that are triggered where a jump leads (A2, A7)."""
    return position.laid[_THUNDER] & position.board.reach[position.board.index[jump.space or ""]]


def items_of(position: Position) -> Iterator[tuple[Item, int]]:
    """Every miniature, every token on the board and every card slot, with its state."""
    yield from zip(_MINIS, position.minis, strict=True)
    for token, laid in enumerate(position.laid):
        for space in bits(laid):
            yield _TOKENS[token][space], 1
    cards = position.powered_bits
    for slot in range(position.players * len(DEITIES)):
        yield _CARDS[slot], cards >> 2 * slot & 3


def otherwise(one: Position, other: Position) -> list[Item]:
    """What lies differently in two positions: miniatures, tokens, cards."""
    every = dict.fromkeys(item for position in (one, other) for item, _ in items_of(position))
    return [item for item in every if state_of(one, item) != state_of(other, item)]


def walked(position: Position, actions: Sequence[Action]) -> tuple[Position, ...] | None:
    """The positions that these actions lead through, this one first; None if one of them is against the rules."""
    positions = [position]
    for action in actions:
        if not is_legal(positions[-1], action):
            return None
        positions.append(apply(positions[-1], action))
    return tuple(positions)


def extended(
    trajectory: Trajectory, before: Position, action: Action, after: Position, watched: int = 0
) -> Trajectory:
    """The trajectory with one more position; items that did not change keep their series.

    `watched`: the spaces (a bit set) whose magnets are followed too.
    """
    longer = dict(trajectory)
    old_minis, new_minis = before.minis, after.minis
    if old_minis != new_minis:
        for item, old, new in zip(_MINIS, old_minis, new_minis, strict=True):
            if old != new:
                longer[item] = (*longer.get(item, (old,)), new)
    old_laid, new_laid = before.laid, after.laid
    if old_laid != new_laid:
        for token, (lay, lies) in enumerate(zip(old_laid, new_laid, strict=True)):
            for space in bits(lay ^ lies):
                item, there = _TOKENS[token][space], lies >> space & 1
                longer[item] = (*longer.get(item, (1 - there,)), there)
    _cards(longer, before, action, after)
    if watched:
        old_magnets, new_magnets = before.stood_on, after.stood_on
        for space in bits((old_magnets ^ new_magnets) & watched):
            item, there = _REEDS[space], new_magnets >> space & 1
            longer[item] = (*longer.get(item, (1 - there,)), there)
    return longer


def _cards(longer: Trajectory, before: Position, action: Action, after: Position) -> None:
    old, new = before.powered_bits, after.powered_bits
    passed: set[int] = set()
    for slot in _exhausted(before, action):
        # Cards go one by one, both copies that Hera names, too; and a last card goes before any recover (A5).
        had, has = old >> 2 * slot & 3, new >> 2 * slot & 3
        left = 0 if action.kind == "disgrace" else had - 1
        item = _CARDS[slot]
        longer[item] = (*longer.get(item, (had,)), *_one_by_one(had, left), *_one_by_one(left, has))
        passed.add(slot)
    for slot in _slots(old ^ new):
        if slot not in passed:
            item, had = _CARDS[slot], old >> 2 * slot & 3
            longer[item] = (*longer.get(item, (had,)), *_one_by_one(had, new >> 2 * slot & 3))


def _one_by_one(had: int, has: int) -> tuple[int, ...]:
    """The counts after `had` on the way to `has`."""
    return tuple(range(had + 1, has + 1)) if has > had else tuple(range(had - 1, has - 1, -1))


@lru_cache(maxsize=1 << 12)
def _slots(changed: int) -> tuple[int, ...]:
    """The card slots with any of these bits."""
    return tuple(sorted({bit // 2 for bit in bits(changed)}))


def _exhausted(before: Position, action: Action) -> Iterator[int]:
    """The card slots from which the action takes a Powered card."""
    kind = action.kind
    if kind not in ("activate", "exhaust", "disgrace"):
        return
    deity, cards = action.deity_index, before.powered_bits
    if kind == "disgrace":
        seats = [seat for seat in range(before.players) if (seat - before.turn) % 2]
    else:
        seats = [before.turn if action.seat is None else action.seat]
    for seat in seats:
        slot = seat * len(DEITIES) + deity
        if cards >> 2 * slot & 3:
            yield slot
