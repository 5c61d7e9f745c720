"""Felt: have the switches told all of a turn, or may some of it not have happened?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.above.board import SPACES
from companion.referee.hypothesis import Hypothesis, Item
from companion.referee.session import Session


def was_felt(session: Session, end: Hypothesis) -> bool:
    """Have the switches felt every miniature of a turn leave its space and come to where it ends, and every token laid?

    Where a miniature has stood there before and went on, they must have felt that, too: it may not have gone on yet. A
    token that was laid where another one was taken off may be that one still. And they must have felt a token leave
    that Poseidon's player chose: what nobody felt may as well lie there yet.
    """
    return (
        all(
            item[1] in session.touched
            and all(session.reeds.has_changed(space) for space in _since_it_first_got_there(states))
            for item, states in end.trajectory.items()
            if item[0] == "mini"
        )
        and all(
            session.reeds.has_changed(item[2])
            for item, states in end.trajectory.items()
            if item[0] == "token" and states[-1]
        )
        and all(
            session.reeds.has_changed(SPACES.index(str(action.space)))
            for action in end.actions
            if action.kind == "remove"
        )
    )


def _since_it_first_got_there(stops: tuple[int, ...]) -> tuple[int, ...]:
    """Of the spaces that a miniature has stood on, where it ends, and all since it stood there for the first time."""
    return stops[stops.index(stops[-1]) :]


def was_felt_to_come(session: Session, end: Hypothesis) -> bool:
    """Was a turn felt as `was_felt` asks, but for what a switch that is not believed could not have told?

    A miniature that came from such a space need not have been felt to leave it, if it was felt to come to where it ends.
    """
    unfelt = [
        item
        for item, states in end.trajectory.items()
        if item[0] == "mini"
        and SPACES[states[0]] in session.reeds.ignored
        and states[0] != states[-1]
        and session.reeds.has_changed(states[-1])
    ]
    return _was_felt_but_for(session, end, unfelt)


def is_still_to_lay(session: Session, end: Hypothesis) -> bool:
    """Is all that the switches have not told of a turn a token over one that is not believed?"""
    unfelt = [
        item
        for item, states in end.trajectory.items()
        if item[0] == "token" and states[-1] and SPACES[item[2]] in session.reeds.ignored
    ]
    return bool(unfelt) and _was_felt_but_for(session, end, unfelt)


def _was_felt_but_for(session: Session, end: Hypothesis, unfelt: Sequence[Item]) -> bool:
    rest = {item: states for item, states in end.trajectory.items() if item not in unfelt}
    return was_felt(session, replace(end, trajectory=rest))
