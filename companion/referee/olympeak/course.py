"""The course of a game of OlymPeak: how far it has certainly got, and how far the open turn as announced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.olympeak import rules
from companion.games.olympeak.events import EndTurn, Event
from companion.games.olympeak.position import GameState, Phase, Setup, begin
from companion.referee.olympeak.ledger import (
    LENIENT,
    Ledger,
    Unit,
    Unwritten,
    lines_of,
    states_of,
    units_of,
)


class Course:
    """Everything here is written to the ledger first; what cannot be written has not happened.

    `state`: what the game has certainly reached, None before the set-up was read. `turns`: what can be taken
    back, the newest last. `announced`: the events of the open turn that were announced; until a turn is over,
    everything after its reveal is a hypothesis. `answers`: what people said in it, by order card.
    """

    def __init__(
        self,
        ledger: Ledger,
        start: GameState | None = None,
        events: Sequence[Event] = (),
        unwritten: Unwritten | None = None,
    ) -> None:
        self._ledger = ledger
        self.turns: list[Unit] = list(units_of(start, events)) if start is not None else []
        self.state: GameState | None = self.turns[-1].after if self.turns else start
        self.announced: tuple[Event, ...] = ()
        self.answers: dict[str, str] = {}
        unwritten = unwritten or Unwritten()
        if self.turns and self.turns[-1].is_open:
            last = self.turns[-1]
            played = last.events[1:]
            self.turns[-1] = units_of(last.before, last.events[:1])[0]
            self.state = self.turns[-1].after
            unwritten = replace(unwritten, path=(*played, *unwritten.path))
        if self.state is not None and self.state.phase is Phase.PLAY:
            self.announced, self.answers = unwritten.path, dict(unwritten.answers)

    @property
    def current(self) -> GameState | None:
        """The state as announced: with the open turn as far as it has got."""
        if self.state is None or not self.announced:
            return self.state
        return states_of(self.state, self.announced)[-1]

    @property
    def events(self) -> tuple[Event, ...]:
        """All events the game has certainly had, in order."""
        return tuple(event for unit in self.turns for event in unit.events)

    @property
    def leader(self) -> int:
        """The seat that led the last turn; seat 0 before there was any."""
        return self.turns[-1].seat if self.turns else 0

    def begin(self, setup: Setup) -> GameState:
        """The game starts from this set-up."""
        self._ledger.begin(setup)
        self.state = begin(setup)
        return self.state

    def write(self, event: Event) -> GameState:
        """An event that is taken back by itself, or begins what is."""
        before = self._reached()
        after = rules.apply(before, event, accept=LENIENT)
        self._ledger.events(lines_of(before, (event,)))
        self.turns.append(Unit(before, (event,), after))
        self._reach(after)
        return after

    def announce(self, events: tuple[Event, ...]) -> None:
        """The open turn has got so far."""
        self._ledger.progress(lines_of(self._reached(), events), self.answers)
        self.announced = events

    def answer(self, order: str, key: str) -> None:
        """What was said to the open order card."""
        answers = {**self.answers, order: key}
        self._ledger.progress(lines_of(self._reached(), self.announced), answers)
        self.answers = answers

    def end_turn(self, played: tuple[Event, ...], last: GameState) -> GameState:
        """The open turn is over: `played` since its reveal, leading to `last`."""
        state, unit = self._reached(), self.turns[-1]
        end = rules.apply(last, EndTurn())
        events = (*played, EndTurn())
        self._ledger.events(lines_of(state, events))
        self.turns[-1] = Unit(unit.before, (*unit.events, *events), end)
        self._reach(end)
        return end

    def take_back(self) -> Unit:
        """Takes back the last of `turns`, of which there must be one; gives it as it was announced."""
        unit, shown = self.turns[-1], self.current
        self._ledger.take_back(len(self.events) - len(unit.events))
        self.turns.pop()
        self.state = unit.before
        self.announced, self.answers = (), {}
        return replace(unit, after=shown) if unit.is_open and shown is not None else unit

    def _reached(self) -> GameState:
        if self.state is None:
            raise ValueError("nothing happens in a game before its set-up was read")
        return self.state

    def _reach(self, state: GameState) -> None:
        self.state = state
        if state.phase is not Phase.PLAY:
            self.announced, self.answers = (), {}
