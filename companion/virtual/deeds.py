"""Deeds: the physical acts that a turn consists of, and the orders in which people may do them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply
from companion.virtual.truth import Lie, lie_of


class Do(Enum):
    """What a hand does."""

    FLIP = "flip"  # two players: turn a card of a seat, Powered side up or down
    DISCARD = "discard"  # four players: a card of a seat goes onto the pile
    PICK = "pick"  # four players: a card from the pile goes before a seat
    WALK = "walk"  # a miniature to a space
    LAY = "lay"  # a token from the reserve to a space
    TAKE = "take"  # a token from a space to the reserve
    SHIFT = "shift"  # a token from one space to another


@dataclass(frozen=True, slots=True)
class Deed:
    """One act. Which fields count depends on `do`; `up`: the card ends Powered side up."""

    do: Do
    what: str
    space: str = ""
    origin: str = ""
    seat: int = 0
    up: bool = False
    aside: bool = False

    @property
    def thing(self) -> tuple[str, ...]:
        """Deeds with the same thing keep their order: cards of one seat, one miniature."""
        if self.do in (Do.FLIP, Do.DISCARD, Do.PICK):
            return ("cards", str(self.seat))
        if self.do is Do.WALK:
            return ("mini", self.what)
        return ("token", self.what, self.origin, self.space)


def deeds_of(position: Position, actions: Sequence[Action]) -> tuple[list[Deed], Position]:
    """The deeds of a turn in the order of the rules, and the position it leads to."""
    deeds: list[Deed] = []
    here = position
    for action in actions:
        after = apply(here, action)
        deeds += _of_action(here, action, after)
        here = after
    return deeds, here


def _of_action(before: Position, action: Action, after: Position) -> list[Deed]:
    then, now = lie_of(before), lie_of(after)
    deeds = _of_cards(before, action, then, now)
    if action.kind in ("move", "jump", "back"):
        deeds.append(Deed(Do.WALK, str(action.deity), str(action.space)))
    if action.kind == "shift":
        return [*deeds, Deed(Do.SHIFT, str(action.token), str(action.space), str(action.origin))]
    deeds += [Deed(Do.LAY, token, space) for token, space in sorted(now.tokens - then.tokens)]
    deeds += [Deed(Do.TAKE, token, space) for token, space in sorted(then.tokens - now.tokens)]
    return deeds


def _of_cards(before: Position, action: Action, then: Lie, now: Lie) -> list[Deed]:
    deity = str(action.deity)
    if action.kind == "recover":
        return [Deed(Do.PICK, card, seat=int(action.seat or 0), up=True) for card in action.deities]
    if action.kind not in ("activate", "exhaust", "disgrace"):
        return []
    if before.players == 4:
        return [
            Deed(Do.DISCARD, card, seat=seat)
            for (seat, card), count in sorted(then.cards.items())
            for _ in range(count - now.cards.get((seat, card), 0))
        ]
    seat = before.turn
    if action.kind == "exhaust":
        seat = int(action.seat or 0)
    elif action.kind == "disgrace":
        seat = 1 - before.turn
    deeds = [Deed(Do.FLIP, deity, seat=seat)]
    if now.cards.get((seat, deity), 0):
        # It was the last one: all eight come back (A5).
        deeds += [
            Deed(Do.FLIP, card, seat=seat, up=True)
            for (at, card) in sorted(now.cards)
            if at == seat and (card == deity or not then.cards.get((at, card), 0))
        ]
    return deeds


def shortened(deeds: Sequence[Deed], rng: random.Random) -> list[Deed]:
    """As people abridge: a miniature goes straight to its end, a card is not turned twice for nothing."""
    dropped: set[int] = set()
    for n in range(len(deeds) - 1, 0, -1):
        deed = deeds[n]
        earlier = [
            k
            for k in range(n)
            if k not in dropped and deeds[k].do is deed.do and deeds[k].thing == deed.thing
        ]
        if n in dropped or not earlier:
            continue
        if deed.do is Do.WALK and rng.random() < 0.5:
            dropped.add(earlier[-1])
        if deed.do is Do.FLIP and deed.up:
            turned = [k for k in earlier if deeds[k].what == deed.what and not deeds[k].up]
            if turned and rng.random() < 0.5:
                dropped |= {turned[-1], n}
    return [deed for n, deed in enumerate(deeds) if n not in dropped]


def shuffled(table: Lie, deeds: Sequence[Deed], rng: random.Random, swaps: int = 6) -> list[Deed]:
    """The deeds in another order that hands can follow too."""
    order = list(deeds)
    for _ in range(swaps if len(order) > 1 else 0):
        trial = order.copy()
        deed = trial.pop(rng.randrange(len(trial)))
        trial.insert(rng.randrange(len(trial) + 1), deed)
        if _keeps_order(order, trial) and can_follow(table, trial):
            order = trial
    return order


def _keeps_order(old: Sequence[Deed], new: Sequence[Deed]) -> bool:
    things = {deed.thing for deed in old}
    return all([d for d in old if d.thing == t] == [d for d in new if d.thing == t] for t in things)


def can_follow(table: Lie, deeds: Sequence[Deed]) -> bool:
    """Whether hands can do the deeds in this order: no piece is set down where another stands."""
    minis = {deity: space for deity, space in table.minis.items() if space is not None}
    tokens = set(table.tokens)
    cards = dict(table.cards)
    for deed in deeds:
        if deed.do in (Do.DISCARD, Do.PICK):
            slot = (deed.seat, deed.what)
            cards[slot] = cards.get(slot, 0) + (1 if deed.do is Do.PICK else -1)
            # There are two of each card, and a seat has room for four.
            if sum(n for (_, deity), n in cards.items() if deity == deed.what) > 2 or cards[slot] < 0:
                return False
            if sum(n for (seat, _), n in cards.items() if seat == deed.seat) > 4:
                return False
        elif deed.do is Do.WALK:
            if deed.space in (space for deity, space in minis.items() if deity != deed.what):
                return False
            minis[deed.what] = deed.space
        elif deed.do in (Do.LAY, Do.SHIFT):
            if deed.do is Do.SHIFT:
                if (deed.what, deed.origin) not in tokens or deed.origin in minis.values():
                    return False
                tokens.discard((deed.what, deed.origin))
            if deed.space in minis.values() or any(space == deed.space for _, space in tokens):
                return False
            if sum(token == deed.what for token, _ in tokens) >= 6:
                return False
            tokens.add((deed.what, deed.space))
        elif deed.do is Do.TAKE:
            if (deed.what, deed.space) not in tokens:
                return False
            tokens.discard((deed.what, deed.space))
    return True
