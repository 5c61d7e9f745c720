"""Misfits: how what lies in the columns contradicts a state of the game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.games.olympeak.position import GameState, Placed
from companion.referee.olympeak.look import Laid, Look


class Fault(Enum):
    """How a card contradicts a path."""

    EXTRA = "extra"  # lies in a column where the path has none
    MISSING = "missing"  # its place in a column is in plain view, and it is not there
    SWAPPED = "swapped"  # another card than the revealed one lies before a seat


@dataclass(frozen=True, slots=True)
class Misfit:
    """One contradiction: `card` at a place, `seat` where it concerns the card before a seat."""

    fault: Fault
    card: str
    contender: str = ""
    row: int = 0
    seat: int | None = None


def placed_misfits(state: GameState, look: Look) -> tuple[list[Misfit], list[str], list[Placed]]:
    """The columns of `state` against the look: contradictions, cards in covered columns, cards askew.

    Of cards of earlier turns only the column counts: their rows say nothing any more.
    """
    misfits: list[Misfit] = []
    covered: list[str] = []
    askew: list[Placed] = []
    left = list(look.columns)
    for placed in state.placed:
        seen = _find(left, placed, state.turn, look.columns_hidden)
        if seen is not None:
            left.remove(seen)
        elif look.covers(placed.contender) or any(
            (each.contender, each.row) == (placed.contender, placed.row) for each in look.columns
        ):
            # Under a hand, or under a card that was laid on top of it.
            covered.append(placed.card)
        elif placed.card in look.beside:
            askew.append(placed)
        else:
            misfits.append(Misfit(Fault.MISSING, placed.card, placed.contender, placed.row))
    misfits += [Misfit(Fault.EXTRA, each.card, each.contender, each.row) for each in left]
    return misfits, covered, askew


def _find(left: list[Laid], placed: Placed, turn: int, rows_unsure: bool) -> Laid | None:
    same = [each for each in left if (each.card, each.contender) == (placed.card, placed.contender)]
    exact = next((each for each in same if each.row == placed.row), None)
    if exact is not None or not same:
        return exact
    # Covered cards are missing from the count of rows, so what is seen may really lie lower.
    return same[0] if placed.turn < turn or (rows_unsure and same[0].row < placed.row) else None
