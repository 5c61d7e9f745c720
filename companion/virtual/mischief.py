"""Mischief: illegal moves as people make them, each one checked to be truly against the rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions
from companion.virtual.deeds import Deed, Do
from companion.virtual.illegal import is_explainable
from companion.virtual.truth import Lie, lie_of

Plan = tuple[str, list[Deed]]
_POWER_TOKEN = {"ze": "thunder", "ar": "barrier", "ha": "gate", "de": "fertility"}


def mischief(position: Position, rng: random.Random, tries: int = 12) -> Plan | None:
    """A kind of illegal move and its deeds, such that no legal turn explains the table then; or None."""
    kinds = list(KINDS)
    rng.shuffle(kinds)
    for name in kinds[:tries]:
        deeds = KINDS[name](position, rng)
        if deeds and not is_explainable(position, after_deeds(lie_of(position), deeds)):
            return name, deeds
    return None


def wrong_player(position: Position, rng: random.Random) -> Plan | None:
    """Somebody turns a card and moves although it is another's turn; None where that would be in order."""
    deeds = _wrong_card(position, rng)
    if len(deeds) < 2 or is_explainable(position, after_deeds(lie_of(position), deeds)):
        return None
    return "the wrong player", deeds


def after_deeds(table: Lie, deeds: list[Deed]) -> Lie:
    """How the table lies after the deeds."""
    for deed in deeds:
        if deed.do is Do.WALK:
            table = table.with_mini(deed.what, deed.space)
        elif deed.do is Do.LAY:
            table = table.with_token(deed.what, deed.space)
        elif deed.do is Do.TAKE:
            table = table.with_token(deed.what, deed.space, present=False)
        elif deed.do is Do.SHIFT:
            table = table.with_token(deed.what, deed.origin, present=False).with_token(deed.what, deed.space)
        else:
            table = table.with_card(deed.seat, deed.what, 1 if deed.up else -1)
    return table


def _activation(position: Position, rng: random.Random) -> tuple[str, Deed]:
    deity = rng.choice(position.powered(position.turn))
    do = Do.FLIP if position.players == 2 else Do.DISCARD
    return deity, Deed(do, deity, seat=position.turn)


def _near(position: Position, space: str, rings: int, columns: int) -> str | None:
    """The space so many rings forward and columns on, None beyond the board."""
    board = position.board
    ring, column = int(space[1:]) + rings, ord(space[0]) - ord("a") + columns
    if not 1 <= ring <= board.rings:
        return None
    return f"{chr(ord('a') + column % board.columns)}{ring}"


def _bare(position: Position, space: str) -> bool:
    return position.mini_on(space) is None and position.token_at(space) is None


def _open_spaces(position: Position) -> Iterator[str]:
    board = position.board
    for column in range(board.columns):
        for ring in range(1, board.rings + 1):
            space = f"{chr(ord('a') + column)}{ring}"
            if _bare(position, space):
                yield space


def _walk(position: Position, rng: random.Random, steps: list[tuple[int, int]], deity: str) -> list[Deed]:
    rng.shuffle(steps)
    for rings, columns in steps:
        space = _near(position, position.space_of(deity), rings, columns)
        if space is not None and _bare(position, space):
            return [Deed(Do.WALK, deity, space)]
    return []


def _step_back(position: Position, rng: random.Random) -> list[Deed]:
    deity, card = _activation(position, rng)
    walk = _walk(position, rng, [(-1, 0), (-1, 1), (-1, -1)], deity)
    return [card, *walk] if walk else []


def _two_spaces(position: Position, rng: random.Random) -> list[Deed]:
    deity, card = _activation(position, rng)
    walk = _walk(position, rng, [(2, 0), (0, 2), (0, -2), (1, 1), (1, -1)], deity)
    return [card, *walk] if walk else []


def _far_away(position: Position, rng: random.Random) -> list[Deed]:
    deity, card = _activation(position, rng)
    return [card, Deed(Do.WALK, deity, rng.choice(list(_open_spaces(position))))]


def _onto(position: Position, rng: random.Random, wanted: Callable[[str], bool], aside: bool) -> list[Deed]:
    deity, card = _activation(position, rng)
    targets = [
        space
        for rings, columns in ((1, 0), (0, 1), (0, -1))
        if (space := _near(position, position.space_of(deity), rings, columns)) is not None and wanted(space)
    ]
    return [card, Deed(Do.WALK, deity, rng.choice(targets), aside=aside)] if targets else []


def _onto_barrier(position: Position, rng: random.Random) -> list[Deed]:
    return _onto(position, rng, lambda space: position.token_at(space) == "barrier", False)


def _onto_occupied(position: Position, rng: random.Random) -> list[Deed]:
    # Only the outer rings have room for two.
    return _onto(position, rng, lambda s: position.mini_on(s) is not None and int(s[1:]) <= 2, True)


