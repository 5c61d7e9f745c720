"""Explain: which events of the turn, as far as it has got, best account for what lies on the table.

From the reveal to its end a turn is one hypothesis: a path of legal events from the revealed cards on. A path
accounts for the table when every card lies where the path leaves it. Nothing here compares two pictures, so a
missed picture, a card straightened or laid somewhere else before the next player acts, all come out right.
Only what left a trace is tried: a play where the card lies, an Insert for a card that lies there, a Remove of
a card that has gone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from companion.games.olympeak import rules
from companion.games.olympeak.cards import Kind
from companion.games.olympeak.events import Blocked, DeclineInsert, Event, Insert, Play, Remove, Stop
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.refusal import FINDINGS, Refusal
from companion.referee.olympeak.look import Laid, Look
from companion.referee.olympeak.misfits import Fault, Misfit, placed_misfits
from companion.referee.olympeak.path import RIVAL, Explanation, Memory, Path

# Costs, as negative log likelihoods of a rough kind; only their order matters.
_IN_HAND = 0.2  # a card that is to be played next is in somebody's hand
_TURNED = 1.0  # a revealed card lies face down again
_LEFT_LYING = 0.1  # a card that is to be taken back still lies there
_ASKEW = 1.0  # a card is seen, but beside its place
_COVERED = 0.6  # a card is taken to lie in a covered column
_REMEMBERED = 0.1  # … where it was seen before
_GONE = 1.0  # a card was played, removed, and never seen in its column
_UNASKED = 0.5  # a choice made without a word
_TRACED = 0.3  # … of which the table shows a trace
_AGAINST = 2.0  # a choice other than the one announced
_MOVED_ON = 1.0  # undecided, although the player has chosen the next card
_CHANGED = 1.0  # other than what was announced before


def explain(start: GameState, look: Look, memory: Memory) -> Explanation:
    """Searches the turn that stands at `start`, everybody's card just revealed."""
    search = _Search(start, look, memory)
    return Explanation(tuple(sorted(search.paths(), key=lambda path: path.rank)))


