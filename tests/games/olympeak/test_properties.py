"""Random whole games: no card is lost, nothing legal is refused, nothing illegal passes."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.olympeak import rules
from companion.games.olympeak.box import Box
from companion.games.olympeak.cards import Deck, Kind
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import (
    Blocked,
    DeclineInsert,
    EndRound,
    EndTurn,
    Event,
    Insert,
    Play,
    Remove,
    Stop,
)
from companion.games.olympeak.piles import Piles
from companion.games.olympeak.position import GameState, Phase, begin
from companion.games.olympeak.refusal import IllegalEvent
from companion.games.olympeak.simulation import Players, Step, play, random_setup
from companion.games.olympeak.whereabouts import misplaced

GAMES = st.tuples(st.integers(2, 6), st.integers(0, 2**32), st.sampled_from(("dense", "competition")))


def small_box(cards: int) -> Box:
    """A box with few progress cards, so that piles run out."""
    box = default_box()
    deck = Deck((*box.deck.cards[:cards], *(card for card in box.deck if card.is_order)))
    return Box(deck, box.card_ids, box.printed_rounds)


def whole_game(players: int, seed: int, ranking: str = "dense", box: Box | None = None) -> list[Step]:
    rng = Random(seed)
    return list(play(random_setup(players, rng, box or default_box(), ranking), rng))


@settings(deadline=None, max_examples=25)
@given(GAMES)
def test_cards_are_neither_lost_nor_made(game: tuple[int, int, str]) -> None:
    steps = whole_game(*game)
    for step in steps:
        state = step.after
        cards = len(state.setup.deck.in_play(game[0]))
        assert sum(state.hands) + state.piles.total + len(state.placed) + len(state.waiting) == cards
        assert all(-5 <= cube <= 35 for cube in state.cubes)
        assert len({(p.contender, p.row) for p in state.placed}) == len(state.placed)
    assert steps[-1].after.outcome is not None


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 3), st.integers(0, 2**32), st.integers(20, 49))
def test_what_is_said_of_piles_and_hands_is_true(players: int, seed: int, cards: int) -> None:
    """Against the hidden truth of the simulated players, with a deck so small that piles run out."""
    rng = Random(seed)
    setup = random_setup(players, rng, small_box(cards))
    people, state = Players(setup, rng), begin(setup)
    while state.phase is not Phase.OVER:
        event = people.decide(state)
        after = rules.apply(state, event)
        people.settle(Step(state, event, after))
        state = after
        assert state.hands == tuple(len(hand) for hand in people.hands)
        assert state.piles.total == len(people.draw_pile) + len(people.discard_pile)
        assert state.piles.sizes >> len(people.draw_pile) & 1
        assert state.discarded <= set(people.discard_pile)
        for seat, hand in enumerate(people.hands):
            assert state.held[seat] <= set(hand)
            assert state.loose[seat] <= set(hand) | set(people.discard_pile)
            assert not [card for card in hand if misplaced(state, seat, card)]


def candidates(state: GameState) -> list[Event]:
    """Events of every kind, right and wrong, around what lies on the table."""
    seats = list(state.setup.seats)
    shown = [*state.revealed, *(p.card for p in state.placed[-3:]), "p001", "o01"]
    contenders = ("blue", "green", "red", "white")
    events: list[Event] = [EndTurn(), EndRound()]
    for seat in seats:
        events += [Stop(seat, True), Stop(seat, False), Remove(seat, None)]
        events += [DeclineInsert(seat, True), DeclineInsert(seat, False)]
        for card in shown:
            events += [Blocked(seat, card), Remove(seat, card)]
            for to, row in product(contenders, (1, 2, state.open_row[0])):
                events += [Play(seat, card, to, row), Insert(seat, card, to, row)]
    return events


@settings(deadline=None, max_examples=10)
@given(GAMES)
def test_legal_events_apply_and_all_others_are_refused_with_a_ruling(game: tuple[int, int, str]) -> None:
    for step in whole_game(*game)[::5]:
        state = step.before
        legal = set(rules.legal(state))
        for event in legal:
            assert rules.explain_illegal(state, event) is None
            assert rules.apply(state, event) != state
        for event in candidates(state):
            text = rules.explain_illegal(state, event)
            assert (text is None) == (event in legal), event
            if text is not None:
                assert text.endswith(").")
                assert "(O" in text
                with pytest.raises(IllegalEvent, match=r"\(O\d+\)\."):
                    rules.apply(state, event)


def test_every_kind_of_thing_happens() -> None:
    expected = {
        "Reveal", "Play", "Blocked", "Stop", "Remove", "Insert", "DeclineInsert", "EndTurn", "EndRound",
        "Predictions", "orders only", "two rows", "removed", "nothing removable", "insert removed",
        "chain insert", "chain stop", "chain remove", "insert opens a row", "floor", "peak", "shared win",
        "seven rows", "hole filled", "reshuffle",
    }  # fmt: skip
    for players, seed in product(range(2, 7), range(40)):
        for step in whole_game(players, seed):
            expected -= features(step)
        if not expected:
            break
    assert not expected


def features(step: Step) -> set[str]:
    """What is worth noticing about a step."""
    before, event, after = step.before, step.event, step.after
    deck = before.setup.deck
    found = {type(event).__name__}
    rows = {p.row for p in after.this_turn}
    if before.phase is Phase.REVEAL and not after.order:
        found.add("orders only")
    if len(rows) > 1:
        found.add("two rows")
    if any(p.row > 6 for p in after.placed):
        found.add("seven rows")
    if isinstance(event, Remove):
        found.add("removed" if event.card else "declined")
        if not before.removable():
            found.add("nothing removable")
        if event.card and deck[event.card].kind is Kind.INSERT:
            found.add("insert removed")
    if isinstance(event, Insert):
        if deck[event.card].is_order:
            found.add(f"chain {deck[event.card].kind.value}")
        if before.this_turn and before.open_row[0] > max(p.row for p in before.this_turn):
            found.add("insert opens a row")
    if (
        isinstance(event, Play)
        and [p.row for p in before.this_turn]
        and len(after.this_turn) < len({*after.order[: after.index]})
    ):
        found.add("hole filled")
    if after.phase is Phase.PREDICTIONS and 35 in after.cubes:
        found.add("peak")
    if isinstance(event, EndTurn) and -5 in after.cubes:
        found.add("floor")
    if after.outcome and len(after.outcome.winners) > 1:
        found.add("shared win")
    if after.piles.reshuffles > before.piles.reshuffles and isinstance(event, Play | Blocked):
        found.add("reshuffle")
    return found


@given(st.integers(0, 60), st.lists(st.integers(0, 3), max_size=30))
def test_piles_contain_every_way_of_reshuffling(draw_pile: int, discards: list[int]) -> None:
    """Made anew at the next draw, or at once when the last card is drawn: both stay possible."""
    piles, lazy, eager = Piles.of(draw_pile), (draw_pile, 0), (draw_pile, 0)
    for count in discards:
        piles = piles.discard(count)
        lazy, eager = (lazy[0], lazy[1] + count), (eager[0], eager[1] + count)
        drawn = piles.draw()
        if piles.total:
            lazy = (lazy[0] - 1, lazy[1]) if lazy[0] else (lazy[1] - 1, 0)
            eager = (eager[0] - 1, eager[1]) if eager[0] else (eager[1] - 1, 0)
            eager = eager if eager[0] else (eager[1], 0)
        else:
            assert drawn == piles
        piles = drawn
        assert piles.total == sum(lazy) == sum(eager)
        assert piles.sizes >> lazy[0] & 1
        assert piles.sizes >> eager[0] & 1
        low, high = piles.draw_range
        assert low <= min(lazy[0], eager[0]) <= max(lazy[0], eager[0]) <= high


def test_an_exchange_leaves_the_draw_pile_uncertain_and_may_reshuffle_a_short_one() -> None:
    piles = Piles.of(40).discard(10).exchange(12)
    assert piles.draw_range == (28, 40)
    assert piles.reshuffles == 0
    assert Piles.of(5).discard(10).exchange(12).reshuffles == 1
    assert Piles.of(5).discard(10).exchange(12).draw_range == (0, 15)
    assert Piles.unknown().draw().reshuffles == 1
