"""Short words for tests that play: a position after some actions, and what is legal there."""

from __future__ import annotations

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions


def after(position: Position | str, *actions: str) -> Position:
    """The position after these actions."""
    if isinstance(position, str):
        position = Position.parse(position)
    for action in actions:
        position = apply(position, Action.parse(action))
    return position


def legal(position: Position) -> list[str]:
    """The legal actions as texts."""
    return [str(action) for action in legal_actions(position)]
