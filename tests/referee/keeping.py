"""Games of Above in a journal, for tests."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

from companion.games.above.position import Position
from companion.games.above.setup import initial_position
from companion.referee.game import AboveEntry, Game, load
from companion.referee.journal import Journal
from companion.referee.journal_reader import ABOVE, JournalReader
from tests.referee.tabletop import random_turn

NAMES = ("Ada", "Ben", "Chloe", "Dan")


_OPENED: list[Journal] = []


def journal_at(path: Path) -> Journal:
    """A journal in this file; it is closed after the test at the latest."""
    journal = Journal(path, lambda: 1_700_000_000.0)
    _OPENED.append(journal)
    return journal


def close_all() -> None:
    """Closes what a test has left open."""
    while _OPENED:
        _OPENED.pop().close()


def play_some(
    journal: Journal, turns: int, seed: int = 1, players: int = 2, names: tuple[str, ...] = NAMES
) -> tuple[AboveEntry, Position]:
    """A game of so many random turns, fewer if it is over before, and where it stands."""
    rng = random.Random(seed)
    position = initial_position(players, rng)
    entry = AboveEntry(journal)
    entry.begin(names[:players], position)
    for _ in range(turns):
        if position.is_over:
            break
        actions, position = random_turn(position, rng)
        entry.turn(actions)
    return entry, position


def newest_game(path: Path) -> Game:
    """The newest game of Above in the file."""
    with closing(JournalReader(path)) as journal:
        number = journal.newest(ABOVE)
        assert number is not None
        return load(journal, number)
