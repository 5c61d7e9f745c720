"""Row slots: which cards lie side by side, told by grouping the cards of all columns by y.

People lay cards down loosely and close rows up when there are many, so there is no fixed pitch: neighbouring
columns say where a row is. By the rules no row is ever empty (a row with a Remove keeps that Remove), so a gap
of two pitches is a row that cannot be seen, and keeps its number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

# How far a card lies from its row's line, one standard deviation (they lie up to 4 mm off).
SIGMA_MM = 2.5
# Cards of one row are never further apart than this.
WIDEST_ROW_MM = 15.0
# What a further row costs, in the units of the spread (half squared deviations).
ROW_COST = 3.0
# Rows nearer than this to each other do not happen; each mm less costs.
CLOSEST_MM = 17.0
CLOSE_COST_PER_MM = 0.6
# A gap of so many pitches holds a row that cannot be seen.
GAP_PITCHES = 1.6
USUAL_PITCH_MM = 28.0


@dataclass(frozen=True, slots=True)
class Slot:
    """A row slot: its number, from 1 below the contender cards, its line's y, and the cards in it by index."""

    row: int
    y: float
    members: tuple[int, ...]


def row_slots(
    cards: Sequence[tuple[str, float]], top_y: float, usual_pitch: float = USUAL_PITCH_MM
) -> tuple[Slot, ...]:
    """The slots of cards given as (column, y of the card's centre); `top_y` is the contender row's.

    In one slot lies at most one card of a column. Slots come from the top down.
    """
    order = sorted(range(len(cards)), key=lambda n: -cards[n][1])
    groups = _best_groups([(cards[n][0], cards[n][1]) for n in order], top_y)
    lines = [top_y]
    members: list[tuple[int, ...]] = []
    for first, last in groups:
        inside = order[first:last]
        lines.append(sum(cards[n][1] for n in inside) / len(inside))
        members.append(tuple(inside))
    gaps = [a - b for a, b in pairwise(lines)]
    pitch = _pitch(gaps, usual_pitch)
    slots: list[Slot] = []
    row = 0
    for gap, y, inside_slot in zip(gaps, lines[1:], members, strict=True):
        row += 1 if gap < GAP_PITCHES * pitch else max(2, round(gap / pitch))
        slots.append(Slot(row, y, inside_slot))
    return tuple(slots)


def slot_probabilities(y: float, slots: Sequence[Slot]) -> dict[int, float]:
    """How likely a card with centre `y` belongs to each row."""
    weights = {slot.row: math.exp(-(((y - slot.y) / SIGMA_MM) ** 2) / 2) for slot in slots}
    total = sum(weights.values())
    if total <= 0:
        nearest = min(slots, key=lambda slot: abs(slot.y - y))
        return {slot.row: float(slot is nearest) for slot in slots}
    return {row: weight / total for row, weight in weights.items()}


def _pitch(gaps: Sequence[float], usual: float) -> float:
    """The distance of two rows: the middle one of the gaps that can be a single pitch."""
    single = sorted(gap for gap in gaps if gap < GAP_PITCHES * usual)
    return single[len(single) // 2] if len(single) >= 3 else min([usual, *single])


def _best_groups(cards: Sequence[tuple[str, float]], top_y: float) -> list[tuple[int, int]]:
    """The cheapest way to cut cards, sorted from the top down, into rows: (first, after last) of each."""
    count = len(cards)
    # best[last][first]: the cost of everything above `last` if its lowest row is first … last.
    best: list[dict[int, tuple[float, int]]] = [{} for _ in range(count + 1)]
    means: dict[tuple[int, int], float] = {}
    for last in range(1, count + 1):
        for first in range(last - 1, -1, -1):
            row = cards[first:last]
            if len({column for column, _ in row}) < len(row) or row[0][1] - row[-1][1] > WIDEST_ROW_MM:
                break
            mean = means[first, last] = sum(y for _, y in row) / len(row)
            spread = sum(((y - mean) / SIGMA_MM) ** 2 for _, y in row) / 2
            above = [
                (cost + _closeness(means[before, first] - mean), before)
                for before, (cost, _) in best[first].items()
            ] or [(_closeness(top_y - mean), 0)]
            cost, before = min(above)
            best[last][first] = (cost + spread + ROW_COST, before)
    groups: list[tuple[int, int]] = []
    last = count
    if count:
        first = min(best[count], key=lambda n: best[count][n][0])
        while True:
            groups.append((first, last))
            if first == 0:
                break
            last, first = first, best[last][first][1]
    return groups[::-1]


def _closeness(gap: float) -> float:
    """What it costs to have two rows so near each other."""
    return CLOSE_COST_PER_MM * max(0.0, CLOSEST_MM - gap)
