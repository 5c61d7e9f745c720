"""Games of OlymPeak in the journal: append-only record events, resumed after a kill, exported as a record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.games.olympeak import records, rules
from companion.games.olympeak.cards import Card
from companion.games.olympeak.events import Event
from companion.games.olympeak.position import GameState, Phase, Setup
from companion.games.olympeak.record_reading import read_event, read_header, read_line
from companion.referee.entry import Entry
from companion.referee.journal import OLYMPEAK, Journal
from companion.referee.olympeak.ledger import LENIENT, Unwritten, lines_of, states_of


@dataclass(frozen=True, slots=True)
class OlympeakGame:
    """A game as the journal holds it. `events`: those not taken back. `unwritten`: the open turn so far."""

    id: int
    start: GameState
    events: tuple[Event, ...]
    unwritten: Unwritten
    findings: tuple[str, ...]
    abandoned: bool

    @property
    def state(self) -> GameState:
        """The state after the last event."""
        return states_of(self.start, self.events)[-1]

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
        self._journal.append(self._begun(), "events", [list(each) for each in lines])

    def progress(self, lines: Sequence[Sequence[str]], answers: Mapping[str, str]) -> None:
        """The open turn has got so far."""
        data = {"events": [list(each) for each in lines], "answers": dict(answers)}
        self._journal.append(self._begun(), "progress", data)

    def take_back(self, events: int) -> None:
        """Only the first `events` events stand."""
        self._journal.append(self._begun(), "keep", events)

    def finding(self, text: str, ruling: str) -> None:
        """Something odd was pointed out."""
        self._journal.append(self._begun(), "finding", {"text": text, "rule": ruling})


def last_open(journal: Journal) -> OlympeakGame | None:
    """The newest game of OlymPeak if it can go on, else None."""
    number = journal.newest(OLYMPEAK)
    if number is None:
        return None
    game = load(journal, number)
    return game if game.is_open else None


def load(journal: Journal, number: int) -> OlympeakGame:
    """A game with its events, replayed by the rules. Raises JournalError if it is not there."""
    _, header = journal.start_of(number, OLYMPEAK)
    start = read_header(read_line(header))
    states, events = [start], list[Event]()
    unwritten, findings, abandoned = Unwritten(), list[str](), False
    for kind, data in journal.entries(number):
        match kind:
            case "events":
                unwritten = Unwritten()
                for event, after in _replay(states[-1], data):
                    events.append(event)
                    states.append(after)
            case "progress":
                path = tuple(event for event, _ in _replay(states[-1], data["events"]))
                unwritten = Unwritten(path, tuple(data["answers"].items()))
            case "keep":
                unwritten = Unwritten()
                del events[data:]
                del states[data + 1 :]
            case "finding":
                findings.append(data["text"])
            case "abandon":
                abandoned = True
    return OlympeakGame(number, start, tuple(events), unwritten, tuple(findings), abandoned)


def record(journal: Journal, number: int) -> Iterator[str]:
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
