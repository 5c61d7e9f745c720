"""What is asked of people: never more than the rules ask."""

from __future__ import annotations

import random

import pytest

from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.wording import pending_acts
from tests.referee.tabletop import TABLE, Tabletop, random_position, random_turn

NAMES = ("Ada", "Ben", "Chloe", "Dan")


@pytest.mark.parametrize("laid", [0, 1, 2, 3])
def test_whoever_recovers_freely_is_told_how_many_cards_not_which(laid: int) -> None:
    rng = random.Random(laid)
    while True:
        position = random_position(4, rng.randrange(40), rng)
        actions, after = random_turn(position, rng)
        picked = next((action for action in actions if action.kind == "recover"), None)
        if picked is None or after.is_over or len(set(picked.deities)) < 4:
            continue
        break
    seat = picked.seat or 0
    table = Tabletop.of(after)
    for deity in picked.deities[laid:]:
        table.cards[seat][deity] -= 1
    best = explain(position, Evidence(table.reading(), 4, TABLE)).best
    texts = [todo.text for todo in pending_acts([best], NAMES)]
    cards = "card" if laid == 3 else "cards"
    assert texts == [f"{NAMES[seat]} takes {4 - laid} more {cards} from the discard pile, Powered face up."]
