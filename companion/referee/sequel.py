"""Sequel: when no single turn accounts for the table, was one turn played and the next begun, or played too?

So it is when the next player starts before the last token was taken off the board, or when nobody could see for a
while. Only what the cards show counts: each turn has turned a card of its own player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from companion.games.above.board import SPACES
from companion.games.above.box import TOKENS
from companion.games.above.position import Position
from companion.games.above.rules import legal_actions
from companion.referee.begun_early import is_begun_early
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.explain import by_fit, explain, walked_turns
from companion.referee.felt_order import has_relaid
from companion.referee.hypothesis import MARGIN, Explanation, Hypothesis, Item
from companion.referee.reeds import Reeds
from companion.referee.scope import can_explain
from companion.referee.trajectory import cost_of, state_of

# So many first turns are followed up, those that leave least unexplained first.
_MOST = 40
_GATE, _THUNDER = TOKENS.index("gate"), TOKENS.index("thunder")


@dataclass(frozen=True, slots=True)
class Sequel:
    """A turn that was played, with tokens that still lie there though it took them off, and what came after it."""

    first: Hypothesis
    owed: frozenset[tuple[int, int]]
    then: Explanation
    unseen: frozenset[Item] = frozenset()
    # A miniature must have gone forth and back, and nobody has seen it leave its space; or the second turn's card lies as
    # it lay before the first one, which has recovered it.
    is_doubtful: bool = False

    @property
    def rank(self) -> tuple[int, float, int]:
        """The likelier has the less: what is still to be done, the cost, how much is assumed to have happened.

        What nobody sees of the first turn counts as much as what nobody sees of the second, but for tokens: whether one
        lies where nothing can be seen tells nothing.
        """
        best = self.then.best
        unsure = {*best.unsure, *({*self.first.unsure} - best.trajectory.keys())}
        to_do = len(best.pending) + sum(item[0] != "token" for item in unsure)
        return (to_do, best.cost, len(self.owed) + len(self.first.actions) + len(best.actions))

    @property
    def in_short(self) -> Sequel:
        """The same without all that was tried of the second turn."""
        return replace(self, then=self.then.in_short)

    @property
    def is_guessed(self) -> bool:
        """Has the turn laid a token that is not seen anywhere? Then nobody can know where it was.

        But for one that the next turn's miniature has come upon: that leads it on.
        """
        return any(not _is_trodden(item, self.then.best) for item in self.unseen)


def unseen_end(found: Sequence[Sequel]) -> Position | None:
    """Where the game stands if that is certain, but how it came there is not: two turns that nobody saw."""
    ends = {end_of(each.then) for each in found}
    if len(ends) != 1 or found[0].is_doubtful or (len(found) == 1 and not found[0].is_guessed):
        return None
    return ends.pop()


def end_of(then: Explanation) -> Position | None:
    """Where the second of two turns leads if it is whole and cannot go on; None if it is not."""
    accepted = then.accepted
    return None if accepted is None or then.may_be_under_way else accepted.after


class SequelSearch:
    """What fits as a turn from `position` and the beginning of the next one, looked for in portions.

    `found`, once it is done: the likeliest, and those that fit alike and differ in the first turn; none where nothing
    fits. `early`: the first, in the order in which turns are followed up (those that leave least unexplained first), of
    which only a miniature tells that the next player has begun.

    `owed`: tokens that are to be taken off from before. `touched`: deities seen to have left their space, if only for a
    moment; what needs another to have done so is doubtful, and only told where nothing else fits, or beside what leaves
    the next turn open after a `gap` in which nobody could see it leave. `lay_there`: a whole turn from `position` that
    has lain there and might have gone on; no turn has gone another way. `reeds`: what the switches have felt meanwhile.
    """

    def __init__(
        self,
        position: Position,
        evidence: Evidence,
        owed: frozenset[tuple[int, int]],
        touched: Set[int],
        lay_there: Hypothesis | None = None,
        *,
        gap: bool = False,
        reeds: Reeds | None = None,
    ) -> None:
        self.position = position
        self.found: tuple[Sequel, ...] = ()
        self.early: Sequel | None = None
        self.is_done = False
        # Were there more first turns than are followed up?
        self.was_cut_short = False
        self._evidence = evidence
        self._owed = owed
        self._touched = frozenset(touched)
        self._lay_there = lay_there
        self._gap = gap
        self._reeds = reeds
        self._steps = self._search()

    def run(self, paths: int | None = None) -> bool:
        """Goes on, for about so many paths of actions or to the end; is it done?"""
        left = paths
        while not self.is_done and (left is None or left > 0):
            tried = next(self._steps, None)
            if tried is None:
                self.is_done = True
            elif left is not None:
                left -= tried
        return self.is_done

    def _search(self) -> Iterator[int]:
        """Fills `found`; yields how many paths it has just tried."""
        if self._evidence.is_blind:
            return  # without cards in view anything could be two turns
        turns: list[Hypothesis] = []
        for path in walked_turns(self.position, self._evidence, laid_again=self._gap):
            if path.is_complete and not path.after.is_over and _has_gone_by(path, self._lay_there):
                turns.append(path)
            yield 1
        _put_in_order(turns)
        found: list[Sequel] = []
        laid_again: list[Sequel] = []
        followed = 0
        for ways in _by_end(turns):
            first = self._most_told(ways)
            if first is None:
                continue
            left = _left_lying(first, self._evidence)
            if followed >= _MOST:
                self.was_cut_short = True
                break
            followed += 1
            sequel = self._followed(first, left)
            yield len(sequel.then.partial)
            if self._is_one(sequel):
                found.append(sequel.in_short)
            elif self.early is None and is_begun_early(
                first, left, sequel.then.best, self._evidence, self._touched
            ):
                self.early = sequel
            if left and self._gap:
                # What the first turn took off may have been laid there again by the second.
                sequel = self._followed(first, frozenset())
                yield len(sequel.then.partial)
                if self._is_one(sequel):
                    laid_again.append(sequel.in_short)
        self.found = _likeliest(found)
        if self._gap:
            doubtful = [each for each in found if each.is_doubtful]
            self.found += _whole([*doubtful, *laid_again], self.found)
        else:
            struck = [
                each for each in found if each.is_doubtful and _has_struck(each.then.best, self._evidence)
            ]
            self.found += _whole(struck, self.found)

    @property
    def is_a_guess(self) -> bool:
        """After a gap: is what was found one way of many, and leaves the next turn open?"""
        return self._gap and self.was_cut_short and any(each.then.accepted is None for each in self.found)

    def _most_told(self, ways: Sequence[Hypothesis]) -> Hypothesis | None:
        """Of turns that end alike the one that most tells of, the likeliest of several: as the switches have felt it, and
        else the one in which fewest miniatures went forth and back that nobody has seen leave. None if the next turn
        cannot account for what is left of any.
        """

        def doubts(turn: Hypothesis) -> tuple[bool, int]:
            unseen = {*turn.returned} - self._touched
            untold = sum(not left_trace(deity, turn, self._evidence) for deity in unseen)
            return not self._is_felt(turn), untold

        told = (way for way in sorted(ways, key=doubts) if _may_follow(way, _left_lying(way, self._evidence)))
        return next(told, None)

    def _is_felt(self, first: Hypothesis) -> bool:
        """Have the switches felt that a token was laid where one had been taken up before?"""
        return self._reeds is not None and has_relaid(self._reeds, first)

    def _is_one(self, sequel: Sequel) -> bool:
        best = sequel.then.best
        if not best.fits:
            return False
        if _has_turned_its_card(self.position, best, self._evidence):
            return True
        return self._gap and _has_turned_what_it_recovered(sequel, self._evidence)

    def _followed(self, first: Hypothesis, left: frozenset[tuple[int, int]]) -> Sequel:
        still = self._owed | left
        looked = self._evidence.without(still) if left else self._evidence
        then = explain(first.after, looked, thorough=False)
        doubtful = not self._touched >= _went_and_came(first, then.best, self._evidence)
        # Whoever has just recovered may not have taken the last card yet, and somebody have made a mistake.
        told = _has_turned_its_card(self.position, then.best, self._evidence)
        doubtful = doubtful or not (told or _has_changed_more(self.position, then.best, self._evidence))
        unseen = _laid_unseen(first, self._evidence)
        # A token that lies where the turn took one off has rather not been taken off yet, and been laid where a miniature
        # has come upon it since. One that a miniature covers may as well not have been laid yet, but for a Gate that it
        # has come through.
        relaid = first.replaced and not self._is_felt(first)
        doubtful = (
            doubtful
            or relaid
            or any(
                _is_covered(item, then.best) and not _has_led(item, then.best, self._evidence)
                for item in unseen
            )
        )
        return Sequel(first, still, then, unseen, doubtful)


def sequels(
    position: Position, evidence: Evidence, owed: frozenset[tuple[int, int]], touched: Set[int]
) -> tuple[Sequel, ...]:
    """What a `SequelSearch` finds."""
    search = SequelSearch(position, evidence, owed, touched)
    search.run()
    return search.found


def _likeliest(found: list[Sequel]) -> tuple[Sequel, ...]:
    if not all(each.is_doubtful for each in found):
        found = [each for each in found if not each.is_doubtful]
    # Where a token lay for a moment cannot be guessed; only what came of it may be certain.
    found = [each for each in found if not each.is_guessed or end_of(each.then) is not None]
    found.sort(key=lambda sequel: sequel.rank)
    if not found:
        return ()
    best = found[0]
    alike: dict[Position, Sequel] = {best.first.after: best}
    for other in found[1:]:
        if other.rank[0] == best.rank[0] and other.rank[1] < best.rank[1] + MARGIN:
            alike.setdefault(other.first.after, other)
    return tuple(alike.values())


def _is_trodden(item: Item, then: Hypothesis) -> bool:
    """Has a miniature come upon the space of this token?"""
    return any(item[2] in states[1:] for what, states in then.trajectory.items() if what[0] == "mini")


def _is_covered(item: Item, then: Hypothesis) -> bool:
    """Has a miniature come to stand on the space of this token?"""
    return any(item[2] == states[-1] for what, states in then.trajectory.items() if what[0] == "mini")


def _has_led(item: Item, then: Hypothesis, evidence: Evidence) -> bool:
    """Is this a Gate that a miniature has come to from another one, which has been taken off since?

    Without it the other one would lie there still.
    """
    return any(
        action.kind == "jump"
        and action.space == SPACES[item[2]]
        and item[1] == _GATE
        and any(
            other[:2] == ("token", _GATE)
            and other != item
            and states[0]
            and not states[-1]
            and evidence.token_sure(_GATE, other[2], present=False)
            for other, states in then.trajectory.items()
        )
        for action in then.actions
    )


def _whole(unlikely: Sequence[Sequel], told: Sequence[Sequel]) -> tuple[Sequel, ...]:
    """Two whole turns where `told` has the second one still to be played: after a gap nothing but its card tells of it,
    in plain view a Thunder besides that it has triggered.

    Whoever has played it will not play it again.
    """
    if not told or told[0].is_doubtful or told[0].then.accepted is not None:
        return ()
    others: dict[Position, Sequel] = {}
    for each in sorted(unlikely, key=lambda sequel: sequel.rank):
        is_whole = not each.is_guessed and each.then.accepted is not None
        if is_whole and each.rank[1] < told[0].rank[1] + MARGIN:
            others.setdefault(each.first.after, each)
    return tuple(each for after, each in others.items() if after not in {one.first.after for one in told})


def _has_gone_by(path: Hypothesis, lay_there: Hypothesis | None) -> bool:
    """Has every miniature stood, on this path, where it had been moved when that turn lay there?"""
    return lay_there is None or all(
        states[-1] in path.trajectory.get(item, ())
        for item, states in lay_there.trajectory.items()
        if item[0] == "mini" and states[-1] != states[0]
    )


def _put_in_order(turns: list[Hypothesis]) -> None:
    """Those that leave least unexplained come first, but all ways of the miniatures before other places of tokens.

    Which of the two turns has laid a token is one of many; a way that is not tried at all is missed.
    """
    turns.sort(key=by_fit)
    ways: Counter[bytes] = Counter()
    order = []
    for number, turn in enumerate(turns):
        minis = bytes(turn.after.minis)
        order.append((ways[minis], number))
        ways[minis] += 1
    turns[:] = [turns[number] for _, number in sorted(order)]


def _by_end(turns: Sequence[Hypothesis]) -> Iterable[Sequence[Hypothesis]]:
    """The same in groups, one for each position that they lead to."""
    groups: dict[Position, list[Hypothesis]] = {}
    for turn in turns:
        groups.setdefault(turn.after, []).append(turn)
    return groups.values()


def _may_follow(first: Hypothesis, left: Set[tuple[int, int]]) -> bool:
    """May one more turn account for everything that this one does not?"""
    after = first.after
    open_items = [
        item
        for item in (*first.wrong, *first.pending)
        if item[0] != "reed" and not (item[0] == "token" and item[1:] in left)
    ]
    return any(
        all(can_explain(after, action.deity_index, item) for item in open_items)
        for action in legal_actions(after)
    )


def _went_and_came(first: Hypothesis, then: Hypothesis, evidence: Evidence) -> set[int]:
    """The deities that moved and stand where they stood before: nothing tells of that but the lift, or a token that
    was taken off on the way."""
    start, between, end = first.positions[0].minis, first.after.minis, then.after.minis
    on_the_way = {item[1] for h in (first, then) for item in h.trajectory if item[0] == "mini"}
    return {
        deity
        for deity in on_the_way
        if (start[deity] == end[deity] or (start[deity] == between[deity] and deity in first.returned))
        and not any(left_trace(deity, h, evidence) for h in (first, then))
    }


def left_trace(deity: int, hypothesis: Hypothesis, evidence: Evidence) -> bool:
    """Has a token gone from a space that this miniature came by on this path?"""
    stops = hypothesis.trajectory.get(("mini", deity, 0), ())
    return any(
        space in stops and states[0] and not states[-1]
        for (kind, token, space), states in hypothesis.trajectory.items()
        if kind == "token" and evidence.token_sure(token, space, present=False)
    )


def _has_struck(then: Hypothesis, evidence: Evidence) -> bool:
    """Has this turn triggered a Thunder that has gone? Poseidon may have removed it in the first one instead."""
    return all(action.kind != "remove" for action in then.actions) and any(
        item[:2] == ("token", _THUNDER)
        and states[0]
        and not states[-1]
        and evidence.token_sure(_THUNDER, item[2], present=False)
        for item, states in then.trajectory.items()
    )


def _has_turned_its_card(position: Position, hypothesis: Hypothesis, evidence: Evidence) -> bool:
    """Has the next player begun by turning a card? Anything else may as well be somebody's mistake.

    A card that lies as it lay in `position` tells nothing, whatever else is said to have happened to it meanwhile.
    """
    # Where the last card goes and others are recovered (A5), those tell.
    seat = hypothesis.positions[0].turn
    return any(item[:2] == ("card", seat) for item in _changed_for_certain(position, hypothesis, evidence))


def _has_changed_more(position: Position, then: Hypothesis, evidence: Evidence) -> bool:
    """Has a turn whose card tells nothing changed two other things? One may be somebody's mistake, both are a turn."""
    return sum(1 for _ in _changed_for_certain(position, then, evidence)) > 1


