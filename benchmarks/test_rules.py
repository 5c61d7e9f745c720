"""How many actions a second the rules of Above list and apply, next to python-chess making moves in perft.

Both are measured in the same run on the same core. python-chess is installed for this comparison only.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import chess
import pytest

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

CHESS_NAME = "chess: moves in perft"


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


def measure(benchmark: Any, rates: dict[str, float], name: str, work: Callable[[], int]) -> None:
    """Times the work, notes how many a second it does in its best round, and compares that with chess."""
    done = benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=WARM_UP)
    rates[name] = done / benchmark.stats.stats.min
    base = rates.get(CHESS_NAME)
    if base is not None:  # else only a part of this file was run
        assert rates[name] >= base, f"{name}: {rates[name]:.0f} a second, chess {base:.0f}"


def test_chess_perft(benchmark: Any, rates: dict[str, float]) -> None:
    boards = [chess.Board(fen) for fen in CHESS]
    measure(benchmark, rates, CHESS_NAME, lambda: sum(chess_perft(board, 2) for board in boards * 8))


@pytest.mark.parametrize("players", (2, 4))
def test_random_games(benchmark: Any, rates: dict[str, float], players: int) -> None:
    rng = random.Random(players)
    starts = [initial_position(players, rng) for _ in range(GAMES)]
    name = f"Above, {players} players: list all, apply one"
    measure(benchmark, rates, name, lambda: playouts(starts, players))


def test_perft(benchmark: Any, rates: dict[str, float]) -> None:
    start = Position.parse(START)
    name = "Above: list all, apply every one"
    measure(benchmark, rates, name, lambda: above_perft(start, 4))
