"""The rules of Above: what is legal, what an action leads to, what a turn can lead to.

`legal_actions` and `apply` are the pair everything else is built on; `explain` says why something is refused.
"""

from __future__ import annotations

from companion.errors import CompanionError
from companion.games.above.action import Action
from companion.games.above.explain import explain_illegal
from companion.games.above.position import Position, position_of
from companion.games.above.setup import initial_position
from companion.games.above.turn import ACTIVATE, AFTER, OVER, STAGE, State, legal

__all__ = [
    "IllegalAction",
    "apply",
    "explain_illegal",
    "initial_position",
    "is_legal",
    "legal_actions",
    "successors",
]


class IllegalAction(CompanionError, ValueError):
    """An action that is not legal in a position; the text says which rule it breaks."""

    def __init__(self, position: Position, action: Action) -> None:
        super().__init__(explain_illegal(position, action) or f'"{action}" is not legal here.')
        self.position = position
        self.action = action


def legal_actions(position: Position) -> tuple[Action, ...]:
    """Every legal action of the seat that decides, sorted by text; empty when the game is over."""
    return legal(position._state)


def is_legal(position: Position, action: Action) -> bool:
    """May this action be taken here? Why not takes many times as long to say."""
    return AFTER[action.kind](position._state, action) is not None


def apply(position: Position, action: Action) -> Position:
    """The position after an action and all that follows by itself; `IllegalAction` if it is not legal."""
    state = position._state
    after = AFTER[action.kind](state, action)
    if after is None:
        raise IllegalAction(position, action)
    # `position_of`, written out: this is the rules' busiest line.
    result = Position()
    result._state = after
    result._before = state
    return result


def successors(position: Position) -> tuple[Position, ...]:
    """Every distinct position after one complete turn, or after the rest of the turn under way.

    In the order in which the search finds them. Empty when the game is over.
    """
    ends: dict[State, None] = {}
    seen: set[State] = set()
    open_states = [position._state]
    while open_states:
        state = open_states.pop()
        for action in legal(state):
            after = AFTER[action.kind](state, action)
            if after is None or after in seen or after in ends:
                continue
            if after[STAGE] == ACTIVATE or after[STAGE] == OVER:
                ends[after] = None
            else:
                seen.add(after)
                open_states.append(after)
    return tuple(position_of(state, None) for state in ends)
