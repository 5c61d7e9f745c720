"""What must hold in every position that play can reach."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.above.action import GRAMMAR, Action
from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, TOKENS, TOKENS_PER_TYPE
from companion.games.above.position import Phase, Position
from companion.games.above.rules import (
    IllegalAction,
    apply,
    explain_illegal,
    initial_position,
    is_legal,
    legal_actions,
)
from tests.games.above.positions import random_text

spaces = st.sampled_from(SPACES)
WORDS = {
    "deity": st.sampled_from(DEITIES),
    "token": st.sampled_from(TOKENS),
    "space": spaces,
    "origin": spaces,
    "seat": st.sampled_from("0123"),
    "deities": st.permutations(DEITIES * 2).map(lambda pack: " ".join(sorted(pack[:4], key=DEITIES.index))),
}


@st.composite
def any_actions(draw: st.DrawFn) -> Action:
    """Any well-formed action."""
    kind = draw(st.sampled_from(sorted(GRAMMAR)))
    return Action.parse(" ".join([kind, *(draw(WORDS[part]) for part in GRAMMAR[kind])]))


@st.composite
def reached_positions(draw: st.DrawFn) -> Position:
    """A position some actions into a game or into a crowded position, at any point of a turn."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    if draw(st.booleans()):
        position = initial_position(draw(st.sampled_from((2, 4))), rng)
        steps = draw(st.integers(0, 120))
    else:
        position = Position.parse(random_text(rng))
        steps = draw(st.integers(0, 8))
    for _ in range(steps):
        listed = legal_actions(position)
        if not listed:
            break
        position = apply(position, rng.choice(listed))
    return position


def check_box(position: Position) -> None:
    """Nothing is lost: eight miniatures on spaces of their own, six tokens a type, sixteen cards."""
    taken = list(position.minis)
    for token in TOKENS:
        on_board = position.tokens_on(token)
        assert len(on_board) + position.reserve(token) == TOKENS_PER_TYPE
        taken += [SPACES.index(space) for space in on_board]
    assert len(taken) == len(set(taken))
    if position.players == 4:
        held = Counter(position.pile())
        for seat in range(4):
            held.update(position.powered(seat))
            assert len(position.powered(seat)) <= 4
        assert held == Counter(DEITIES * 2)
    else:
        for seat in range(2):
            assert 1 <= len(position.powered(seat)) == len(set(position.powered(seat))) <= 8


@settings(max_examples=150, deadline=None)
@given(reached_positions())
def test_magnets_lie_where_a_miniature_or_a_token_does(position: Position) -> None:
    pieces = {position.space_of(deity) for deity in DEITIES}.union(*map(position.tokens_on, TOKENS))
    assert position.stood_on == sum(1 << SPACES.index(space) for space in pieces)


@settings(max_examples=150, deadline=None)
@given(reached_positions())
def test_what_is_listed_applies(position: Position) -> None:
    listed = legal_actions(position)
    texts = [str(action) for action in listed]
    assert texts == sorted(set(texts))
    assert bool(listed) != position.is_over
    for action in listed:
        assert explain_illegal(position, action) is None
        after = apply(position, action)
        check_box(after)
        assert after != position
        if after.at_turn_start:
            assert after.turn == (position.turn + 1) % position.players


@settings(max_examples=300, deadline=None)
@given(reached_positions(), st.lists(any_actions(), min_size=1, max_size=40))
def test_what_is_not_listed_raises_with_a_sentence(position: Position, actions: list[Action]) -> None:
    listed = set(legal_actions(position))
    assert all(is_legal(position, action) for action in listed)
    for action in actions:
        if action in listed:
            continue
        assert not is_legal(position, action)
        sentence = explain_illegal(position, action)
        assert sentence is not None
        assert sentence[0].isupper() and sentence.endswith(".") and "\n" not in sentence
        assert sentence.count(". ") == 0
        assert "None" not in sentence and "  " not in sentence
        with pytest.raises(IllegalAction) as refused:
            apply(position, action)
        assert str(refused.value) == sentence


@settings(max_examples=150, deadline=None)
@given(reached_positions())
def test_text_round_trips(position: Position) -> None:
    if position.at_turn_start or position.is_over:
        again = Position.parse(str(position))
        assert again == position and hash(again) == hash(position)
        assert str(again) == str(position)
        assert legal_actions(again) == legal_actions(position)
    for action in legal_actions(position):
        assert Action.parse(str(action)) is action


@settings(max_examples=300, deadline=None)
@given(any_actions())
def test_every_action_round_trips(action: Action) -> None:
    assert Action.parse(str(action)) is action


@settings(max_examples=100, deadline=None)
@given(reached_positions())
def test_what_is_told_fits_the_phase(position: Position) -> None:
    kinds = {action.kind for action in legal_actions(position)}
    expected = {
        Phase.ACTIVATE: {"activate"},
        Phase.MOVE: {"move"},
        Phase.JUMP: {"jump"},
        Phase.RECOVER: {"recover"},
        Phase.POWER: {"place", "shift", "remove", "back", "disgrace", "exhaust", "done", "move"},
        Phase.OVER: set[str](),
    }[position.phase]
    assert kinds <= expected
    if position.phase in (Phase.MOVE, Phase.JUMP):
        assert {action.deity for action in legal_actions(position)} == {position.mover}
    if position.token_to_lay is not None and position.phase is Phase.POWER:
        kind = "place" if position.reserve(position.token_to_lay) else "shift"
        assert {(action.kind, action.token) for action in legal_actions(position)} == {
            (kind, position.token_to_lay)
        }
    if position.phase is Phase.RECOVER:
        assert position.powered(position.decides) == ()
        assert {action.seat for action in legal_actions(position)} == {position.decides}


@pytest.mark.parametrize("players", (2, 4))
def test_games_end_or_go_on_for_500_turns(players: int) -> None:
    ended = 0
    for seed in range(40):
        rng = random.Random(seed)
        position, turns = initial_position(players, rng), 0
        while not position.is_over and turns < 500:
            listed = legal_actions(position)
            assert listed
            position = apply(position, rng.choice(listed))
            turns += position.at_turn_start
        check_box(position)
        if position.is_over:
            ended += 1
            assert position.turn in position.winner
            assert "top" in [position.space_of(deity) for deity in DEITIES]
    assert ended > 30
