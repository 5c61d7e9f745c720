"""The rules against a second, plain reading of them: same decisions, same table, everywhere."""

from __future__ import annotations

import random

import pytest

from companion.games.above.action import Action
from companion.games.above.notation import write_position
from companion.games.above.position import Position
from companion.games.above.rules import apply, initial_position, legal_actions, successors
from tests.games.above.positions import random_text
from tests.games.above.reference import Replay


def compare(position: Position, start: str, actions: list[str]) -> None:
    """Fails unless both say the same about the state after these actions."""
    replay = Replay(start, actions)
    told = f"{start} then {actions}"
    # Only the start of a turn has a text; the table can be compared anywhere.
    assert write_position(position._state) == replay.table.text(), told
    assert position.is_over == replay.over, told
    listed = [str(action) for action in legal_actions(position)]
    if replay.decision is None:
        assert listed == [], told
    else:
        assert (position.decides, listed) == replay.decision, told
        assert position.at_turn_start == replay.at_turn_start, told


@pytest.mark.parametrize("seed", range(4))
def test_crowded_positions(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(250):
        start, actions = random_text(rng), list[str]()
        position = Position.parse(start)
        compare(position, start, actions)
        while True:
            listed = legal_actions(position)
            for action in listed if len(listed) < 6 else rng.sample(listed, 6):
                compare(apply(position, action), start, [*actions, str(action)])
            action = rng.choice(listed)
            actions.append(str(action))
            position = apply(position, action)
            if position.at_turn_start or position.is_over:
                break


@pytest.mark.parametrize("players", (2, 4))
def test_whole_games(players: int) -> None:
    rng = random.Random(players)
    for _ in range(10):
        position = initial_position(players, rng)
        start, actions = str(position), list[str]()
        while not position.is_over:
            if position.at_turn_start:
                start, actions = str(position), []
            action = rng.choice(legal_actions(position))
            actions.append(str(action))
            position = apply(position, action)
            compare(position, start, actions)


def all_ends(start: str) -> set[str]:
    """Every position a turn can lead to, by the reference, without any cleverness."""
    ends: set[str] = set()
    open_lines: list[list[str]] = [[]]
    while open_lines:
        actions = open_lines.pop()
        replay = Replay(start, actions)
        if actions and (replay.over or replay.at_turn_start):
            ends.add(replay.table.text())
        elif replay.decision is not None:
            open_lines += [[*actions, action] for action in replay.decision[1]]
    return ends


@pytest.mark.parametrize("players", (2, 4))
def test_successors(players: int) -> None:
    rng = random.Random(11 + players)
    compared = 0
    while compared < 6:
        start = random_text(rng)
        # Placing tokens has thousands of ends; the other powers show as much.
        mover = start.split(" ")[2].split("/")[int(start.split(" ")[3])]
        if not start.endswith(str(players)) or {"ze", "ar", "ha", "de"} & set(mover.split(".")):
            continue
        found = [str(position) for position in successors(Position.parse(start))]
        assert len(found) == len(set(found))
        assert set(found) == all_ends(start), start
        compared += 1


def test_the_comparison_can_fail() -> None:
    start = random_text(random.Random(0))
    position = Position.parse(start)
    action = legal_actions(position)[0]
    with pytest.raises(AssertionError):
        compare(apply(position, action), start, [])
    with pytest.raises(AssertionError):
        Replay(start, [str(action), "done", "done"])
    assert Action.parse(str(action)) is action
