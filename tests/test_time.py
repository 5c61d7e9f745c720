"""Whoever sets the clock of this computer changes nothing: the wall clock is for people to read, and for nothing else."""

from __future__ import annotations

import ast
import itertools
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from companion.games.above.setup import initial_position
from companion.referee.game import load
from companion.referee.journal import Journal
from companion.referee.journal_reader import JournalReader
from companion.tables.above.book import AboveBook
from companion.web.models import Snapshot
from tests.referee.tabletop import Tabletop, random_turn
from tests.room import Room, run

ROOT = Path(__file__).parent.parent
SIX_HOURS_S = 6 * 3600.0

# What runs while a game is played. Only this asks what time it is, for people: when a fact was written or a ruling made,
# whether it is night for the lights, and chance for a simulated table. Commands and calibration write dates.
WALL_CLOCKS = {
    "companion/evening.py",
    "companion/service.py",
    "companion/soak/game.py",
    "companion/devices.py",
}
ASKING = {
    "time.time",
    "time.time_ns",
    "time.localtime",
    "time.gmtime",
    "datetime.now",
    "datetime.today",
    "date.today",
}


def wall_clocks(path: Path) -> set[str]:
    """The wall clocks that a module reads."""
    text = path.read_text(encoding="utf-8")
    if not any(clock in text for clock in ASKING):
        return set()
    tree = ast.parse(text)
    return {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & ASKING


def modules() -> list[Path]:
    folders = ("companion", "firmware_bridge")
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return [path for path in found if ROOT / "companion" / "commands" not in path.parents]


def test_only_what_people_read_goes_by_the_wall_clock() -> None:
    found = {str(path.relative_to(ROOT)) for path in modules() if wall_clocks(path)}
    assert found - WALL_CLOCKS == set()


def test_such_a_module_is_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("import time\nSTARTED = time.time()\n")
    assert wall_clocks(module) == {"time.time"}


class Steady:
    """A wall clock that goes."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


class Stepping(Steady):
    """One that is put forward and back by six hours, again and again."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = itertools.cycle((SIX_HOURS_S, -SIX_HOURS_S, -SIX_HOURS_S, SIX_HOURS_S))

    def __call__(self) -> float:
        return super().__call__() + next(self.steps)


def evening(folder: Path, wall: Callable[[], float]) -> tuple[list[Snapshot], int, list[str]]:
    """Some turns, each looked at half done and done: what the page showed, and what the journal then holds."""
    folder.mkdir()
    room = Room(folder)
    room.book.close()
    room.book = AboveBook(Journal(folder / "j.db", wall))
    rng = random.Random(5)
    shown: list[Snapshot] = []
    position = initial_position(2, rng)
    room.open()
    shown.append(room.look(Tabletop.of(position)))
    for _ in range(5):
        _, after = random_turn(position, rng)
        half = Tabletop.of(position)
        half.minis = Tabletop.of(after).minis
        for _ in range(3):
            shown.append(room.look(half, times=1))
        shown.append(room.look(Tabletop.of(after), times=4))
        position = after
    number = room.book.current
    assert number is not None
    with closing(JournalReader(folder / "j.db")) as reader:
        facts = [f"{fact.number} {fact.kind} {fact.data}" for fact in reader.facts(number)]
        turns = len(load(reader, number).turns)
    room.archive.close()
    room.book.close()
    return shown, turns, facts


def test_a_clock_that_is_put_forward_and_back_in_the_middle_of_turns_changes_nothing(tmp_path: Path) -> None:
    async def compare() -> None:
        steady = evening(tmp_path / "steady", Steady())
        stepped = evening(tmp_path / "stepping", Stepping())
        assert stepped == steady
        shown, turns, facts = steady
        assert turns == 5 and len(facts) >= 5
        assert len({snapshot.verdict.text for snapshot in shown if snapshot.verdict}) > 5

    run(compare)