def _other_deity(position: Position, rng: random.Random) -> list[Deed]:
    deity, card = _activation(position, rng)
    other = rng.choice([d for d in DEITIES if d != deity])
    walk = _walk(position, rng, [(1, 0), (0, 1), (0, -1)], other)
    return [card, *walk] if walk else []


def _legal_step(position: Position, rng: random.Random, deity: str) -> list[Deed] | None:
    """A legal step that triggers nothing; [] when the miniature is blocked, None when every step triggers."""
    activation = next(a for a in legal_actions(position) if a.kind == "activate" and a.deity == deity)
    after = apply(position, activation)
    if after.phase.value != "move":
        return []
    tokens = lie_of(after).tokens
    quiet = [a for a in legal_actions(after) if a.space != "top" and lie_of(apply(after, a)).tokens == tokens]
    return [Deed(Do.WALK, deity, str(rng.choice(quiet).space))] if quiet else None


def _wrong_token(position: Position, rng: random.Random) -> list[Deed]:
    deity, card = _activation(position, rng)
    walk = _legal_step(position, rng, deity)
    wrong = [token for token in TOKENS if token != _POWER_TOKEN.get(deity) and position.reserve(token)]
    if walk is None or not wrong:
        return []
    taken = {deed.space for deed in walk}
    space = rng.choice([s for s in _open_spaces(position) if s not in taken])
    return [card, *walk, Deed(Do.LAY, rng.choice(wrong), space)]


def _token_on_taken(position: Position, rng: random.Random) -> list[Deed]:
    able = [d for d in position.powered(position.turn) if d in _POWER_TOKEN]
    if not able:
        return []
    deity = rng.choice(able)
    do = Do.FLIP if position.players == 2 else Do.DISCARD
    token = _POWER_TOKEN[deity]
    walk = _legal_step(position, rng, deity)
    taken = [
        s
        for t in TOKENS
        for s in position.tokens_on(t)
        if t != token and int(s[1:]) <= 3 and position.mini_on(s) is None
    ]
    if walk is None or not taken or not position.reserve(token):
        return []
    lay = Deed(Do.LAY, token, rng.choice(taken), aside=True)
    return [Deed(do, deity, seat=position.turn), *walk, lay]


def _two_tokens(position: Position, rng: random.Random) -> list[Deed]:
    able = [d for d in position.powered(position.turn) if d in _POWER_TOKEN]
    if not able:
        return []
    deity = rng.choice(able)
    token, many = _POWER_TOKEN[deity], 3 if deity == "ar" else 2
    walk = _legal_step(position, rng, deity)
    if walk is None or position.reserve(token) < many:
        return []
    taken = {deed.space for deed in walk}
    spaces = rng.sample([s for s in _open_spaces(position) if s not in taken], many)
    do = Do.FLIP if position.players == 2 else Do.DISCARD
    lays = [Deed(Do.LAY, token, space) for space in spaces]
    return [Deed(do, deity, seat=position.turn), *walk, *lays]


def _wrong_card(position: Position, rng: random.Random) -> list[Deed]:
    other = rng.choice([seat for seat in range(position.players) if seat != position.turn])
    held = position.powered(other)
    if len(held) < 2:
        return []
    deity = rng.choice(held)
    do = Do.FLIP if position.players == 2 else Do.DISCARD
    walk = _walk(position, rng, [(1, 0), (0, 1), (0, -1)], deity)
    return [Deed(do, deity, seat=other), *walk]


def _spent_up(position: Position, rng: random.Random) -> list[Deed]:
    if position.players == 4:
        pile = position.pile()
        held = position.powered(position.turn)
        return (
            [Deed(Do.PICK, rng.choice(pile), seat=position.turn, up=True)] if pile and len(held) < 4 else []
        )
    spent = [d for d in DEITIES if d not in position.powered(position.turn)]
    return [Deed(Do.FLIP, rng.choice(spent), seat=position.turn, up=True)] if spent else []


def _takes_token(position: Position, rng: random.Random) -> list[Deed]:
    deity, card = _activation(position, rng)
    walk = _legal_step(position, rng, deity)
    laid = [(t, s) for t in TOKENS for s in position.tokens_on(t)]
    if walk is None or not laid:
        return []
    token, space = rng.choice(laid)
    return [card, *walk, Deed(Do.TAKE, token, space)]


KINDS: dict[str, Callable[[Position, random.Random], list[Deed]]] = {
    "step back": _step_back,
    "two spaces": _two_spaces,
    "far away": _far_away,
    "onto a barrier": _onto_barrier,
    "onto a miniature": _onto_occupied,
    "another deity": _other_deity,
    "wrong token": _wrong_token,
    "token on a taken space": _token_on_taken,
    "too many tokens": _two_tokens,
    "another's card": _wrong_card,
    "a Spent card turned up": _spent_up,
    "takes a token away": _takes_token,
}
