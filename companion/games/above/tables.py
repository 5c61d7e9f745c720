"""Ready-made, ready-sorted actions of a board, so that a legal list is picked rather than built and sorted.

Lists are in code-point order of the actions' texts (NOTATION, "Legal lists"). Spaces sort by index; deities
and tokens sort by their names, which is not their canonical order.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations, compress

from companion.games.above.action import PICKED, Action
from companion.games.above.board import Board, bits
from companion.games.above.box import DEITIES, TOKENS

Actions = tuple[Action, ...]

#: A hand of cards is an integer with two bits per deity: how many Powered cards of it. One of each:
ONE_OF_EACH = 0x5555
TWO_OF_EACH = 0xAAAA
HAND = 0xFFFF
HAND_BITS = 16

DEITIES_BY_NAME: tuple[int, ...] = tuple(sorted(range(len(DEITIES)), key=lambda n: DEITIES[n]))
TOKENS_BY_NAME: tuple[int, ...] = tuple(sorted(range(len(TOKENS)), key=lambda n: TOKENS[n]))

_FLAGS = bytes(1 if n == ord("1") else 0 for n in range(256))


def hand_deities(hand: int) -> tuple[str, ...]:
    """The deities of a hand in canonical order, twice if held twice."""
    return tuple(deity for n, deity in enumerate(DEITIES) for _ in range(hand >> 2 * n & 3))


class MoveLists(dict[int, Actions]):
    """The steps of one deity to each set of spaces, filled in as the sets occur (there are few)."""

    def __init__(self, actions: Actions) -> None:
        super().__init__({0: ()})
        self._actions = actions

    def __missing__(self, spaces: int) -> Actions:
        listed = self[spaces] = tuple(self._actions[n] for n in bits(spaces))
        return listed


class ShiftTable(dict[int, Actions]):
    """The shifts of one token type by the space it leaves: for each, an action per space to go to."""

    def __init__(self, token: str, board: Board) -> None:
        super().__init__()
        self._token, self._board = token, board

    def __missing__(self, origin: int) -> Actions:
        spaces = self._board.spaces
        listed = self[origin] = tuple(
            Action("shift", token=self._token, origin=spaces[origin], space=space) for space in spaces
        )
        return listed


class Tables:
    """A board, a number of players and all actions there; `tables_of` shares one per pair."""

    __slots__ = (
        "back",
        "board",
        "field",
        "format",
        "index",
        "jumps",
        "moves",
        "places",
        "players",
        "reach",
        "removals",
        "retreats",
        "ring_one",
        "shifts",
        "steps",
        "steps_below",
        "top",
    )

    def __init__(self, board: Board, players: int) -> None:
        self.board = board
        self.players = players
        self.index: dict[str | None, int] = {name: n for n, name in enumerate(board.spaces)}
        self.steps = board.steps
        #: Steps that do not lead onto the summit (A14).
        self.steps_below = tuple(step & board.field for step in board.steps)
        self.back = board.back
        self.reach = board.reach
        self.ring_one = board.ring_one
        self.field = board.field
        self.top = board.top
        #: Format of a set of spaces as binary digits, one a space.
        self.format = f"0{board.top + 1}b"
        spaces = board.spaces
        #: By deity.
        self.moves = tuple(
            MoveLists(tuple(Action("move", deity=deity, space=space) for space in spaces))
            for deity in DEITIES
        )
        #: By deity, then space.
        self.jumps = tuple(tuple(Action("jump", deity=d, space=space) for space in spaces) for d in DEITIES)
        #: By deity, then the space it leaves: Poseidon's step to the ring below. Unused where `back` is 0.
        self.retreats = tuple(
            tuple(Action("back", deity=deity, space=spaces[n - 1]) for n in range(len(spaces)))
            for deity in DEITIES
        )
        #: By token, then space.
        self.places = tuple(tuple(Action("place", token=t, space=space) for space in spaces) for t in TOKENS)
        self.removals = tuple(
            tuple(Action("remove", token=t, space=space) for space in spaces) for t in TOKENS
        )
        self.shifts = tuple(ShiftTable(token, board) for token in TOKENS)

    def __reduce__(self) -> tuple[object, tuple[Board, int]]:
        return (tables_of, (self.board, self.players))

    def flags(self, spaces: int) -> bytes:
        """A byte per space, 1 for those in the set."""
        return f"{spaces:{self.format}}"[::-1].encode().translate(_FLAGS)

    def pick(self, actions: Actions, spaces: int) -> Actions:
        """Of a row of actions, one a space, those in the set."""
        return tuple(compress(actions, self.flags(spaces)))

    def shift_list(self, token: int, origins: int, spaces: int) -> Actions:
        """Every shift of a token from one of the origins to one of the spaces."""
        flags = self.flags(spaces)
        table = self.shifts[token]
        listed: list[Action] = []
        for origin in bits(origins):
            listed += compress(table[origin], flags)
        return tuple(listed)


@cache
def tables_of(board: Board, players: int) -> Tables:
    """The tables of a board for two or four players, built once."""
    return Tables(board, players)


DONE = Action("done")
_ACTIVATE = tuple(Action("activate", deity=deity) for deity in DEITIES)
_DISGRACE = tuple(Action("disgrace", deity=deity) for deity in DEITIES)


def _held(hand: int) -> tuple[int, ...]:
    return tuple(n for n in DEITIES_BY_NAME if hand >> 2 * n & 3)


@lru_cache(maxsize=1 << 16)
def activate_list(hand: int) -> Actions:
    """The cards of a hand that can be activated."""
    return tuple(_ACTIVATE[n] for n in _held(hand))


@lru_cache(maxsize=1 << 16)
def disgrace_list(hands: int) -> Actions:
    """The deities that Hera can name, given all opponents' hands laid over each other (A15)."""
    return tuple(_DISGRACE[n] for n in _held(hands))


@lru_cache(maxsize=1 << 16)
def exhaust_list(first: tuple[int, int] | None, second: tuple[int, int] | None) -> Actions:
    """`done` and every card that Athena can exhaust of these (seat, hand) pairs (A16)."""
    listed = [
        Action("exhaust", deity=DEITIES[n], seat=seat)
        for seat, hand in filter(None, (first, second))
        for n in _held(hand)
    ]
    return (DONE, *sorted(listed, key=str))


@lru_cache(maxsize=1 << 14)
def recover_list(seat: int, pile: int) -> Actions:
    """Every choice of four cards from the discard pile, of as many kinds as it has (A5)."""
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
    return tuple(sorted(listed, key=str))
