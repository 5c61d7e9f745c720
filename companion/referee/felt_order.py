"""The order in which switches have felt a turn, where what lies there afterwards does not tell it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from companion.games.above.board import SPACES, bits
from companion.referee.hypothesis import Hypothesis, Trajectory
from companion.referee.reeds import Reeds

# A hand that passes with a piece closes a switch for less (seconds).
STOOD_S = 1.0
_INDEX = {name: number for number, name in enumerate(SPACES)}


def has_relaid(reeds: Reeds, turn: Hypothesis) -> bool:
    """Have the switches felt that the second token was shifted (A12) to where the first one was taken from?

    What lies there looks as if the second token alone had been shifted, and the other one never been touched. But then a
    magnet would have come to the one space after it had left the other; and the third one would not have been open all
    the while, from before the first token came to lie there until after the second one was taken up.
    """
    shifts = [action for action in turn.actions if action.kind == "shift"]
    if len(shifts) != 2 or shifts[0].origin != shifts[1].space:
        return False
    first, second = shifts
    came, went = (reeds.changes(_INDEX[name or ""]) for name in (first.space, second.origin))
    if len(came) != 1 or len(went) != 1:
        return False  # more than one token has passed there
    gaps = reeds.spells(_INDEX[first.origin or ""], closed=False)
    return any(since < came[0] < went[0] < until for since, until in gaps)


def may_have_come_by(reeds: Reeds, pairs: Sequence[tuple[Hypothesis, Hypothesis]]) -> tuple[Hypothesis, ...]:
    """Of pairs of turns that account for what lies there now, the first turns that the switches do not speak against.

    That is one, if only one fits the order in which its two turns were felt, or if something stood where it alone has set
    something down. All of them if the switches tell nothing.
    """
    in_order = [pair for pair in pairs if not _is_out_of_order(reeds, *pair)] or pairs
    stood = _stood_between(reeds, in_order)
    return tuple(first for first, _ in in_order) if stood is None else (stood,)


def _is_out_of_order(reeds: Reeds, first: Hypothesis, then: Hypothesis) -> bool:
    """Was something that only the second turn has done felt before something that only the first one has?

    Of all that a switch has felt, anything may have been that. A token that the first turn takes off by the rules may be
    taken off late, and what of the second one was not seen for certain need not have happened.
    """
    unseen = {*then.pending, *then.unsure}
    moved = {
        item: states
        for item, states in first.trajectory.items()
        if item[0] == "mini" or states[-1] or item in first.chosen
    }
    seen = {item: states for item, states in then.trajectory.items() if item not in unseen}
    magnets = first.positions[0].stood_on ^ then.after.stood_on
    mine = _felt(reeds, _changed(moved) - _touched(then.trajectory), magnets)
    next_ones = _felt(reeds, _changed(seen) - _touched(first.trajectory), magnets)
    return max(map(min, mine), default=-math.inf) > min(map(max, next_ones), default=math.inf)


def _felt(reeds: Reeds, spaces: Iterable[int], magnets: int) -> Iterator[tuple[float, ...]]:
    """When (seconds) each of these switches has changed, if it did as often as where a magnet came or went.

    `magnets`: the spaces (a bit set) where one did. Else a change was missed, or was felt before this turn began.
    """
    for space in spaces:
        changes = reeds.changes(space)
        if changes and len(changes) % 2 == magnets >> space & 1:
            yield changes


def _changed(trajectory: Trajectory) -> set[int]:
    """The spaces from which and to which miniatures have gone, and where tokens were laid or taken off."""
    gone = {item: states for item, states in trajectory.items() if states[0] != states[-1]}
    return _touched({item: (states[0], states[-1]) for item, states in gone.items()})


def _touched(trajectory: Trajectory) -> set[int]:
    """The same, with where they were but on the way."""
    stops = {space for item, states in trajectory.items() if item[0] == "mini" for space in states}
    return stops | {item[2] for item in trajectory if item[0] == "token"}


def _stood_between(reeds: Reeds, pairs: Sequence[tuple[Hypothesis, Hypothesis]]) -> Hypothesis | None:
    """The first turn of the one pair between whose turns something has stood as was felt; None if none, or several.

    What only this one has set down on some space has stood there for a while and has gone on since, and every other has
    set something down where nothing was felt in all that time. But a switch may be dead there, and a hand have rested
    with a piece over another space in the second turn: what has stood must have come before the second turn was begun.
    """
    turns = [first for first, _ in pairs]
    stood = [turn.after.stood_on & ~turn.positions[0].stood_on for turn in turns]
    began = [_began(reeds, first, then) for first, then in pairs]
    told = []
    for number, mine in enumerate(stood):
        others = stood[:number] + stood[number + 1 :]
        felt = [space for space in bits(mine) if _has_stood(reeds, space, min(began))]
        tells = all(any(not other >> space & 1 for space in felt) for other in others)
        if tells and all(
            any(reeds.is_still_open(space) for space in bits(other & ~mine)) for other in others
        ):
            told.append(number)
    return turns[told[0]] if len(told) == 1 else None


def _began(reeds: Reeds, first: Hypothesis, then: Hypothesis) -> float:
    """When (seconds) something was first felt that only the second of two turns can have done; -inf if nothing was."""
    spaces = _touched(then.trajectory) - _touched(first.trajectory)
    return min((at for space in spaces for at in reeds.changes(space)), default=-math.inf)


def _has_stood(reeds: Reeds, space: int, begun: float) -> bool:
    """Has a magnet come to this space before `begun` (seconds), stayed for a while and gone again?"""
    spells = reeds.spells(space, closed=True)
    return any(since < begun and until - since >= STOOD_S for since, until in spells)
