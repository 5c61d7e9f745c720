"""Set-up: the position a game starts from, read off the table, and what differs from a known position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, DEITY_NAMES, TOKENS
from companion.games.above.position import Position, PositionError
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.explain import state_of
from companion.referee.verdict import Todo
from companion.referee.wording import deity_name, place_name, token_name

START_TOKENS = 2


def read_start(evidence: Evidence) -> tuple[Position | None, tuple[Todo, ...]]:
    """The starting position that lies on the table (A3, A4), or what is still missing of it."""
    todo = (*_minis_missing(evidence), *_tokens_missing(evidence), *_cards_missing(evidence))
    first = _zeus_alpha(evidence)
    if todo or first is None:
        return None, todo or (Todo("Lay the Zeus card marked α before its player: that player begins."),)
    minis = ",".join(f"{code}={SPACES[_at(evidence, n)]}" for n, code in enumerate(DEITIES))
    slots = sorted((token, space) for (token, space), p in evidence.tokens_seen().items() if p > 0.5)
    tokens = ",".join(
        f"{name}={'.'.join(SPACES[space] for token, space in slots if token == number)}"
        for number, name in enumerate(TOKENS)
    )
    cards = "/".join(
        ".".join(code for n, code in enumerate(DEITIES) for _ in range(evidence.powered_seen(seat).get(n, 0)))
        for seat in range(evidence.players)
    )
    text = f"{minis} {tokens} {cards} {first} {evidence.players}"
    try:
        return Position.parse(text), ()
    except PositionError as error:
        return None, (Todo(str(error)),)


def differences(position: Position, evidence: Evidence, names: Sequence[str]) -> tuple[Todo, ...]:
    """Every act that makes the table show the position; nothing for what is covered or merely unclear."""
    todo: list[Todo] = []
    for deity, space in enumerate(position.minis):
        if evidence.mini_cost(deity, space) >= CONTRADICTION:
            todo.append(Todo(f"Put {deity_name(deity)} on {place_name(space)}.", SPACES[space]))
    slots = {
        (number, SPACES.index(name))
        for number, kind in enumerate(TOKENS)
        for name in position.tokens_on(kind)
    }
    for token, space in sorted(slots | set(evidence.tokens_seen())):
        there = (token, space) in slots
        if evidence.token_cost(token, space, there) >= CONTRADICTION:
            act = (
                f"Put a {token_name(token)} token on" if there else f"Take the {token_name(token)} token off"
            )
            todo.append(Todo(f"{act} {place_name(space)}.", SPACES[space]))
    for seat in range(position.players):
        for deity in range(len(DEITIES)):
            count = state_of(position, ("card", seat, deity))
            if evidence.card_cost(seat, deity, count) >= CONTRADICTION:
                side = "Powered" if count else "Spent"
                whose = f"{names[seat]}'s {deity_name(deity)}"
                if position.players == 4:
                    todo.append(Todo(f"{whose}: {count} Powered before them, the rest on the discard pile."))
                else:
                    todo.append(Todo(f"Turn {whose} card to its {side} side."))
    return tuple(todo)


def _at(evidence: Evidence, deity: int) -> int:
    space = evidence.mini_at(deity)
    assert space is not None
    return space


def _minis_missing(evidence: Evidence) -> list[Todo]:
    todo = []
    columns = Counter()  # type: Counter[int]
    for number, code in enumerate(DEITIES):
        space = evidence.mini_at(number)
        name = DEITY_NAMES[code]
        if space is None:
            todo.append(Todo(f"Put {name} on ring 1."))
        elif SPACES[space] == "top" or SPACES[space][1:] != "1":
            todo.append(Todo(f"Put {name} on ring 1: it stands on {place_name(space)}.", SPACES[space]))
        else:
            columns[ord(SPACES[space][0]) - ord("a")] += 1
    if not todo and (len({column % 2 for column in columns}) != 1 or max(columns.values()) > 1):
        even = sum(n for column, n in columns.items() if column % 2 == 0)
        odd_one = next(
            number
            for number in range(len(DEITIES))
            if ((ord(SPACES[_at(evidence, number)][0]) - ord("a")) % 2 == 0) != (even * 2 >= len(DEITIES))
            or columns[ord(SPACES[_at(evidence, number)][0]) - ord("a")] > 1
        )
        space = _at(evidence, odd_one)
        todo.append(
            Todo(f"One deity on every other space of ring 1: move {deity_name(odd_one)}.", SPACES[space])
        )
    return todo


def _tokens_missing(evidence: Evidence) -> list[Todo]:
    todo = []
    seen = Counter(token for (token, _), p in evidence.tokens_seen().items() if p > 0.5)
    for number in range(len(TOKENS)):
        count = seen[number]
        if count < START_TOKENS:
            todo.append(Todo(f"Place {START_TOKENS - count} more {token_name(number)} on the board."))
        elif count > START_TOKENS:
            todo.append(
                Todo(f"Only {START_TOKENS} {token_name(number)} start on the board: {count} lie there.")
            )
    return todo


def _cards_missing(evidence: Evidence) -> list[Todo]:
    each = 8 if evidence.players == 2 else 4
    todo = []
    for seat in range(evidence.players):
        spent = evidence.spent_seen(seat)
        if spent:
            names = ", ".join(deity_name(deity) for deity in sorted(spent))
            todo.append(Todo(f"Seat {seat + 1}: turn {names} Powered face up."))
            continue
        seen = evidence.powered_seen(seat)
        count = sum(seen.values())
        if count != each or (evidence.players == 2 and len(seen) != each):
            missing = ", ".join(deity_name(d) for d in range(len(DEITIES)) if d not in seen)
            hint = f" (missing: {missing})" if evidence.players == 2 and missing else ""
            todo.append(Todo(f"Seat {seat + 1}: lay {each} cards Powered face up; I see {count}{hint}."))
    return todo


def _zeus_alpha(evidence: Evidence) -> int | None:
    """The seat with the Zeus card of the first set, marked α (A4)."""
    return next(
        (
            seat
            for card in evidence.reading.cards
            if card.deity == "ze" and card.card_set == 1 and (seat := evidence.seat_of(card)) is not None
        ),
        None,
    )
