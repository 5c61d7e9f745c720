"""Evidence from pieces that are known by their colour only: it counts, and it accuses nobody."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, MINI_IDS, TOKENS, Table
from companion.games.above.position import Position
from companion.referee.evidence import AIR, CONTRADICTION, Evidence
from companion.referee.referee import Referee
from companion.referee.verdict import Kind
from companion.sensing.reading import MiniSighting, Reading, TokenSighting
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Notes

HE, AR = DEITIES.index("he"), DEITIES.index("ar")
C1, C2, E1 = (SPACES.index(space) for space in ("c1", "c2", "e1"))


def by_colour(deity: str, space: str, p: float) -> MiniSighting:
    return MiniSighting(deity, MINI_IDS[deity], ((space, p),), (0.0, 0.0, 40.0), by_marker=False)


def evidence(*minis: MiniSighting, hidden: frozenset[str] = frozenset()) -> Evidence:
    return Evidence(Reading(0.0, minis=minis, hidden=hidden), 2, Table())


@pytest.mark.parametrize("p", [0.5, 0.8, 0.97])
def test_the_likelier_it_is_the_less_it_costs_and_the_rest_is_left_open(p: float) -> None:
    seen = evidence(by_colour("he", "c2", p))
    assert seen.mini_cost(HE, C2) == pytest.approx(-math.log(p), abs=0.3)
    unseen = evidence()
    # Whatever else there may be in that place: it may not have been seen at all.
    for space in (AIR, C1, E1):
        assert seen.mini_cost(HE, space) >= unseen.mini_cost(HE, space)
    assert seen.mini_cost(HE, C2) < unseen.mini_cost(HE, C2)


def test_half_known_is_not_sure_and_all_but_known_is() -> None:
    assert not evidence(by_colour("he", "c2", 0.8)).mini_sure(HE, C2)
    assert evidence(by_colour("he", "c2", 0.95)).mini_sure(HE, C2)
    read = replace(by_colour("he", "c2", 0.8), by_marker=True)
    assert evidence(read).mini_sure(HE, C2)


def test_a_disc_that_may_be_either_is_neither() -> None:
    either = evidence(by_colour("he", "c2", 0.45), by_colour("ar", "c2", 0.45))
    assert either.mini_at(HE) is None
    assert either.mini_at(AR) is None
    assert either.mini_cost(HE, AIR) < CONTRADICTION


def test_a_marker_that_is_read_is_worth_more_than_any_colour() -> None:
    read = replace(by_colour("he", "c1", 0.99), by_marker=True)
    both = evidence(read, by_colour("he", "c2", 0.9))
    assert both.mini_at(HE) == C1
    assert both.mini_cost(HE, C1) < 0.1


def test_a_token_known_by_its_rim_is_there_but_only_surely_so_when_it_is_sure() -> None:
    gate, b3 = TOKENS.index("gate"), SPACES.index("b3")
    for p, sure in ((0.7, False), (0.95, True)):
        token = TokenSighting("gate", 28, (("b3", p),), (0.0, 0.0, 10.0), by_marker=False)
        seen = Evidence(Reading(0.0, tokens=(token,)), 2, Table())
        assert seen.token_sure(gate, b3, True) == sure
        assert seen.token_cost(gate, b3, True) < CONTRADICTION
        assert not seen.token_sure(gate, b3, False)


def test_a_token_known_by_its_rim_that_may_be_one_of_two_alike_is_one_of_them() -> None:
    gate, b3 = TOKENS.index("gate"), SPACES.index("b3")
    tokens = tuple(
        TokenSighting("gate", marker, (("b3", 0.48),), (0.0, 0.0, 10.0), by_marker=False)
        for marker in (28, 29)
    )
    seen = Evidence(Reading(0.0, tokens=tokens), 2, Table())
    assert seen.token_sure(gate, b3, True)
    assert not seen.token_sure(gate, b3, False)
    one = Evidence(Reading(0.0, tokens=tokens[:1]), 2, Table())
    assert not one.token_sure(gate, b3, True)


@pytest.mark.parametrize("p", [0.6, 0.8, 0.97])
def test_a_turn_goes_on_with_a_miniature_that_is_known_by_its_colour(p: float) -> None:
    """Hera steps to c2, Ares is disgraced; Hera's marker is under a thumb print."""
    notes = Notes()
    referee = Referee(("Ada", "Ben"), notes, Position.parse(START))
    top = Tabletop.of(Position.parse(START))

    def look(at: float) -> Kind:
        reading = top.reading(at)
        minis = tuple(one for one in reading.minis if one.deity != "he")
        space = top.minis["he"]
        assert space is not None
        return referee.observe(replace(reading, minis=(*minis, by_colour("he", space, p)))).kind

    kinds = {look(n / 15) for n in range(30)}
    assert Kind.ILLEGAL not in kinds
    top.cards[0]["he"] = 0
    top.minis["he"] = "c2"
    top.cards[1]["ar"] = 0
    kinds = {look(3.0 + n / 15) for n in range(90)}
    assert Kind.ILLEGAL not in kinds
    # What is not sure is not written down; nobody is accused of it either.
    assert len(notes.turns) == (1 if p > 0.9 else 0)
