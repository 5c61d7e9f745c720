"""Claims: by the switches alone, all that may have been played or be under way, as far as they and the rules tell.

The game as it was taken may go on, a turn in it be whole, the next one be begun already; or the last turn was put
back, and another one is played instead. Only what no other reading contradicts is certain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from companion.games.above.board import bits
from companion.games.above.position import Position
from companion.referee.earlier import Earlier
from companion.referee.evidence import Evidence
from companion.referee.explain import explaining
from companion.referee.hypothesis import Explanation, Hypothesis, alike
from companion.referee.magnets import contrary
from companion.referee.portion import Steps
from companion.referee.reeds import Reeds
from companion.referee.restored import turns_restored
from companion.referee.turn import Turn

# So many of the last turns may have been put back while the next one was begun.
MOST_BACK = 2


@dataclass(frozen=True, slots=True)
class Claims:
    """`ends`: turns that may have been played, each from where it began. `is_open`: what lies there may as well be only
    part of a turn. `back`: so many turns back the table lies just so, 0 if not. `under_way`: what fits best with
    something left to do, None where nothing does.
    """

    ends: tuple[Hypothesis, ...]
    is_open: bool
    back: int
    under_way: Explanation | None


def claims(
    explanation: Explanation,
    evidence: Evidence,
    *,
    whole: Sequence[Hypothesis],
    earlier: Earlier,
    turns: Sequence[Turn],
    reeds: Reeds,
    now: float,
    called_after: Hypothesis | None = None,
) -> Steps[Claims]:
    """Everything that may have led to the evidence at `now` (seconds).

    `explanation`: of the open turn; `whole`: what of it may be over; `called_after`: the turn after which the next player
    has been called.
    """
    open_now = _under_way(explanation, whole)
    ends = [*whole, *(yield from earlier.overtaken(evidence, now, reeds, whole, called_after))]
    # The same player may have played one of these and another one since: what came first is offered first.
    ends.sort(key=earlier.is_two_ahead, reverse=True)
    under_way = explanation if open_now else None
    is_open = open_now or earlier.are_too_many
    back = turns_restored(turns, evidence)
    if back and contrary(evidence, turns[-back].before):
        back = 0  # a magnet stands there still that the turn has put there
    for count in range(1, 1 + min(MOST_BACK, len(turns))):
        before = turns[-count].before
        if not may_be_put_back(before, turns[-1].after, evidence, reeds):
            continue
        again = yield from explaining(before, evidence)
        if not again.best.fits or not again.best.actions:
            continue
        instead = [end for end in alike(again.finished) if end.after != turns[-count].after]
        if count == 1:
            ends += instead
        if _under_way(again, instead) or (instead and count > 1):
            is_open = True
            under_way = under_way or again
    return Claims(tuple(_unlike(ends)), is_open, back, under_way)


def may_be_put_back(before: Position, after: Position, evidence: Evidence, reeds: Reeds) -> bool:
    """Have all switches changed under what stands or lies elsewhere than in the earlier position, or not there at all?

    Where a miniature came from nothing need change: it may be taken from where it went to wherever it goes instead.
    But whatever has come to where something else was has had to leave.
    """
    watched = evidence.watched(after.stood_on)
    arrived = sum(1 << new for old, new in zip(before.minis, after.minis, strict=True) if old != new)
    for earlier, later in zip(before.laid, after.laid, strict=True):
        arrived |= later & ~earlier
    come = bits(arrived & watched)
    gone = bits(before.stood_on & ~after.stood_on & watched)
    return all(map(reeds.has_changed, come)) and any(map(reeds.has_changed, (*come, *gone)))


def _under_way(explanation: Explanation, whole: Sequence[Hypothesis]) -> bool:
    """Does it fit a turn that has begun and is not over, other than one that only goes on as a whole one does?"""
    on_the_way = {position for end in whole for position in end.positions}
    return any(
        h.actions and not (h.wrong or h.is_finished) and h.after not in on_the_way
        for h in explanation.partial
    )


def _unlike(ends: Iterable[Hypothesis]) -> Iterator[Hypothesis]:
    seen: set[tuple[Position, Position]] = set()
    for end in ends:
        key = (end.positions[0], end.after)
        if key not in seen:
            seen.add(key)
            yield end
