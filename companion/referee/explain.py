"""Explain: which sequence of legal actions, complete or partial, best accounts for what lies on the table.

A turn is one hypothesis until it is over. A hypothesis is a path of legal actions from the position at the
start of the turn; along it every item (miniature, token slot, card slot) takes a series of states, its
trajectory. People do things in any order, so a path accounts for the table when every item is in one of its
trajectory's states; the turn is finished when every item is in its last. What is not there yet is what
remains to be done. Nothing here compares two pictures.

The search is led by the evidence: only what disagrees with the position can have happened. A card is tried only
if its turn can bring about all that disagrees, a token only where one was seen, a pick of cards only if those
cards lie there; once a path accounts for everything, only what left a trace may follow. Choices that left no
trace yet are represented by one of their kind. Only if nothing fits is everything tried, so that the smallest
departure from the rules can be named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from companion.games.above.action import Action
from companion.games.above.board import SPACES, bits
from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions
from companion.referee.evidence import AIR, AIR_COST, CONTRADICTION, Evidence
from companion.referee.hypothesis import MARGIN, Explanation, Hypothesis, Item, Trajectory
from companion.referee.magnets import unheld
from companion.referee.portion import Steps, at_once
from companion.referee.scope import can_explain
from companion.referee.trajectory import cost_of, extended, is_sure, items_of, state_of, struck_by
from companion.referee.unseen_cards import MOST_NAMED, is_of_cards, with_all_choices

__all__ = ["Explanation", "Hypothesis", "Item", "can_follow", "explain", "explaining", "state_of"]

_SEEN = 0.3
# From this many picked cards on, the pick is told by the cards themselves.
_PICKS_TOLD = 2
_INDEX = {name: number for number, name in enumerate(SPACES)}
_POSEIDON = DEITIES.index("po")
_NONE: frozenset[str] = frozenset()


def explain(position: Position, evidence: Evidence, *, thorough: bool = True) -> Explanation:
    """Searches the turn that begins at `position` for what accounts for the evidence.

    Unless `thorough`, nothing more is tried once it is clear that no turn fits. Without a camera more than `MOST_NAMED`
    finished turns are not all there are.
    """
    return at_once(explaining(position, evidence, thorough=thorough))


def explaining(position: Position, evidence: Evidence, *, thorough: bool = False) -> Steps[Explanation]:
    """The same in steps."""
    search = _Search(position, evidence)
    hypotheses: list[Hypothesis] = []
    for hypothesis in search.fitting():
        hypotheses.append(hypothesis)
        yield 1
    if thorough and all(hypothesis.wrong for hypothesis in hypotheses):
        hypotheses = search.closest(hypotheses)
        yield len(hypotheses)
    ends = sorted((each for each in hypotheses if each.is_finished), key=_rank_finished)
    if evidence.is_blind:
        ends = with_all_choices(ends, MOST_NAMED + 1)
    finished: dict[Position, Hypothesis] = {}
    for end in ends:
        finished.setdefault(end.after, end)
    hypotheses.sort(key=by_fit)
    return Explanation(tuple(finished.values()), tuple(hypotheses))


def can_follow(position: Position, evidence: Evidence) -> Steps[bool]:
    """May what lies there be the turn that begins at `position`, or part of it?"""
    for hypothesis in _Search(position, evidence).fitting():
        yield 1
        if not hypothesis.wrong:
            return True
    return False


def walked_turns(position: Position, evidence: Evidence, *, laid_again: bool = False) -> Iterator[Hypothesis]:
    """Every path worth trying of the turns whose card shows that it was turned, whatever else does not fit.

    `laid_again`: a token that lies there may have been removed, and another one of its type laid there since.
    """
    search = _Search(position, evidence)
    search.led, search.went_on, search.laid_again = False, True, laid_again
    yield from search.shown()


def _rank_finished(hypothesis: Hypothesis) -> tuple[float, int]:
    return (hypothesis.final_cost, len(hypothesis.actions))


def by_fit(hypothesis: Hypothesis) -> tuple[int, float, int, int]:
    """What comes first: the path that accounts for most with least left to do."""
    # Costs are compared in steps: among paths that fit alike, the one with least left to do comes first.
    open_acts = len(hypothesis.pending) + len(hypothesis.unsure)
    return (len(hypothesis.wrong), round(hypothesis.cost), open_acts, len(hypothesis.actions))


class _How(Enum):
    """How an item lies along a path."""

    WRONG = 0  # in none of its states
    PENDING = 1  # not in its last one yet
    UNSURE = 2  # in its last one, as far as can be told
    THERE = 3


@dataclass(slots=True)
class _Search:
    position: Position
    evidence: Evidence
    base: dict[Item, float] = field(init=False)
    base_total: float = field(init=False)
    # Items that clearly are not where the position has them.
    contrary: frozenset[Item] = field(init=False)
    # Miniatures that are likelier in the air than where the position has them, and what that costs.
    lifted: dict[Item, float] = field(init=False)
    costs: dict[tuple[Item, int], float] = field(init=False)
    weighed: dict[tuple[Item, tuple[int, ...]], tuple[float, float, _How]] = field(init=False)
    laid: dict[str, frozenset[str]] = field(init=False)
    firm: dict[str, frozenset[str]] = field(init=False)
    watched: int = field(init=False)
    # Without a camera: the spaces on which a magnet is felt.
    stood_on: tuple[int, ...] = field(init=False, default=())
    # Is only what left a trace tried once all is accounted for? May somebody have moved on from where a turn ended?
    led: bool = field(init=False, default=True)
    went_on: bool = field(init=False, default=False)
    # May a token that lies there have been removed in between?
    laid_again: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        position, evidence = self.position, self.evidence
        self.costs, self.weighed = {}, {}
        self.watched = evidence.watched(position.stood_on & ~_gone_from(position, evidence))
        self.base = {item: self._cost(item, state) for item, state in items_of(position)}
        seen = evidence.tokens_seen()
        for token, space in seen:
            if ("token", token, space) not in self.base:
                self.base["token", token, space] = self._cost(("token", token, space), 0)
        for space in bits(self.watched):
            item = ("reed", space, 0)
            self.base[item] = self._cost(item, state_of(position, item))
        self.base_total = sum(self.base.values())
        self.contrary = frozenset(item for item, cost in self.base.items() if cost >= CONTRADICTION)
        self.lifted = {
            item: air
            for deity in range(len(DEITIES))
            if (item := ("mini", deity, 0)) in self.base
            and (air := evidence.mini_cost(deity, AIR) + AIR_COST) < CONTRADICTION
        }
        # Where tokens of each type were seen, and where so surely that they have not been taken away.
        self.laid = _by_type((*(slot for slot, p in seen.items() if p > _SEEN), *evidence.felt_unseen))
        self.firm = _by_type(slot for slot, p in seen.items() if p >= 1 - _SEEN)
        if evidence.is_blind:
            # A closed switch is a token of whatever type the rules have there.
            closed = [space for space in bits(self.watched) if evidence.magnet_cost(space, present=False)]
            # Those that have not changed come first: what no piece is left for has come in this turn.
            self.stood_on = tuple(sorted(closed, key=evidence.stirred.__contains__))
            types = range(len(TOKENS))
            # Where a miniature stood it may have gone, and a token have been laid; where one lay, another one.
            lying = position.laid[0] | position.laid[1] | position.laid[2] | position.laid[3]
            may_lie = [
                space
                for space in (*closed, *evidence.unfelt)
                if not lying >> space & 1 or space in evidence.stirred
            ]
            self.laid = _by_type((t, space) for t in types for space in may_lie)
            self.firm = _by_type(
                (t, space)
                for t in types
                for space in closed
                if position.laid[t] >> space & 1 and space not in evidence.stirred
            )

    # -- the walk

    def fitting(self) -> Iterator[Hypothesis]:
        """The empty path, and every path of a turn that may account for everything."""
        raised = {item for item, air in self.lifted.items() if air < self.base[item]}
        yield self._judge((), (self.position,), {})
        if not (self.contrary or raised or self.evidence.is_blind):
            return  # a table that shows the position: nothing has happened
        yield from self._walk_from(
            action
            for action in legal_actions(self.position)
            if all(
                can_explain(self.position, action.deity_index, item)
                for item in self.contrary | raised
                if item[0] != "reed"
            )
        )

    def closest(self, tried: list[Hypothesis]) -> list[Hypothesis]:
        """Every path of those turns that may account for most: one of them is the least wrong.

        `tried`: what `fitting` came to, none of which fits. Nothing was left out of that for being settled.
        """
        self.led = False
        known = {hypothesis.actions[0] for hypothesis in tried if hypothesis.actions}
        reached = {
            action: sum(can_explain(self.position, action.deity_index, item) for item in self.contrary)
            for action in legal_actions(self.position)
        }
        most = max(reached.values(), default=0)
        hypotheses = [each for each in tried if not each.actions or reached[each.actions[0]] == most]
        hypotheses += self._walk_from(
            action for action, count in reached.items() if count == most and action not in known
        )
        return hypotheses

    def shown(self) -> Iterator[Hypothesis]:
        """Every path of those turns whose card was turned, or may have been and recovered since (A5)."""
        turn = self.position.turn
        last = len(self.position.powered(turn)) <= 1 or self._has_recovered(turn)
        for action in legal_actions(self.position):
            item = ("card", turn, action.deity_index)
            count = state_of(self.position, item)
            if last or self._cost(item, count - 1) < self._cost(item, count):
                yield from self._walk_from((action,))

    def _has_recovered(self, seat: int) -> bool:
        """Do more cards lie Powered before a seat than it had? Whatever it turned may be among them again (A5)."""
        held = sum(state_of(self.position, ("card", seat, deity)) for deity in range(len(DEITIES)))
        return sum(self.evidence.powered_seen(seat).values()) > held

    def _walk_from(self, actions: Iterable[Action]) -> Iterator[Hypothesis]:
        for action in actions:
            after = apply(self.position, action)
            trajectory = extended({}, self.position, action, after, self.watched)
            yield from self._walk(after, (action,), (self.position, after), trajectory)

    def _walk(
        self,
        position: Position,
        actions: tuple[Action, ...],
        positions: tuple[Position, ...],
        trajectory: Trajectory,
    ) -> Iterator[Hypothesis]:
        hypothesis = self._judge(actions, positions, trajectory)
        yield hypothesis
        if position.at_turn_start or position.is_over:
            return
        for action in self._worth_trying(position, settled=self.led and not hypothesis.wrong):
            after = apply(position, action)
            longer = extended(trajectory, position, action, after, self.watched)
            yield from self._walk(after, (*actions, action), (*positions, after), longer)

    # -- what may have happened next

    def _worth_trying(self, position: Position, *, settled: bool) -> Iterator[Action]:
        """The legal actions that left a trace, and one of each kind of choice that left none.

        `settled`: everything is accounted for already, so that only what left a trace may have happened besides.
        """
        actions = legal_actions(position)
        first = actions[0].kind
        if self.evidence.is_blind and is_of_cards(actions):
            yield actions[0]
        elif first == "recover":
            yield from self._picks(actions)
        elif first in ("place", "shift"):
            # Of two Barriers that are shifted the second may come to lie where the first one was taken from.
            refilled = first == "shift" and position.activated == "ar" and position.just_laid is None
            trodden = self._trodden(position) if self.went_on else _NONE
            yield from self._tokens(actions, settled, refilled=refilled, trodden=trodden)
        elif first == "jump":
            yield from self._jumps(position, actions, settled)
        else:
            for action in actions:
                kind = action.kind
                firm = self.firm.get(action.token or "", _NONE)
                if kind == "remove" and action.space in firm and not self.laid_again:
                    continue
                if settled and kind in ("move", "back") and not self._may_stand(position, action):
                    continue
                if settled and kind in ("exhaust", "disgrace") and not self._may_be_spent(position, action):
                    continue
                yield action

    def _may_stand(self, position: Position, action: Action) -> bool:
        """May the miniature that this step moves stand where it leads, or have been there on its way?"""
        deity = action.deity_index
        if deity == _POSEIDON == (position.activated and DEITIES.index(position.activated)):
            return True  # he may flood himself back to where he came from
        item = ("mini", deity, 0)
        return item in self.lifted or self._cost(item, _INDEX[action.space or ""]) < CONTRADICTION

    def _may_be_spent(self, position: Position, action: Action) -> bool:
        """May a card that this action exhausts be so already?"""
        if action.kind == "exhaust":
            seats = [action.seat or 0]
        else:
            seats = [seat for seat in range(position.players) if (seat - position.turn) % 2]
        for seat in seats:
            item = ("card", seat, action.deity_index)
            count = state_of(position, item)
            # Where the last card goes, all may be recovered already (A5).
            last = len(position.powered(seat)) <= 1
            if count and (last or self._cost(item, count - 1) < CONTRADICTION):
                return True
        return False

    def _trodden(self, position: Position) -> frozenset[str]:
        """Where the next player's miniature may have come upon a token that was laid in this turn.

        It stands there, or a step on; from a Gate it has jumped, so that lies a step from where it stood. Nobody steps
        onto a Barrier.
        """
        kind, board = position.token_to_lay, position.board
        if kind == "barrier":
            return _NONE
        spaces = 0
        for deity in (item[1] for item in self.contrary if item[0] == "mini"):
            stop = self.evidence.mini_at(deity)
            if stop is None or DEITIES[deity] == position.activated:
                continue
            spaces |= 1 << stop | sum(
                1 << near for near in bits(board.field) if board.steps[near] >> stop & 1
            )
            if kind == "gate":
                spaces |= board.steps[position.minis[deity]]
        return frozenset(board.names(spaces))

    def _tokens(
        self, actions: tuple[Action, ...], settled: bool, *, refilled: bool, trodden: frozenset[str]
    ) -> Iterator[Action]:
        """Tokens laid or shifted to where one was seen, or may have been (`trodden`); else one of them, for where it may
        still come to lie."""
        stood_in: set[str | None] = set()
        token = actions[0].token or ""
        laid, firmly = self.laid.get(token, _NONE), self.firm.get(token, _NONE)
        for action in actions:
            firm = action.kind == "shift" and action.origin in firmly
            if action.space not in laid:
                if firm:
                    continue
                if action.space not in trodden:
                    if settled or action.origin in stood_in:
                        continue
                    stood_in.add(action.origin)
            elif firm and not refilled:
                continue
            yield action

    def _jumps(self, position: Position, actions: tuple[Action, ...], settled: bool) -> Iterator[Action]:
        """Jumps that left a trace; else one that leaves the power to be carried out, and one that skips it (A7)."""
        stood_in = {True, False} if settled else set()
        for action in actions:
            if not self.went_on and not self._jump_left_trace(position, action):
                skips = bool(struck_by(position, action))
                if skips in stood_in or self._is_taken_since(position, action):
                    continue
                stood_in.add(skips)
            yield action

    def _jump_left_trace(self, position: Position, action: Action) -> bool:
        space = _INDEX[action.space or ""]
        if position.laid[TOKENS.index("fertility")] >> space & 1:
            return True
        if position.laid[TOKENS.index("gate")] >> space & 1:
            gone = action.space not in self.firm.get("gate", _NONE)
            if gone and not self.evidence.is_hidden(space):
                return True
        thunder = TOKENS.index("thunder")
        # A Thunder that was taken off first tells where the jump led (A7).
        if any(("token", thunder, near) in self.contrary for near in bits(struck_by(position, action))):
            return True
        return any(
            self._cost(("mini", action.deity_index, 0), stop) < CONTRADICTION
            for stop in _stops(position, action)
        )

    def _is_taken_since(self, position: Position, action: Action) -> bool:
        """Has another piece come to lie where this jump leads? Then whoever has yet to jump goes elsewhere."""
        name = action.space or ""
        laid = any(
            name in spaces and name not in position.tokens_on(token) for token, spaces in self.laid.items()
        )
        return laid or any(
            item != ("mini", action.deity_index, 0) and self._cost(item, _INDEX[name]) < CONTRADICTION
            for item in self.contrary
            if item[0] == "mini"
        )

    def _picks(self, actions: tuple[Action, ...]) -> Iterator[Action]:
        """The picks (A5) that share most with the cards that lie there; one of them while hardly any does."""
        seat = actions[0].seat
        assert seat is not None
        seen = self.evidence.powered_seen(seat)
        shared = [sum(DEITIES.index(code) in seen for code in action.deities) for action in actions]
        most = max(shared)
        best = [action for action, n in zip(actions, shared, strict=True) if n == most]
        yield from best if most >= _PICKS_TOLD else best[:1]

    # -- how it fits

    def _judge(
        self, actions: tuple[Action, ...], positions: tuple[Position, ...], trajectory: Trajectory
    ) -> Hypothesis:
        cost = final_cost = self.base_total
        wrong = [item for item in self.contrary if item not in trajectory]
        pending: list[Item] = []
        unsure: list[Item] = []
        for series in trajectory.items():
            known = self.weighed.get(series)
            if known is None:
                known = self.weighed[series] = self._weigh(*series)
            best, last, how = known
            cost += best
            final_cost += last
            if how is _How.WRONG:
                wrong.append(series[0])
            elif how is _How.PENDING:
                pending.append(series[0])
            elif how is _How.UNSURE:
                unsure.append(series[0])
        for item, air in self.lifted.items():
            states = trajectory.get(item, ())
            stands = min((self._cost(item, state) for state in states), default=self.base[item])
            if air < stands:
                if item in wrong:
                    wrong.remove(item)
                if item not in pending:
                    pending.append(item)
                if item in unsure:
                    unsure.remove(item)
        if self.stood_on and not wrong:
            wrong += unheld(self.position, trajectory, self.stood_on)
        return Hypothesis(
            actions, positions, trajectory, cost, final_cost, tuple(wrong), tuple(pending), tuple(unsure)
        )

    def _weigh(self, item: Item, states: tuple[int, ...]) -> tuple[float, float, _How]:
        """What the best and the last of these states cost more than where the item was, and how it lies."""
        costs = [self._cost(item, state) for state in states]
        best, last = min(costs), costs[-1]
        base = self.base.get(item, 0.0)  # a slot that is empty before and not seen filled costs nothing
        if best >= CONTRADICTION:
            how = _How.WRONG
        elif last >= CONTRADICTION or last > best + MARGIN:
            how = _How.PENDING
        elif not is_sure(self.evidence, item, states[-1]):
            # In plain view and yet not where it should end: still to come. Else it only was not seen.
            how = _How.UNSURE
        else:
            how = _How.THERE
        return best - base, last - base, how

    def _cost(self, item: Item, state: int) -> float:
        key = (item, state)
        known = self.costs.get(key)
        if known is None:
            known = cost_of(self.evidence, item, state)
            self.costs[key] = known
        return known


def _stops(position: Position, action: Action) -> Iterator[int]:
    """Where whoever has jumped there may stand, as far as the power tells: Poseidon may flood himself one ring back."""
    space = _INDEX[action.space or ""]
    yield space
    if action.deity_index == _POSEIDON and position.activated == "po":
        yield from bits(position.board.back[space])


def _by_type(slots: Iterable[tuple[int, int]]) -> dict[str, frozenset[str]]:
    """Names of spaces by the name of the token type."""
    found: dict[str, set[str]] = {}
    for token, space in slots:
        found.setdefault(TOKENS[token], set()).add(SPACES[space])
    return {token: frozenset(spaces) for token, spaces in found.items()}


def _gone_from(position: Position, evidence: Evidence) -> int:
    """The spaces (a bit set) from which miniatures have gone that are seen elsewhere: a switch there that never opened is
    stuck, for nothing else can have stood with them.
    """
    seen = ((space, evidence.mini_at(deity)) for deity, space in enumerate(position.minis))
    return sum(1 << space for space, at in seen if at is not None and at != space)
