"""Earlier: by the switches alone, the turns that have accounted for what lay there before the next one was begun.

It is asked which of them was played, so all of them are kept, or none: an answer is narrowed down to what is left.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.games.above.position import Position
from companion.referee.evidence import Evidence
from companion.referee.explain import can_follow, explain
from companion.referee.hypothesis import Hypothesis, alike

# Athena's player may exhaust two of eight cards, or fewer. Of more turns than this people tell from the beginning.
MOST_TURNS = 64
# Where a miniature may have come to stand on one of several switches that are dead, there are as many for each.
MOST_UNFELT = 160
# So many next turns are looked for in one look.
MOST_BEGUN = 8


@dataclass(frozen=True, slots=True)
class _End:
    """A turn that accounted for what lay there at `at` (seconds), but for tokens (type, space) that still lay there and
    spaces whose switch has not told the truth."""

    turn: Hypothesis
    at: float
    left: frozenset[tuple[int, int]]
    unfelt: frozenset[int]


class Earlier:
    """The turns of one open turn."""

    def __init__(self) -> None:
        self._ends: dict[Position, _End] = {}
        self._doubtful: dict[Position, _End] = {}
        # What was felt last that was the next turn after each of them, or part of it.
        self._gone_on: dict[Position, Evidence] = {}
        self.are_too_many = False

    def forget(self) -> None:
        """Another turn."""
        self._ends.clear()
        self._doubtful.clear()
        self._gone_on.clear()
        self.are_too_many = False

    def remember(self, ends: Sequence[Hypothesis], now: float) -> None:
        """These account for what lies there at `now` (seconds), if no more than tokens are still to be taken off."""
        if not (self.are_too_many or len(ends) > MOST_TURNS):
            self._ends.update((end.after, _end(end, now)) for end in ends)
        if self.are_too_many or len(ends) > MOST_TURNS or len(self._ends) > MOST_TURNS:
            self.are_too_many = True
            self._ends.clear()

    def suspect(self, ends: Sequence[Hypothesis], now: float, deaf: frozenset[int] = frozenset()) -> None:
        """These would, if a miniature that no switch feels stands where it may go, or if the switches of the spaces in
        `deaf` are broken."""
        self._doubtful.update((end.after, _end(end, now, deaf)) for end in ends)
        if len(self._doubtful) > MOST_UNFELT:
            self.are_too_many = True
            self._doubtful.clear()

    def over_at(self, turn: Hypothesis) -> float:
        """When a turn was last seen to lie there whole: what has changed since belongs to the next one."""
        end = self._of(turn)
        return math.inf if end is None else end.at

    def left_lying(self, turn: Hypothesis) -> frozenset[tuple[int, int]]:
        """The tokens, (type, space), that a turn has taken off by the rules and that lay there still when it was over."""
        end = self._of(turn)
        return frozenset() if end is None else end.left

    def overtaken(self, evidence: Evidence, but: Iterable[Hypothesis] = ()) -> tuple[Hypothesis, ...]:
        """Those after which what lies there is the next turn, or part of it; all of them where that cannot be told.

        `but`: those that account for all of it as they are. After one that a whole turn has followed the one after that
        may have been begun by now.
        """
        whole = {end.after for end in but}
        ends = [end for after, end in self._ends.items() if after not in whole]
        going_on = _followed(ends, evidence)
        self._gone_on.update((turn.after, evidence) for turn in going_on)
        known = {turn.after for turn in going_on}
        others = [end for end in ends if end.turn.after not in known and self._next_is_over(end, evidence)]
        return (*going_on, *(end.turn for end in others))

    def next_of(self, turn: Hypothesis) -> tuple[tuple[Hypothesis, ...], float]:
        """The whole turns that lay there when last one did that follows this one, and when that was (seconds)."""
        end, felt = self._of(turn), self._gone_on.get(turn.after)
        if end is None or felt is None:
            return (), 0.0
        following = explain(turn.after, _looked(end, felt), thorough=False).finished
        return alike(following), felt.reading.exposed_at

    def _next_is_over(self, end: _End, evidence: Evidence) -> bool:
        """Has a whole turn followed this one, and is what lies there by now the one after that?"""
        following, _ = self.next_of(end.turn)
        looked = _looked(end, evidence)
        return any(can_follow(turn.after, looked) for turn in following[:MOST_BEGUN])

    def doubtfully_overtaken(self, evidence: Evidence) -> tuple[Hypothesis, ...]:
        """The same of those for which a miniature must stand on a switch that does not feel it."""
        return _followed([*self._doubtful.values()], evidence)

    def _of(self, turn: Hypothesis) -> _End | None:
        return self._ends.get(turn.after) or self._doubtful.get(turn.after)


def _end(turn: Hypothesis, now: float, deaf: frozenset[int] = frozenset()) -> _End:
    # A token that still lies where it should be taken off is felt as a magnet too many.
    felt = {item[1] for item in turn.pending if item[0] == "reed"}
    return _End(
        turn,
        now,
        frozenset(
            (item[1], item[2])
            for item, states in turn.trajectory.items()
            if item[0] == "token" and not states[-1] and (item[2] in felt or item in turn.pending)
        ),
        deaf.union(turn.trajectory[item][-1] for item in turn.pending if item[0] == "mini"),
    )


def _followed(ends: Sequence[_End], evidence: Evidence) -> tuple[Hypothesis, ...]:
    alike: dict[object, list[_End]] = {}
    for end in ends:
        # Where pieces stand alike, and the next player holds the same cards, the same may follow.
        after = end.turn.after
        alike.setdefault((after.minis, after.laid, after.powered(after.turn)), []).append(end)
    if len(alike) > MOST_BEGUN:
        return tuple(end.turn for end in ends)
    return tuple(end.turn for group in alike.values() if _goes_on(group[0], evidence) for end in group)


def _goes_on(end: _End, evidence: Evidence) -> bool:
    return can_follow(end.turn.after, _looked(end, evidence))


def _looked(end: _End, evidence: Evidence) -> Evidence:
    """The evidence without what the turn has left lying, and where its switches have not told the truth."""
    looked = evidence.without(evidence.owed | end.left)
    for space in end.unfelt:
        looked = looked.without_switch(space)
    return looked
