"""Known counts of action sequences, with the split by first action where a count is off.

The counts were agreed between these rules and the plain reading in `reference.py`;
`test_the_reference_counts` repeats that for the shallow ones.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions
from tests.games.above.reference import Replay

COUNTS = json.loads((Path(__file__).parents[2] / "data" / "above" / "counts.json").read_text())
CASES = [(case["name"], case["position"], case["depth"], case["split"]) for case in COUNTS]


def count(position: Position, depth: int) -> int:
    """How many sequences of `depth` actions there are; a finished game counts once."""
    if depth == 0 or position.is_over:
        return 1
    return sum(count(apply(position, action), depth - 1) for action in legal_actions(position))


def split(text: str, depth: int) -> dict[str, int]:
    """The count behind each first action."""
    position = Position.parse(text)
    return {str(a): count(apply(position, a), depth - 1) for a in legal_actions(position)}


@pytest.mark.parametrize(("name", "position", "depth", "expected"), CASES, ids=[case[0] for case in CASES])
def test_counts(name: str, position: str, depth: int, expected: dict[str, int]) -> None:
    found = split(position, depth)
    off = {
        action: (expected.get(action), found.get(action))
        for action in sorted(expected.keys() | found.keys())
        if expected.get(action) != found.get(action)
    }
    assert not off, (
        f"{name}: {sum(expected.values())} expected, {sum(found.values())} found; (expected, found): {off}"
    )


def reference_count(start: str, actions: list[str], depth: int) -> int:
    replay = Replay(start, actions)
    if depth == 0 or replay.decision is None:
        return 1
    if actions and replay.at_turn_start:
        start, actions = replay.table.text(), []
    return sum(reference_count(start, [*actions, action], depth - 1) for action in replay.decision[1])


@pytest.mark.parametrize(("name", "position", "depth", "expected"), CASES, ids=[case[0] for case in CASES])
def test_the_reference_counts(name: str, position: str, depth: int, expected: dict[str, int]) -> None:
    shallow = 2 if sum(expected.values()) > 4_000 else depth
    start = Position.parse(position)
    found = reference_count(position, [], shallow)
    assert found == count(start, shallow)
    if shallow == depth:
        assert found == sum(expected.values()), name
