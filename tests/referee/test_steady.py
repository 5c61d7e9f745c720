"""A look in which something is read in two ways says nothing; but never for long."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from companion.games.above.position import Position
from companion.referee.patience import ILLEGAL_PRINT_LOOKS
from companion.referee.referee import Referee
from companion.referee.steady import UNCLEAR_S, Steady
from companion.referee.verdict import Kind
from companion.sensing.reading import CardSighting, Reading, TokenSighting
from tests.referee.tabletop import Tabletop, random_position
from tests.referee.test_referee import START, Notes

Corners = tuple[tuple[float, float], ...]
CORNERS: Corners = ((0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0))
CARD = CardSighting("he", 1, True, 41, (0.0, 0.0, 0.0), CORNERS)
LOOK_S = 0.07
TOKEN = TokenSighting("gate", 28, (("i6", 0.99),), (0.0, 0.0, 0.0), CORNERS)


def look(at: float, token: str = "gate", powered: bool = True) -> Reading:
    return Reading(at, tokens=(replace(TOKEN, token=token),), cards=(replace(CARD, powered=powered),))


def test_a_token_read_in_two_ways_is_not_taken_for_an_empty_space() -> None:
    steady = Steady()
    assert steady.reading(look(0.0)) == look(0.0)
    assert steady.reading(look(0.1, token="thunder")) is None
    assert steady.reading(look(0.2, token="thunder")) == look(0.2, token="thunder")


def test_a_card_turned_over_in_its_place_is_believed_at_the_second_look() -> None:
    steady = Steady()
    for number in range(5):
        assert steady.reading(look(0.1 * number)) is not None
    steady.stirred()
    assert steady.reading(look(1.0, powered=False)) is None
    assert steady.reading(look(1.1, powered=False)) == look(1.1, powered=False)


def test_what_stays_unclear_is_what_the_newest_look_says() -> None:
    """Somebody's print is worn: it is read in two ways by turns, and play goes on all the same."""
    steady = Steady()
    seen = []
    for number in range(60):
        steady.stirred()
        at, token = 0.1 * number, ("gate", "thunder")[number % 2]
        if steady.reading(look(at, token=token)) is not None:
            seen.append(at)
    assert 1 < len(seen) < 60
    assert all(later - earlier < UNCLEAR_S + 0.2 for earlier, later in itertools.pairwise(seen))


def test_looks_that_agree_pass_as_they_are() -> None:
    steady, rng = Steady(), random.Random(3)
    for players in (2, 4):
        read = Tabletop.of(random_position(players, 9, rng)).reading()
        assert steady.reading(read) == read


def said_once_ares_moved(looks: Sequence[str], seen: Callable[[Reading, str], Reading]) -> list[Kind]:
    """What is said, look after look, once Ares was activated and moved, each as `seen` makes it of what lies there."""
    referee = Referee(("Ada", "Ben"), Notes(), Position.parse(START))
    table = Tabletop.of(Position.parse(START))
    said = []
    for number, look in enumerate((*[None] * 4, *looks)):
        moving = number == 3
        if moving:
            table.cards[0]["ar"], table.minis["ar"] = 0, "e2"
        read = table.reading(LOOK_S * number)
        read = replace(
            read,
            cards=tuple(replace(card, corners_px=at(place)) for place, card in enumerate(read.cards)),
            tokens=tuple(replace(token, corners_px=at(place)) for place, token in enumerate(read.tokens)),
            moving=moving,
        )
        verdict = referee.observe(read if look is None else seen(read, look))
        if look is not None:
            said.append(verdict.kind)
    return said


def at(place: int, pushed: float = 0.0) -> Corners:
    """Where a print is in the picture."""
    return tuple((x + 60.0 * place + pushed, y + pushed) for x, y in CORNERS)


def looks_at_cards(*flipped: str) -> list[Kind]:
    """What is said: in each look these cards of Ada's look turned."""

    def seen(read: Reading, names: str) -> Reading:
        cards = (
            replace(card, powered=card.powered != (card.card_set == 1 and card.deity in names.split()))
            for card in read.cards
        )
        return replace(read, cards=tuple(cards))

    return said_once_ares_moved(flipped, seen)


