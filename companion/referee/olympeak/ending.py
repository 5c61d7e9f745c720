"""The end of the game: the tiles are turned up and read, and only then (O15)."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator

from companion.games.olympeak import rules
from companion.games.olympeak.events import Predictions
from companion.games.olympeak.names import contender_name
from companion.games.olympeak.position import GameState
from companion.games.olympeak.refusal import Refusal
from companion.messages import say
from companion.referee.verdict import Choice
from companion.sensing.olympeak.reading import OlympeakReading

SIDES = ("first", "second")


# A tile is what so many of its last looks say: once all are known the game is scored, and over.
_LAST_LOOKS = 4
_SURE_LOOKS = 3


class Tiles:
    """The tiles read so far. Kept in memory alone until all of them are turned up."""

    def __init__(self) -> None:
        self._read: dict[tuple[int, str], deque[str]] = {}
        self._said: dict[tuple[int, str], str] = {}

    def look(self, reading: OlympeakReading) -> None:
        """Reads the tiles in one settled reading; one that is covered keeps what was read before."""
        for each in reading.tiles:
            for side, tile in (("first", each.first), ("second", each.second)):
                if tile is not None:
                    self._read.setdefault((each.seat, side), deque(maxlen=_LAST_LOOKS)).append(tile)

    def forget(self) -> None:
        """Forgets what was read and said."""
        self._read.clear()
        self._said.clear()

    def say(self, seat: int, side: str, contender: str) -> None:
        """Somebody says what a tile shows that cannot be read."""
        self._said[seat, side] = contender

    def tile(self, seat: int, side: str) -> str | None:
        """What a tile shows: what is said, else what most looks read; None while it is not clear."""
        if (seat, side) in self._said:
            return self._said[seat, side]
        ranked = Counter(self._read.get((seat, side), ())).most_common(1)
        return ranked[0][0] if ranked and ranked[0][1] >= _SURE_LOOKS else None

    def missing(self, players: int) -> tuple[tuple[int, str], ...]:
        """The tiles not yet known: (seat, `first` or `second`)."""
        return tuple(
            (seat, side) for seat in range(players) for side in SIDES if self.tile(seat, side) is None
        )

    def predictions(self, state: GameState) -> Predictions | None:
        """All tiles, None while one is missing."""
        players = len(state.setup.players)
        if self.missing(players):
            return None
        first, second = (tuple(self._all(players, side)) for side in SIDES)
        return Predictions(first, second)

    def _all(self, players: int, side: str) -> Iterator[str]:
        for seat in range(players):
            tile = self.tile(seat, side)
            assert tile is not None
            yield tile


def wrong_tiles(state: GameState, event: Predictions) -> tuple[Refusal, ...]:
    """What is wrong with the tiles."""
    return tuple(rules.refusals(state, event))


def tile_choices(state: GameState, seat: int, side: str) -> tuple[Choice, ...]:
    """Answers to the question what a tile shows."""
    name = state.setup.players[seat].name
    return tuple(
        Choice(
            f"tile:{seat}:{side}:{contender}",
            say("olympeak.predicted", name=name, contender=contender_name(contender), side=side),
        )
        for contender in state.setup.racing
    )
