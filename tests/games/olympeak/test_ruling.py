"""A ruling of the house: the rules do not lead there, but say what cannot be played from."""

from __future__ import annotations

import json

import pytest

from companion.games.olympeak import rules
from companion.games.olympeak.events import Lying, Play, Reveal, Ruling
from companion.games.olympeak.position import Phase
from companion.games.olympeak.record_reading import LineError, read_event
from companion.games.olympeak.records import lines
from companion.games.olympeak.refusal import IllegalEvent, Reason
from tests.games.olympeak.tabletop import table

CARDS = {"p001": "+3 h4 blue red", "p002": "+1 h3 blue", "p003": "-1 h2 green red", "o01": "stop"}
ACCEPT = frozenset({Reason.RULING})
START = table(2, CARDS)
GOOD = Ruling(
    text="p001 may not go under green.",
    round=1,
    cubes=(("blue", 0), ("green", 4), ("red", -5)),
    placed=(Lying("p001", "green", 1, 1, 0),),
    revealed=("p001", "p003"),
    order=(0, 1),
    played=1,
)


def reasons(event: Ruling) -> list[Reason]:
    return [each.reason for each in rules.refusals(START, event)]


def test_a_ruling_is_never_by_the_rules_but_may_be_accepted() -> None:
    assert reasons(GOOD) == [Reason.RULING]
    assert rules.explain_illegal(START, GOOD) == (
        "The players made a ruling of their own here and played on: p001 may not go under green."
    )
    with pytest.raises(IllegalEvent):
        rules.apply(START, GOOD)
    after = rules.apply(START, GOOD, accept=ACCEPT)
    assert (after.phase, after.seat) == (Phase.PLAY, 1)
    assert after.cube == {"blue": 0, "green": 4, "red": -5}
    assert after.hands == (START.hands[0] + 1, START.hands[1])
    end = rules.apply(after, Play(1, "p003", "red"))
    assert end.phase is Phase.TURN_END


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"round": 9}, "Round 9"),
        ({"cubes": (("blue", 0), ("red", 0))}, "A cube each"),
        ({"cubes": (("blue", 0), ("green", 35), ("red", 0))}, "green cube on 35"),
        ({"placed": (Lying("p001", "red", 1, 1, 0), Lying("p001", "blue", 1, 1, 0))}, "lies in 2 places"),
        ({"placed": (Lying("p099", "red", 1, 1, 0),)}, "p099 is no card"),
        ({"placed": (Lying("p001", "white", 1, 1, 0),)}, "does not race"),
        ({"placed": (Lying("p001", "red", 0, 1, 0),)}, "that cannot be"),
        ({"order": (0, 0)}, "plays in turn"),
        ({"revealed": ("p001",)}, "plays in turn"),
        ({"revealed": ("p001", "p099")}, "p099 is no card"),
        ({"played": 3}, "3 of 2 players"),
        ({"pending": "p001"}, "no order card"),
        ({"order": (), "played": 0}, "nobody can have played"),
    ],
)
def test_what_cannot_be_played_from_is_said(changes: dict[str, object], said: str) -> None:
    from dataclasses import replace

    event = replace(GOOD, **changes)  # type: ignore[arg-type]
    wrong = [each for each in rules.refusals(START, event) if each.reason is Reason.IMPOSSIBLE]
    assert any(said in each.sentence for each in wrong), wrong
    with pytest.raises(IllegalEvent):
        rules.apply(START, event, accept=ACCEPT)


@pytest.mark.parametrize(
    ("number", "cubes", "cards", "phase"),
    [
        (1, (0, 0, 0), 5, Phase.REVEAL),
        (1, (0, 0, 0), 6, Phase.ROUND_END),
        (START.setup.rounds, (0, 0, 0), 6, Phase.PREDICTIONS),
        (1, (0, 35, 0), 1, Phase.PREDICTIONS),
    ],
)
def test_a_table_says_what_a_game_waits_for(
    number: int, cubes: tuple[int, ...], cards: int, phase: Phase
) -> None:
    """And what was known of hands and piles is known no more: whole turns may have passed."""
    names = [f"p{n:03d}" for n in range(20, 20 + cards)]
    start = table(2, CARDS | dict.fromkeys(names, "+1 h1 blue"))
    taken = rules.apply(start, Reveal(("o01", "p001")))
    placed = tuple(Lying(name, "blue", row, 0, 0) for row, name in enumerate(names, 1))
    standing = tuple(zip(start.setup.racing, cubes, strict=True))
    after = rules.apply(taken, Ruling("…", number, standing, placed), accept=ACCEPT)
    assert after.phase is phase
    assert (after.discarded, set(after.held), set(after.loose)) == (frozenset(), {frozenset()}, {frozenset()})


def test_a_ruling_is_written_and_read_back() -> None:
    after = rules.apply(START, GOOD, accept=ACCEPT)
    (line,) = lines(START, GOOD, after)
    assert json.loads(line)["event"] == "ruling"
    assert read_event(START, json.loads(line)) == GOOD
    revealed = rules.apply(START, Reveal(("p001", "p003")))
    assert read_event(revealed, json.loads(line)) == GOOD


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cubes": []}, "cubes must be an object"),
        ({"cubes": {"blue": "x"}}, "blue must be a whole number"),
        ({"order": ["x"]}, "order must list seats"),
        ({"order": [True]}, "order must list seats"),
        ({"placed": [1]}, "each of placed is an object"),
        ({"placed": [{"card": "p001"}]}, "a placed card lacks to"),
        ({"pending": 3}, "pending must be a text"),
        ({"more": 1}, "unknown key 'more'"),
    ],
)
def test_a_line_that_is_no_ruling_is_refused_by_its_key(change: dict[str, object], said: str) -> None:
    (line,) = lines(START, GOOD, rules.apply(START, GOOD, accept=ACCEPT))
    with pytest.raises(LineError, match=said):
        read_event(START, {**json.loads(line), **change})


def test_nothing_is_ruled_once_the_race_is_over() -> None:
    from dataclasses import replace

    over = replace(START, phase=Phase.PREDICTIONS)
    assert [each.reason for each in rules.refusals(over, GOOD)] == [Reason.PHASE]
