"""When the lights have said it: at once where they were lit already just as they are to begin, else once it was sent."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.referee.verdict import Kind, Mark, Verdict
from companion.soak.game import FRAMES_PER_S, _Game
from companion.soak.gaps import Gaps
from companion.soak.plan import SoakPlan
from companion.soak.readings.watching import watch_by_readings
from companion.soak.report import SoakReport
from companion.tables.catalogue import kit_for
from companion.virtual.loop import VirtualTimeLoop
from firmware_bridge.virtual_controller import VirtualController

KIT = kit_for("above")
BENS = Verdict(Kind.READY, 1, "Ben: choose a card.")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[_Game]:
    """At which all that was played is told by whatever is shown next."""
    with (
        closing(VirtualTimeLoop(time.monotonic)) as loop,
        closing(KIT.book(tmp_path / "j.db", time.time)) as book,
    ):
        watch, report = watch_by_readings, SoakReport()
        game = _Game(
            KIT, SoakPlan(2, 1), report, watch, None, book, None, loop, None, FRAMES_PER_S, None, time.time
        )
        game.gaps = Gaps(watch(KIT, game.simulation)[1], 1.0 / FRAMES_PER_S)
        monkeypatch.setattr(game, "_is_told", lambda: True)
        board = game.simulation.controller
        assert isinstance(board, VirtualController)
        with closing(board):
            yield game


@pytest.mark.parametrize(
    ("then", "at_once"),
    [
        (Verdict(Kind.READY, 1, "Ben: choose a card once more."), True),
        # Its light winks, and begins lit.
        (Verdict(Kind.COMPLETE, 1, "If that is all, Ada goes on."), True),
        (Verdict(Kind.READY, 0, "Ada: choose a card."), False),
        (Verdict(Kind.QUESTION, 1, "Which of these was played?"), False),
        (Verdict(Kind.READY, 1, BENS.text, marks=(("a1", Mark.REMOVE),)), False),
    ],
)
def test_a_turn_is_told_at_once_only_where_every_light_is_lit_as_it_is_to_begin(
    game: _Game, then: Verdict, at_once: bool
) -> None:
    loop, latencies = game.loop, game.report.latencies_s
    game._on_verdict(BENS)
    game._answer_due = loop.time()
    loop.run_until_complete(asyncio.sleep(0.2))
    game._on_verdict(then)
    assert latencies == pytest.approx([0.2] if at_once else [])
    loop.run_until_complete(asyncio.sleep(0.1))
    game._led_sent((), loop.time())
    assert latencies == pytest.approx([0.2] if at_once else [0.3])


def test_what_is_refused_is_measured_apart(game: _Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game.simulation.people, "showing_illegal", "two spaces")
    game._answer_due = game.loop.time()
    game._on_verdict(Verdict(Kind.ILLEGAL, 1, "Ben: Zeus cannot step back."))
    game.loop.run_until_complete(asyncio.sleep(0.2))
    game._led_sent((), game.loop.time())
    report = game.report
    assert report.latencies_s == report.refusal_latencies_s == pytest.approx([0.2])
    assert not report.turn_latencies_s
