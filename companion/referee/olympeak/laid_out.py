"""A game of OlymPeak begun from whatever lies on the table, and everything that makes that impossible."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from companion.games.olympeak import rules
from companion.games.olympeak.box import Box
from companion.games.olympeak.cards import FEW_PLAYERS, contenders_in_play
from companion.games.olympeak.events import Lying, Ruling
from companion.games.olympeak.position import COLUMN_FULL, Player, Setup, begin
from companion.games.olympeak.refusal import Reason
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.wording import listed
from companion.referee.requests import Refused
from companion.sensing.olympeak.reading import OlympeakReading

TEXT = "The game was begun from a table as it was laid out."


def laid_out(
    reading: OlympeakReading, players: Sequence[Player], box: Box, ranking: str
) -> tuple[Setup, Ruling]:
    """The set-up, and the table that lies in it, before the first reveal.

    Raises Refused with all defects at once: a contender or cube that is missing, cards where they cannot lie.
    """
    racing = contenders_in_play(len(players))
    defects = [*_row(reading, racing)]
    rounds = box.rounds(reading.contenders) if not defects else 1
    defects += _board(reading, racing, rounds)
    look = Look.of(reading)
    defects += _cards(look, racing, box, len(players))
    if defects:
        raise Refused("This table cannot be played from.", tuple(dict.fromkeys(defects)))
    setup = Setup(tuple(players), reading.contenders, rounds, box.deck, ranking)
    cubes = {each.contender: each.place for each in reading.cubes}
    ruling = Ruling(
        text=TEXT,
        round=reading.round_marker or 1,
        cubes=tuple((contender, cubes[contender]) for contender in racing),
        # Nobody has laid them in a turn of this game.
        placed=tuple(Lying(each.card, each.contender, each.row, 0, 0) for each in look.columns),
    )
    wrong = [each for each in rules.refusals(begin(setup), ruling) if each.reason is not Reason.RULING]
    if wrong:
        raise Refused("This table cannot be played from.", tuple(each.text for each in wrong))
    return setup, ruling


def _row(reading: OlympeakReading, racing: Sequence[str]) -> Iterator[str]:
    missing = [contender for contender in racing if contender not in reading.contenders]
    if missing:
        yield f"The row lacks {listed(missing)}."
    extra = [contender for contender in reading.contenders if contender not in racing]
    if extra:
        yield f"With so few players {listed(extra)} does not race (O1)."


def _board(reading: OlympeakReading, racing: Sequence[str], rounds: int) -> Iterator[str]:
    seen = {each.contender for each in reading.cubes}
    missing = [contender for contender in racing if contender not in seen]
    if missing:
        yield f"On the scoreboard I do not see {listed(missing)}."
    if reading.round_marker is None and rounds > 1:
        yield "I do not see the round marker."


def _cards(look: Look, racing: Sequence[str], box: Box, players: int) -> Iterator[str]:
    if look.columns_hidden:
        yield "A column is covered: take your hands away."
    for card in sorted(look.beside):
        yield f"{card} lies in no column: lay it straight, or put it away."
    where: dict[tuple[str, int], list[str]] = defaultdict(list)
    for each in look.columns:
        where[each.contender, each.row].append(each.card)
        if each.card not in box.deck:
            yield f"{each.card} is no card of this box (O17)."
            continue
        known = box.deck[each.card]
        if known.star and players <= FEW_PLAYERS:
            yield f"{known} has a star and stays in the box with {players} players (O1)."
        if each.contender in racing and not known.is_order and each.contender not in known.signs:
            yield f"{known} lies under {each.contender} and does not show that sign (O4)."
    for (contender, row), cards in sorted(where.items()):
        if len(cards) > 1:
            yield f"{listed(cards)} lie in one place, under {contender} in row {row} (O4)."
    for card, count in sorted(Counter(each.card for each in look.columns).items()):
        if count > 1:
            yield f"{card} lies twice on the table, and there is only one of it (O17)."
    for contender in racing:
        count = sum(each.contender == contender for each in look.columns)
        if count >= COLUMN_FULL:
            yield f"{contender.capitalize()} has {count} cards: the round would be over (O11)."
