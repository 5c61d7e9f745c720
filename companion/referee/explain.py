"""Explain: which sequence of legal actions, complete or partial, best accounts for what lies on the table.

A turn is one hypothesis until it is over. A hypothesis is a path of legal actions from the position at the
start of the turn; along it every item (miniature, token slot, card slot) takes a series of states, its
trajectory. People do things in any order, so a path accounts for the table when every item is in one of its
trajectory's states; the turn is finished when every item is in its last. What is not there yet is what
remains to be done. Nothing here compares two pictures.

The search is led by the evidence: a token is only tried where one was seen, a pick of cards only if those
cards lie there. Choices that left no trace yet are represented by one of their kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from companion.games.above.action import Action
from companion.games.above.board import SPACES, space_index
from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions
from companion.referee.evidence import AIR, AIR_COST, CONTRADICTION, Evidence

# ("mini", deity, 0) | ("token", token, space) | ("card", seat, deity); states: space, 0/1, count Powered.
Item = tuple[str, int, int]
Trajectory = dict[Item, tuple[int, ...]]

# The best explanation must beat one that leads to another position by this much (e² = 7 to 1).
MARGIN = 2.0
_SEEN = 0.3
# From this many picked cards on, the pick is told by the cards themselves.
_PICKS_TOLD = 2


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
    def returned(self) -> tuple[int, ...]:
        """The deities (indexes) that moved and ended where they began: their moves leave no trace."""
        return tuple(
            item[1]
            for item, states in self.trajectory.items()
            if item[0] == "mini" and states[0] == states[-1]
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
    """All hypotheses worth keeping: the finished ones, cheapest first, and the best fitting of the others."""

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
    def may_be_under_way(self) -> bool:
        """Does what lies there also fit a turn that is not over yet, with nothing of it left to do?

        So with Athena, who may go on; and where a miniature ends where it began (Poseidon steps forward and
        floods himself back), the turn looks like one in which it has not moved yet.
        """
        return any(
            not (h.is_complete or h.wrong or h.pending or h.unsure) and h.actions for h in self.partial
        )

    @property
    def rivals(self) -> tuple[Hypothesis, ...]:
        """Finished turns that fit alike but lead to different positions: a question."""
        if not self.finished or self.accepted is not None:
            return ()
        limit = self.finished[0].final_cost + MARGIN
        seen: dict[Position, Hypothesis] = {}
        for hypothesis in self.finished:
            if hypothesis.final_cost < limit:
                seen.setdefault(hypothesis.after, hypothesis)
        return tuple(seen.values())


def explain(position: Position, evidence: Evidence) -> Explanation:
    """Searches the turn that begins at `position` for what accounts for the evidence."""
    search = _Search(position, evidence)
    finished: dict[Position, Hypothesis] = {}
    partial: list[Hypothesis] = []
    for hypothesis in search.paths():
        if hypothesis.is_finished:
            known = finished.get(hypothesis.after)
            if known is None or _rank_finished(hypothesis) < _rank_finished(known):
                finished[hypothesis.after] = hypothesis
        partial.append(hypothesis)
    partial.sort(key=_rank_partial)
    return Explanation(tuple(sorted(finished.values(), key=_rank_finished)), tuple(partial))


def _rank_finished(hypothesis: Hypothesis) -> tuple[float, int]:
    return (hypothesis.final_cost, len(hypothesis.actions))


def _rank_partial(hypothesis: Hypothesis) -> tuple[int, float, int, int]:
    # Costs are compared in steps: among paths that fit alike, the one with least left to do comes first.
    open_acts = len(hypothesis.pending) + len(hypothesis.unsure)
    return (len(hypothesis.wrong), round(hypothesis.cost), open_acts, len(hypothesis.actions))


@dataclass(slots=True)
class _Search:
    position: Position
    evidence: Evidence
    base: dict[Item, float] = field(init=False)
    base_total: float = field(init=False)

    def __post_init__(self) -> None:
        self.base = {}
        position, evidence = self.position, self.evidence
        for deity, space in enumerate(position.minis):
            self.base["mini", deity, 0] = self._cost(("mini", deity, 0), space)
        present = _tokens(position)
        for token, space in present | set(evidence.tokens_seen()):
            self.base["token", token, space] = evidence.token_cost(token, space, (token, space) in present)
        for (seat, deity), count in _cards(position).items():
            self.base["card", seat, deity] = evidence.card_cost(seat, deity, count)
        self.base_total = sum(self.base.values())

    def paths(self) -> Iterator[Hypothesis]:
        """Every path worth judging, the empty one first."""
        yield from self._walk(self.position, (), (self.position,), {})

    def _walk(
        self,
        position: Position,
        actions: tuple[Action, ...],
        positions: tuple[Position, ...],
        trajectory: Trajectory,
    ) -> Iterator[Hypothesis]:
        yield self._judge(actions, positions, trajectory)
        if actions and (position.at_turn_start or position.is_over):
            return
        for action in self._worth_trying(position):
            after = apply(position, action)
            longer = _extend(trajectory, position, action, after)
            yield from self._walk(after, (*actions, action), (*positions, after), longer)

    def _worth_trying(self, position: Position) -> Iterator[Action]:
        """The legal actions that left a trace, and one of each kind of choice that left none."""
        actions = legal_actions(position)
        if actions and actions[0].kind == "recover":
            yield from self._picks(actions)
            return
        stood_in: set[tuple[object, ...]] = set()
        for action in actions:
            kind = action.kind
            if kind in ("place", "shift", "jump"):
                if not self._left_trace(position, action):
                    stand_in = (kind, action.origin, action.deity)
                    if stand_in in stood_in or (kind == "shift" and not self._is_gone(action)):
                        continue
                    stood_in.add(stand_in)
            elif kind == "remove" and not self._is_gone(action):
                continue
            yield action

    def _picks(self, actions: tuple[Action, ...]) -> Iterator[Action]:
        """The picks (A5) that share most with the cards that lie there; one of them while hardly any does."""
        seat = actions[0].seat
        assert seat is not None
        seen = self.evidence.powered_seen(seat)
        shared = [sum(DEITIES.index(code) in seen for code in action.deities) for action in actions]
        most = max(shared)
        best = [action for action, n in zip(actions, shared, strict=True) if n == most]
        yield from best if most >= _PICKS_TOLD else best[:1]

    def _left_trace(self, position: Position, action: Action) -> bool:
        evidence = self.evidence
        space = _space(action.space)
        if action.kind == "jump":
            assert action.deity is not None and action.space is not None
            if action.space in position.tokens_on("fertility"):
                return True
            if action.space in position.tokens_on("gate"):
                gone = evidence.tokens_seen().get((TOKENS.index("gate"), space), 0.0) < 1 - _SEEN
                if gone and not evidence.is_hidden(space):
                    return True
            return evidence.mini_cost(DEITIES.index(action.deity), space) < CONTRADICTION
        assert action.token is not None
        token = TOKENS.index(action.token)
        seen_there = evidence.tokens_seen().get((token, space), 0.0) > _SEEN
        return seen_there and (action.kind != "shift" or self._is_gone(action))

    def _is_gone(self, action: Action) -> bool:
        """Is the token that this action takes from its space no longer seen there?"""
        assert action.token is not None
        space = _space(action.origin if action.kind == "shift" else action.space)
        return self.evidence.tokens_seen().get((TOKENS.index(action.token), space), 0.0) < 1 - _SEEN

    def _judge(
        self, actions: tuple[Action, ...], positions: tuple[Position, ...], trajectory: Trajectory
    ) -> Hypothesis:
        cost = final_cost = self.base_total
        wrong: list[Item] = []
        pending: list[Item] = []
        unsure: list[Item] = []
        for item, cost_before in self.base.items():
            if item not in trajectory and cost_before >= CONTRADICTION:
                wrong.append(item)
        for item, states in trajectory.items():
            costs = [self._cost(item, state) for state in states]
            best = min(costs)
            base = self.base.get(item, 0.0)  # a slot that is empty before and not seen filled costs nothing
            cost += best - base
            final_cost += costs[-1] - base
            if best >= CONTRADICTION:
                wrong.append(item)
            elif costs[-1] >= CONTRADICTION or costs[-1] > best + MARGIN:
                pending.append(item)
            elif not self._sure(item, states[-1]):
                # In plain view and yet not where it should end: still to come. Else it only was not seen.
                unsure.append(item)
        for deity in range(len(DEITIES)):
            item = ("mini", deity, 0)
            states = trajectory.get(item, (positions[0].minis[deity],))
            if self.evidence.mini_cost(deity, AIR) + AIR_COST < min(self._cost(item, s) for s in states):
                if item in wrong:
                    wrong.remove(item)
                if item not in pending:
                    pending.append(item)
                if item in unsure:
                    unsure.remove(item)
        return Hypothesis(
            actions, positions, trajectory, cost, final_cost, tuple(wrong), tuple(pending), tuple(unsure)
        )

    def _cost(self, item: Item, state: int) -> float:
        kind, first, second = item
        if kind == "mini":
            return self.evidence.mini_cost(first, state)
        if kind == "token":
            return self.evidence.token_cost(first, second, bool(state))
        return self.evidence.card_cost(first, second, state)

    def _sure(self, item: Item, state: int) -> bool:
        kind, first, second = item
        if kind == "mini":
            return self.evidence.mini_sure(first, state)
        if kind == "token":
            return self.evidence.token_sure(first, second, bool(state))
        return self.evidence.card_sure(first, second, state)


def state_of(position: Position, item: Item) -> int:
    """The state of an item in a position."""
    kind, first, second = item
    if kind == "mini":
        return position.minis[first]
    if kind == "token":
        return int(SPACES[second] in position.tokens_on(TOKENS[first]))
    return position.powered(first).count(DEITIES[second])


def _extend(trajectory: Trajectory, before: Position, action: Action, after: Position) -> Trajectory:
    """The trajectory with one more position; items that did not change keep their series."""
    longer = dict(trajectory)

    def add(item: Item, old: int, new: int) -> None:
        longer[item] = (*longer.get(item, (old,)), new)

    for deity, (old, new) in enumerate(zip(before.minis, after.minis, strict=True)):
        if old != new:
            add(("mini", deity, 0), old, new)
    lying_before, lying_after = _tokens(before), _tokens(after)
    for token, space in sorted(lying_before ^ lying_after):
        there = int((token, space) in lying_after)
        add(("token", token, space), 1 - there, there)
    cards_before, cards_after = _cards(before), _cards(after)
    for slot in _exhausted(before, action, cards_before):
        # A last card is turned to Spent before everything recovers (A5): it passes through that state.
        if cards_after[slot] >= cards_before[slot]:
            add(("card", *slot), cards_before[slot], cards_before[slot] - 1)
            add(("card", *slot), cards_before[slot] - 1, cards_after[slot])
    for slot, count in cards_after.items():
        if cards_before[slot] != count and longer.get(("card", *slot), ())[-1:] != (count,):
            add(("card", *slot), cards_before[slot], count)
    return longer


def _exhausted(
    before: Position, action: Action, cards: Mapping[tuple[int, int], int]
) -> Iterator[tuple[int, int]]:
    """The card slots (seat, deity) from which the action takes a Powered card."""
    if action.kind not in ("activate", "exhaust", "disgrace"):
        return
    assert action.deity is not None
    deity = DEITIES.index(action.deity)
    if action.kind == "disgrace":
        seats = [seat for seat in range(before.players) if (seat - before.turn) % 2]
    else:
        seats = [before.turn if action.seat is None else action.seat]
    yield from ((seat, deity) for seat in seats if cards[seat, deity])


# A search meets each position as the end of one step and the beginning of many.
@lru_cache(maxsize=4096)
def _tokens(position: Position) -> frozenset[tuple[int, int]]:
    return frozenset(
        (number, space_index(space))
        for number, token in enumerate(TOKENS)
        for space in position.tokens_on(token)
    )


@lru_cache(maxsize=4096)
def _cards(position: Position) -> Mapping[tuple[int, int], int]:
    cards = {(seat, deity): 0 for seat in range(position.players) for deity in range(len(DEITIES))}
    for seat in range(position.players):
        for deity in position.powered(seat):
            cards[seat, DEITIES.index(deity)] += 1
    return cards


def _space(name: str | None) -> int:
    assert name is not None
    return space_index(name)
