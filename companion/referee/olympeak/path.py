"""Paths: courses that a turn may have taken, and how well each accounts for the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.olympeak.events import Event, Play
from companion.games.olympeak.position import GameState, Phase, Placed
from companion.games.olympeak.refusal import Refusal
from companion.referee.olympeak.misfits import Misfit

# Paths whose costs differ by less than this fit alike.
RIVAL = 0.25


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known of the open turn beside the look: the path announced, and answers by order card.

    `hasty`: order cards whose answer was given while hands moved, and nothing was seen since: what lay there by then
    may have been meant. `lain`: by card, the column where it was last seen, or said, to lie.
    """

    path: tuple[Event, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    hasty: frozenset[str] = frozenset()
    lain: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Path:
    """Events of the turn and how they fit.

    `states`: before the first event and after each. `unsure`: cards taken to lie where nothing can be seen.
    `lifted`: seats whose card is in a hand. `left_lying`: seats that are to take their card back. `askew`:
    cards beside their place. `findings`: what is odd about a card, though the game goes on.
    """

    events: tuple[Event, ...]
    states: tuple[GameState, ...]
    cost: float
    misfits: tuple[Misfit, ...] = ()
    unsure: tuple[str, ...] = ()
    lifted: tuple[int, ...] = ()
    left_lying: tuple[int, ...] = ()
    askew: tuple[Placed, ...] = ()
    findings: tuple[Refusal, ...] = ()

    @property
    def state(self) -> GameState:
        """Where the path ends."""
        return self.states[-1]

    @property
    def is_over(self) -> bool:
        """Has everybody played or been prevented?"""
        return self.state.phase is Phase.TURN_END

    @property
    def rank(self) -> tuple[int, float, int]:
        """The best path has the least: contradictions first, then costs, then events."""
        return len(self.misfits), round(self.cost, 2), len(self.events)


@dataclass(frozen=True, slots=True)
class Explanation:
    """All paths worth judging, the best first."""

    paths: tuple[Path, ...]

    @property
    def best(self) -> Path:
        """The path that accounts for most with least."""
        return self.paths[0]

    @property
    def rivals(self) -> tuple[Path, ...]:
        """Ends of the turn that fit as well as the best and lead elsewhere: a question. With the best."""
        best = self.best
        if best.misfits or not best.is_over:
            return ()
        ends: dict[GameState, Path] = {}
        for path in self.paths:
            if path.is_over and not path.misfits and path.cost < best.cost + RIVAL:
                ends.setdefault(path.state, path)
        return tuple(ends.values()) if len(ends) > 1 else ()

    @property
    def untold(self) -> tuple[Play, tuple[str, ...]] | None:
        """A card laid and removed unseen: its play in the best path, and the contenders it may have lain under alike.

        The game goes on alike from either, and nothing that will be seen tells which it was. None where all is told.
        """
        best = self.best
        if best.misfits:
            return None
        alike = [
            path
            for path in self.paths
            if not path.misfits and path.cost < best.cost + RIVAL and path.state == best.state
        ]
        for play in best.events:
            if isinstance(play, Play):
                same = (each for path in alike for each in path.events if isinstance(each, Play))
                under = {each.to for each in same if (each.seat, each.card) == (play.seat, play.card)}
                if len(under) > 1:
                    return play, tuple(sorted(under))
        return None
