"""Refusal: why what lies on the table is against the rules, in words, and what must be put back where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.above.action import Action
from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.explain import explain_illegal
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions
from companion.referee.evidence import Evidence
from companion.referee.hypothesis import Explanation, Hypothesis, Item
from companion.referee.trajectory import state_of
from companion.referee.verdict import Mark, Todo
from companion.referee.wording import deity_name, place_name, token_name

_STEPS = ("move", "jump", "back")
# The rules know seats, people know names.
_SEAT = re.compile(r"\b[Ss]eat (\d)\b")
_CITED = re.compile(r"\(([^()]*(?:A\d+|phase \d)[^()]*)\)")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason, the acts that put it right, the spaces to light.

    `only_missing`: nothing stands wrong, something merely is not seen, so it deserves more patience.
    """

    text: str
    rule: str
    todo: tuple[Todo, ...]
    marks: tuple[tuple[str, Mark], ...]
    actions: tuple[str, ...]
    only_missing: bool


def refusal(
    position: Position, explanation: Explanation, evidence: Evidence, names: Sequence[str]
) -> Refusal:
    """The smallest departure from the rules: what the best partial explanation leaves unexplained."""
    best = explanation.best
    wrongs = sorted(best.wrong, key=lambda item: _weight(item, position, evidence))
    finder = _Finder(position, best, evidence, names, frozenset(wrongs))
    reason = _SEAT.sub(lambda found: names[int(found[1])], finder.reason(wrongs[0]))
    todo, marks = remedies(position, wrongs, evidence, names)
    cited = _CITED.search(reason)
    text = f"{reason} {todo[0].text}" if todo else reason
    return Refusal(
        text=text,
        rule=cited.group(1) if cited else "",
        todo=todo,
        marks=marks,
        actions=tuple(str(action) for action in best.actions),
        only_missing=all(_is_missing(item, best, evidence) for item in wrongs),
    )


def remedies(
    position: Position, items: Sequence[Item], evidence: Evidence, names: Sequence[str]
) -> tuple[tuple[Todo, ...], tuple[tuple[str, Mark], ...]]:
    """The acts that put the items back to how they lie in `position`, and the spaces they concern."""
    todo: list[Todo] = []
    marks: dict[str, Mark] = {}
    for item in items:
        act, lit = _remedy(position, item, evidence, names)
        todo.append(act)
        for space, mark in lit:
            marks.setdefault(space, mark)
    return tuple(todo), tuple(marks.items())


def _remedy(
    position: Position, item: Item, evidence: Evidence, names: Sequence[str]
) -> tuple[Todo, list[tuple[str, Mark]]]:
    kind, one, two = item
    if kind == "mini":
        home = SPACES[position.minis[one]]
        stands = evidence.mini_at(one)
        marks = [(home, Mark.RETURN)]
        if stands is not None:
            marks.insert(0, (SPACES[stands], Mark.WRONG))
        return Todo(f"Put {deity_name(one)} back on {place_name(home)}.", home), marks
    if kind == "token":
        space, name = SPACES[two], token_name(one)
        if (one, two) in evidence.tokens_seen():
            return Todo(f"Take the {name} token off {space}.", space), [(space, Mark.WRONG)]
        return Todo(f"Put the {name} token back on {space}.", space), [(space, Mark.RETURN)]
    if kind == "reed":
        return Todo(f"Take away what stands on {place_name(one)}.", SPACES[one]), [(SPACES[one], Mark.WRONG)]
    count = state_of(position, item)
    deity, whose = deity_name(two), names[one]
    if position.players == 2:
        side = "Powered" if count else "Spent"
        return Todo(f"Turn {whose}'s {deity} card back to its {side} side."), []
    if count > evidence.powered_seen(one).get(two, 0):
        return Todo(f"Give {whose} back the {deity} card, Powered face up."), []
    return Todo(f"Put {whose}'s {deity} card back on the discard pile."), []


