"""Games of OlymPeak in the journal: append-only record events, resumed after a kill, exported as a record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games.olympeak import records, rules
from companion.games.olympeak.cards import Card
from companion.games.olympeak.events import Event
from companion.games.olympeak.position import GameState, Phase, Setup
from companion.games.olympeak.record_reading import read_event, read_header, read_line
from companion.referee.corrections import Correction
from companion.referee.entry import Entry, as_kept, as_said
from companion.referee.journal_reader import OLYMPEAK, Fact, JournalReader
from companion.referee.olympeak.ledger import LENIENT, Unwritten, lines_of, states_of


@dataclass(frozen=True, slots=True)
class OlympeakGame:
    """A game as the journal holds it: from `start` by the `events` not taken back to `state`.

    `unwritten`: the open turn so far.
    """

    id: int
    start: GameState
    state: GameState
    events: tuple[Event, ...] = ()
    unwritten: Unwritten = field(default_factory=Unwritten)
    findings: tuple[str, ...] = ()
    corrections: tuple[Correction, ...] = ()
    abandoned: bool = False

    @property
    def is_open(self) -> bool:
        """Can the game go on?"""
        return not self.abandoned and self.state.phase is not Phase.OVER


class OlympeakEntry(Entry):
    """The ledger of a referee of OlymPeak."""

    def begin(self, setup: Setup) -> None:
        """The contender row was read: the game is opened."""
        names = [player.name for player in setup.players]
        self.game = self._journal.open_game(OLYMPEAK, names, _full_header(setup))

    def events(self, lines: Sequence[Sequence[str]]) -> None:
        """Events happened for certain."""
        self._append("events", [list(each) for each in lines])

    def progress(self, lines: Sequence[Sequence[str]], answers: Mapping[str, str]) -> None:
        """The open turn has got so far."""
        data = {"events": [list(each) for each in lines], "answers": dict(answers)}
        self._append("progress", data)

    def take_back(self, events: int) -> None:
        """Only the first `events` events stand."""
        self._append("keep", events)

    def finding(self, text: str, ruling: str) -> None:
        """Something odd was pointed out."""
        self._append("finding", as_kept(text, ruling))


def course(journal: JournalReader, number: int) -> Iterator[tuple[Fact | None, OlympeakGame]]:
    """The game fact by fact: how it stood after each, the beginning (no fact) first.

    Raises JournalError if there is no such game, and what damaged data raises.
    """
    start = read_header(read_line(journal.header(number, OLYMPEAK).start))
    game = OlympeakGame(number, start, start)
    states = [start]
    yield None, game
    for fact in journal.facts(number):
        game = _after(game, fact, states)
        yield fact, game


def current_state(game: OlympeakGame) -> GameState:
    """The state as announced: with the open turn as far as it had got."""
    return states_of(game.state, game.unwritten.path)[-1]


def load(journal: JournalReader, number: int) -> OlympeakGame:
    """A game with its events. Raises JournalError if it is not there, and what damaged data raises."""
    *_, (_, game) = course(journal, number)
    return game


def _after(game: OlympeakGame, fact: Fact, states: list[GameState]) -> OlympeakGame:
    """The game after a fact. `states`: before its first event and after each; they grow and shrink with it."""
    data = fact.data
    match fact.kind:
        case "events":
            events = list(game.events)
            for event, after in _replay(states[-1], data):
                events.append(event)
                states.append(after)
            return replace(game, state=states[-1], events=tuple(events), unwritten=Unwritten())
        case "progress":
            path = tuple(event for event, _ in _replay(states[-1], data["events"]))
            return replace(game, unwritten=Unwritten(path, tuple(data["answers"].items())))
        case "keep":
            if not 0 <= data < len(states):
                raise ValueError(f"{data} events kept where there are {len(states) - 1}")
            del states[data + 1 :]
            return replace(game, state=states[-1], events=game.events[:data], unwritten=Unwritten())
        case "finding":
            return replace(game, findings=(*game.findings, as_said(data)))
        case "correction":
            return replace(game, corrections=(*game.corrections, Correction.of_data(data)))
        case "abandon":
            return replace(game, abandoned=True)
        case "refusal":
            return game
        case _:
            raise ValueError(f"nobody knows what an entry of kind {fact.kind!r} is")


def record(journal: JournalReader, number: int) -> Iterator[str]:
    """The game as record lines (without line ends), the open turn as far as it was announced."""
    game = load(journal, number)
    yield records.header(game.start.setup)
    for lines in lines_of(game.start, (*game.events, *game.unwritten.path)):
        yield from lines


def _replay(state: GameState, lines: Sequence[Sequence[str]]) -> Iterator[tuple[Event, GameState]]:
    """The events that stand in these lines, and the state after each."""
    for first, *_ in lines:
        event = read_event(state, read_line(first))
        state = rules.apply(state, event, accept=LENIENT)
        yield event, state


def _full_header(setup: Setup) -> str:
    """A record's header with the whole box: a card that stays in the box (O1) may turn up all the same."""
    header = json.loads(records.header(setup))
    header["cards"] = {card.id: _card(card) for card in setup.deck}
    return json.dumps(header, ensure_ascii=False, separators=(",", ":"))


def _card(card: Card) -> dict[str, object]:
    entry: dict[str, object] = {
        "kind": card.kind.value,
        "value": card.value,
        "heads": card.heads,
        "signs": list(card.signs),
    }
    return {**entry, "star": True} if card.star else entry
