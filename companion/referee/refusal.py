"""Refusal: why what lies on the table is against the rules, in words, and what must be put back where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.above.board import SPACES
from companion.games.above.position import Position
from companion.referee.evidence import Evidence
from companion.referee.hypothesis import Explanation, Item
from companion.referee.reason import Reasons, closest
from companion.referee.trajectory import state_of
from companion.referee.verdict import Mark, Todo
from companion.referee.wording import deity_name, place_name, token_name

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
    """The smallest departure from the rules: what the closest legal turn leaves unexplained."""
    best = closest(explanation)
    reasons = Reasons(position, best, evidence, names)
    wrongs = sorted(best.wrong, key=reasons.weight)
    reason = _SEAT.sub(lambda found: names[int(found[1])], reasons.reason(wrongs[0]))
    todo, marks = remedies(position, wrongs, evidence, names)
    cited = _CITED.search(reason)
    text = f"{reason} {todo[0].text}" if todo else reason
    return Refusal(
        text=text,
        rule=cited.group(1) if cited else "",
        todo=todo,
        marks=marks,
        actions=tuple(str(action) for action in best.actions),
        only_missing=all(_is_missing(item, evidence) for item in wrongs),
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


def _is_missing(item: Item, evidence: Evidence) -> bool:
    kind, one, two = item
    if kind == "mini":
        return evidence.mini_at(one) is None
    return kind == "token" and (one, two) not in evidence.tokens_seen()
