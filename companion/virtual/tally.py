"""What is counted while people play at a simulated table."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field

# A red light that outlasts the hands' leaving by this (seconds) without cause is a false alarm; before that
# it may still mean what has just been put back.
ALARM_S = 3.0
# So long (seconds) cards lie turned at most that it is not illegal to turn.
REOPENED_S = 12.0


@dataclass(slots=True)
class IllegalAct:
    """One act against the rules as it was truly done, from `began_at` to `done_at`, s of the people's clock.

    `places`: where something lies otherwise than it should, as the game's `Todo.space` has it; `things`: what does, by
    the names that people read. `caught`: the red light was seen. `unfelt`: nobody noticed, and neither switch nor
    picture can tell. `doubtful`: nor was this noticed, and switches tell it only if none of them is broken that is not
    known to be.
    """

    began_at: float
    done_at: float
    places: frozenset[str]
    things: frozenset[str]
    caught: bool = False
    unfelt: bool = False
    doubtful: bool = False


def _all_of_it(since: float, until: float) -> float:
    return until - since


@dataclass(slots=True)
class Tally:
    """What happened in a match. `stuck`: how often the lights left the players without a way on.

    `illegal_acts`: acts against the rules, in order. `reopened`: cards alone of somebody who had just recovered, turned
    once more: no accusation is due for it, but they are to be turned back. `looked_on`: in how many of the seconds from
    … to … the table could see what lies there; in all, where nobody says otherwise. `out_of_sight`: the spaces of which
    nothing that is fitted tells; none, where nobody says otherwise.
    """

    turns: int = 0
    illegal_acts: list[IllegalAct] = field(default_factory=list)
    false_alarms: int = 0
    reopened: list[IllegalAct] = field(default_factory=list)
    asked: int = 0
    stuck: int = 0
    reseated: int = 0
    habits: dict[str, int] = field(default_factory=dict)
    looked_on: Callable[[float, float], float] = _all_of_it
    out_of_sight: Callable[[], Set[str]] = frozenset

    @property
    def illegal_shown(self) -> int:
        """How many acts against the rules lay there and could be noticed by what is fitted."""
        return len(self.illegal_acts) - self.illegal_unfelt

    @property
    def illegal_caught(self) -> int:
        """For how many of them the red light was seen."""
        return sum(act.caught for act in self.illegal_acts)

    @property
    def illegal_unfelt(self) -> int:
        """How many there were besides that were not noticed and that nothing can tell."""
        return sum(act.unfelt for act in self.illegal_acts)

    def habit(self, name: str) -> None:
        """People have done one of the things they do, by name."""
        self.habits[name] = self.habits.get(name, 0) + 1


class AlarmWatch:
    """Counts the times that there is red light although nothing is wrong, long enough to be meant.

    A table that can see nothing of it cannot know: for as long, its time stands still, and runs on afterwards.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._quiet_since: float | None = None
        self._counted = False

    def step(self, now: float, quiet: bool, red: Callable[[], bool]) -> None:
        """At every tick. `quiet`: the hands have gone and nothing lies wrong; `red`: is there red light?"""
        if not quiet:
            self._quiet_since = None
        elif self._quiet_since is None:
            self._quiet_since = now
            self._counted = False
        elif not self._counted and self._lasted(self._quiet_since, now) and red():
            self._counted = True
            self._tally.false_alarms += 1

    def _lasted(self, since: float, now: float) -> bool:
        return now - since > ALARM_S and self._tally.looked_on(since, now) > ALARM_S

    def put_right(self) -> None:
        """What lay wrong has just been put back: the light may take its time."""
        self._quiet_since = None
