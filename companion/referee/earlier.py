"""Earlier: by the switches alone, the turns that have accounted for what lay there before the next one was begun.

It is asked which of them was played, so all of them are kept, or none: an answer is narrowed down to what is left.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from companion.games.above.position import Position
from companion.referee.accounts import MOST_TURNS, MOST_UNFELT, accounts
from companion.referee.evidence import Evidence
from companion.referee.explain import can_follow, explaining
from companion.referee.hypothesis import Explanation, Hypothesis
from companion.referee.portion import Steps, at_once
from companion.referee.reeds import Reeds
from companion.referee.trajectory import walked

# So many of the last looks that may have been the next turn are kept.
MOST_FELT = 4
# After so many pairs of turns a third one is looked for in one look.
MOST_PAIRS = 8


@dataclass(frozen=True, slots=True)
class _End:
    """A turn that accounted for what lay there at `at` (seconds), but for tokens (type, space) that still lay there and
    spaces whose switch has not told the truth."""

    turn: Hypothesis
    at: float
    left: frozenset[tuple[int, int]]
    unfelt: frozenset[int]


class Earlier:
    """The turns of one open turn, and what lay there whole after each: a third turn may have been begun by now."""

    def __init__(self) -> None:
        self._ends: dict[Position, _End] = {}
        self._doubtful: dict[Position, _End] = {}
        self._next: dict[Position, Earlier] = {}
        # What was felt, and when, that followed each of them and has not been gone through for whole turns yet.
        self._gone_on: dict[Position, list[tuple[Evidence, float]]] = {}
        self._following: tuple[Position, Explanation] | None = None
        # Those after which the last look is no next turn, but one after that.
        self._two_ahead: set[Position] = set()
        self.are_too_many = False

    def forget(self) -> None:
        """Another turn."""
        self._ends.clear()
        self._doubtful.clear()
        self._next.clear()
        self._gone_on.clear()
        self._following = None
        self._two_ahead.clear()
        self.are_too_many = False

    def remember(self, ends: Sequence[Hypothesis], now: float) -> None:
        """These account for what lies there at `now` (seconds), if no more than tokens are still to be taken off."""
        if not (self.are_too_many or len(ends) > MOST_TURNS):
            self._ends.update((end.after, _end(end, now)) for end in ends)
        if self.are_too_many or len(ends) > MOST_TURNS or len(self._ends) > MOST_TURNS:
            self.are_too_many = True
            self._ends.clear()

    def suspect(self, ends: Sequence[Hypothesis], now: float, deaf: frozenset[int] = frozenset()) -> None:
        """These would, if a miniature that no switch feels stands where it may go, or if the switches of the spaces in
        `deaf` are broken."""
        self._doubtful.update((end.after, _end(end, now, deaf)) for end in ends)
        if len(self._doubtful) > MOST_UNFELT:
            self.are_too_many = True
            self._doubtful.clear()

    def over_at(self, turn: Hypothesis) -> float:
        """When a turn was last seen to lie there whole: what has changed since belongs to the next one."""
        end = self._of(turn)
        return math.inf if end is None else end.at

    def left_lying(self, turn: Hypothesis) -> frozenset[tuple[int, int]]:
        """The tokens, (type, space), that a turn has taken off by the rules and that lay there still when it was over."""
        end = self._of(turn)
        return frozenset() if end is None else end.left

    def overtaken(
        self,
        evidence: Evidence,
        now: float,
        reeds: Reeds,
        but: Iterable[Hypothesis] = (),
        called_after: Hypothesis | None = None,
    ) -> Steps[tuple[Hypothesis, ...]]:
        """Those after which what lies there at `now` (seconds) is the next turn, part of it, or what follows one that has
        lain there whole; all of them where that cannot be told.

        `but`: those that account for all of it as they are. `called_after`: the one after which the next player has been
        called; a third turn is looked for after another only where what was done then does not follow that one as its
        next: nobody's light has called for it.

        Not one of which a miniature was put back (see `_was_put_back`): it was in a hand when the turn seemed to be over.
        """
        whole = {end.after for end in but}
        ends = [
            end
            for after, end in self._ends.items()
            if after not in whole and not _was_put_back(end, evidence, reeds)
        ]
        return self._followed(ends, evidence, now, called_after)

    def doubtfully_overtaken(
        self, evidence: Evidence, now: float, reeds: Reeds
    ) -> Steps[tuple[Hypothesis, ...]]:
        """The same of those for which a miniature must stand on a switch that does not feel it."""
        ends = [end for end in self._doubtful.values() if not _was_put_back(end, evidence, reeds)]
        return self._followed(ends, evidence, now)

    @property
    def turns(self) -> tuple[Hypothesis, ...]:
        """All of them."""
        return tuple(end.turn for end in self._ends.values())

    def put_back(self, evidence: Evidence, now: float, reeds: Reeds) -> None:
        """All lies at `now` (seconds) as before this turn, and what was played in it is forgotten: it was put back.

        All but the turns after which it may have gone on to what lies there, and whose miniatures have come from switches
        that are not believed: that they came back nobody has felt.
        """
        overtaken = at_once(self.overtaken(evidence, now, reeds))
        kept = {end.after for end in overtaken if _came_unfelt(end, evidence)}
        ends = {after: end for after, end in self._ends.items() if after in kept}
        gone_on = {after: felt for after, felt in self._gone_on.items() if after in kept}
        following = {after: each for after, each in self._next.items() if after in kept}
        self.forget()
        self._ends, self._gone_on, self._next = ends, gone_on, following

    def following(self, turn: Hypothesis) -> Explanation | None:
        """What follows the turn after which the next player has been called, as far as the last look tells."""
        known = self._following
        return known[1] if known is not None and known[0] == turn.after else None

    def is_two_ahead(self, turn: Hypothesis) -> bool:
        """Has a whole turn been played after this one and another one begun, as far as the last look tells?"""
        return any(_lie_alike(after, turn.after) for after in self._two_ahead)

    def followed_by(self, turn: Hypothesis) -> Iterator[tuple[Hypothesis, float]]:
        """What has lain there whole after a turn, as the next one, each with when that was last so (seconds)."""
        for after in [*self._next, *self._gone_on]:
            if _lie_alike(after, turn.after):
                at_once(self._go_through(after))
        for after, following in self._next.items():
            if _lie_alike(after, turn.after):
                for end in following._ends.values():
                    begun = _begun_at(turn.after, end.turn)
                    if begun is not None:
                        yield begun, end.at

    def _of(self, turn: Hypothesis) -> _End | None:
        return self._ends.get(turn.after) or self._doubtful.get(turn.after)

    def _followed(
        self, ends: Sequence[_End], evidence: Evidence, now: float, called_after: Hypothesis | None = None
    ) -> Steps[tuple[Hypothesis, ...]]:
        alike: dict[object, list[_End]] = {}
        for end in ends:
            # Where pieces stand alike, and the next player holds the same cards, the same may follow.
            alike.setdefault(_lying(end.turn.after), []).append(end)
        if len(alike) > MOST_TURNS:
            return tuple(end.turn for end in ends)
        self._following = None
        self._two_ahead.clear()

        def is_called(group: Sequence[_End]) -> bool:
            return called_after is not None and any(end.turn.after == called_after.after for end in group)

        groups = sorted(alike.values(), key=is_called, reverse=True)
        # What is next is noted first for all of them: the table may have changed before the rest is gone through.
        gone_on: list[bool] = []
        for group in groups:
            gone_on.append((yield from self._is_next(group[0], evidence, now, is_called=is_called(group))))
        # Where the next turn does not follow the one that has called for it, another may have been played.
        known = self._following
        if called_after is None or (known is not None and not known[1].best.fits):
            for number, group in enumerate(groups):
                gone_on[number] = gone_on[number] or (yield from self._is_after_next(group[0], evidence))
        return tuple(
            end.turn for group, is_one in zip(groups, gone_on, strict=True) if is_one for end in group
        )

    def _is_next(self, end: _End, evidence: Evidence, now: float, *, is_called: bool) -> Steps[bool]:
        """May what lies there be the next turn after this one, or part of it?"""
        looked, after = _looked_at(evidence, end), end.turn.after
        if is_called:
            found = yield from explaining(after, looked)
            self._following = after, found
            if found.best.fits:
                self._note_next(after, found, looked, now)
            return found.best.fits
        if not (yield from can_follow(after, looked)):
            return False
        # Every whole turn in it takes many times as long to find: that is done only once it matters.
        self._gone_on[after] = [*self._gone_on.get(after, ())[1 - MOST_FELT :], (looked, now)]
        return True

    def _is_after_next(self, end: _End, evidence: Evidence) -> Steps[bool]:
        """May it be the turn that follows a next one which has lain there whole?"""
        after = end.turn.after
        yield from self._go_through(after)
        known = self._next.get(after)
        if known is None or not (yield from known._may_go_on(_looked_at(evidence, end))):
            return False
        self._two_ahead.add(after)
        return True

    def _go_through(self, after: Position) -> Steps[None]:
        while felt := self._gone_on.get(after):
            looked, at = felt[0]
            found = yield from explaining(after, looked)
            self._note_next(after, found, looked, at)
            # One that was not gone through to its end is kept: another look may begin with it again.
            self._gone_on[after] = felt[1:]
        self._gone_on.pop(after, None)

    def _note_next(self, after: Position, found: Explanation, looked: Evidence, at: float) -> None:
        lying = accounts(found, looked, frozenset())
        following = self._next.setdefault(after, Earlier())
        following.remember([each for each in lying.whole or lying.left if _is_traced(each)], at)

    def _may_go_on(self, evidence: Evidence) -> Steps[bool]:
        """May what lies there follow any of these, or cannot that be told?"""
        if self.are_too_many or len(self._ends) > MOST_PAIRS:
            return True
        for end in self._ends.values():
            if (yield from can_follow(end.turn.after, evidence.without(evidence.owed | end.left))):
                return True
        return False


def _end(turn: Hypothesis, now: float, deaf: frozenset[int] = frozenset()) -> _End:
    # A token that still lies where it should be taken off is felt as a magnet too many.
    felt = {item[1] for item in turn.pending if item[0] == "reed"}
    return _End(
        turn,
        now,
        frozenset(
            (item[1], item[2])
            for item, states in turn.trajectory.items()
            if item[0] == "token" and not states[-1] and (item[2] in felt or item in turn.pending)
        ),
        deaf.union(turn.trajectory[item][-1] for item in turn.pending if item[0] == "mini"),
    )


def _looked_at(evidence: Evidence, end: _End) -> Evidence:
    """The same without the tokens that this turn has left lying and the switches that have not told the truth."""
    looked = evidence.without(evidence.owed | end.left)
    for space in end.unfelt:
        looked = looked.without_switch(space)
    return looked


def _was_put_back(end: _End, evidence: Evidence, reeds: Reeds) -> bool:
    """Was a miniature of this turn whose arrival nobody felt put back since where it came from, and lifted once more?

    Where a token's magnet may be its own, another one may have come by there instead, unless all are felt where this turn
    leaves them. Where nothing is felt a switch would have to be dead besides.
    """
    before, after = end.turn.positions[0], end.turn.after
    all_stand = all(evidence.mini_sure(deity, space) for deity, space in enumerate(after.minis))
    return any(
        old != new
        and not after.stood_on >> old & 1
        and (new in end.unfelt or (all_stand and not reeds.has_changed(new)))
        and reeds.has_closed_since(old, end.at)
        for old, new in zip(before.minis, after.minis, strict=True)
    )


def _came_unfelt(turn: Hypothesis, evidence: Evidence) -> bool:
    """Does no switch tell whether a miniature of this turn stands where it came from?"""
    before, after = turn.positions[0], turn.after
    gone = sum(1 << old for old, new in zip(before.minis, after.minis, strict=True) if old != new)
    return bool(gone) and not gone & evidence.watched(before.stood_on)


def _is_traced(turn: Hypothesis) -> bool:
    """Has a turn moved anything for good? What went forth and back has most likely not moved at all."""
    moved = any(item[0] != "card" and states[0] != states[-1] for item, states in turn.trajectory.items())
    return moved and not turn.returned


def _lying(position: Position) -> object:
    return (position.minis, position.laid, position.powered(position.turn))


def _lie_alike(one: Position, other: Position) -> bool:
    return one.turn == other.turn and _lying(one) == _lying(other)


def _begun_at(position: Position, turn: Hypothesis) -> Hypothesis | None:
    """The same turn from a position that lies alike; None if it cannot be played from there."""
    positions = walked(position, turn.actions)
    return None if positions is None else replace(turn, positions=positions)
