"""What a ruling at a table of Above was made from: each space that counted, what was seen there, its switch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.above.board import SPACES
from companion.games.above.box import TOKENS
from companion.games.above.names import deity_name, place_name, token_name
from companion.games.above.position import Position
from companion.messages import Text, say
from companion.referee.evidence import Switches
from companion.referee.referee import Referee
from companion.referee.verdict import Mark
from companion.sensing.reading import Reading

# What may be done next is no reason for what was said.
_REASONS = frozenset(Mark) - {Mark.TARGET, Mark.WINNER}


def testimony(
    looks: Sequence[Reading], switches: Switches | None, referee: Referee, *, accepted: bool
) -> tuple[str, ...]:
    """What was seen in the looks since the hands left, space by space, and how the switches stood."""
    if accepted and referee.turns:
        last = referee.turns[-1]
        spaces = list(_changed(last.before, last.after))
    else:
        spaces = [space for space, mark in referee.verdict.marks if mark in _REASONS]
    read = [referee.corrected(look) for look in looks]
    return tuple(line for space in dict.fromkeys(spaces) for line in _space(space, read, switches))


def _changed(before: Position, after: Position) -> Iterator[str]:
    """The spaces on which something else stands or lies after a turn."""
    for one, other in zip(before.minis, after.minis, strict=True):
        if one != other:
            yield from (SPACES[one], SPACES[other])
    for token in TOKENS:
        yield from sorted(set(before.tokens_on(token)) ^ set(after.tokens_on(token)), key=str)


def _space(space: str, looks: Sequence[Reading], switches: Switches | None) -> Iterator[Text]:
    place, count = place_name(space), len(looks)
    hidden = sum(space in look.hidden for look in looks)
    pieces: dict[Text, list[float]] = {}
    for look in looks:
        for mini in look.minis:
            if mini.space == space:
                pieces.setdefault(deity_name(mini.deity), []).append(mini.spaces[0][1])
        for token in look.tokens:
            if token.space == space:
                pieces.setdefault(token_name(token.token), []).append(token.spaces[0][1])
    for what, sure in pieces.items():
        percent = int(100 * sum(sure) / len(sure))
        yield say("seen.piece", place=place, what=what, seen=len(sure), looks=count, percent=percent)
    if hidden:
        yield say("seen.hidden", place=place, seen=hidden, looks=count)
    elif not pieces:
        yield say("seen.nothing", place=place, looks=count)
    if switches is not None:
        if space in switches.ignored:
            yield say("seen.ignored", place=place)
        else:
            yield say("seen.closed" if space in switches.closed else "seen.open", place=place)
