"""Hypotheses: paths of legal actions, and how well each accounts for what lies on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.above.action import Action
from companion.games.above.board import SPACES
from companion.games.above.box import TOKENS
from companion.games.above.position import Position

# ("mini", deity, 0) | ("token", token, space) | ("card", seat, deity) | ("reed", space, 0): indexes, all of them.
# States: the space of a miniature, whether a token lies there, how many cards lie Powered, whether a magnet is there.
Item = tuple[str, int, int]
Trajectory = dict[Item, tuple[int, ...]]

# The best explanation must beat one that leads to another position by this much (e² = 7 to 1).
MARGIN = 2.0


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A path of legal actions and how it fits.

    `positions`: before the first action and after each. `cost`: every item in its best state along the path;
    `final_cost`: every item in its last. `wrong`: items in none of their states. `pending`: items not yet in
    their last state. `unsure`: changed items that are in their last state as far as can be told, but were not
    positively seen so.
    """

    actions: tuple[Action, ...]
    positions: tuple[Position, ...]
    trajectory: Trajectory
    cost: float
    final_cost: float
    wrong: tuple[Item, ...]
    pending: tuple[Item, ...]
    unsure: tuple[Item, ...]

    @property
    def after(self) -> Position:
        """The position at the path's end."""
        return self.positions[-1]

    @property
    def is_complete(self) -> bool:
        """Does the path end with the turn?"""
        return bool(self.actions) and (self.after.at_turn_start or self.after.is_over)

    @property
    def has_begun(self) -> bool:
        """Has its player turned a card? Until then a piece that was moved may be the last player's mistake."""
        if not self.actions:
            return False
        seat, deity = self.positions[0].turn, self.actions[0].deity_index
        return ("card", seat, deity) not in self.pending

    @property
    def returned(self) -> tuple[int, ...]:
        """The deities (indexes) that moved and ended where they began: their moves leave no trace."""
        return tuple(
            item[1]
            for item, states in self.trajectory.items()
            if item[0] == "mini" and states[0] == states[-1]
        )

    @property
    def chosen(self) -> frozenset[Item]:
        """The token that its player has chosen to take off (A13): that is done, or nobody can tell which it was."""
        return frozenset(
            ("token", TOKENS.index(str(action.token)), SPACES.index(str(action.space)))
            for action in self.actions
            if action.kind == "remove"
        )

    @property
    def left_lying(self) -> frozenset[Item]:
        """The tokens that this turn takes off by the rules and that lie there still."""
        to_take_off = (item for item in self.pending if item[0] == "token" and not self.trajectory[item][-1])
        return frozenset(to_take_off) - self.chosen

    @property
    def replaced(self) -> bool:
        """Does a token lie where one of its type was taken off? Then it is likelier that nobody has taken it off yet."""
        return any(
            item[0] == "token" and states[0] and states[-1] and not all(states)
            for item, states in self.trajectory.items()
        )

    def is_like(self, other: Hypothesis) -> bool:
        """Does it fit as well as another, with the same still to come, whichever tokens are to be taken off?"""
        return (
            not (self.wrong or other.wrong)
            and self.is_complete == other.is_complete
            and abs(self.cost - other.cost) < 1.0
            and set(self.pending) - self.left_lying == set(other.pending) - other.left_lying
            and len(self.left_lying) == len(other.left_lying)
            and set(self.unsure) == set(other.unsure)
        )

    @property
    def fits(self) -> bool:
        """Is every item somewhere along its path?"""
        return not self.wrong

    @property
    def is_finished(self) -> bool:
        """Does a complete turn lie on the table, seen with certainty?"""
        return self.is_complete and not self.wrong and not self.pending and not self.unsure


@dataclass(frozen=True, slots=True)
class Explanation:
    """All hypotheses worth keeping: the finished ones, cheapest first, and all that were tried, the best first."""

    finished: tuple[Hypothesis, ...]
    partial: tuple[Hypothesis, ...]

    @property
    def best(self) -> Hypothesis:
        """The hypothesis that accounts for most with least left to do."""
        return self.partial[0]

    @property
    def accepted(self) -> Hypothesis | None:
        """The finished turn, if one beats every other that leads elsewhere by the margin."""
        if not self.finished:
            return None
        first = self.finished[0]
        for other in self.finished[1:]:
            if other.after != first.after and other.final_cost < first.final_cost + MARGIN:
                return None
        return first

    @property
    def under_way(self) -> Explanation:
        """The same without turns of which nothing is left to do: what there may be still to do."""
        return Explanation((), tuple(h for h in self.partial if not h.is_finished))

    @property
    def but_for_tokens(self) -> tuple[Hypothesis, ...]:
        """The turns that lie there whole but for tokens that they take off by the rules, one for each end; none if the
        best lacks more.

        Of two tokens that lie there a miniature may have come upon either, where it ends alike.
        """
        best = self.best
        ends: dict[Position, Hypothesis] = {}
        for each in self.partial:
            if each.is_like(best):
                ends.setdefault(each.after, each)
        whole = best.is_complete and not (best.wrong or best.unsure)
        return (
            tuple(ends.values())
            if whole and best.pending and best.left_lying.issuperset(best.pending)
            else ()
        )

    @property
    def may_be_under_way(self) -> bool:
        """Does what lies there also fit a turn that is not over yet, with nothing of it left to do?

        So with Athena, who may go on; and where a miniature ends where it began (Poseidon steps forward and
        floods himself back), the turn looks like one in which it has not moved yet.
        """
        return any(map(_is_under_way, self.partial))

    @property
    def in_short(self) -> Explanation:
        """The same with no more of what was tried than tells all of this: a search that has many keeps them so."""
        under_way = next(filter(_is_under_way, self.partial[1:]), None)
        return Explanation(self.finished, (self.best,) if under_way is None else (self.best, under_way))

    @property
    def rivals(self) -> tuple[Hypothesis, ...]:
        """Finished turns that fit alike but lead to different positions: a question."""
        if not self.finished or self.accepted is not None:
            return ()
        return alike(self.finished)


def _is_under_way(h: Hypothesis) -> bool:
    return not (h.is_complete or h.wrong or h.pending or h.unsure) and bool(h.actions)


def alike(ends: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
    """Of hypotheses, the cheapest first, one for each position that they may lead to within the margin."""
    if not ends:
        return ()
    limit = ends[0].final_cost + MARGIN
    seen: dict[Position, Hypothesis] = {}
    for hypothesis in ends:
        if hypothesis.final_cost < limit:
            seen.setdefault(hypothesis.after, hypothesis)
    return tuple(seen.values())
