"""Laid after the end: cards in the columns that nobody has played, while round or game is over already."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak.position import GameState
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, Misfit, placed_misfits


def laid_after(state: GameState, look: Look) -> Sequence[Misfit] | None:
    """The cards that lie there besides all that were played; None as soon as the columns are not seen as played.

    Columns are cleared in any order (O11), and who does it holds cards and puts them down again. So a card tells
    something only as long as every card that was played lies in its place in plain view. More cards than there are
    players are no turn: somebody lays a hand down.
    """
    if not state.placed or look.columns_hidden or "row" in look.hidden:
        return None
    misfits, covered, askew = placed_misfits(state, look)
    # A card of the round that lies elsewhere is on its way out of the columns.
    alien = all(each.fault is Fault.EXTRA and state.lying(each.card) is None for each in misfits)
    if covered or askew or not alien or len(misfits) > len(state.setup.players):
        return None
    return tuple(misfits)