class _Search:
    def __init__(self, start: GameState, look: Look, memory: Memory) -> None:
        self.start = start
        self.look = look
        self.memory = memory
        self.settled = dict(_settled(memory))
        deck = start.setup.deck
        self.remembered = {
            (event.card, event.to) for event in memory.path if isinstance(event, Play | Insert)
        }
        # The order cards whose Insert was announced. One card inserted says nothing of the next: each is asked about.
        self.brought = {
            before.card
            for before, event in pairwise(memory.path)
            if isinstance(event, Insert) and isinstance(before, Play | Insert)
        }
        new = look.in_columns - {each.card for each in start.placed}
        about = {*start.revealed, *new, *(card for card, _ in self.remembered)}
        # What costs more than this is neither the best path nor a rival of it: one without misfits is known.
        self.bound = math.inf
        self.removes = any(card in deck and deck[card].kind is Kind.REMOVE for card in about)

    def paths(self) -> Iterator[Path]:
        yield from self._walk(self.start, (), (self.start,), 0.0, (), ())

    def _walk(
        self,
        state: GameState,
        events: tuple[Event, ...],
        states: tuple[GameState, ...],
        cost: float,
        unsure: tuple[str, ...],
        findings: tuple[Refusal, ...],
    ) -> Iterator[Path]:
        options = tuple(self._options(state)) if state.phase is not Phase.TURN_END else ()
        settled = bool(options) and options[0][0] == self.settled.get(state.pending or "")
        if not settled and not (len(options) == 1 and _decides_nothing(state, options[0][0])):
            path = self._judge(state, events, states, cost, unsure, findings)
            if not path.misfits:
                self.bound = min(self.bound, path.cost + RIVAL)
            yield path
        for event, extra, is_unsure in options:
            if cost + extra > self.bound:
                continue
            odd = tuple(r for r in rules.refusals(state, event) if r.reason in FINDINGS)
            after = rules.apply(state, event, accept=FINDINGS)
            more = (*unsure, event.card) if is_unsure and isinstance(event, Play) else unsure
            yield from self._walk(
                after, (*events, event), (*states, after), cost + extra, more, (*findings, *odd)
            )

    # -- what may have happened next: (event, its cost, was it not seen?)

    def _options(self, state: GameState) -> Iterator[tuple[Event, float, bool]]:
        seat = state.seat
        assert seat is not None
        settled = self.settled.get(state.pending or "")
        if state.phase is Phase.PLAY:
            yield from self._plays(state, seat)
        elif settled is not None and _is_allowed(state, settled):
            yield settled, 0.0, False
        elif state.pending_kind is Kind.STOP:
            yield from self._stops(state, seat)
        elif state.pending_kind is Kind.REMOVE:
            yield from self._removes(state, seat)
        else:
            yield from self._inserts(state, seat)

    def _plays(self, state: GameState, seat: int) -> Iterator[tuple[Event, float, bool]]:
        card, look = state.revealed[seat], self.look
        targets, row = state.targets(card), state.open_row[0]
        if not targets:
            yield Blocked(seat, card), 0.0, False
            return
        unseen = card not in look.in_columns and look.shown.get(seat) != card
        for to in targets:
            play = Play(seat, card, to, row)
            if self._lies(card, to, row):
                yield play, 0.0, False
            elif (unseen or self.removes) and (card, to) in self.remembered:
                # Gone from plain view it counts as missing, and is not mistaken for never played; nor is one
                # that was removed and lies somewhere else now.
                yield play, _REMEMBERED, False
            elif unseen and card not in look.beside and look.covers(to):
                yield play, _COVERED, True
            elif unseen and self.removes:
                # Who plays ahead may lay the Remove card before the other one was announced.
                yield play, _REMEMBERED if self.memory.lain.get(card) == to else _GONE, False

    def _lies(self, card: str, contender: str, row: int) -> bool:
        if Laid(card, contender, row) in self.look.columns:
            return True
        return self.look.columns_hidden and any(
            (each.card, each.contender) == (card, contender) and each.row < row for each in self.look.columns
        )

    def _stops(self, state: GameState, seat: int) -> Iterator[tuple[Event, float, bool]]:
        # Stopping after everybody has played changes nothing, so nobody is asked.
        go_on, stop = Stop(seat, False), Stop(seat, True)
        yield go_on, self._choice(state, "decline", go_on, idle=not state.waiting), False
        if state.waiting and self._all_gone(state):
            yield stop, min(_TRACED, self._choice(state, "stop", stop)), False
        elif self._answer(state) == "stop":
            yield stop, self._choice(state, "stop", stop), False

    def _all_gone(self, state: GameState) -> bool:
        """Have those who have not played taken their cards back, beyond one who just picks it up to play?"""
        look, waiting = self.look, state.waiting
        if any(state.revealed[each] in look.in_columns for each in waiting):
            return False
        if not all(look.is_empty(each) or each in look.face_down for each in waiting):
            return False
        return len(waiting) > 1 or any(each in look.face_down for each in waiting)

    def _removes(self, state: GameState, seat: int) -> Iterator[tuple[Event, float, bool]]:
        removable = state.removable()
        nothing = Remove(seat, None)
        yield nothing, self._choice(state, "decline", nothing, idle=not removable), False
        for card in removable:
            placed = state.lying(card)
            gone = placed is not None and not any(
                (each.card, each.contender) == (card, placed.contender) for each in self.look.columns
            )
            remove = Remove(seat, card)
            if gone and placed is not None and (not self.look.covers(placed.contender)):
                trace = 0.0 if self.look.discard_top == card else _TRACED
                yield remove, min(trace, self._choice(state, card, remove)), False
            elif gone and (self._answer(state) == card or remove in self.memory.path):
                yield remove, self._choice(state, card, remove), False

    def _inserts(self, state: GameState, seat: int) -> Iterator[tuple[Event, float, bool]]:
        drew = state.piles.total > 0
        plain = self._answer(state) == "decline"
        key = "decline" if plain else "drew"
        nothing = DeclineInsert(seat, drew and not plain)
        yield nothing, self._choice(state, key, nothing), False
        meant = state.pending in self.memory.hasty or state.pending in self.brought
        if self._answer(state) is not None and not meant:
            # Who has said that no card is laid does not lay one after all: the next card is somebody else's.
            return
        row, free = state.open_row
        lying = {each.card for each in state.placed}
        expected = {state.revealed[each] for each in state.waiting}
        for laid in self.look.columns:
            if laid.contender not in free or laid.card in expected or laid.card in lying:
                continue
            if not self._lies(laid.card, laid.contender, row) or laid.card not in state.setup.deck:
                continue
            insert = Insert(seat, laid.card, laid.contender, row)
            if _is_allowed(state, insert):
                yield insert, 0.0, False
        for event in self.memory.path:
            # An inserted card may have been removed since, or be covered now.
            if isinstance(event, Insert) and event.seat == seat and event.card not in self.look.in_columns:
                legal = event.card not in lying and event.row == row and event.to in free
                if legal and _is_allowed(state, event):
                    yield event, _REMEMBERED, False

    def _answer(self, state: GameState) -> str | None:
        return self.memory.answers.get(state.pending or "")

    def _choice(self, state: GameState, key: str, event: Event, *, idle: bool = False) -> float:
        """What it costs to take `key` for the choice; `idle`: there is nothing to choose."""
        answer = self._answer(state)
        if answer is None and (idle or event in self.memory.path):
            return 0.0
        return _UNASKED if answer is None else 0.0 if answer == key else _AGAINST

    # -- how it fits

    def _judge(
        self,
        state: GameState,
        events: tuple[Event, ...],
        states: tuple[GameState, ...],
        cost: float,
        unsure: tuple[str, ...],
        findings: tuple[Refusal, ...],
    ) -> Path:
        look = self.look
        misfits, _, askew = placed_misfits(state, look)
        cost += _ASKEW * len(askew)
        lifted: list[int] = []
        for seat in state.waiting:
            card = state.revealed[seat]
            shown = look.shown.get(seat)
            if shown == card or look.zone_hidden(seat):
                continue
            if shown is not None:
                misfits.append(Misfit(Fault.SWAPPED, shown, seat=seat))
            elif seat in look.face_down:
                cost += _TURNED
            else:
                cost += _IN_HAND
                lifted.append(seat)
        left_lying = tuple(
            seat
            for seat in self._prevented(events, states)
            if look.shown.get(seat) == self.start.revealed[seat]
        )
        cost += _LEFT_LYING * len(left_lying)
        if state.phase is Phase.CHOICE and (state.seat in look.face_down or state.seat in look.shown):
            cost += _MOVED_ON
        if state.phase is Phase.CHOICE and self._answer(state) in ("stop", "decline", "drew"):
            cost += _MOVED_ON
        shared = min(len(events), len(self.memory.path))
        if events[:shared] != self.memory.path[:shared] or self._forgets(self.memory.path[shared:]):
            cost += _CHANGED
        return Path(
            events,
            states,
            cost,
            tuple(misfits),
            unsure,
            tuple(lifted),
            left_lying,
            tuple(askew),
            findings,
        )

    def _forgets(self, left_out: tuple[Event, ...]) -> bool:
        """Was one of these cards announced where a hand is now, and is it seen nowhere else? Then it lies there yet."""
        look = self.look
        return any(
            isinstance(event, Play | Insert)
            and look.covers(event.to)
            and event.card not in look.in_columns
            and event.card not in look.beside
            and event.card not in look.shown.values()
            for event in left_out
        )

    def _prevented(self, events: tuple[Event, ...], states: tuple[GameState, ...]) -> Iterator[int]:
        """The seats that take their revealed card back."""
        for event, before in zip(events, states, strict=False):
            if isinstance(event, Blocked):
                yield event.seat
            elif isinstance(event, Stop) and event.stop:
                yield from before.waiting


def _settled(memory: Memory) -> Iterator[tuple[str, Event]]:
    """What was decided on an order card once and for all: the next player has acted on it."""
    pending = ""
    played = [n for n, event in enumerate(memory.path) if isinstance(event, Play)]
    for n, event in enumerate(memory.path):
        decided = isinstance(event, Stop | Remove | Insert | DeclineInsert)
        if decided and pending and max(played, default=-1) > n:
            yield pending, event
        pending = event.card if isinstance(event, Play | Insert) else ""


def _is_allowed(state: GameState, event: Event) -> bool:
    return all(each.reason in FINDINGS for each in rules.refusals(state, event))


def _decides_nothing(state: GameState, event: Event) -> bool:
    """Is this the only thing that can happen, whatever the players do?"""
    if isinstance(event, Blocked):
        return True
    if isinstance(event, Stop):
        return not state.waiting
    return isinstance(event, Remove) and not state.removable()
