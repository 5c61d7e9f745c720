"""The course of a game of OlymPeak: how far it has certainly got, and how far the open turn as announced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from companion.games.olympeak import rules
from companion.games.olympeak.events import EndTurn, Event, Reveal, Ruling
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

# The phases of a turn in which people play; a ruling may leave one with an order card open.
IN_TURN = (Phase.PLAY, Phase.CHOICE)


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
        # A game may begin from a table that was laid out: that is its beginning, and is not taken back.
        self.laid_out: tuple[Event, ...] = tuple(takewhile(lambda event: isinstance(event, Ruling), events))
        if start is not None and self.laid_out:
            start = states_of(start, self.laid_out)[-1]
        events = events[len(self.laid_out) :]
        self.turns: list[Unit] = list(units_of(start, events)) if start is not None else []
        self.state: GameState | None = self.turns[-1].after if self.turns else start
        self.announced: tuple[Event, ...] = ()
        self.answers: dict[str, str] = {}
        unwritten = unwritten or Unwritten()
        if self.turns and self.turns[-1].is_open:
            last = self.turns[-1]
            # The reveal is certain, and so is what the house has ruled; what was played since is a hypothesis.
            certain = max(n for n, event in enumerate(last.events, 1) if isinstance(event, Reveal | Ruling))
            played = last.events[certain:]
            self.turns[-1] = units_of(last.before, last.events[:certain])[0]
            self.state = self.turns[-1].after
            unwritten = replace(unwritten, path=(*played, *unwritten.path))
        if self.state is not None and self.state.phase in IN_TURN:
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
        return (*self.laid_out, *(event for unit in self.turns for event in unit.events))

    @property
    def leader(self) -> int:
        """The seat that led the last turn; seat 0 before there was any."""
        return self.turns[-1].seat if self.turns else 0

    def begin(self, setup: Setup, laid_out: Ruling | None = None) -> GameState:
        """The game starts from this set-up, or from the table laid out in it."""
        self._ledger.begin(setup)
        self.state = begin(setup)
        if laid_out is not None:
            self._ledger.events(lines_of(self.state, (laid_out,)))
            self.laid_out = (laid_out,)
            self.state = states_of(self.state, self.laid_out)[-1]
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

    def rule(self, ruling: Ruling) -> GameState:
        """The house rules: in an open turn, after what was announced of it."""
        before = self._reached()
        events, after = self.ruled(ruling)
        self._ledger.events(lines_of(before, events))
        if self.turns and self.turns[-1].is_open:
            last = self.turns[-1]
            self.turns[-1] = Unit(last.before, (*last.events, *events), after)
        else:
            self.turns.append(Unit(before, events, after))
        self.announced, self.answers = (), {}
        self._reach(after)
        return after

    def ruled(self, ruling: Ruling) -> tuple[tuple[Event, ...], GameState]:
        """What happens if the house rules so, with what was announced before, and where the game then stands."""
        events: tuple[Event, ...] = (*self.announced, ruling)
        after = states_of(self._reached(), events)[-1]
        if after.phase is Phase.TURN_END:
            return (*events, EndTurn()), rules.apply(after, EndTurn())
        return events, after

    def take_back(self, turns: int = 1) -> Unit:
        """Takes back the last of `turns`, so many, of which there must be as many.

        Gives all that was undone as one, and as it was announced.
        """
        first, last, shown = self.turns[-turns], self.turns[-1], self.current
        count = sum(len(unit.events) for unit in self.turns[-turns:])
        self._ledger.take_back(len(self.events) - count)
        del self.turns[-turns:]
        self.state = first.before
        self.announced, self.answers = (), {}
        after = shown if last.is_open and shown is not None else last.after
        return Unit(first.before, last.events, after)

    def restore(self, units: Sequence[Unit]) -> GameState:
        """What was taken back happened after all: `units` follow from where the game stands."""
        for unit in units:
            self._ledger.events(lines_of(unit.before, unit.events))
            self.turns.append(unit)
            self._reach(unit.after)
        return self._reached()

    def rewrite(self, turns: int, events: Sequence[Event]) -> GameState:
        """The last of `turns`, so many, were read wrongly: these `events` are what happened instead.

        Raises IllegalEvent, before anything is written, where the rules do not lead there.
        """
        before = self.turns[-turns].before
        units = units_of(before, events)
        count = sum(len(unit.events) for unit in self.turns[-turns:])
        self._ledger.take_back(len(self.events) - count)
        del self.turns[-turns:]
        self.state = before
        self._ledger.events(lines_of(before, events))
        self.turns += units
        self.announced, self.answers = (), {}
        self._reach(units[-1].after)
        return units[-1].after

    def _reached(self) -> GameState:
        if self.state is None:
            raise ValueError("nothing happens in a game before its set-up was read")
        return self.state

    def _reach(self, state: GameState) -> None:
        self.state = state
        if state.phase not in IN_TURN:
            self.announced, self.answers = (), {}
