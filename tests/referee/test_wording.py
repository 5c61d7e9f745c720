"""What is asked of people: never more than the rules ask."""

from __future__ import annotations

import random

import pytest

from companion.games.above.position import Position
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.wording import pending_acts, turn_text
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


@pytest.mark.parametrize("seed", range(12))
def test_turns_that_lead_elsewhere_are_told_apart_by_their_words(seed: int) -> None:
    """Two or four play; of the partners either may have lost a card of the same deity."""
    rng = random.Random(seed)
    position = random_position(2 + 2 * (seed % 3 > 0), rng.randrange(30), rng)
    led: dict[str, Position] = {}
    for _ in range(600):
        actions, after = random_turn(position, rng)
        assert led.setdefault(turn_text(actions, NAMES[: position.players]), after) == after, actions
