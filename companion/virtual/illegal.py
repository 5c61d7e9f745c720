"""Is what lies on the table against the rules? Judged from the rules alone, apart from any referee.

A table is explainable when one legal turn from the position accounts for every item that lies otherwise: the
item is in some state that it takes along that turn, whatever else of the turn has been done yet. Only what no
legal turn explains, complete or in part, may be called illegal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions
from companion.virtual.answers import Played
from companion.virtual.truth import Item, Lie, Value, lie_of


def is_explainable(position: Position, table: Lie) -> bool:
    """Whether some legal turn from `position` has, in whatever order, led to `table` so far."""
    changed = lie_of(position).differing(table)
    if not changed:
        return True
    open_nodes = [(position, frozenset(changed))]
    seen = set(open_nodes)
    while open_nodes:
        here, unexplained = open_nodes.pop()
        for action in _worth_trying(here, unexplained):
            after = apply(here, action)
            left = unexplained - _explained(here, action, after, unexplained, changed)
            # Every path goes on to a complete turn, so nothing more is needed.
            if not left:
                return True
            if after.at_turn_start or after.is_over or (after, left) in seen:
                continue
            seen.add((after, left))
            open_nodes.append((after, left))
    return False


def is_illegal(position: Position, table: Lie, last: Played | None = None) -> bool:
    """Whether no legal turn explains `table`: neither the one that begins at `position` nor `last`, the one before it.

    The last one still may if Athena's player might go on, or if nothing lies otherwise but cards of somebody who
    recovered in it (A5): they might still be turned.
    """
    if is_explainable(position, table):
        return False
    if last is None:
        return True
    recovered = {str(seat) for seat in range(position.players) if last.recovered(seat)}
    otherwise = lie_of(position).differing(table)
    of_cards = all(kind == "card" and seat in recovered for kind, seat, _ in otherwise)
    return not ((of_cards or _may_go_on(last)) and is_explainable(last.before, table))


def is_out_of_sight(position: Position, table: Lie, unseen: Set[str], last: Played | None = None) -> bool:
    """Whether `table` is against the rules only by tokens on the spaces that are `unseen`."""
    tokens = {
        *((token, space) for token, space in table.tokens if space not in unseen),
        *((token, space) for token, space in lie_of(position).tokens if space in unseen),
    }
    return not is_illegal(position, replace(table, tokens=frozenset(tokens)), last)


def _may_go_on(last: Played | None) -> bool:
    """Was the turn over only because its player, Athena's, had it so?"""
    return last is not None and bool(last.turn) and last.turn[-1].kind == "done"


def is_reopened(position: Position, table: Lie, last: Played | None) -> bool:
    """Whether nothing but cards of somebody who recovered in `last` makes `table` no part of the turn from `position`.

    Then it is no illegal act, but nothing that was played either: it is to be turned back.
    """
    return not (is_explainable(position, table) or is_illegal(position, table, last) or _may_go_on(last))


def is_complete(position: Position, table: Lie) -> bool:
    """Whether some legal turn from `position` ends with just this table: it might be taken for played."""
    return next(_ends_as(position, table), None) is not None


def may_be_next(position: Position, table: Lie, on_the_way: Iterable[Lie]) -> bool:
    """Whether a whole legal turn from `position` lay there on the way, and `table` is part of the one after it.

    Whoever has done more than that turn allows may as well be the next player, who begins with it.
    """
    return any(is_explainable(after, table) for lay in on_the_way for after in _ends_as(position, lay))


def _ends_as(position: Position, table: Lie) -> Iterator[Position]:
    """Where the legal turns from `position` lead that end with just this table."""
    if None in table.minis.values():
        return
    open_nodes = [position]
    seen = set(open_nodes)
    while open_nodes:
        here = open_nodes.pop()
        for action in legal_actions(here):
            if (
                action.kind in ("place", "shift")
                and (str(action.token), str(action.space)) not in table.tokens
            ):
                continue
            after = apply(here, action)
            if after.at_turn_start or after.is_over:
                # Most turns have led some miniature elsewhere, and all else need not be compared.
                stands = all(after.space_of(deity) == space for deity, space in table.minis.items())
                if stands and not lie_of(after).differing(table):
                    yield after
            elif after not in seen:
                seen.add(after)
                open_nodes.append(after)


def _explained(
    before: Position,
    action: Action,
    after: Position,
    unexplained: frozenset[Item],
    table: dict[Item, Value],
) -> frozenset[Item]:
    """The items that this action, or what follows from it by itself, puts into the state they lie in."""
    found = set()
    for item in unexplained:
        kind, first, second = item
        value = table[item]
        if kind == "mini":
            met = after.space_of(first) == value
        elif kind == "token":
            met = (after.token_at(second) == first) == bool(value)
        else:
            seat = int(first)
            counts = {position.powered(seat).count(second) for position in (before, after)}
            if second == action.deity and seat in _owners(before, action):
                # A last card is exhausted before all are recovered: it may be seen lying Spent (A5).
                counts.add(0)
            met = isinstance(value, int) and min(counts) <= value <= max(counts)
        if met:
            found.add(item)
    return frozenset(found)


def _owners(before: Position, action: Action) -> tuple[int, ...]:
    """The seats whose cards an action exhausts."""
    if action.kind == "activate":
        return (before.turn,)
    if action.kind == "exhaust":
        return (int(action.seat or 0),)
    if action.kind == "disgrace":
        return tuple(seat for seat in range(before.players) if (seat - before.turn) % 2)
    return ()


def _worth_trying(position: Position, unexplained: frozenset[Item]) -> Iterator[Action]:
    """The legal actions; of token places that would explain nothing one stands for all.

    That loses nothing: where a token that is not on the table yet will go bears on no other item of the turn.
    """
    stood_for = set()
    for action in legal_actions(position):
        if action.kind in ("place", "shift"):
            origin, space = (
                place if ("token", str(action.token), str(place)) in unexplained else None
                for place in (action.origin, action.space)
            )
            if (origin, space) in stood_for and space is None:
                continue
            stood_for.add((origin, space))
        yield action
