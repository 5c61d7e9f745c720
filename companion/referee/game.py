"""A game of Above in the journal: its facts, replayed by the rules, and its record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.above import records
from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply
from companion.referee.corrections import Correction
from companion.referee.entry import Entry, as_kept, as_said
from companion.referee.journal_reader import ABOVE, Fact, JournalReader
from companion.referee.turn import Turn


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the journal holds it. `turns`: those not taken back. `abandoned`: closed without a winner."""

    id: int
    players: tuple[str, ...]
    start: Position
    turns: tuple[Turn, ...] = ()
    corrections: tuple[Correction, ...] = ()
    abandoned: bool = False

    @property
    def position(self) -> Position:
        """The position after the last completed turn."""
        return self.turns[-1].after if self.turns else self.start

    @property
    def is_open(self) -> bool:
        """Can the game go on?"""
        return not self.abandoned and not self.position.is_over


class AboveEntry(Entry):
    """The ledger of a referee of Above."""

    def begin(self, names: Sequence[str], position: Position) -> None:
        """The set-up lies on the table: the game is opened."""
        self.game = self._journal.open_game(ABOVE, names, str(position))

    def turn(self, actions: Sequence[Action]) -> None:
        """A turn was completed."""
        self._append("turn", [str(action) for action in actions])

    def take_back(self, turns: int = 1) -> None:
        """The last turns, so many, were taken back."""
        self._append("take_back", turns)

    def ruling(self, text: str, rule: str, position: Position) -> None:
        """The players go on from `position`, although `text` was said of the table."""
        self._append("ruling", {**as_kept(text, rule), "position": str(position)})


def course(journal: JournalReader, number: int) -> Iterator[tuple[Fact | None, Game]]:
    """The game fact by fact: how it stood after each, the beginning (no fact) first.

    Raises JournalError if there is no such game, and what damaged data raises.
    """
    header = journal.header(number, ABOVE)
    game = Game(number, header.players, Position.parse(header.start))
    yield None, game
    for fact in journal.facts(number):
        game = _after(game, fact)
        yield fact, game


def load(journal: JournalReader, number: int) -> Game:
    """A game with its turns. Raises JournalError if it is not there, and what damaged data raises."""
    *_, (_, game) = course(journal, number)
    return game


def last_open(journal: JournalReader) -> Game | None:
    """The newest game of Above if it can go on, else None."""
    number = journal.newest(ABOVE)
    if number is None:
        return None
    game = load(journal, number)
    return game if game.is_open else None


def record(journal: JournalReader, number: int) -> Iterator[str]:
    """The game as record lines (JSON Lines, without line ends)."""
    game = load(journal, number)
    yield records.header(game.players, game.start)
    for turn in game.turns:
        if turn.ruling:
            yield records.ruling_line(turn.ruling, turn.after)
            continue
        position = turn.before
        for action in turn.actions:
            yield records.action_line(position, action)
            position = apply(position, action)
        yield records.position_line(position)
    if game.position.is_over:
        yield records.winner_line(game.position)


def _after(game: Game, fact: Fact) -> Game:
    turns, corrections, abandoned = game.turns, game.corrections, game.abandoned
    match fact.kind:
        case "turn":
            actions = tuple(Action.parse(action) for action in fact.data)
            after = game.position
            for action in actions:
                after = apply(after, action)
            turns = (*turns, Turn(game.position, actions, after))
        case "ruling":
            after = Position.parse(fact.data["position"])
            turns = (
                *turns,
                Turn(game.position, (), after, as_said(fact.data), str(fact.data.get("rule", ""))),
            )
        case "take_back":
            # Version 1 took back one turn at a time and did not count.
            count = 1 if fact.data is None else int(fact.data)
            if not 1 <= count <= len(turns):
                raise ValueError(f"{count} turns taken back where there are {len(turns)}")
            turns = turns[:-count]
        case "correction":
            corrections = (*corrections, Correction.of_data(fact.data))
        case "abandon":
            abandoned = True
        case "refusal":
            pass
        case _:
            raise ValueError(f"nobody knows what an entry of kind {fact.kind!r} is")
    return Game(game.id, game.players, game.start, turns, corrections, abandoned)
