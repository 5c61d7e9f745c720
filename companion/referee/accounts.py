"""Accounts: by the switches alone, the complete turns that account for what lies there, or would but for little."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property

from companion.referee.evidence import Evidence
from companion.referee.hypothesis import Explanation, Hypothesis, Item, alike
from companion.referee.unseen_cards import MOST_NAMED, with_all_choices

# Athena's player may exhaust two of eight cards, or fewer. Of more turns than this people tell from the beginning.
MOST_TURNS = 64
# Where a miniature may have come to stand on one of several switches that are dead, there are as many for each.
MOST_UNFELT = 160


@dataclass(frozen=True)
class Accounts:
    """`whole`: turns of which nothing is left to do. `left`: only tokens are still to be taken off. `unfelt`: a miniature
    must stand on a space whose switch does not feel it, besides. Of these two no more than `Earlier` keeps, and one.
    `raised`: only such miniatures are still to arrive, with one choice of cards each.
    """

    whole: tuple[Hypothesis, ...]
    left: tuple[Hypothesis, ...]
    unfelt: tuple[Hypothesis, ...]
    raised: tuple[Hypothesis, ...]

    @cached_property
    def set_down(self) -> tuple[Hypothesis, ...]:
        """The turns if what is raised has arrived, with every choice of cards; more than `MOST_NAMED` are not all."""
        return alike(with_all_choices(self.raised, MOST_NAMED + 1))


def accounts(explanation: Explanation, evidence: Evidence, touched: Set[int]) -> Accounts:
    """`touched`: the deities (indexes) that have left their space in this turn, if only for a moment."""
    left = _but_for(explanation, evidence, "token", "reed")
    unfelt = _but_for(explanation, evidence, "token", "reed", "mini")
    return Accounts(
        alike([end for end in explanation.finished if _left_trace(end, touched)]),
        tuple(with_all_choices(left, MOST_TURNS + 1)),
        tuple(with_all_choices(unfelt, MOST_UNFELT + 1)),
        tuple(sorted(_but_for(explanation, evidence, "mini"), key=lambda h: h.final_cost)),
    )


def _left_trace(end: Hypothesis, touched: Set[int]) -> bool:
    """Has a turn moved anything that switches still tell of? What was only lifted may have gone nowhere."""
    if not frozenset(end.returned) <= touched:
        return False
    return any(item[0] != "card" and states[0] != states[-1] for item, states in end.trajectory.items())


def _but_for(explanation: Explanation, evidence: Evidence, *kinds: str) -> list[Hypothesis]:
    """Complete turns of which nothing is left to do but with such items: miniatures to set down, tokens to take off.

    A miniature that is felt anywhere on its way has still to be moved.
    """

    def is_left(h: Hypothesis, item: Item) -> bool:
        states = h.trajectory.get(item, ())
        if item[0] == "mini":
            return bool(states) and all(evidence.mini_cost(item[1], state) > 0.0 for state in states[:-1])
        return bool(states) and not states[-1]

    return [
        h
        for h in explanation.partial
        if h.is_complete
        and not h.wrong
        and all(item[0] in kinds and is_left(h, item) for item in h.pending)
        and all(is_left(h, item) for item in h.unsure if item[0] == "mini")
    ]
