"""A look in which something is read in two ways says nothing; but never for long."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

from companion.referee.steady import UNCLEAR_S, Steady
from companion.sensing.reading import CardSighting, Reading, TokenSighting
from tests.referee.tabletop import Tabletop, random_position

CORNERS = ((0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0))
CARD = CardSighting("he", 1, True, 41, (0.0, 0.0, 0.0), CORNERS)
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
