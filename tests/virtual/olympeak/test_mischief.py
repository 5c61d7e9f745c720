"""Acts against the rules are against the rules, told by the rules themselves; lawful play never looks like one."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.olympeak import rules
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import Insert, Play, Remove, Stop
from companion.games.olympeak.position import GameState, Phase, begin
from companion.games.olympeak.refusal import Reason
from companion.games.olympeak.simulation import Players, Step, random_setup
from companion.virtual.olympeak.illegal import is_explainable
from companion.virtual.olympeak.mischief import KINDS, Wrong, mischief
from companion.virtual.olympeak.truth import Lie, lie_of

BOX = default_box()
EXPECTED = {
    "sign": {Reason.SIGN, Reason.OUT_OF_PLAY},
    "taken": {Reason.TAKEN},
    "seat": {Reason.SEAT},
    "swapped": {Reason.SWAPPED},
    "exchanged": {Reason.SWAPPED},
    "two": {Reason.SEAT, Reason.PHASE},
    "remove": {Reason.NOT_REMOVABLE},
}


def reasons(state: GameState, wrong: Wrong) -> set[Reason]:
    """Why the rules refuse what the hand did."""
    if wrong.kind == "remove":
        return {each.reason for each in rules.refusals(state, Remove(wrong.seat, wrong.card))}
    if wrong.first is not None:
        state = rules.apply(state, wrong.first)
    to = wrong.to or state.setup.racing[0]
    if state.phase is Phase.CHOICE:
        return {each.reason for each in rules.refusals(state, Insert(wrong.seat, wrong.card, to))}
    return {each.reason for each in rules.refusals(state, Play(wrong.seat, wrong.card, to))}


def mistakes(seed: int, players: int) -> list[tuple[GameState, Wrong]]:
    """Every mistake that offers itself in a random game."""
    rng = random.Random(seed)
    setup = random_setup(players, rng, BOX)
    people, state, found = Players(setup, rng), begin(setup), []
    while state.phase is not Phase.OVER:
        event = people.decide(state)
        for kind in KINDS:
            wrong = mischief(state, event, people.hands, rng, (kind,)) if rng.random() < 0.5 else None
            if wrong is not None:
                found.append((state, wrong))
        step = Step(state, event, rules.apply(state, event))
        people.settle(step)
        state = step.after
    return found


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(2, 6))
def test_the_rules_refuse_every_mistake_for_its_own_reason(seed: int, players: int) -> None:
    for state, wrong in mistakes(seed, players):
        found = reasons(state, wrong)
        assert found & EXPECTED[wrong.kind], (wrong.kind, found)
        assert not is_explainable(state, wrong.lie)


def test_all_kinds_offer_themselves() -> None:
    kinds = Counter(wrong.kind for seed in range(6) for _, wrong in mistakes(seed, 4))
    assert set(kinds) == set(KINDS)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(2, 6))
def test_lawful_play_is_always_explained(seed: int, players: int) -> None:
    """From the reveal on, the table after each further event of the turn has an explanation."""
    rng = random.Random(seed)
    setup = random_setup(players, rng, BOX)
    people, state = Players(setup, rng), begin(setup)
    start: GameState | None = None
    while state.phase is not Phase.OVER:
        event = people.decide(state)
        step = Step(state, event, rules.apply(state, event))
        people.settle(step)
        if state.phase is Phase.REVEAL:
            start = step.after if step.after.phase is Phase.PLAY else None
        elif start is not None and state.phase in (Phase.PLAY, Phase.CHOICE):
            assert is_explainable(start, lie_of(step.after)), event
            assert is_explainable(state, lie_of(step.after)), event
        state = step.after


def test_a_card_in_a_hand_is_no_mistake_but_another_in_its_place_is() -> None:
    rng = random.Random(5)
    setup = random_setup(4, rng, BOX)
    people, state = Players(setup, rng), begin(setup)
    state = rules.apply(state, people.decide(state))
    assert state.phase is Phase.PLAY
    here = lie_of(state)
    seat = state.order[-1]
    lifted = {each: card for each, card in here.zones.items() if each != seat}
    assert is_explainable(state, Lie(here.columns, lifted))
    assert not is_explainable(state, Lie(here.columns, {**here.zones, seat: people.hands[seat][0]}))


def test_stopping_and_going_on_are_both_lawful() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        setup = random_setup(4, rng, BOX)
        people, state = Players(setup, rng), begin(setup)
        while state.phase is not Phase.OVER:
            event = people.decide(state)
            if isinstance(event, Stop) and state.waiting:
                for stop in (True, False):
                    assert is_explainable(state, lie_of(rules.apply(state, Stop(event.seat, stop))))
                return
            step = Step(state, event, rules.apply(state, event))
            people.settle(step)
            state = step.after
    raise AssertionError("no Stop card came up")
