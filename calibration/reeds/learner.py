"""Learns which switch lies under which space, from what the matrix says while one magnet rests on known spaces.

Pure: takes in one look after the other, and can be asked at any time what is known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from calibration.reeds.pattern import Pattern, pattern_of

# So many looks at a space whose one switch closes every time are enough; and so many at one where it is not so plain.
PLAIN_LOOKS, DOUBTFUL_LOOKS = 3, 7
# A switch that opens so often while the magnet rests, or closes in a smaller share of looks, is weak.
MOST_FLICKS = 1
LEAST_SHARE = 0.75
# One that closes in so small a share of the looks at a space has nothing to do with it.
HARDLY = 0.15
# Closed wherever the magnet is, over so many spaces: stuck.
STUCK_SPACES = 3
STUCK_SHARE = 0.95


@dataclass(frozen=True, slots=True)
class Learnt:
    """What is known. `switches`: number by space, also of a bad one where its place follows from the others.

    `stuck` may hold numbers of which nobody knows the space (`lost`). `doubled`: (space, other): a magnet on the space
    closes the other's switch, too. `open`: spaces on which no magnet has rested yet.
    """

    switches: Mapping[str, int]
    dead: tuple[str, ...]
    stuck: tuple[str, ...]
    weak: tuple[str, ...]
    doubled: tuple[tuple[str, str], ...]
    lost: tuple[int, ...]
    open: tuple[str, ...]
    pattern: Pattern


@dataclass(slots=True)
class _Space:
    looks: int = 0
    closed: Counter[int] = field(default_factory=Counter)
    flicks: Counter[int] = field(default_factory=Counter)


class Learner:
    """`spaces`: those to be learnt. `known`: switches of other spaces, as they were learnt before."""

    def __init__(self, spaces: Collection[str], known: Mapping[str, int] | None = None) -> None:
        self.spaces = tuple(spaces)
        self._known = dict(known or {})
        self._seen: dict[str, _Space] = defaultdict(_Space)
        self._empty_looks = 0
        self._empty: Counter[int] = Counter()
        self._known_stuck: frozenset[int] | None = None

    def empty(self, closed: Collection[int]) -> None:
        """A look at a board without any magnet."""
        self._empty_looks += 1
        self._known_stuck = None
        self._empty.update(closed)

    def rest(self, space: str, closed: Collection[int], opened: Collection[int] = ()) -> None:
        """A look while the only magnet rests on a space; `opened`: switches that opened since the look before."""
        seen = self._seen[space]
        seen.looks += 1
        self._known_stuck = None
        seen.closed.update(closed)
        seen.flicks.update(opened)

    def forget(self, space: str) -> None:
        """What was seen at a space is not to be believed."""
        self._seen.pop(space, None)
        self._known_stuck = None

    @property
    def conflicts(self) -> tuple[str, ...]:
        """Spaces at which nothing closes but what closes alone at another one, too: somebody was late with the piece."""
        stuck = self._stuck()
        alone = {
            space: next(iter(closing))
            for space in self.spaces
            if self._seen[space].looks and len(closing := self._closing(space, stuck)) == 1
        }
        times = Counter(alone.values())
        return tuple(space for space, number in alone.items() if times[number] > 1)

    def done(self, space: str) -> bool:
        """Is enough known of a space?"""
        seen = self._seen.get(space)
        if seen is None:
            return False
        if seen.looks >= DOUBTFUL_LOOKS:
            return True
        closing = [number for number in seen.closed if number not in self._stuck()]
        plain = len(closing) == 1 and seen.closed[closing[0]] == seen.looks and not seen.flicks[closing[0]]
        return plain and seen.looks >= PLAIN_LOOKS

    @property
    def left(self) -> tuple[str, ...]:
        """The spaces of which too little is known."""
        return tuple(space for space in self.spaces if not self.done(space))

    @property
    def deaf(self) -> bool:
        """Has no switch ever closed although the magnet has rested on many spaces?"""
        visited = [seen for seen in self._seen.values() if seen.looks >= PLAIN_LOOKS]
        return len(visited) >= 8 and not any(set(seen.closed) - self._stuck() for seen in visited)

    def learnt(self) -> Learnt:
        """What follows from all looks."""
        stuck = self._stuck()
        closing = {space: self._closing(space, stuck) for space in self.spaces}
        switches = _assigned({space: shares for space, shares in closing.items() if shares})
        visited = {space for space in self.spaces if self._seen[space].looks}
        pattern = pattern_of({**self._known, **switches})
        dead, stuck_spaces, lost = [], [], set(stuck)
        for space in self.spaces:
            if space in switches or space not in visited:
                continue
            number = pattern.number(space)
            if number in stuck:
                stuck_spaces.append(space)
                lost.discard(number)
            else:
                dead.append(space)
            taken = {*switches.values(), *self._known.values()}
            if number is not None and number not in taken:
                switches[space] = number
        found = set(switches) - set(dead) - set(stuck_spaces)
        home = {number: space for space, number in {**self._known, **switches}.items()}
        return Learnt(
            {space: switches[space] for space in self.spaces if space in switches},
            tuple(dead),
            tuple(stuck_spaces),
            tuple(space for space in self.spaces if space in found and self._weak(space, switches[space])),
            tuple(
                (space, home[number])
                for space in self.spaces
                for number, share in sorted(closing[space].items())
                if number in home and home[number] != space and share >= 0.5 and home[number] in found
            ),
            tuple(sorted(lost)),
            tuple(space for space in self.spaces if space not in visited),
            pattern,
        )

    def _stuck(self) -> frozenset[int]:
        """Switches that are closed wherever the magnet is, and without one."""
        if self._known_stuck is None:
            self._known_stuck = self._find_stuck()
        return self._known_stuck

    def _find_stuck(self) -> frozenset[int]:
        spaces = [seen for seen in self._seen.values() if seen.looks]
        if self._empty_looks:
            closed = {n for n, times in self._empty.items() if times >= STUCK_SHARE * self._empty_looks}
        elif len(spaces) >= STUCK_SPACES:
            closed = set(spaces[0].closed)
        else:
            return frozenset()
        return frozenset(
            number
            for number in closed
            if all(seen.closed[number] >= STUCK_SHARE * seen.looks for seen in spaces)
        )

    def _closing(self, space: str, stuck: frozenset[int]) -> dict[int, float]:
        """The switches that close when the magnet is on a space, with the share of looks in which they do."""
        seen = self._seen[space]
        return {
            number: count / seen.looks
            for number, count in seen.closed.items()
            if number not in stuck and count / seen.looks > HARDLY
        }

    def _weak(self, space: str, number: int) -> bool:
        seen = self._seen[space]
        return seen.flicks[number] > MOST_FLICKS or seen.closed[number] < LEAST_SHARE * seen.looks


def _assigned(closing: Mapping[str, Mapping[int, float]]) -> dict[str, int]:
    """Each space its own switch: first where only one is left, then the one that closes most surely."""
    left = {space: dict(shares) for space, shares in closing.items()}
    found: dict[str, int] = {}
    while left:
        space = min(left, key=lambda each: (len(left[each]), -max(left[each].values(), default=0.0)))
        shares = left.pop(space)
        if not shares:
            continue
        number = max(shares, key=lambda each: (shares[each], -each))
        found[space] = number
        for other in left.values():
            other.pop(number, None)
    return found
