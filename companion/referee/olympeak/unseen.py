"""Unseen: whole turns that were played while nobody could see, told by what they have left on the table.

Who played what is never made up. Where the rows below the known ones can only have come to this, the game goes on
from there, and the journal says that it was not seen; else the players are asked to say so.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak.cards import FEW_PLAYERS
from companion.games.olympeak.events import Lying, Ruling
from companion.games.olympeak.position import COLUMN_FULL, CUBE_MAX, CUBE_MIN, GameState, Phase
from companion.referee.olympeak.explain import Explanation, Fault, Misfit, Path
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.wording import UNSEEN

# After a gap of so long (seconds), what lies there may be more than was seen.
LONG_S = 2.0


class Gap:
    """Follows how long the table has not been seen."""

    def __init__(self) -> None:
        self._began: float | None = None
        # Since the table last lay as the game has it.
        self.was_long = False

    def look(self, seen: bool, now: float) -> None:
        """One reading at `now` in seconds; `seen`: its picture shows the table."""
        if seen:
            self._began = None
            return
        if self._began is None:
            self._began = now
        self.was_long = self.was_long or now - self._began >= LONG_S

    def closed(self) -> None:
        """The table lies as the game has it: nothing is uncertain any more."""
        self.was_long = False


def played_unseen(state: GameState, misfits: Sequence[Misfit], look: Look) -> Ruling | None:
    """Where the game stands after turns that have left just these cards; None where that is not certain.

    `state` is before a reveal. A round or a game that may have ended, a cube that may have come to either end of
    its lane in between, or a card that may not lie there by the rules, are for the players to tell.
    """
    last = max((each.row for each in state.placed), default=0)
    if state.phase is not Phase.REVEAL or not misfits or state.turn < 1:
        return None
    if any(each.fault is not Fault.EXTRA or each.row <= last for each in misfits):
        return None
    if not all(_may_lie(state, each) for each in misfits):
        return None
    cubes = dict(state.cube)
    for contender in state.setup.racing:
        values = [state.setup.deck[each.card].value for each in misfits if each.contender == contender]
        if state.columns[contender] + len(values) >= COLUMN_FULL:
            return None
        low = cubes[contender] + sum(value for value in values if value < 0)
        high = cubes[contender] + sum(value for value in values if value > 0)
        if low < CUBE_MIN or high >= CUBE_MAX:
            return None
        cubes[contender] += sum(values)
    if look.beside or look.columns_hidden:
        return None
    known = [Lying(each.card, each.contender, each.row, each.turn, each.seat) for each in state.placed]
    new = [Lying(each.card, each.contender, each.row, state.turn - 1, 0) for each in misfits]
    return Ruling(UNSEEN, state.round, tuple(cubes.items()), (*known, *new))


def _may_lie(state: GameState, extra: Misfit) -> bool:
    """Can this card have been played there by the rules?"""
    if extra.card not in state.setup.deck or state.lying(extra.card) is not None:
        return False
    card = state.setup.deck[extra.card]
    if card.star and len(state.setup.players) <= FEW_PLAYERS:
        return False
    return extra.contender in state.setup.racing and (card.is_order or extra.contender in card.signs)


def over_before(explanation: Explanation) -> Path | None:
    """The course of the turn that is over and leaves only cards of later rows unexplained; None if there is none."""
    for path in explanation.paths:
        if len(path.misfits) > len(explanation.best.misfits):
            return None
        last = max(each.row for each in path.state.placed) if path.state.placed else 0
        later = all(each.fault is Fault.EXTRA and each.row > last for each in path.misfits)
        if path.is_over and later and not path.unsure:
            return path
    return None
