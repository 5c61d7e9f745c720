"""The search that explains a table by legal actions."""

from __future__ import annotations

import random

import pytest

from companion.games.above.box import DEITIES
from companion.games.above.position import Position
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from tests.referee.tabletop import TABLE, Tabletop, random_position, random_turn

PLAYERS = pytest.mark.parametrize("players", [2, 4])


def evidence_of(table: Tabletop) -> Evidence:
    return Evidence(table.reading(), table.players, TABLE)


@PLAYERS
@pytest.mark.parametrize("seed", range(12))
def test_every_complete_turn_is_accepted_as_what_it_is(players: int, seed: int) -> None:
    rng = random.Random(seed * 100 + players)
    position = random_position(players, rng.randrange(40), rng)
    for _ in range(8):
        actions, after = random_turn(position, rng)
        accepted = explain(position, evidence_of(Tabletop.of(after))).accepted
        assert accepted is not None, [str(action) for action in actions]
        assert accepted.after == after
        if after.is_over:
            return
        position = after


@PLAYERS
@pytest.mark.parametrize("seed", range(12))
def test_acts_in_any_order_are_never_called_illegal(players: int, seed: int) -> None:
    """Whatever part of a legal turn has been done, it is an unfinished turn."""
    rng = random.Random(seed * 100 + players)
    for _ in range(6):
        position = random_position(players, rng.randrange(40), rng)
        actions, after = random_turn(position, rng)
        before, done = Tabletop.of(position), Tabletop.of(after)
        table = Tabletop.of(position)
        for deity in DEITIES:
            if before.minis[deity] != done.minis[deity] and rng.random() < 0.5:
                table.minis[deity] = done.minis[deity] if rng.random() < 0.7 else None
        # Tokens are taken before they are laid: there are six of each, and a seventh cannot lie there.
        gone, laid = before.tokens - done.tokens, done.tokens - before.tokens
        table.tokens -= (removed := {slot for slot in gone if rng.random() < 0.5})
        if removed == gone:
            table.tokens |= {slot for slot in laid if rng.random() < 0.5}
        for seat in range(players):
            for deity in DEITIES:
                if rng.random() < 0.5:
                    table.cards[seat][deity] = done.cards[seat][deity]
        best = explain(position, evidence_of(table)).best
        assert best.fits, (str(position), [str(action) for action in actions], best.wrong)


@PLAYERS
def test_an_untouched_table_is_explained_by_nothing_having_happened(players: int) -> None:
    rng = random.Random(3)
    position = random_position(players, 5, rng)
    explanation = explain(position, evidence_of(Tabletop.of(position)))
    assert explanation.best.actions == ()
    assert explanation.accepted is None


def test_what_a_hand_covers_is_neither_accepted_nor_refused() -> None:
    rng = random.Random(11)
    position = random_position(2, 6, rng)
    actions, after = random_turn(position, rng)
    table = Tabletop.of(after)
    moved = [d for d in DEITIES if position.space_of(d) != after.space_of(d)]
    assert moved, "the seed gives a turn with a move"
    table.hidden |= {after.space_of(moved[0]), position.space_of(moved[0])}
    explanation = explain(position, evidence_of(table))
    assert explanation.best.fits
    assert explanation.accepted is None or moved[0] not in [a.deity for a in actions]


def test_a_step_back_without_poseidon_fits_no_legal_turn() -> None:
    text = (
        "ze=a2,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1"
        " thunder=b5.f5,fertility=d3.n4,gate=h3.l6,barrier=j2.p3"
        " ze.he.ar.at.ha.de.ap/ze.he.ar.at.ha.de.po.ap 0 2"
    )
    position = Position.parse(text)
    table = Tabletop.of(position)
    table.minis["ze"] = "a1"
    table.cards[0]["ze"] = 0
    best = explain(position, evidence_of(table)).best
    assert not best.fits
    assert ("mini", 0, 0) in best.wrong


def test_flipping_poseidons_card_alone_is_not_a_finished_flood() -> None:
    """He may step forward and flood himself back: the table then shows nothing but the card."""
    text = (
        "ze=a2,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1"
        " thunder=b5.f5,fertility=d3.n4,gate=h3.l6,barrier=j2.p3"
        " ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap 0 2"
    )
    position = Position.parse(text)
    table = Tabletop.of(position)
    table.cards[0]["po"] = 0
    explanation = explain(position, evidence_of(table))
    accepted = explanation.accepted
    assert accepted is not None
    assert explanation.may_be_under_way
    assert DEITIES.index("po") in accepted.returned
