"""Votes: what each print on the table has been read as, look after look.

A print that lies still cannot turn into another one, so a single look that reads it otherwise is a misreading. A
print somewhere new is what its first look says it is. One that lies almost where another lay is the same piece, brushed
in passing, or has taken its place: read otherwise, it is unclear at first.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

# So many looks are remembered.
_MOST = 6
# The same print in the same place: so near (pixels), and turned by so little.
_NEAR = 2.0
_TURN_DEG = 3.0
# A piece that was brushed lies so near to where it lay (pixels), turned any way: nearer than two could lie side by side.
_BRUSHED = 8.0

# Where a print is in the picture: x, y, and its direction in degrees.
Spot = tuple[float, float, float]


@dataclass(slots=True)
class _Print:
    spot: Spot
    votes: dict[Hashable, int] = field(default_factory=dict)
    # What the newest look said, and before how many looks that may not differ; before none once hands were there.
    newest: Hashable | None = None
    few: int = 0
    # What it was read as, and what it was read as and went by, since hands were there.
    reads: set[Hashable] = field(default_factory=set)
    names: set[Hashable] = field(default_factory=set)

    def add(self, name: Hashable) -> None:
        self.newest = name
        self.reads.add(name)
        for other in [other for other in self.votes if other != name]:
            if sum(self.votes.values()) >= _MOST:
                self.votes[other] -= 1
                if not self.votes[other]:
                    del self.votes[other]
        self.votes[name] = min(self.votes.get(name, 0) + 1, _MOST)

    def touched(self) -> None:
        """Another one may lie there from now on."""
        self.few = 0
        self.reads.clear()
        self.names.clear()

    @property
    def name(self) -> Hashable | None:
        """What more than half of the looks say; None while none is said so often, or at first and not by the newest."""
        name, looks = max(self.votes, key=lambda name: self.votes[name]), sum(self.votes.values())
        if looks < self.few and name != self.newest:
            return None
        return name if 2 * self.votes[name] > looks else None


class Votes:
    """The prints of one kind of thing. Call `stirred` when hands were there, `count` with every settled look.

    `kept`: so many looks from before hands were there still count. With 2 they outvote the next one; with 1 a print
    that is read otherwise then is unclear for a look, as it has to be where another one may lie just so.
    `brushed`: of a print that was pushed a little, one look from before counts, wherever hands were.
    `few`: two looks may misread a print somewhere new alike: before so many looks it is unclear if the newest differs.
    """

    def __init__(self, kept: int = 2, *, brushed: bool = False, few: int = 0) -> None:
        self._kept = kept
        self._few = few
        self._brushed = brushed
        self._prints: dict[tuple[int, int], list[_Print]] = {}
        # The prints of the newest look, in its order; None for one without a spot.
        self._newest: list[_Print | None] = []

    @property
    def went_by(self) -> list[frozenset[Hashable]]:
        """By print of the newest look: every name it went by since hands were there, so all of one thing."""
        return [frozenset() if each is None else frozenset(each.names) for each in self._newest]

    @property
    def reads(self) -> list[frozenset[Hashable]]:
        """By print of the newest look: every name it was read as since hands were there, misread or not."""
        return [frozenset() if each is None else frozenset(each.reads) for each in self._newest]

    def stirred(self) -> None:
        """What lay there may have been exchanged."""
        for prints in self._prints.values():
            for each in prints:
                # A single look that misread it just before hands came must not count as much as all that did not.
                left = each.votes if each.name is None else {each.name: each.votes[each.name]}
                each.votes = {name: min(count, self._kept) for name, count in left.items()}
                each.touched()

    def forget(self) -> None:
        """Nothing seen before counts any more."""
        self._prints.clear()

    def count(self, seen: Sequence[tuple[Spot | None, Hashable]]) -> list[Hashable | None]:
        """What each print seen in this look really is: as most looks have it; None while that is not clear.

        One without a spot is what it was read as. Prints that are not seen now are forgotten.
        """
        before, self._prints = self._prints, {}
        followed: set[int] = set()
        known: list[_Print | None] = []
        for spot, name in seen:
            # Where two lie in one place, one upon the other, each goes on as what it was.
            near = [] if spot is None else [each for each in _near(before, spot) if id(each) not in followed]
            found = next((each for each in near if each.name == name), near[0] if near else None)
            if found is not None:
                followed.add(id(found))
            known.append(found)
        names: list[Hashable | None] = []
        self._newest = []
        for (spot, name), found in zip(seen, known, strict=True):
            if spot is None:
                names.append(name)
                self._newest.append(None)
                continue
            # What lies where it lay is followed first: only what is left over can have been brushed.
            follows = found or self._was_brushed(before, spot, followed) or _Print(spot, few=self._few)
            follows.spot = spot
            follows.add(name)
            self._prints.setdefault(_cell(spot), []).append(follows)
            told = follows.name
            if told is not None and told == name:
                follows.names.add(told)
            names.append(told)
            self._newest.append(follows)
        return names

    def _was_brushed(
        self, before: Mapping[tuple[int, int], Sequence[_Print]], spot: Spot, followed: set[int]
    ) -> _Print | None:
        """The print that lay almost there, with one look's worth of what it was; it is then followed."""
        if not self._brushed:
            return None
        left = [each for prints in before.values() for each in prints if id(each) not in followed]
        nearest = min(left, key=lambda each: math.dist(each.spot[:2], spot[:2]), default=None)
        if nearest is None or nearest.name is None or math.dist(nearest.spot[:2], spot[:2]) >= _BRUSHED:
            return None
        followed.add(id(nearest))
        nearest.votes = {nearest.name: 1}
        nearest.touched()
        return nearest


def spot_of(corners_px: Sequence[tuple[float, float]]) -> Spot | None:
    """Where a print is in the picture; None for one whose corners are not told."""
    if len(corners_px) != 4:
        return None
    x = sum(corner[0] for corner in corners_px) / 4
    y = sum(corner[1] for corner in corners_px) / 4
    (ax, ay), (bx, by) = corners_px[0], corners_px[1]
    return (x, y, math.degrees(math.atan2(by - ay, bx - ax)))


def _cell(spot: Spot) -> tuple[int, int]:
    return (math.floor(spot[0] / _NEAR), math.floor(spot[1] / _NEAR))


def _near(prints: Mapping[tuple[int, int], Sequence[_Print]], spot: Spot) -> Iterator[_Print]:
    column, row = _cell(spot)
    for dx in (0, -1, 1):
        for dy in (0, -1, 1):
            for each in prints.get((column + dx, row + dy), ()):
                if math.dist(each.spot[:2], spot[:2]) < _NEAR and _turned(each.spot[2], spot[2]) < _TURN_DEG:
                    yield each


def _turned(one: float, other: float) -> float:
    return abs((one - other + 180.0) % 360.0 - 180.0)
