"""What may be called illegal: only what no legal turn explains, complete or in part."""

from __future__ import annotations

import random

import pytest

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply, initial_position, legal_actions
from companion.virtual.answers import Played
from companion.virtual.deeds import deeds_of, shortened, shuffled
from companion.virtual.illegal import (
    is_complete,
    is_explainable,
    is_illegal,
    is_out_of_sight,
    is_reopened,
    may_be_next,
)
from companion.virtual.mischief import KINDS, after_deeds, mischief
from companion.virtual.players import random_turn
from companion.virtual.truth import Lie, lie_of

ALL = "ze.he.ar.at.ha.de.po.ap"
MINIS = "ze=a2,he=c2,ar=e1,at=g1,ha=i1,de=k1,po=m2,ap=o1"


def at(
    tokens: str = "thunder=,fertility=,gate=,barrier=", cards: str = f"{ALL}/{ALL}", minis: str = MINIS
) -> Position:
    return Position.parse(f"{minis} {tokens} {cards} 0 2")


def table(position: Position) -> Lie:
    return lie_of(position)


def test_nothing_changed_is_explainable() -> None:
    assert is_explainable(at(), table(at()))


@pytest.mark.parametrize(
    ("flipped", "deity", "to", "explained"),
    [
        ("ze", "ze", "a3", True),
        ("ze", "ze", "b2", True),
        ("ze", "ze", "a1", False),  # a step back
        ("ze", "ze", "a4", False),  # two spaces
        ("ze", "ze", "b3", False),  # aslant
        ("ze", "he", "c3", False),  # another deity than the activated one
        ("ap", "he", "c3", True),  # Aphrodite moves another one, she herself has not stepped yet
        ("po", "he", "c1", True),  # the trap: a miniature moved back is an unfinished flood
        ("po", "po", "m1", False),  # he steps before he floods: no step and one back lead from m2 to m1
        ("ap", "he", "c1", False),
    ],
)
def test_one_card_and_one_miniature(flipped: str, deity: str, to: str, explained: bool) -> None:
    position = at()
    lies = table(position).with_card(0, flipped, -1).with_mini(deity, to)
    assert is_explainable(position, lies) is explained


def test_a_miniature_may_be_moved_back_although_the_card_still_lies_powered() -> None:
    assert is_explainable(at(), table(at()).with_mini("he", "c1"))
    without = at(cards=f"ze.he.ar/{ALL}")
    assert not is_explainable(without, table(without).with_mini("he", "c1"))


def test_a_fertility_chain_explains_two_spaces() -> None:
    position = at("thunder=,fertility=a3,gate=,barrier=")
    assert is_explainable(position, table(position).with_card(0, "ze", -1).with_mini("ze", "a4"))


def test_onto_a_barrier_is_never_explained() -> None:
    position = at("thunder=,fertility=,gate=,barrier=a3")
    assert not is_explainable(position, table(position).with_card(0, "ze", -1).with_mini("ze", "a3"))


@pytest.mark.parametrize(
    ("card", "token", "explained"),
    [("ze", "thunder", True), ("ze", "gate", False), ("ha", "gate", True), ("ar", "barrier", True)],
)
def test_a_token_belongs_to_its_deity(card: str, token: str, explained: bool) -> None:
    lies = table(at()).with_card(0, card, -1).with_token(token, "h5")
    assert is_explainable(at(), lies) is explained


def test_ares_lays_two_and_no_third() -> None:
    lies = table(at()).with_card(0, "ar", -1).with_token("barrier", "h5").with_token("barrier", "h4")
    assert is_explainable(at(), lies)
    assert not is_explainable(at(), lies.with_token("barrier", "h3"))


def test_with_an_empty_reserve_a_token_is_shifted_not_added() -> None:
    position = at("thunder=a5.b5.c5.d5.e5.f5,fertility=,gate=,barrier=")
    flipped = table(position).with_card(0, "ze", -1)
    shifted = flipped.with_token("thunder", "f5", present=False).with_token("thunder", "h3")
    assert is_explainable(position, shifted)
    assert is_explainable(position, flipped.with_token("thunder", "f5", present=False))
    assert not is_explainable(position, shifted.with_token("thunder", "e5", present=False))


def test_the_opponents_card_is_heras_business() -> None:
    position = at()
    assert is_explainable(position, table(position).with_card(1, "ze", -1))
    without = at(cards=f"ze.ar/{ALL}")
    assert not is_explainable(without, table(without).with_card(1, "ze", -1))


def test_spent_cards_come_back_only_after_the_last_one() -> None:
    some = at(cards=f"ze.ar/{ALL}")
    assert not is_explainable(some, table(some).with_card(0, "he", 1))
    last = at(cards=f"ze/{ALL}")
    assert is_explainable(last, table(last).with_card(0, "he", 1))
    assert is_explainable(last, table(last).with_card(0, "he", 1).with_card(0, "ze", -1))


