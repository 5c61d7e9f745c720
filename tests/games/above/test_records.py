"""Records: what is written replays, and whatever is changed in one is found on its line."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from companion.games.above.position import Position
from companion.games.above.records import check, header, random_game
from tests.games.above.positions import text

Line = dict[str, Any]


def game(players: int, seed: int) -> list[str]:
    return list(random_game(players, seed))


def changed(lines: list[str], number: int, **parts: object) -> list[str]:
    """The record with parts of line `number` (from 1) changed."""
    data = json.loads(lines[number - 1])
    data.update(parts)
    return [*lines[: number - 1], json.dumps(data), *lines[number:]]


@pytest.mark.parametrize("players", (2, 4))
@pytest.mark.parametrize("seed", range(6))
def test_a_random_game_replays(players: int, seed: int) -> None:
    lines = game(players, seed)
    assert lines == game(players, seed)
    assert check(lines) is None
    first, last = json.loads(lines[0]), json.loads(lines[-1])
    assert list(first) == ["game", "version", "players", "position"]
    assert (first["game"], first["version"], len(first["players"])) == ("above", 1, players)
    assert last["winner"] in ([0], [1], [0, 2], [1, 3])
    kinds = {tuple(json.loads(line)) for line in lines[1:-1]}
    assert kinds == {("seat", "legal", "action"), ("position",)}
    for line in lines[1:-1]:
        data: Line = json.loads(line)
        if "action" in data:
            assert data["action"] in data["legal"] == sorted(data["legal"])


def test_seeds_differ() -> None:
    assert game(2, 1) != game(2, 2)


def test_the_picker_decides() -> None:
    """In a record `recover` stands under the seat of the picker, whoever's turn it is."""
    picked = 0
    for seed in range(5):
        for line in game(4, seed)[1:-1]:
            data = json.loads(line)
            if data.get("action", "").startswith("recover"):
                assert data["action"].split()[1] == str(data["seat"])
                picked += 1
    assert picked > 10


def test_unfinished_games_are_records_too() -> None:
    lines = game(2, 3)
    for length in range(1, len(lines) - 2, 7):
        assert check(lines[:length]) is None
    short = list(random_game(2, 3, max_turns=4))
    assert short == lines[: len(short)] and check(short) is None
    assert sum("action" not in line for line in short) == 5


def test_a_finished_game_must_say_who_won() -> None:
    lines = game(2, 3)
    departure = check(lines[:-1])
    assert departure is not None and departure.line == len(lines) and "winner" in departure.text
    departure = check(lines[:-2])
    assert departure is not None and departure.line == len(lines) - 1 and "position" in departure.text


def test_a_finished_position_needs_only_its_winner() -> None:
    over = header(["Ada", "Ben"], Position.parse(text("ze=top", turn=1)))
    assert check([over, '{"winner":[1]}']) is None
    departure = check([over])
    assert departure is not None and departure.line == 2


def departs(lines: list[str], number: int, *words: str) -> None:
    """The record departs on that line, and the sentence has these words."""
    departure = check(lines)
    assert departure is not None
    assert departure.line == number
    assert str(departure).startswith(f"line {number}: ")
    for word in words:
        assert word in departure.text, departure.text


@pytest.mark.parametrize("players", (2, 4))
def test_every_removed_doubled_or_swapped_line_is_found(players: int) -> None:
    lines = game(players, 5)
    for number in [*range(1, len(lines), 5), len(lines)]:
        without = lines[: number - 1] + lines[number:]
        assert check(without) is not None, f"line {number} removed"
        twice = lines[:number] + lines[number - 1 :]
        assert check(twice) is not None, f"line {number} doubled"


@pytest.mark.parametrize("players", (2, 4))
def test_every_kind_of_corruption_is_found(players: int) -> None:
    lines = game(players, 8)
    rng = random.Random(1)
    for number in sorted(rng.sample(range(2, len(lines)), 12)):
        data = json.loads(lines[number - 1])
        if "action" in data:
            legal = data["legal"]
            departs(changed(lines, number, seat=data["seat"] + 1), number, "decides")
            departs(changed(lines, number, seat=bool(data["seat"])), number, "decides")
            departs(changed(lines, number, legal=[*legal, "done now"]), number, "done now")
            departs(changed(lines, number, legal=legal[1:]), number, "lacks", legal[0])
            departs(changed(lines, number, legal=legal[0]), number, "list")
            departs(changed(lines, number, legal=[*legal, legal[-1]]), number, "twice")
            departs(changed(lines, number, action="move ze zz"), number, "zz")
            departs(changed(lines, number, action=7), number, "7")
            if len(legal) > 1:
                departs(changed(lines, number, legal=legal[::-1]), number, "sorted")
            illegal = "recover 0 ze he ar at"
            if illegal not in legal:
                departs(changed(lines, number, action=illegal), number, "not legal")
            others = [action for action in legal if action != data["action"]]
            if others:
                # A different legal action shows at the latest when the turn's position is told.
                departure = check(changed(lines, number, action=rng.choice(others)))
                assert departure is None or departure.line > number
            departs(changed(lines, number, note=1), number, "note")
        elif "position" in data:
            departs(
                changed(lines, number, position=data["position"].replace("ze=", "ze=x")), number, "expected"
            )
            departs(changed(lines, number, position=None), number, "expected the position")


def test_another_action_of_the_list_changes_what_follows() -> None:
    lines = game(2, 8)
    departure = check(changed(lines, 2, action=json.loads(lines[1])["legal"][-1]))
    assert departure is not None and departure.line > 2


@pytest.mark.parametrize(
    ("parts", "word"),
    (
        ({"game": "chess"}, '"game":"chess"'),
        ({"version": 2}, '"version":2'),
        ({"version": True}, '"version":true'),
        ({"players": ["Ada"]}, "names 1"),
        ({"players": "Ada"}, "list of names"),
        ({"players": [1, 2]}, "list of names"),
        ({"position": "nonsense"}, "five"),
        ({"position": 5}, "text"),
        ({"extra": 5}, "extra"),
    ),
)
def test_the_header(parts: Line, word: str) -> None:
    departs(changed(game(2, 1), 1, **parts), 1, word)


def test_the_winner() -> None:
    lines = game(2, 1)
    winner = json.loads(lines[-1])["winner"]
    for wrong in ([1 - winner[0]], winner * 2, [], winner[0], [float(winner[0])], "0"):
        departs(changed(lines, len(lines), winner=wrong), len(lines), "expected the winner")
    departs([*lines, lines[-1]], len(lines) + 1, "no line may follow")
    departs([*lines, ""], len(lines) + 1, "no JSON")


def test_text_that_is_no_record() -> None:
    lines = game(2, 1)
    departs([], 1, "empty")
    departs(["not json"], 1, "no JSON")
    departs(["[]"], 1, "object")
    departs(["{}"], 1, '"game"')
    departs([lines[0], lines[1][:-5]], 2, "no JSON")
    departs([lines[0], "7"], 2, "object")
    departs([lines[0], '{"seat":0}'], 2, '"legal"')
    departs([lines[0], '{"seat":0,"seat":0}'], 2, "twice")
    departs([lines[0], "[" * 100_000], 2, "no JSON")
    departs([lines[0], '{"winner":[0]}'], 2, "expected an action")
