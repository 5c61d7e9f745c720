"""Told: a set-up that people lay out as they are told, where no camera can read one."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from companion.games.above.board import SPACES, bits
from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.position import Position
from companion.games.above.setup import initial_position
from companion.messages import listed, say
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.setup import Act
from companion.referee.wording import deity_name, place_name, token_name


def told_start(players: int) -> Position:
    """The set-up that people are told where nothing else is wished: always the same for so many players."""
    return initial_position(players, random.Random(players))


def told_acts(start: Position, evidence: Evidence, names: Sequence[str]) -> tuple[Act, ...]:
    """What is still to be laid out, as far as switches tell; the cards, which they do not, come first."""
    return (*_cards(start, names), *_pieces(start, evidence))


def _cards(start: Position, names: Sequence[str]) -> Iterator[Act]:
    first = names[start.turn]
    if start.players == 2:
        yield Act.of(say("above.everybody_lays", first=first))
        return
    for seat, name in enumerate(names):
        cards = listed(map(deity_name, start.powered(seat)))
        key = "above.lay_these_begin" if name == first else "above.lay_these"
        yield Act.of(say(key, name=name, deities=cards))


def _pieces(start: Position, evidence: Evidence) -> Iterator[Act]:
    for deity, space in enumerate(start.minis):
        if evidence.mini_cost(deity, space) >= CONTRADICTION:
            text = say("above.put_on", deity=deity_name(DEITIES[deity]), place=place_name(space))
            yield Act.of(text, SPACES[space])
    for token, laid in enumerate(start.laid):
        for space in bits(laid):
            if evidence.token_cost(token, space, present=True) >= CONTRADICTION:
                text = say("above.place_on", token=token_name(TOKENS[token]), place=place_name(space))
                yield Act.of(text, SPACES[space])
    for space in bits(evidence.watched(start.stood_on) & ~start.stood_on):
        if evidence.magnet_cost(space, present=False) >= CONTRADICTION:
            yield Act.of(say("above.take_away", place=place_name(space)), stands=SPACES[space])
