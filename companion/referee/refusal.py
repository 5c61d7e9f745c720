"""Refusal: why what lies on the table is against the rules, in words, and what must be put back where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.above.board import SPACES
from companion.games.above.position import Position
from companion.messages import Arg, Text, say, sentences
from companion.referee.evidence import Evidence
from companion.referee.hypothesis import Explanation, Item
from companion.referee.reason import Reasons, closest
from companion.referee.trajectory import state_of
from companion.referee.verdict import Mark, Todo
from companion.referee.wording import deity_name, place_name, side_name, token_name

_CITED = re.compile(r"\((?:phase (\d))?(?:, )?(A\d+)?\)")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason, the acts that put it right, the spaces to light.

    `only_missing`: nothing stands wrong, something merely is not seen, so it deserves more patience; not a token
    whose switch says as well that it has gone.
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
    return refused(Reasons(position, closest(explanation), evidence, names), position)


def refused(reasons: Reasons, position: Position) -> Refusal:
    """The weightiest of these reasons, and what puts all that is wrong back to how it lies in `position`."""
    best, evidence, names = reasons.best, reasons.evidence, reasons.names
    wrongs = sorted(best.wrong, key=reasons.weight)
    reason = reasons.reason(wrongs[0]).mapped(lambda text: _with_name(text, names))
    todo, marks = remedies(position, wrongs, evidence, names)
    return Refusal(
        text=sentences(reason, todo[0].text) if todo else reason,
        rule=cited(reason),
        todo=todo,
        marks=marks,
        actions=tuple(str(action) for action in best.actions),
        only_missing=all(_is_missing(item, evidence) for item in wrongs),
    )


def _with_name(text: Text, names: Sequence[str]) -> Arg:
    """The rules know seats, people know names."""
    return names[int(text.args["n"])] if text.key == "names.seat" else text


def cited(reason: str) -> str:
    """The phase of the rulebook and the ruling that a sentence rests on, empty if it names none."""
    found = _CITED.search(reason)
    if found is None:
        return ""
    phase, ruling = found.groups()
    if phase is None:
        return say("names.ruling", ruling=ruling)
    if ruling is None:
        return say("names.phase", n=int(phase))
    return say("names.phase_ruling", n=int(phase), ruling=ruling)


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
        return Todo(say("above.put_back", deity=deity_name(one), place=place_name(home)), home), marks
    if kind == "token":
        space, place, name = SPACES[two], place_name(two), token_name(one)
        if (one, two) in evidence.tokens_seen():
            return Todo(say("above.take_off", token=name, place=place), space), [(space, Mark.WRONG)]
        return Todo(say("above.put_token_back", token=name, place=place), space), [(space, Mark.RETURN)]
    if kind == "reed":
        return Todo(say("above.take_away", place=place_name(one)), SPACES[one]), [(SPACES[one], Mark.WRONG)]
    count = state_of(position, item)
    deity, whose = deity_name(two), names[one]
    if position.players == 2:
        side = side_name(bool(count))
        return Todo(say("above.turn_back", whose=whose, deity=deity, side=side)), []
    if count > evidence.powered_seen(one).get(two, 0):
        return Todo(say("above.give_back", whose=whose, deity=deity)), []
    return Todo(say("above.back_on_pile", whose=whose, deity=deity)), []


def _is_missing(item: Item, evidence: Evidence) -> bool:
    kind, one, two = item
    if kind == "mini":
        return evidence.mini_at(one) is None
    return kind == "token" and (one, two) not in evidence.tokens_seen() and not evidence.is_felt_bare(two)
