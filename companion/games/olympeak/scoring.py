"""The end of the game: places of the contenders (O13), points with their reasons, the winners (O14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games.olympeak.names import contender_name
from companion.messages import Text, say

RANKINGS: tuple[str, ...] = ("dense", "competition")
# Points by (predicted place, actual place); everything else scores nothing.
POINTS: dict[tuple[int, int], int] = {(1, 1): 5, (1, 2): 3, (2, 1): 3, (2, 2): 4}


@dataclass(frozen=True, slots=True)
class Score:
    """One player's points and, a sentence for each prediction, where they come from."""

    points: int
    reasons: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `places` by contender in canonical order, a score per seat, the winning seats."""

    places: tuple[tuple[str, int], ...]
    scores: tuple[Score, ...]
    winners: tuple[int, ...]

    @property
    def points(self) -> tuple[int, ...]:
        """Points per seat."""
        return tuple(score.points for score in self.scores)

    def place(self, contender: str) -> int:
        """The place in which `contender` came."""
        return dict(self.places)[contender]


def places(cubes: Mapping[str, int], ranking: str) -> dict[str, int]:
    """Place of each contender from where its cube stands; equal cubes share a place (O13).

    `ranking`: "dense" (1, 1, 2) or "competition" (1, 1, 3).
    """
    if ranking == "competition":
        return {c: 1 + sum(other > cube for other in cubes.values()) for c, cube in cubes.items()}
    ladder = sorted(set(cubes.values()), reverse=True)
    return {c: 1 + ladder.index(cube) for c, cube in cubes.items()}


def score(first: str, second: str, standing: Mapping[str, int]) -> Score:
    """Points of one player who predicted `first` and `second`, given the contenders' places (O14)."""
    total, reasons = 0, list[Text]()
    for predicted, contender in ((1, first), (2, second)):
        place = standing[contender]
        points = POINTS.get((predicted, place), 0)
        reasons.append(
            say(
                "olympeak.score",
                contender=contender_name(contender),
                predicted=predicted,
                place=place,
                shared=int(list(standing.values()).count(place) > 1),
                n=points,
            )
        )
        total += points
    return Score(total, tuple(reasons))


def outcome(cubes: Mapping[str, int], ranking: str, first: Sequence[str], second: Sequence[str]) -> Outcome:
    """The result of a game. `first`, `second`: contenders predicted, one per seat. Equals win together."""
    standing = places(cubes, ranking)
    scores = tuple(score(one, two, standing) for one, two in zip(first, second, strict=True))
    best = max(each.points for each in scores)
    winners = tuple(seat for seat, each in enumerate(scores) if each.points == best)
    return Outcome(tuple(standing.items()), scores, winners)
