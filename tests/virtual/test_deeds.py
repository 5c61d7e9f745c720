"""From actions to deeds: what hands do, and in which orders they may do it."""

from __future__ import annotations

import random

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.virtual.deeds import Deed, Do, can_follow, deeds_of, shortened, shuffled
from companion.virtual.truth import lie_of

ALL = "ze.he.ar.at.ha.de.po.ap"
MINIS = "ze=a2,he=c2,ar=e1,at=g1,ha=i1,de=k1,po=m2,ap=o1"


def deeds(position: Position, *actions: str) -> list[Deed]:
    return deeds_of(position, [Action.parse(text) for text in actions])[0]


def test_a_plain_turn() -> None:
    position = Position.parse(f"{MINIS} thunder=,fertility=,gate=,barrier= {ALL}/{ALL} 0 2")
    assert deeds(position, "activate ze", "move ze a3", "place thunder h5") == [
        Deed(Do.FLIP, "ze"),
        Deed(Do.WALK, "ze", "a3"),
        Deed(Do.LAY, "thunder", "h5"),
    ]


def test_triggered_tokens_are_taken_away() -> None:
    position = Position.parse(f"{MINIS} thunder=b4,fertility=a3,gate=,barrier= {ALL}/{ALL} 0 2")
    assert deeds(position, "activate ze", "move ze a3", "move ze a4") == [
        Deed(Do.FLIP, "ze"),
        Deed(Do.WALK, "ze", "a3"),
        Deed(Do.TAKE, "fertility", "a3"),
        Deed(Do.TAKE, "thunder", "b4"),
        Deed(Do.WALK, "ze", "a4"),
    ]


def test_the_last_card_brings_all_back() -> None:
    position = Position.parse(f"{MINIS} thunder=,fertility=,gate=,barrier= ze/{ALL} 0 2")
    flips = [
        deed
        for deed in deeds(position, "activate ze", "move ze a3", "place thunder h5")
        if deed.do is Do.FLIP
    ]
    assert flips[0] == Deed(Do.FLIP, "ze")
    assert sorted(deed.what for deed in flips[1:]) == sorted(ALL.split("."))
    assert all(deed.up for deed in flips[1:])


def test_four_players_discard_and_pick() -> None:
    position = Position.parse(f"{MINIS} thunder=,fertility=,gate=,barrier= ze/ar.at/he/de.po 0 4")
    acts = deeds(position, "activate ze", "recover 0 ze ha po ap", "move ze a3", "place thunder h5")
    assert acts[0] == Deed(Do.DISCARD, "ze")
    assert [deed.what for deed in acts if deed.do is Do.PICK] == ["ze", "ha", "po", "ap"]


def test_people_abridge_without_changing_the_end() -> None:
    chain = [Deed(Do.FLIP, "ze"), Deed(Do.WALK, "ze", "a3"), Deed(Do.WALK, "ze", "a4")]
    seen = {tuple(shortened(chain, random.Random(seed))) for seed in range(20)}
    assert seen == {tuple(chain), (chain[0], chain[2])}


def test_orders_vary_but_keep_what_belongs_together() -> None:
    position = Position.parse(f"{MINIS} thunder=,fertility=a3,gate=,barrier= {ALL}/{ALL} 0 2")
    acts = deeds(position, "activate ze", "move ze a3", "move ze a4", "place thunder h5")
    orders = {tuple(shuffled(lie_of(position), acts, random.Random(seed))) for seed in range(60)}
    assert len(orders) > 10
    for order in orders:
        assert sorted(order, key=str) == sorted(acts, key=str)
        walks = [deed.space for deed in order if deed.do is Do.WALK]
        assert walks == ["a3", "a4"]


def test_hands_cannot_set_a_piece_into_another() -> None:
    position = Position.parse(f"{MINIS} thunder=h5,fertility=,gate=,barrier= {ALL}/{ALL} 0 2")
    lies = lie_of(position)
    assert not can_follow(lies, [Deed(Do.WALK, "ze", "c2")])
    assert can_follow(lies, [Deed(Do.WALK, "he", "c3"), Deed(Do.WALK, "ze", "c2")])
    assert not can_follow(lies, [Deed(Do.LAY, "gate", "h5")])
    assert can_follow(lies, [Deed(Do.TAKE, "thunder", "h5"), Deed(Do.LAY, "gate", "h5")])
    assert not can_follow(lies, [Deed(Do.TAKE, "gate", "h5")])
    # A miniature can be set down on top of a token.
    assert can_follow(lies, [Deed(Do.WALK, "ze", "h5"), Deed(Do.TAKE, "thunder", "h5")])