def test_a_complete_turn_is_known_from_an_unfinished_one() -> None:
    position = at()
    moved = table(position).with_card(0, "ze", -1).with_mini("ze", "a3")
    assert not is_complete(position, moved)
    assert is_complete(position, moved.with_token("thunder", "h5"))
    # Poseidon may step and be flooded back at once: the card alone is a complete turn, which is why people
    # who have only flipped it had better not leave the table.
    assert is_complete(position, table(position).with_card(0, "po", -1))


@pytest.mark.parametrize("players", [2, 4])
def test_every_legal_turn_is_explainable_after_every_deed_in_any_order(players: int) -> None:
    rng = random.Random(5)
    position = initial_position(players, rng)
    for _ in range(30):
        turn, after = random_turn(position, rng)
        deeds, reached = deeds_of(position, turn)
        assert reached == after
        order = shuffled(table(position), shortened(deeds, rng), rng)
        for n in range(len(order) + 1):
            lies = after_deeds(table(position), order[:n])
            assert is_explainable(position, lies), (str(position), [str(a) for a in turn], order[:n])
        assert not table(after).differing(after_deeds(table(position), order))
        if after.is_over:
            break
        position = after


@pytest.mark.parametrize("players", [2, 4])
def test_mischief_of_every_kind_comes_up_and_is_against_the_rules(players: int) -> None:
    rng = random.Random(11)
    kinds: set[str] = set()
    position = initial_position(players, rng)
    for _ in range(90):
        plan = mischief(position, rng)
        if plan is not None:
            kind, deeds = plan
            kinds.add(kind)
            assert not is_explainable(position, after_deeds(table(position), deeds))
        _, after = random_turn(position, rng)
        position = initial_position(players, rng) if after.is_over else after
    assert len(kinds) >= len(KINDS) - 2, set(KINDS) - kinds


def test_a_legal_first_action_is_never_mischief() -> None:
    position = at()
    for action in legal_actions(position):
        lies = table(position).with_card(0, str(action.deity), -1)
        assert is_explainable(position, lies)


def test_a_card_of_who_has_just_recovered_may_still_be_turned_but_not_with_a_move_besides() -> None:
    before = at(cards="he/ze.ar.ap")
    turn = tuple(Action.parse(text) for text in ("activate he", "move he d2", "disgrace ar"))
    after = before
    for action in turn:
        after = apply(after, action)
    last = Played(before, turn, after)
    assert last.recovered(0) and not last.recovered(1)
    turned = lie_of(after).with_card(0, "he", -1)
    assert not is_illegal(after, turned, last)
    assert is_reopened(after, turned, last)
    assert not is_reopened(after, lie_of(after), last)
    assert is_illegal(after, turned)
    assert not is_reopened(after, turned, None)
    assert is_illegal(after, turned.with_mini("he", "c2"), last)
    assert is_illegal(after, lie_of(after).with_card(1, "ar", 1), last)


@pytest.mark.parametrize("holds_hades", [True, False])
@pytest.mark.parametrize("was_shown", [True, False])
def test_more_than_a_turn_allows_may_be_the_beginning_of_the_next_one(
    was_shown: bool, holds_hades: bool
) -> None:
    """Athena's turn is whole with her step; a Gate besides is the next player's, if there is a card for it."""
    position = at(cards=f"{ALL}/{'at.ha' if holds_hades else 'at'}")
    stepped = lie_of(position).with_card(0, "at", -1).with_mini("at", "g2")
    laid = stepped.with_token("gate", "c5")
    assert is_illegal(position, laid)
    assert may_be_next(position, laid, [stepped] if was_shown else []) is (was_shown and holds_hades)


@pytest.mark.parametrize(
    ("laid", "taken", "unseen", "is_out"),
    [
        (("c5", "h3"), (), {"h3"}, True),
        (("c5", "h3"), (), {"d4"}, False),
        (("c5",), ("f5",), {"f5"}, True),
        (("c5",), ("f5",), {"c5"}, False),
    ],
)
def test_a_token_laid_or_taken_where_nothing_tells_of_it_cannot_be_noticed(
    laid: tuple[str, ...], taken: tuple[str, ...], unseen: set[str], is_out: bool
) -> None:
    """Hades lays one Gate in his turn, and takes no Thunder off."""
    position = at(tokens="thunder=f5,fertility=,gate=,barrier=")
    lies = lie_of(position).with_card(0, "ha", -1).with_mini("ha", "i2")
    for space in laid:
        lies = lies.with_token("gate", space)
    for space in taken:
        lies = lies.with_token("thunder", space, present=False)
    assert is_illegal(position, lies)
    assert is_out_of_sight(position, lies, unseen) is is_out
