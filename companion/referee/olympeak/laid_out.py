"""A game of OlymPeak begun from whatever lies on the table, and everything that makes that impossible."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from companion.games.olympeak import rules
from companion.games.olympeak.box import Box
from companion.games.olympeak.cards import FEW_PLAYERS, contenders_in_play
from companion.games.olympeak.events import Lying, Ruling
from companion.games.olympeak.names import contender_name, contenders_listed, cube_name
from companion.games.olympeak.position import COLUMN_FULL, CUBE_MAX, CUBE_MIN, Player, Setup, begin
from companion.games.olympeak.refusal import Reason
from companion.messages import Text, listed, say
from companion.referee.olympeak.look import Look
from companion.referee.requests import Refused
from companion.sensing.olympeak.reading import OlympeakReading

TEXT = say("olympeak.begun_laid_out")


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
        raise Refused(say("olympeak.cannot_play_from"), tuple(dict.fromkeys(defects)))
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
        raise Refused(say("olympeak.cannot_play_from"), tuple(each.text for each in wrong))
    return setup, ruling


def _row(reading: OlympeakReading, racing: Sequence[str]) -> Iterator[Text]:
    missing = [contender for contender in racing if contender not in reading.contenders]
    if missing:
        yield say("olympeak.row_lacks", contenders=contenders_listed(missing))
    extra = [contender for contender in reading.contenders if contender not in racing]
    if extra:
        yield say("olympeak.row_extra", contenders=contenders_listed(extra))


def _board(reading: OlympeakReading, racing: Sequence[str], rounds: int) -> Iterator[Text]:
    seen = {each.contender for each in reading.cubes}
    missing = [contender for contender in racing if contender not in seen]
    if missing:
        yield say("olympeak.cubes_unseen", contenders=contenders_listed(missing))
    for cube in reading.cubes:
        if cube.place >= CUBE_MAX:
            # With a contender there the game would be over (O12).
            yield say(
                "olympeak.cube_off",
                cube=cube_name(cube.contender),
                place=cube.place,
                low=CUBE_MIN,
                high=CUBE_MAX - 1,
            )
    if reading.round_marker is None and rounds > 1:
        yield say("olympeak.marker_unseen")


def _cards(look: Look, racing: Sequence[str], box: Box, players: int) -> Iterator[Text]:
    if look.columns_hidden:
        yield say("olympeak.column_covered")
    for card in sorted(look.beside):
        yield say("olympeak.in_no_column", card=card)
    where: dict[tuple[str, int], list[str]] = defaultdict(list)
    for each in look.columns:
        where[each.contender, each.row].append(each.card)
        if each.card not in box.deck:
            yield _cited(say("olympeak.no_card_of_box", card=each.card), "O17")
            continue
        known = box.deck[each.card]
        if known.star and players <= FEW_PLAYERS:
            yield _cited(say("olympeak.starred", card=known.words, players=players), "O1")
        if each.contender in racing and not known.is_order and each.contender not in known.signs:
            yield _cited(
                say("olympeak.sign_missing", card=known.words, contender=contender_name(each.contender)), "O4"
            )
    for (contender, row), cards in sorted(where.items()):
        if len(cards) > 1:
            yield say(
                "olympeak.in_one_place", cards=listed(cards), contender=contender_name(contender), row=row
            )
    for card, count in sorted(Counter(each.card for each in look.columns).items()):
        if count > 1:
            yield _cited(say("olympeak.lies_twice", card=card), "O17")
    for contender in racing:
        count = sum(each.contender == contender for each in look.columns)
        if count >= COLUMN_FULL:
            yield say("olympeak.round_would_be_over", contender=contender_name(contender), n=count)


def _cited(sentence: Text, ruling: str) -> Text:
    return say("olympeak.cited", sentence=sentence, ruling=ruling)
