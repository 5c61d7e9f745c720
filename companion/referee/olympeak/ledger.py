"""What the referee of OlymPeak writes down, and the pieces of a game that can be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from companion.games.olympeak import records, rules
from companion.games.olympeak.events import Event
from companion.games.olympeak.position import GameState, Phase, Setup
from companion.games.olympeak.refusal import FINDINGS, Reason
from companion.referee.corrections import Correction
from companion.referee.olympeak.wording import unit_text

# What a game goes on after, once it was pointed out and, for tiles and rulings of their own, the players said so.
LENIENT: frozenset[Reason] = FINDINGS | {Reason.SAME_TILE, Reason.SHARED_SECOND, Reason.RULING}


class Ledger(Protocol):
    """Where a game is written down before anything about it is announced.

    Events come as their record lines, one list an event. `progress`: the open turn as far as it is announced,
    and the answers people gave, by order card; the newest one counts. `take_back`: only the first `events`
    events of the game stand.
    """

    def begin(self, setup: Setup) -> None: ...

    def events(self, lines: Sequence[Sequence[str]]) -> None: ...

    def progress(self, lines: Sequence[Sequence[str]], answers: Mapping[str, str]) -> None: ...

    def take_back(self, events: int) -> None: ...

    def refusal(self, text: str, rule: str) -> None: ...

    def finding(self, text: str, rule: str) -> None: ...

    def correction(self, correction: Correction) -> None: ...


@dataclass(frozen=True)
class Unit:
    """What is taken back at once: a turn from its reveal on, the end of a round, or the tiles."""

    # Without slots: what follows from the events is worked out once. The page is told of all turns at each news.

    before: GameState
    events: tuple[Event, ...]
    after: GameState

    @property
    def is_open(self) -> bool:
        """Is it a turn that still goes on?"""
        return self.after.phase in (Phase.PLAY, Phase.CHOICE, Phase.TURN_END)

    @cached_property
    def seat(self) -> int:
        """Who led the turn; seat 0 where nobody did."""
        order = next((each.order for each in self.states if each.order), ())
        return order[0] if order else 0

    @cached_property
    def states(self) -> tuple[GameState, ...]:
        """The states before, between and after the events."""
        return states_of(self.before, self.events)

    @cached_property
    def text(self) -> str:
        """What happened, in a line; empty where there is nothing to tell."""
        return unit_text(self.states, self.events)


@dataclass(frozen=True, slots=True)
class Unwritten:
    """What a resumed game brings along: the open turn as it was announced, and the answers given in it."""

    path: tuple[Event, ...] = ()
    answers: tuple[tuple[str, str], ...] = ()


def states_of(before: GameState, events: Sequence[Event]) -> tuple[GameState, ...]:
    """The states before the first event and after each."""
    states = [before]
    for event in events:
        states.append(rules.apply(states[-1], event, accept=LENIENT))
    return tuple(states)


def lines_of(before: GameState, events: Sequence[Event]) -> list[list[str]]:
    """The record lines of each event."""
    states = states_of(before, events)
    return [
        records.lines(state, event, after)
        for state, event, after in zip(states, events, states[1:], strict=False)
    ]


def units_of(start: GameState, events: Sequence[Event]) -> tuple[Unit, ...]:
    """A game's events cut into what is taken back at once."""
    units: list[Unit] = []
    state = start
    for event in events:
        after = rules.apply(state, event, accept=LENIENT)
        if units and units[-1].is_open:
            last = units.pop()
            units.append(Unit(last.before, (*last.events, event), after))
        else:
            units.append(Unit(state, (event,), after))
        state = after
    return tuple(units)
