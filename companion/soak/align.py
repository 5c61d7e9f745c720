"""Alignment: what was accepted against what was played, in order."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from companion.tables.kit import Unseen


@dataclass(frozen=True, slots=True)
class Alignment:
    """`reached`: how many of the played facts are accounted for. `wrong`: the number of the first accepted fact that was
    not played, with what was played in its place; None if there is none.
    """

    reached: int
    wrong: tuple[int, Hashable] | None


def aligned(accepted: Sequence[Hashable], played: Sequence[Hashable]) -> Alignment:
    """Each accepted fact is the next one played; after what nobody saw (`Unseen`) it may be a later one."""
    reached = 0
    for number, fact in enumerate(accepted):
        if isinstance(fact, Unseen):
            later = [n for n in range(reached, len(played)) if played[n] == fact.fact]
            if not later:
                return Alignment(reached, (number, played[reached] if reached < len(played) else None))
            reached = later[0] + 1
        elif reached < len(played) and fact == played[reached]:
            reached += 1
        else:
            return Alignment(reached, (number, played[reached] if reached < len(played) else None))
    return Alignment(reached, None)
