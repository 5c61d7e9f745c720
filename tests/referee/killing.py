"""A program that plays before a referee and is killed, again and again, at random points.

`python -m tests.referee.killing FILE ROUNDS SEED GAME` forks a table for each round, lets it play into the journal FILE
for a random while, kills it, and looks at what is left. It prints one JSON object: how many rounds were played, how
many facts were announced and how many were found, how many rounds had written what was not announced yet, and
everything that was wrong. A fork of a process that has everything loaded is killed within milliseconds of work.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from companion.games.above.setup import initial_position
from companion.referee import game as above
from companion.referee.journal import Journal
from companion.referee.journal_reader import ABOVE, OLYMPEAK, JournalReader
from companion.referee.olympeak import journal as olympeak
from companion.referee.olympeak.journal import OlympeakEntry
from companion.referee.referee import Referee
from companion.referee.verdict import Kind
from companion.tables.above.book import AboveBook
from tests.referee.olympeak.playing import Evening
from tests.referee.tabletop import Tabletop, random_turn

# A table is killed so long after one of its first announcements, whichever it is.
MOST_LINES = 4
LONGEST_S = 0.02
Announce = Callable[[int, str], None]


def play_above(path: Path, rng: random.Random, announce: Announce) -> None:
    """Goes on with the game in the journal, or begins one: turns, turns taken back, refusals, rulings."""
    journal = Journal(path, lambda: 0.0)
    book = AboveBook(journal)
    while True:
        referee = book.resume() or book.referee(2)
        now = 0.0

        def look(table: Tabletop, times: int, referee: Referee = referee) -> None:
            nonlocal now
            for _ in range(times):
                now += 0.5
                referee.observe(table.reading(now))
                if book.current is not None and referee.position is not None:
                    announce(book.current, str(referee.position))

        if referee.position is None:
            start = initial_position(2, rng)
            table = Tabletop.of(start)
            table.zeus_alpha = start.turn
            look(table, 1)
        while referee.position is not None and not referee.position.is_over:
            chance = rng.random()
            table = Tabletop.of(referee.position)
            if chance < 0.1 and referee.turns:
                referee.take_back(rng.randint(1, 3))
                look(Tabletop.of(referee.position), 2)
            elif chance < 0.2:
                table.minis["ze"] = "d6" if table.minis["ze"] != "d6" else "e5"
                look(table, 5)
                if referee.verdict.kind is Kind.ILLEGAL and rng.random() < 0.5:
                    referee.rule(rng.randrange(2))
                else:
                    look(Tabletop.of(referee.position), 1)
            else:
                look(Tabletop.of(random_turn(referee.position, rng)[1]), 2)
                referee.answer("done")


def play_olympeak(path: Path, rng: random.Random, announce: Announce) -> None:
    """Begins a game and plays it out."""
    entry = OlympeakEntry(Journal(path, lambda: 0.0))
    evening = Evening(rng.randint(2, 5), rng.randrange(1000), ledger=entry)
    original = evening.check

    def check() -> None:
        original()
        if entry.game is not None:
            current = evening.session.referee.current
            announce(entry.game, "" if current is None else f"{current.placed} {current.cubes}")

    evening.check = check  # type: ignore[method-assign]
    evening.play()


def shown(journal: JournalReader, number: int, game: str) -> Iterator[str]:
    """What would be announced after each fact of the game."""
    if game == ABOVE:
        for _, kept in above.course(journal, number):
            yield str(kept.position)
    else:
        for _, peak in olympeak.course(journal, number):
            state = olympeak.current_state(peak)
            yield f"{state.placed} {state.cubes}"


PLAYS = {ABOVE: play_above, OLYMPEAK: play_olympeak}


def run(path: Path, rounds: int, seed: int, game: str) -> dict[str, object]:
    """Plays and kills, and tells what was found."""
    rng = random.Random(seed)
    announced = found = ahead = 0
    wrong: list[str] = []
    for number in range(rounds):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _child(path, random.Random(seed * 1000 + number), game, writing)
        os.close(writing)
        with os.fdopen(reading, "r") as pipe:
            lines = [pipe.readline() for _ in range(rng.randint(0, MOST_LINES))]
            time.sleep(rng.uniform(0.0, LONGEST_S))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            lines += pipe
        lines = [line for line in lines if line.endswith("\n")]
        if not path.exists():
            continue
        with closing(sqlite3.connect(path)) as db:
            (health,) = db.execute("PRAGMA integrity_check").fetchone()
        if health != "ok":
            wrong.append(f"round {number}: {health}")
        if not lines:
            continue
        which, count, last = lines[-1].rstrip("\n").split(" ", 2)
        with closing(JournalReader(path)) as journal:
            states = list(shown(journal, int(which), game))
        announced += int(count)
        found += len(states) - 1
        ahead += len(states) - 1 > int(count)
        # One look or request writes two facts at most: a turn that might have gone on, and what shows it was over.
        if not 0 <= len(states) - 1 - int(count) <= 2:
            wrong.append(f"round {number}: {count} facts were announced, {len(states) - 1} are there")
        elif states[int(count)] != last:
            wrong.append(f"round {number}: announced {last}, kept {states[int(count)]}")
    return {"rounds": rounds, "announced": announced, "found": found, "ahead": ahead, "wrong": wrong}


def _child(path: Path, rng: random.Random, game: str, writing: int) -> None:
    """Plays until it is killed. What was said last is the newest line in the pipe."""

    def announce(number: int, text: str) -> None:
        with closing(JournalReader(path)) as journal:
            count = sum(1 for _ in journal.facts(number))
        os.write(writing, f"{number} {count} {text}\n".encode())

    try:
        PLAYS[game](path, rng, announce)
    finally:
        os._exit(0)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(run(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])))
