"""Ready-made, ready-sorted actions on the spaces of a board: a legal list is picked, not built and sorted.

Lists are in code-point order of the actions' texts (NOTATION, "Legal lists"). Spaces sort by index; tokens
sort by their names, which is not their canonical order.
"""

from __future__ import annotations

from functools import cache
from itertools import compress

from companion.games.above.action import Action
from companion.games.above.board import Board, bits
from companion.games.above.box import DEITIES, TOKENS, TOKENS_PER_TYPE
from companion.games.above.hands import Actions

TOKENS_BY_NAME: tuple[int, ...] = tuple(sorted(range(len(TOKENS)), key=lambda n: TOKENS[n]))

_FLAGS = bytes(1 if n == ord("1") else 0 for n in range(256))


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
        "bit",
        "board",
        "field",
        "format",
        "index",
        "jumps",
        "moves",
        "next_seat",
        "octets",
        "places",
        "players",
        "reach",
        "removals",
        "retreats",
        "ring_one",
        "shifts",
        "steps",
        "steps_below",
        "sure",
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
        self.bit = tuple(1 << space for space in range(board.top + 1))
        # Some space is open even with everything in the box on the board.
        roomy = board.top > len(DEITIES) + TOKENS_PER_TYPE * len(TOKENS)
        #: By deity: whether its power can always be carried out. By A5 nobody is without Powered cards.
        self.sure = tuple(d in ("he", "at") or (d not in ("po", "ap") and roomy) for d in DEITIES)
        self.next_seat = tuple((seat + 1) % players for seat in range(players))
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
        #: By token: the octets of `placements`.
        self.places = _octets_of(board)
        #: By token, then space.
        self.removals = tuple(
            tuple(Action("remove", token=t, space=space) for space in spaces) for t in TOKENS
        )
        self.octets = len(self.places[0])
        self.shifts = tuple(ShiftTable(token, board) for token in TOKENS)

    def __reduce__(self) -> tuple[object, tuple[Board, int]]:
        return (tables_of, (self.board, self.players))

    def flags(self, spaces: int) -> bytes:
        """A byte per space, 1 for those in the set."""
        return f"{spaces:{self.format}}"[::-1].encode().translate(_FLAGS)

    def pick(self, actions: Actions, spaces: int) -> Actions:
        """Of a row of actions, one a space, those in the set."""
        return tuple(compress(actions, self.flags(spaces)))

    def placements(self, token: int, spaces: int) -> Actions:
        """Every placing of a token on one of the spaces."""
        listed: list[Action] = []
        for octet, chosen in zip(self.places[token], spaces.to_bytes(self.octets, "little"), strict=True):
            listed += octet[chosen]
        return tuple(listed)

    def shift_list(self, token: int, origins: int, spaces: int) -> Actions:
        """Every shift of a token from one of the origins to one of the spaces."""
        flags = self.flags(spaces)
        table = self.shifts[token]
        listed: list[Action] = []
        for origin in bits(origins):
            listed += compress(table[origin], flags)
        return tuple(listed)


@cache
def _octets_of(board: Board) -> tuple[tuple[tuple[Actions, ...], ...], ...]:
    """By token, by eight spaces: for every set of those eight the actions that place the token on them.

    An open board makes for the longest lists, so these are put together from eights instead of ones.
    """
    rows = [[Action("place", token=token, space=space) for space in board.spaces] for token in TOKENS]
    return tuple(
        tuple(
            tuple(
                tuple(action for n, action in enumerate(row[first : first + 8]) if chosen >> n & 1)
                for chosen in range(256)
            )
            for first in range(0, len(row), 8)
        )
        for row in rows
    )


@cache
def tables_of(board: Board, players: int) -> Tables:
    """The tables of a board for two or four players, built once."""
    return Tables(board, players)