@pytest.mark.parametrize("card", ["he", "po", "ap"])
def test_a_card_read_in_two_ways_since_hands_left_accuses_nobody(card: str) -> None:
    """Three of the first four looks misread it: most of them, but no two of the clear ones follow each other."""
    assert Kind.ILLEGAL not in looks_at_cards(card, card, "", card, "", "", "")
    assert Kind.ILLEGAL in looks_at_cards(card, card, card, card)
    # Where a print goes on like that it is worn, and what is against the rules is said all the same, only later.
    worn = looks_at_cards(card, *(card, "") * round(1.5 * UNCLEAR_S / LOOK_S / 2))
    assert Kind.ILLEGAL not in worn[: round(0.9 * UNCLEAR_S / LOOK_S)]
    assert Kind.ILLEGAL in worn


@pytest.mark.parametrize("card", ["he", "po", "ap"])
def test_no_look_that_reads_the_card_rightly_accuses_anybody(card: str) -> None:
    """Three misread it, the first of them unclear: the third clear look is itself the first that reads it rightly."""
    assert Kind.ILLEGAL not in looks_at_cards(card, card, card, "", "", "", "")


def looks_at_a_brushed_token(*names: str) -> list[Kind]:
    """What is said: the hand has pushed and turned the Gate token of h3 a little, and each look takes it for this."""

    def seen(read: Reading, name: str) -> Reading:
        tokens = []
        for place, token in enumerate(read.tokens):
            if token.space == "h3":
                first, *others = at(place, pushed=3.0)
                token = replace(token, token=name, corners_px=(*others, first))
            tokens.append(token)
        return replace(read, tokens=tuple(tokens))

    return said_once_ares_moved(names, seen)


@pytest.mark.parametrize("taken_for", ["thunder", "fertility", "barrier"])
def test_a_brushed_token_that_two_looks_misread_accuses_nobody(taken_for: str) -> None:
    assert Kind.ILLEGAL not in looks_at_a_brushed_token(taken_for, taken_for, "gate", "gate", "gate")
    # One that was truly exchanged is refused a look later than one that was laid anew.
    said = looks_at_a_brushed_token(*[taken_for] * (ILLEGAL_PRINT_LOOKS + 1))
    assert said.index(Kind.ILLEGAL) == ILLEGAL_PRINT_LOOKS


def looks_at_laid_tokens(*names: str) -> list[Kind]:
    """What is said: Ares has moved and laid Barriers on c5 and g5, and each look takes the one on c5 for this."""
    referee = Referee(("Ada", "Ben"), Notes(), Position.parse(START))
    table = Tabletop.of(Position.parse(START))
    for number in range(3):
        referee.observe(table.reading(LOOK_S * number))
    table.cards[0]["ar"], table.minis["ar"] = 0, "e2"
    table.tokens |= {("barrier", "c5"), ("barrier", "g5")}
    said = []
    for number, name in enumerate(("", *names), 3):
        read = table.reading(LOOK_S * number)
        tokens = tuple(
            replace(
                token,
                token=name if token.space == "c5" and name else token.token,
                corners_px=at(place),
            )
            for place, token in enumerate(read.tokens)
        )
        said.append(referee.observe(replace(read, tokens=tokens, moving=not name)).kind)
    return said[1:]


@pytest.mark.parametrize("misread", ["thunder", "fertility", "gate"])
@pytest.mark.parametrize("truly", [(2, 3, 4), (1, 3, 4)])
def test_a_token_laid_just_now_that_two_looks_misread_alike_accuses_nobody(
    misread: str, truly: Sequence[int]
) -> None:
    looks = ["barrier" if number in truly else misread for number in range(5)]
    assert Kind.ILLEGAL not in looks_at_laid_tokens(*looks)


def test_of_three_looks_that_tell_a_token_two_have_to_follow_each_other() -> None:
    """One unclear look in between: those before it count, but not for two in a row."""
    said = looks_at_laid_tokens("gate", "barrier", "gate", "gate", "gate")
    assert said.index(Kind.ILLEGAL) == 3


@pytest.mark.parametrize(("space", "tokens", "looks"), [("e3", set(), 2), ("e2", {("gate", "c5")}, 3)])
def test_what_a_print_alone_tells_takes_a_look_more(
    space: str, tokens: set[tuple[str, str]], looks: int
) -> None:
    """A miniature on a wrong space is refused at two looks, a token of the wrong kind at three."""
    referee = Referee(("Ada", "Ben"), Notes(), Position.parse(START))
    table = Tabletop.of(Position.parse(START))
    for number in range(3):
        referee.observe(table.reading(LOOK_S * number))
    table.cards[0]["ar"], table.minis["ar"] = 0, space
    table.tokens |= tokens
    said = [
        referee.observe(replace(table.reading(LOOK_S * number), moving=number == 3)).kind
        for number in range(3, 8)
    ]
    assert said.index(Kind.ILLEGAL) == looks
