"""Every reason for which the rules refuse an event has its case here, with its ruling and its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.games.olympeak import rules
from companion.games.olympeak.events import (
    Blocked,
    DeclineInsert,
    EndRound,
    EndTurn,
    Event,
    Insert,
    Play,
    Predictions,
    Remove,
    Reveal,
    Ruling,
    Stop,
)
from companion.games.olympeak.piles import Piles
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.refusal import Reason
from tests.games.olympeak.tabletop import after, table

CARDS = {
    "p001": "+3 h4 blue red",
    "p002": "+1 h3 blue",
    "p003": "-1 h2 green red",
    "p004": "+2 h1 blue",
    "p009": "+4 h1 blue *",
    "o01": "stop",
    "o02": "remove",
    "o03": "insert",
    **{f"p{number:03d}": "+1 h1 blue" for number in range(20, 60)},
}
START = table(2, CARDS)
REVEALED = after(START, Reveal(("p001", "p003")))
INSERTING = after(START, Reveal(("p001", "o03")), Play(0, "p001", "red"), Play(1, "o03", "green"))
TURN_OVER = after(REVEALED, Play(0, "p001", "red"), Play(1, "p003", "green"), EndTurn())
REMOVING = after(TURN_OVER, Reveal(("p002", "o02")), Play(0, "p002", "blue"), Play(1, "o02", "green"))
ENDED = replace(START, phase=Phase.PREDICTIONS)
BLOCKED = after(START, Reveal(("p002", "p004")), Play(0, "p002", "blue"))
RULING = Ruling("…", 1, (("blue", 0), ("green", 0), ("red", 0)), ())


def nothing_left(state: GameState) -> GameState:
    return replace(state, piles=Piles.of(0))


CASES: tuple[tuple[Reason, GameState, Event, str], ...] = (
    (Reason.PHASE, START, Play(0, "p001", "red"), "First every player reveals a card (O2)."),
    (Reason.PHASE, REVEALED, Reveal(("p001", "p003")), "First Ada is to play p001 (O2)."),
    (Reason.PHASE, INSERTING, EndTurn(), "First Ben decides on the Insert card (O9)."),
    (
        Reason.PHASE,
        replace(START, phase=Phase.TURN_END),
        EndRound(),
        "The turn is over, first the cubes move (O10).",
    ),
    (
        Reason.PHASE,
        replace(START, phase=Phase.ROUND_END),
        Reveal(("p001", "p003")),
        "The round is over, first the columns are cleared (O11).",
    ),
    (Reason.PHASE, ENDED, EndTurn(), "The game is over, now the tiles are turned up (O12)."),
    (Reason.PHASE, replace(START, phase=Phase.OVER), EndTurn(), "The game is over and scored (O12)."),
    (Reason.SEAT, REVEALED, Play(1, "p003", "green"), "It is Ada's turn, not Ben's (O2)."),
    (Reason.COUNT, START, Reveal(("p001",)), "Each of the 2 players reveals one card, and 1 are shown (O2)."),
    (
        Reason.COUNT,
        ENDED,
        Predictions(("red",), ("blue",)),
        "Each player predicts one contender first and one second (O15).",
    ),
    (Reason.SWAPPED, REVEALED, Play(0, "p002", "blue"), "Ada revealed p001 and must play it, not p002 (O2)."),
    (
        Reason.SIGN,
        REVEALED,
        Play(0, "p001", "green"),
        "p001 (+3, blue or red) may not go under green, it does not show that sign (O4).",
    ),
    (
        Reason.TAKEN,
        after(REVEALED, Play(0, "p001", "red")),
        Play(1, "p003", "red"),
        "Red already has a card in row 1, free there: blue, green (O4).",
    ),
    (Reason.OUT_OF_PLAY, REVEALED, Play(0, "p001", "white"), "White does not race in this game (O1)."),
    (
        Reason.OUT_OF_PLAY,
        ENDED,
        Predictions(("white", "red"), ("blue", "green")),
        "Ada predicted white, which does not race (O1).",
    ),
    (Reason.ROW, REVEALED, Play(0, "p001", "red", 2), "p001 belongs in row 1, not in row 2 (O4)."),
    (
        Reason.MUST_PLACE,
        REVEALED,
        Blocked(0, "p001"),
        "Ada must place p001 (+3, blue or red), it can go under blue or red (O5).",
    ),
    (
        Reason.NOT_REMOVABLE,
        REMOVING,
        Remove(1, "p001"),
        "Remove takes another card of its own row, here only p002, and p001 is none (O8).",
    ),
    (
        Reason.NOTHING_TO_DRAW,
        nothing_left(INSERTING),
        DeclineInsert(1, True),
        "Both piles are empty, so nobody can have drawn a card (O6).",
    ),
    (
        Reason.SAME_TILE,
        ENDED,
        Predictions(("red", "blue"), ("red", "green")),
        "Ada predicted red both first and second (O15).",
    ),
    (
        Reason.SHARED_SECOND,
        ENDED,
        Predictions(("red", "blue"), ("green", "green")),
        "Two players predicted green second, but those tiles are dealt from one set (O15).",
    ),
    (Reason.UNKNOWN_CARD, START, Reveal(("p099", "p003")), "p099 is no card of this box (O17)."),
    (Reason.UNKNOWN_CARD, INSERTING, Insert(1, "p099", "blue"), "p099 is no card of this box (O17)."),
    (
        Reason.STARRED,
        START,
        Reveal(("p009", "p003")),
        "p009 (+4, blue) has a star and stays in the box with 2 players (O1).",
    ),
    (
        Reason.TWICE,
        START,
        Reveal(("p001", "p001")),
        "p001 lies before two players, and there is only one of it (O17).",
    ),
    (
        Reason.ON_TABLE,
        TURN_OVER,
        Reveal(("p001", "p002")),
        "p001 (+3, blue or red) cannot come from Ada's hand, it lies under red in row 1 (O17).",
    ),
    (
        Reason.DISCARDED,
        after(REMOVING, Remove(1, "p002"), EndTurn()),
        Reveal(("p002", "p004")),
        "p002 (+1, blue) cannot come from Ada's hand, it is on the discard pile, which has not been shuffled since (O6).",
    ),
    (
        Reason.OTHER_HAND,
        after(BLOCKED, Blocked(1, "p004"), EndTurn()),
        Reveal(("p004", "p003")),
        "p004 (+2, blue) cannot come from Ada's hand, Ben took it back (O17).",
    ),
    (Reason.RULING, START, RULING, "The players made a ruling of their own here and played on: …."),
    (Reason.IMPOSSIBLE, START, replace(RULING, round=9), "Round 9 is none of the 3."),
)


@pytest.mark.parametrize(("reason", "state", "event", "said"), CASES)
def test_the_reason_is_said(reason: Reason, state: GameState, event: Event, said: str) -> None:
    refusal = next(iter(rules.refusals(state, event)))
    assert (refusal.reason, refusal.text) == (reason, said)
    assert rules.explain_illegal(state, event) == said


def test_every_reason_has_its_case() -> None:
    assert {reason for reason, *_ in CASES} == set(Reason)


def test_every_kind_of_event_is_refused_somewhere() -> None:
    kinds: set[Callable[..., Event]] = {type(event) for _, _, event, _ in CASES}
    assert kinds >= {
        Reveal,
        Play,
        Blocked,
        Remove,
        Insert,
        DeclineInsert,
        EndTurn,
        EndRound,
        Predictions,
        Ruling,
    }
    assert rules.explain_illegal(START, Stop(0, True)) is not None
