"""Standing: where a game stands, in a line, as far as it lies in the open."""

from __future__ import annotations

from companion.games.olympeak.position import GameState


def standing(state: GameState) -> str:
    """Round, cubes, the cards of each contender in play, and the seats that have still to play in the open turn.

    `2 3.0.-1 blue=p014.o03,green=,red=p022 1.2`; `-` for the seats before a reveal.
    """
    cubes = ".".join(map(str, state.cubes))
    columns = ",".join(
        f"{contender}={'.'.join(each.card for each in state.placed if each.contender == contender)}"
        for contender in sorted(state.setup.racing)
    )
    seats = ".".join(map(str, state.order[state.index :])) if state.seat is not None else "-"
    return f"{state.round} {cubes} {columns} {seats}"
