"""Which cards were chosen no switch tells: every choice that may have been made is among the turns that fit."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from companion.games.above.action import Action
from companion.games.above.board import SPACES, bits
from companion.games.above.box import Table
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions, successors
from companion.referee.evidence import Evidence, Switches
from companion.referee.explain import explain
from companion.referee.unseen_cards import MOST_NAMED, OF_CARDS, with_all_choices
from companion.sensing.reading import Reading
from tests.referee.tabletop import random_position


def felt(before: Position, after: Position) -> Evidence:
    """What the switches say once `after` lies there and `before` was there when the turn began."""
    closed, changed = (
        frozenset(SPACES[space] for space in bits(spaces))
        for spaces in (after.stood_on, before.stood_on ^ after.stood_on)
    )
    return Evidence(Reading(1.0, blind=True), after.players, Table(), Switches(closed, changed=changed))


def turns_of(position: Position, deity: str) -> Iterator[Position]:
    """The positions after turns of this deity, with one choice of cards each and other pieces where they are."""
    for action in legal_actions(position):
        if action.kind == "activate" and action.deity == deity:
            yield from _ends(apply(position, action))


def _ends(position: Position) -> Iterator[Position]:
    if position.at_turn_start or position.is_over:
        yield position
        return
    actions: tuple[Action, ...] = legal_actions(position)
    for action in actions[:1] if actions[0].kind in OF_CARDS else actions:
        yield from _ends(apply(position, action))


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("deity", ["at", "he"])
def test_every_choice_of_cards_that_leaves_the_same_board_fits(players: int, deity: str) -> None:
    rng = random.Random(players)
    tried = 0
    while tried < 3:
        position = random_position(players, rng.randrange(4, 25), rng)
        # With one card left its player recovers in the middle of the turn: that is the widest choice.
        alone = len(position.powered(position.turn)) == 1
        for after in turns_of(position, deity) if alone or tried < 2 else ():
            if after.minis == position.minis and after.laid == position.laid:
                continue
            tried += 1
            found = {end.after for end in explain(position, felt(position, after)).finished}
            alike = {
                each for each in successors(position) if (each.minis, each.laid) == (after.minis, after.laid)
            }
            assert found == alike or (len(found) == MOST_NAMED + 1 and found < alike)
            break


def test_of_all_choices_no_more_are_made_than_are_asked_for() -> None:
    position = Position.parse(
        "ze=h1,he=n2,ar=j3,at=c6,ha=e2,de=p4,po=p1,ap=e1 thunder=,fertility=,gate=g2,barrier=f2.j4.j5.n4 "
        "at/ze/ap/ze.at 0 4"
    )
    after = next(turns_of(position, "at"))
    end, *others = explain(position, felt(position, after)).finished
    assert len(others) == MOST_NAMED
    assert [each.after for each in with_all_choices([end], 20)] == [each.after for each in (end, *others)][
        :20
    ]
