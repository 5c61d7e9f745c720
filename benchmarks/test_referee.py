"""How long the referee takes to explain a table: Above's next to listing every position a turn may lead to; OlymPeak's.

The tables: whole turns, parts of turns, tables that nothing has happened to, illegal ones, and two turns nobody saw.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from companion.games.above.position import Position
from companion.games.above.rules import successors
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import EndTurn, Event, Reveal
from companion.games.olympeak.position import GameState
from companion.games.olympeak.simulation import play, random_setup
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.olympeak import explain as cards
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.path import Memory
from companion.referee.sequel import sequels
from tests.referee.olympeak.tabletop import Tabletop as CardTable
from tests.referee.tabletop import TABLE, Tabletop, random_position, random_turn

TABLES = 120
P95_MS, MOST_MS = 20.0, 150.0

Case = tuple[Position, Evidence]
CardCase = tuple[GameState, Look, Memory]


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


def measured(work: Callable[[Any], object], tables: Sequence[object]) -> list[float]:
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


def card_cases(players: int) -> Iterator[CardCase]:
    """Every moment of two games: as it lies, all columns covered, a card of the turn moved, the turn's cards gone.

    Each with and without the memory of what was announced; order cards in plenty among the turns.
    """
    rng = random.Random(players)
    for _ in range(2):
        start: GameState | None = None
        path: tuple[Event, ...] = ()
        for step in play(random_setup(players, rng, default_box()), rng):
            if isinstance(step.event, Reveal):
                start, path = (step.after if step.after.order else None), ()
            elif start is not None and not isinstance(step.event, EndTurn):
                path = (*path, step.event)
                for table in _card_tables(start, step.after, rng):
                    look = Look.of(table.reading(), [each for each in start.placed if each.turn < start.turn])
                    yield from ((start, look, memory) for memory in (Memory(), Memory(path)))


def _card_tables(start: GameState, now: GameState, rng: random.Random) -> Iterator[CardTable]:
    known = {(each.contender, each.row) for each in start.placed}
    yield CardTable.of(now)
    covered = CardTable.of(now)
    covered.hidden = {f"column {contender}" for contender in start.setup.racing}
    yield covered
    gone = CardTable.of(now)
    gone.columns = {spot: card for spot, card in gone.columns.items() if spot in known}
    yield gone
    moved = CardTable.of(now)
    if spots := sorted(moved.columns.keys() - known):
        spot = rng.choice(spots)
        moved.columns[rng.choice(start.setup.racing), spot[1] + 1] = moved.columns.pop(spot)
    yield moved


@pytest.mark.parametrize("players", (2, 4, 6))
def test_explain_olympeak(benchmark: Any, players: int) -> None:
    """The slowest twentieth and the slowest of all within the same limits as Above's."""
    tables = list(card_cases(players))
    measured(lambda case: cards.explain(*case), tables[:8])
    ours = measured(lambda case: cards.explain(*case), tables)
    p95, most = ours[int(0.95 * (len(ours) - 1))], ours[-1]
    benchmark.extra_info.update(p50_ms=ours[len(ours) // 2], p95_ms=p95, max_ms=most)
    benchmark.pedantic(lambda: [cards.explain(*case) for case in tables[:200]], rounds=3)
    print(  # noqa: T201
        f"\nexplain OlymPeak, {players} players: p50 {ours[len(ours) // 2]:.2f} ms, p95 {p95:.2f} ms, max {most:.1f} ms"
    )
    assert p95 < P95_MS
    assert most < MOST_MS
