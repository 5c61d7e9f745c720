"""The rules of Above a second time: slow, plain, read off the rulings, sharing nothing with the product.

A turn is a generator that runs from the first phase to the last. Wherever a player decides it yields the seat
and the sorted list of legal action texts and is sent the one chosen. What happens by itself it just does.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from itertools import combinations

DEITIES = ["ze", "he", "ar", "at", "ha", "de", "po", "ap"]
LETTERS = "abcdefghijklmnop"
TOKENS = ["thunder", "fertility", "gate", "barrier"]
LAYS = {"ze": "thunder", "ha": "gate", "de": "fertility", "ar": "barrier"}

Decision = tuple[int, list[str]]
Turn = Generator[Decision, str, None]
Flow = Generator[Decision, str, bool]


class Summit(Exception):
    """Somebody stands on the summit."""


def side_and_forward(space: str) -> list[str]:
    """A2, as long as there is a side at all (nobody moves on from the summit)."""
    column, ring = LETTERS.index(space[0]), int(space[1])
    forward = "top" if ring == 6 else f"{space[0]}{ring + 1}"
    return [f"{LETTERS[(column - 1) % 16]}{ring}", f"{LETTERS[(column + 1) % 16]}{ring}", forward]


def around(space: str) -> list[str]:
    """The spaces whose Thunder reaches this one (A2)."""
    column, ring = LETTERS.index(space[0]), int(space[1])
    return [
        f"{LETTERS[(column + side) % 16]}{ring + up}"
        for side in (-1, 0, 1)
        for up in (-1, 0, 1)
        if 1 <= ring + up <= 6
    ]


class Table:
    """What lies on the table: minis {deity: space}, tokens {space: type}, hands [[deity, …] per seat]."""

    def __init__(self, text: str) -> None:
        minis, tokens, cards, turn, players = text.split(" ")
        self.minis = dict(part.split("=") for part in minis.split(","))
        self.tokens: dict[str, str] = {}
        for part in tokens.split(","):
            kind, spaces = part.split("=")
            for space in filter(None, spaces.split(".")):
                self.tokens[space] = kind
        self.hands = [hand.split(".") for hand in cards.split("/")]
        self.turn, self.players = int(turn), int(players)

    def text(self) -> str:
        minis = ",".join(f"{deity}={self.minis[deity]}" for deity in DEITIES)
        tokens = ",".join(f"{kind}={'.'.join(self.lying(kind))}" for kind in TOKENS)
        hands = "/".join(".".join(sorted(hand, key=DEITIES.index)) for hand in self.hands)
        return f"{minis} {tokens} {hands} {self.turn} {self.players}"

    def lying(self, kind: str) -> list[str]:
        return sorted(space for space, token in self.tokens.items() if token == kind)

    def passable(self, space: str) -> bool:
        return space not in self.minis.values() and self.tokens.get(space) != "barrier"

    def open_spaces(self) -> list[str]:
        """A11."""
        spaces = [f"{letter}{ring}" for letter in LETTERS for ring in range(1, 7)]
        return [s for s in spaces if s not in self.minis.values() and s not in self.tokens]

    def discard_pile(self) -> list[str]:
        pile = DEITIES * 2
        for hand in self.hands:
            for card in hand:
                pile.remove(card)
        return pile


def whole_turn(table: Table) -> Turn:
    """Phases 1 to 3; at the end the turn has passed on, or the game is over and `Summit` was raised."""
    seat = table.turn
    chosen = yield seat, sorted({f"activate {card}" for card in table.hands[seat]})
    deity = chosen.split()[1]
    table.hands[seat].remove(deity)
    yield from recover(table)
    steps = [space for space in side_and_forward(table.minis[deity]) if table.passable(space)]
    struck = False
    if steps:
        chosen = yield seat, sorted(f"move {deity} {space}" for space in steps)
        struck = yield from enter(table, deity, chosen.split()[2], may_top=True)
    if not struck:
        yield from power(table, deity)
    table.turn = (seat + 1) % table.players


def recover(table: Table) -> Turn:
    """A5."""
    for n in range(table.players):
        seat = (table.turn + n) % table.players
        if table.hands[seat]:
            continue
        if table.players == 2:
            table.hands[seat] = list(DEITIES)
            continue
        pile = table.discard_pile()
        all_picks = {tuple(sorted(pick, key=DEITIES.index)) for pick in combinations(pile, 4)}
        most = max(len(set(pick)) for pick in all_picks)
        picks = [pick for pick in all_picks if len(set(pick)) == most]
        chosen = yield seat, sorted(f"recover {seat} {' '.join(pick)}" for pick in picks)
        table.hands[seat] = chosen.split()[2:]


def enter(table: Table, deity: str, space: str, may_top: bool, from_gate: bool = False) -> Flow:
    """A7 to A9; returns whether any Thunder was triggered on the way."""
    table.minis[deity] = space
    if space == "top":
        raise Summit
    struck = False
    for near in around(space):
        if table.tokens.get(near) == "thunder":
            del table.tokens[near]
            struck = True
    token = table.tokens.get(space)
    if token == "gate":
        del table.tokens[space]
        if not from_gate:
            exits = table.lying("gate")
            if not exits:
                exits = [f"{letter}1" for letter in LETTERS if table.passable(f"{letter}1")]
            chosen = yield table.turn, sorted(f"jump {deity} {there}" for there in exits)
            again = yield from enter(table, deity, chosen.split()[2], may_top, from_gate=True)
            return struck or again
    elif token == "fertility":
        del table.tokens[space]
        steps = [s for s in side_and_forward(space) if table.passable(s) and (may_top or s != "top")]
        if steps:
            chosen = yield table.turn, sorted(f"move {deity} {there}" for there in steps)
            again = yield from enter(table, deity, chosen.split()[2], may_top)
            return struck or again
    return struck


def power(table: Table, deity: str) -> Turn:
    """Phase 3."""
    if deity in LAYS:
        just_laid: str | None = None
        for _ in range(2 if deity == "ar" else 1):
            just_laid = yield from lay(table, LAYS[deity], just_laid)
    elif deity == "he":
        yield from hera(table)
    elif deity == "at":
        yield from athena(table)
    elif deity == "po":
        yield from poseidon(table)
    else:
        yield from aphrodite(table)


def lay(table: Table, kind: str, just_laid: str | None) -> Generator[Decision, str, str | None]:
    """A11, A12; returns where the token lies."""
    lying, free = table.lying(kind), table.open_spaces()
    if len(lying) < 6:
        options = [f"place {kind} {space}" for space in free]
    else:
        options = [f"shift {kind} {old} {new}" for old in lying if old != just_laid for new in free]
    if not options:
        return just_laid
    chosen = (yield table.turn, sorted(options)).split()
    if chosen[0] == "shift":
        del table.tokens[chosen[2]]
    table.tokens[chosen[-1]] = kind
    return chosen[-1]


def hera(table: Table) -> Turn:
    """A15."""
    opponents = [seat for seat in range(table.players) if (seat - table.turn) % 2]
    held = {card for seat in opponents for card in table.hands[seat]}
    chosen = yield table.turn, sorted(f"disgrace {card}" for card in held)
    named = chosen.split()[1]
    for seat in opponents:
        table.hands[seat] = [card for card in table.hands[seat] if card != named]
    yield from recover(table)


def athena(table: Table) -> Turn:
    """A16."""
    allowed = [table.turn] * 2 if table.players == 2 else [table.turn, (table.turn + 2) % 4]
    while allowed:
        options = {f"exhaust {card} {seat}" for seat in allowed for card in table.hands[seat]}
        chosen = yield table.turn, sorted(options | {"done"})
        if chosen == "done":
            return
        _, card, owner = chosen.split()
        table.hands[int(owner)].remove(card)
        allowed.remove(int(owner))
        yield from recover(table)


def poseidon(table: Table) -> Turn:
    """A13."""
    options = [f"remove {kind} {space}" for space, kind in table.tokens.items()]
    for deity, space in table.minis.items():
        behind = f"{space[0]}{int(space[1]) - 1}"
        if behind[1] != "0" and table.passable(behind):
            options.append(f"back {deity} {behind}")
    if not options:
        return
    kind, what, where = (yield table.turn, sorted(options)).split()
    if kind == "remove":
        del table.tokens[where]
    else:
        yield from enter(table, what, where, may_top=True)


def aphrodite(table: Table) -> Turn:
    """A14."""
    options = [
        f"move {deity} {space}"
        for deity in DEITIES[:-1]
        for space in side_and_forward(table.minis[deity])
        if space != "top" and table.passable(space)
    ]
    if not options:
        return
    _, deity, space = (yield table.turn, sorted(options)).split()
    yield from enter(table, deity, space, may_top=False)


class Replay:
    """A position within a turn: its start and the actions since; `decision` is None when the game is over."""

    def __init__(self, start: str, actions: Iterable[str] = ()) -> None:
        self.table = Table(start)
        self.over = "top" in self.table.minis.values()
        self.decision: Decision | None = None
        self.at_turn_start = True
        if self.over:
            return
        turn = whole_turn(self.table)
        self.decision = next(turn)
        try:
            for action in actions:
                assert self.decision is not None and action in self.decision[1], action
                self.at_turn_start = False
                self.decision = turn.send(action)
        except StopIteration:
            self.at_turn_start = True
            self.decision = next(whole_turn(Table(self.table.text())))
        except Summit:
            self.over, self.decision = True, None