def _changed_for_certain(position: Position, then: Hypothesis, evidence: Evidence) -> Iterator[Item]:
    """What lies neither as it lay in `position` nor as it did before this turn."""
    for item, states in then.trajectory.items():
        before = (states[0], state_of(position, item))
        if item[0] != "reed" and all(cost_of(evidence, item, state) >= CONTRADICTION for state in before):
            yield item


def _has_turned_what_it_recovered(sequel: Sequel, evidence: Evidence) -> bool:
    """Has the next player recovered in the first turn (A5), and now lacks just what the second one has turned?

    Its card then lies as it lay before both, Spent; all the others that were recovered tell.
    """
    first, then = sequel.first, sequel.then.best
    seat = then.positions[0].turn
    recovered = first.after.powered(seat)
    if not Counter(recovered) - Counter(first.positions[0].powered(seat)):
        return False
    return sum(evidence.powered_seen(seat).values()) == len(then.after.powered(seat)) < len(recovered)


def _laid_unseen(hypothesis: Hypothesis, evidence: Evidence) -> frozenset[Item]:
    """Tokens that the turn has laid and that are not seen where they should be."""
    seen = evidence.tokens_seen()
    return frozenset(
        item
        for item, states in hypothesis.trajectory.items()
        if item[0] == "token" and not states[0] and any(states) and seen.get(item[1:], 0.0) <= 0.5
    )


def _left_lying(hypothesis: Hypothesis, evidence: Evidence) -> frozenset[tuple[int, int]]:
    """Tokens that this turn has taken off by the rules, not by choice, and that still lie there."""
    seen = evidence.tokens_seen()
    return frozenset(
        (item[1], item[2])
        for item, states in hypothesis.trajectory.items()
        if item[0] == "token" and states[0] and not states[-1] and seen.get((item[1], item[2]), 0.0) > 0.5
    ) - {item[1:] for item in hypothesis.chosen}
