"""How long the referee takes to explain a table of Above, next to listing every position a turn may lead to.

The tables: whole turns, parts of turns, tables that nothing has happened to, illegal ones, and two turns nobody saw.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from companion.games.above.position import Position
from companion.games.above.rules import successors
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.sequel import sequels
from tests.referee.tabletop import TABLE, Tabletop, random_position, random_turn

TABLES = 120
P95_MS, MOST_MS = 20.0, 150.0

Case = tuple[Position, Evidence]


def cases(players: int) -> list[Case]:
    """Positions far and near in random games, with what lies on the table; Ares and Athena among the turns."""
    rng = random.Random(players)
    found: list[Case] = []
    for _ in range(TABLES // 4):
        position = random_position(players, rng.randrange(60), rng)
        after = random_turn(position, rng)[1]
        whole, part, none = Tabletop.of(after), Tabletop.of(position), Tabletop.of(position)
        part.minis.update({d: s for d, s in whole.minis.items() if rng.random() < 0.5})
        part.tokens |= whole.tokens - part.tokens if rng.random() < 0.5 else set()
        wrong = Tabletop.of(after)
        wrong.minis["ze"], wrong.minis["he"] = wrong.minis["he"], wrong.minis["ze"]
        found += [(position, Evidence(each.reading(), players, TABLE)) for each in (whole, part, none, wrong)]
    return found


def measured(work: Callable[[Case], object], tables: list[Case]) -> list[float]:
    """Milliseconds of this thread's time for each table, ascending."""
    spent = []
    for case in tables:
        began = time.thread_time()
        work(case)
        spent.append((time.thread_time() - began) * 1000)
    return sorted(spent)


@pytest.mark.parametrize("players", (2, 4))
def test_explain(benchmark: Any, players: int) -> None:
    """Median beside that of the exhaustive listing; the slowest twentieth and the slowest of all within limits."""
    tables = cases(players)
    measured(lambda case: explain(*case), tables[:8])
    ours = measured(lambda case: explain(*case), tables)
    listed = measured(lambda case: successors(case[0]), tables[:6])
    p95, most = ours[int(0.95 * (len(ours) - 1))], ours[-1]
    benchmark.extra_info.update(
        p50_ms=ours[len(ours) // 2],
        p95_ms=p95,
        max_ms=most,
        ratio_to_listing=ours[len(ours) // 2] / listed[len(listed) // 2],
    )
    benchmark.pedantic(lambda: [explain(*case) for case in tables[:20]], rounds=3)
    print(  # noqa: T201
        f"\nexplain, {players} players: p50 {ours[len(ours) // 2]:.1f} ms, p95 {p95:.1f} ms, max {most:.1f} ms; "
        f"listing every successor: p50 {listed[len(listed) // 2]:.1f} ms"
    )
    assert p95 < P95_MS
    assert most < MOST_MS


def test_two_turns_nobody_saw(benchmark: Any) -> None:
    """Seldom needed, and never within one look of a table in view."""
    rng = random.Random(2)
    tables = []
    for _ in range(20):
        position = random_position(2, rng.randrange(40), rng)
        after = random_turn(position, rng)[1]
        if not after.is_over:
            later = random_turn(after, rng)[1]
            tables.append((position, Evidence(Tabletop.of(later).reading(), 2, TABLE)))
    benchmark.pedantic(
        lambda: [sequels(position, evidence, frozenset(), frozenset()) for position, evidence in tables],
        rounds=2,
    )