def _weight(item: Item, position: Position, evidence: Evidence) -> int:
    """What is told first: a miniature that stands wrong, then tokens laid, cards, and what is missing."""
    kind, one, two = item
    if kind == "mini":
        return 0 if evidence.mini_at(one) is not None else 4
    if kind == "token":
        return 3 if (one, two) not in evidence.tokens_seen() else 1
    return 1 if kind == "reed" else 2


def _is_missing(item: Item, best: Hypothesis, evidence: Evidence) -> bool:
    kind, one, two = item
    if kind == "mini":
        return evidence.mini_at(one) is None
    return kind == "token" and (one, two) not in evidence.tokens_seen()


@dataclass(frozen=True, slots=True)
class _Finder:
    position: Position
    best: Hypothesis
    evidence: Evidence
    names: Sequence[str]
    wrong: frozenset[Item]

    def reason(self, item: Item) -> str:
        kind, one, two = item
        if kind == "mini":
            return self._mini_reason(one)
        if kind == "token":
            return self._token_reason(one, two)
        if kind == "reed":
            return f"Something stands on {place_name(one)} that cannot have come there this turn."
        return self._card_reason(one, two)

    # -- reasons

    def _mini_reason(self, deity: int) -> str:
        name, code = deity_name(deity), DEITIES[deity]
        stands = self.evidence.mini_at(deity)
        if stands is None:
            return f"{name} is missing from the board."
        action = Action("move", deity=code, space=SPACES[stands])
        for position in self._contexts(code):
            text = explain_illegal(position, action)
            if text is not None:
                return text
        return f"{name} cannot have come to {place_name(stands)} this turn."

    def _contexts(self, code: str) -> list[Position]:
        """Positions of the turn in which the move is to be judged, the most telling first."""
        moving = [
            position
            for position in self.best.positions
            if any(a.deity == code and a.kind in _STEPS for a in legal_actions(position))
        ]
        if moving:
            return moving
        if not self.best.actions and code in self.position.powered(self.position.turn):
            return [apply(self.position, Action("activate", deity=code))]
        # After the activated deity's own movement if that is known, else where the turn stands.
        later = [position for position in self.best.positions if not position.at_turn_start]
        return [*reversed(later), self.position]

    def _token_reason(self, token: int, space: int) -> str:
        name, kind, where = token_name(token), TOKENS[token], SPACES[space]
        laid = (token, space) in self.evidence.tokens_seen()
        others = [item for item in self.wrong if item[:2] == ("token", token) and item[2] != space]
        action = Action("place" if laid else "remove", token=kind, space=where)
        if laid and any((token, item[2]) not in self.evidence.tokens_seen() for item in others):
            origin = next(item[2] for item in others if (token, item[2]) not in self.evidence.tokens_seen())
            action = Action("shift", token=kind, origin=SPACES[origin], space=where)
        later = [position for position in self.best.positions if not position.at_turn_start]
        ranked = sorted(
            later or [self.position],
            key=lambda position: not any(a.token == kind for a in legal_actions(position)),
        )
        for position in ranked:
            text = explain_illegal(position, action)
            if text is not None:
                return text
        if laid:
            return f"No {name} token may lie on {where} now."
        return f"The {name} token is missing from {where}: nothing took it away."

    def _card_reason(self, seat: int, deity: int) -> str:
        whose, name = self.names[seat], deity_name(deity)
        mover = self.names[self.position.turn]
        spent = state_of(self.position, ("card", seat, deity)) > self.evidence.powered_seen(seat).get(
            deity, 0
        )
        if not spent:
            return (
                f"{whose}'s {name} card stays Spent: cards are recovered only when a player "
                "has no Powered card left (A5)."
            )
        if seat != self.position.turn:
            return f"It is {mover}'s turn: {whose}'s {name} card stays Powered (phase 1)."
        if self.best.actions:
            active = deity_name(self.best.actions[0].deity or "")
            return f"{mover} has activated {active}: one card a turn is exhausted, not {name} too (phase 1)."
        return (
            f"{mover}'s {name} card cannot have been exhausted by anything that lies on the table (phase 1)."
        )
