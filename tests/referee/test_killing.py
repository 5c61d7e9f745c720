"""A table that is killed at any instant: nothing announced is lost, nothing half-written is taken."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.referee.game import course
from companion.referee.journal_reader import ABOVE, OLYMPEAK, JournalReader
from tests.referee.keeping import journal_at, play_some

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("game", "rounds"), [(ABOVE, 150), (OLYMPEAK, 50)])
def test_two_hundred_kills_lose_nothing_that_was_announced(tmp_path: Path, game: str, rounds: int) -> None:
    program = [sys.executable, "-m", "tests.referee.killing", str(tmp_path / "j.db"), str(rounds), "7", game]
    done = subprocess.run(program, capture_output=True, text=True, timeout=110, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["wrong"] == []
    assert told["rounds"] == rounds
    assert told["announced"] > rounds
    assert told["announced"] <= told["found"]


def test_a_power_cut_in_the_middle_of_a_write_takes_back_that_write_alone(tmp_path: Path) -> None:
    """The log cut off at any byte: the game stands after the last fact whose last byte was there."""
    journal = journal_at(tmp_path / "j.db")
    log = tmp_path / "j.db-wal"
    entry, _ = play_some(journal, 0)
    sizes = [log.stat().st_size]
    for number in range(12):
        entry.refusal(f"Refusal number {number}." * (1 + 40 * (number % 3)), "A6")
        sizes.append(log.stat().st_size)
    assert sizes == sorted(set(sizes))
    rng = random.Random(4)
    for cut in [*sizes, *(rng.randrange(sizes[0], sizes[-1]) for _ in range(60))]:
        copy = tmp_path / "cut.db"
        shutil.copy(tmp_path / "j.db", copy)
        (tmp_path / "cut.db-wal").write_bytes(log.read_bytes()[:cut])
        (tmp_path / "cut.db-shm").unlink(missing_ok=True)
        with closing(JournalReader(copy)) as reader:
            facts = [fact for fact, _ in course(reader, 1)][1:]
        assert len(facts) == sum(size <= cut for size in sizes) - 1
    journal.close()
