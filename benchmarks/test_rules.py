"""How many actions a second the rules of Above list and apply, next to python-chess making moves in perft.

Both are measured in the same run on the same core. python-chess is installed for this comparison only.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import chess
import pytest

from benchmarks.conftest import Notes
from companion.games.above.position import Position
from companion.games.above.rules import apply, initial_position, legal_actions

ROUNDS, WARM_UP = 20, 3
GAMES = 60
START = (
    "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=b3.f5,fertility=d2.n4,gate=h3.l6,barrier=j2.p3 "
    "ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap 0 2"
)
# The two positions that chess programs count most.
CHESS = (chess.STARTING_FEN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")

PART = "the rules: actions a second"


def chess_perft(board: chess.Board, depth: int) -> int:
    """How many moves are made, each by push and pop."""
    made = 0
    for move in board.legal_moves:
        board.push(move)
        made += 1
        if depth > 1:
            made += chess_perft(board, depth - 1)
        board.pop()
    return made


def above_perft(position: Position, depth: int) -> int:
    """How many actions are applied: every one listed."""
    applied = 0
    for action in legal_actions(position):
        after = apply(position, action)
        applied += 1
        if depth > 1:
            applied += above_perft(after, depth - 1)
    return applied


def playouts(starts: list[Position], seed: int) -> int:
    """How many actions are applied in random games: all listed, one applied."""
    draw = random.Random(seed).random
    applied = 0
    for position in starts:
        listed = legal_actions(position)
        while listed:
            position = apply(position, listed[int(draw() * len(listed))])
            applied += 1
            listed = legal_actions(position)
    return applied


@pytest.fixture(scope="module")
def chess_rate() -> float:
    """How many moves a second python-chess makes in perft, in its best round."""
    boards = [chess.Board(fen) for fen in CHESS] * 8
    best = 0.0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        made = sum(chess_perft(board, 2) for board in boards)
        best = max(best, made / (time.perf_counter() - began))
    return best


def measure(benchmark: Any, notes: Notes, chess_rate: float, name: str, work: Callable[[], int]) -> None:
    """Times the work, and notes how many a second it does in its best round."""
    done = benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=WARM_UP)
    rate = done / benchmark.stats.stats.min
    times = f"{rate / chess_rate:.2f} times as many"
    notes.note(
        name, "python-chess's", times, f"{_in_words(rate)}; {_in_words(chess_rate)}", rate >= chess_rate
    )


def _in_words(rate: float) -> str:
    return f"{rate:,.0f}".replace(",", " ")


@pytest.mark.parametrize("players", (2, 4))
def test_random_games(benchmark: Any, notes: Notes, chess_rate: float, players: int) -> None:
    rng = random.Random(players)
    starts = [initial_position(players, rng) for _ in range(GAMES)]
    name = f"Above, {players} players: list all, apply one"
    measure(benchmark, notes, chess_rate, name, lambda: playouts(starts, players))


def test_perft(benchmark: Any, notes: Notes, chess_rate: float) -> None:
    start = Position.parse(START)
    name = "Above: list all, apply every one"
    measure(benchmark, notes, chess_rate, name, lambda: above_perft(start, 4))
