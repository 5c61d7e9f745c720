"""Unseen cards: where no camera sees cards, one choice of them stands for all; here are the others.

Which cards were picked (A5), exhausted (Athena) or disgraced (Hera) leaves no trace in any switch, and whatever it was,
the same may be done on the board. So a turn is searched with one choice, and the others are put in only where a turn is
to be named: a turn of Athena with four players has thousands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions
from companion.referee.hypothesis import Hypothesis

# What only cards tell; that Athena's player exhausts no more is one of them.
OF_CARDS = frozenset(("recover", "exhaust", "disgrace", "done"))

# Of more turns that fit alike nobody is asked: they are told from the beginning, act by act. Where Athena's player has
# picked four cards there may be 25 000.
MOST_NAMED = 512

_Courses = dict[Position, tuple[tuple[Action, ...], tuple[Position, ...]]]


def is_of_cards(actions: Sequence[Action]) -> bool:
    """Is what is to be chosen here something that only cards tell?"""
    return bool(actions) and actions[0].kind in OF_CARDS


def with_all_choices(turns: Iterable[Hypothesis], most: int | None = None) -> list[Hypothesis]:
    """Complete turns, each with every choice of cards that may have been made in it, the first of those that lead to the
    same position; `most`: so many at most in all."""
    return list(islice(_differing(turns), most))


def _differing(turns: Iterable[Hypothesis]) -> Iterator[Hypothesis]:
    seen: set[Position] = set()
    for turn in turns:
        for each in _choices(turn):
            if each.after not in seen:
                seen.add(each.after)
                yield each


def _choices(turn: Hypothesis) -> Iterator[Hypothesis]:
    """A complete turn with every choice of cards that leads somewhere else, itself for where it leads."""
    yield turn
    if not any(action.kind in OF_CARDS for action in turn.actions):
        return
    on_board = [action for action in turn.actions if action.kind not in OF_CARDS]
    courses: _Courses = {turn.positions[0]: ((), (turn.positions[0],))}
    for action in on_board:
        ready = {here: course for here, course in _chosen(courses) if action in legal_actions(here)}
        courses = {
            after: ((*actions, action), (*positions, after))
            for here, (actions, positions) in ready.items()
            for after in (apply(here, action),)
        }
    for after, (actions, positions) in _chosen(courses):
        if (after.at_turn_start or after.is_over) and after != turn.after:
            yield replace(turn, actions=actions, positions=positions)


def _chosen(courses: _Courses) -> Iterator[tuple[Position, tuple[tuple[Action, ...], tuple[Position, ...]]]]:
    """Where these courses lead once all cards are chosen that are to be chosen there; each place once."""
    seen = set(courses)
    left = [*courses.items()]
    while left:
        here, (actions, positions) = left.pop()
        legal = () if here.at_turn_start and actions else legal_actions(here)
        if not is_of_cards(legal):
            yield here, (actions, positions)
            continue
        for action in legal:
            after = apply(here, action)
            if after not in seen:
                seen.add(after)
                left.append((after, ((*actions, action), (*positions, after))))
