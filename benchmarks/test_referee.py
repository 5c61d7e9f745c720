"""How long the referee takes to explain a table: Above's next to listing every position a turn may lead to; OlymPeak's.

The tables: whole turns, parts of turns, tables that nothing has happened to, illegal ones, and two turns nobody saw.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from benchmarks.conftest import Notes
from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions, successors
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import EndTurn, Event, Reveal
from companion.games.olympeak.position import GameState
from companion.games.olympeak.simulation import play, random_setup
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.olympeak import explain as cards
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.path import Memory
from companion.referee.patience import PORTION
from companion.referee.sequel import SequelSearch
from tests.referee.olympeak.tabletop import Tabletop as CardTable
from tests.referee.tabletop import TABLE, Tabletop, random_position, random_turn

PART = "the referee: what lies there explained"
TABLES = 120
P95_MS, MOST_MS = 20.0, 150.0

Case = tuple[Position, Evidence]
CardCase = tuple[GameState, Look, Memory]


WANTED = f"p95 under {P95_MS:.0f}, all under {MOST_MS:.0f} ms"


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


def note(notes: Notes, what: str, ours: Sequence[float], beside: str = "") -> None:
    """Milliseconds, ascending, for the table."""
    p95, most = ours[int(0.95 * (len(ours) - 1))], ours[-1]
    reached = f"p95 {p95:.1f}, worst {most:.1f} ms"
    middle = f"p50 {ours[len(ours) // 2]:.2f} ms of {len(ours)}{beside}"
    notes.note(what, WANTED, reached, middle, p95 < P95_MS and most < MOST_MS)


@pytest.mark.parametrize("players", (2, 4))
def test_explain(benchmark: Any, notes: Notes, players: int) -> None:
    """The slowest twentieth and the slowest of all within limits; the median beside that of listing every outcome."""
    tables = cases(players)
    measured(lambda case: explain(*case), tables[:8])
    ours = measured(lambda case: explain(*case), tables)
    listed = measured(lambda case: successors(case[0]), tables[:6])
    benchmark.pedantic(lambda: [explain(*case) for case in tables[:20]], rounds=3)
    beside = f"; listing every outcome {listed[len(listed) // 2]:.0f} ms"
    note(notes, f"Above, {players} players", ours, beside)


@pytest.mark.parametrize(("players", "deity"), [(2, "ar"), (4, "ar"), (2, "at"), (4, "at")])
def test_explain_the_widest_turns(benchmark: Any, notes: Notes, players: int, deity: str) -> None:
    """Ares lays two tokens on any two spaces, Athena's player exhausts whose cards she likes."""
    rng = random.Random(11)
    tables: list[Case] = []
    while len(tables) < 4 * TABLES // 10:
        position = random_position(players, rng.randrange(40), rng)
        if deity not in position.powered(position.turn):
            continue
        after = apply(position, Action.parse(f"activate {deity}"))
        while not (after.at_turn_start or after.is_over):
            after = apply(after, rng.choice(legal_actions(after)))
        whole, part, wrong = Tabletop.of(after), Tabletop.of(position), Tabletop.of(after)
        part.minis[deity] = whole.minis[deity]
        wrong.minis["ze"], wrong.minis["he"] = wrong.minis["he"], wrong.minis["ze"]
        tables += [(position, Evidence(each.reading(), players, TABLE)) for each in (whole, part, wrong)]
    ours = measured(lambda case: explain(*case), tables)
    benchmark.pedantic(lambda: [explain(*case) for case in tables[:12]], rounds=3)
    name = {"ar": "Ares", "at": "Athena"}[deity]
    note(notes, f"Above, {players} players, turns of {name}", ours)


@pytest.mark.parametrize("players", (2, 4))
def test_two_turns_nobody_saw(benchmark: Any, notes: Notes, players: int) -> None:
    """Seldom needed, and looked for in portions: no look of a table takes longer than any other may."""
    rng = random.Random(players)
    longest = 0.0

    def searched(case: Case) -> None:
        nonlocal longest
        search = SequelSearch(*case, frozenset(), frozenset())
        while not search.is_done:
            began = time.thread_time()
            search.run(PORTION)
            longest = max(longest, (time.thread_time() - began) * 1000)

    tables = []
    for _ in range(60):
        position = random_position(players, rng.randrange(40), rng)
        after = random_turn(position, rng)[1]
        if not after.is_over:
            later = random_turn(after, rng)[1]
            tables.append((position, Evidence(Tabletop.of(later).reading(), players, TABLE)))
    benchmark.pedantic(lambda: [searched(case) for case in tables], rounds=1)
    what = f"Above, {players} players, two turns nobody saw"
    reached = f"worst look {longest:.1f} ms"
    notes.note(what, f"all under {MOST_MS:.0f} ms", reached, f"{len(tables)} tables", longest < MOST_MS)


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
def test_explain_olympeak(benchmark: Any, notes: Notes, players: int) -> None:
    """The slowest twentieth and the slowest of all within the same limits as Above's."""
    tables = list(card_cases(players))
    measured(lambda case: cards.explain(*case), tables[:8])
    ours = measured(lambda case: cards.explain(*case), tables)
    benchmark.pedantic(lambda: [cards.explain(*case) for case in tables[:200]], rounds=3)
    note(notes, f"OlymPeak, {players} players", ours)
