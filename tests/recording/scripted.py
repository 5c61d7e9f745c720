"""A scripted evening at a table that is recorded: turns, a move against the rules, switches, requests, a pause."""

from __future__ import annotations

import random
from pathlib import Path

from companion.games.above.setup import initial_position
from companion.recording.lines import Head
from companion.recording.recorder import FOLDER, Recorder
from companion.referee.journal import Journal
from companion.tables.above.book import AboveBook
from companion.web.hub import Pause, Undo
from tests.referee.tabletop import Tabletop, random_turn
from tests.room import Room


class RecordedRoom(Room):
    """A table whose referee is recorded into its folder."""

    def begin(self) -> None:
        """Opens the table: an open game goes on, else a new one begins."""
        self.book.close()
        self.book = AboveBook(Journal(self.folder / "j.db", lambda: 1_700_000_000.0))
        referee = self.book.resume()
        resumed = self.book.current
        referee = referee or self.book.referee(2)
        lengths = self.book.journal.lengths()
        kept = {game.id: lengths.get(game.id, 0) for game in self.book.journal.games()}
        head = Head("test", "above", referee.players, referee.names, resumed, kept)
        self.recorder = Recorder(self.folder / FOLDER, head, lambda: self.now)
        self.open(referee)
        self.table._recording = self.recorder

    def end(self) -> None:
        """Closes everything."""
        self.recorder.close()
        self.archive.close()
        self.book.close()


def evening(folder: Path, turns: int = 4) -> RecordedRoom:
    """Plays; runs inside an event loop. The room is left open."""
    rng = random.Random(5)
    room = RecordedRoom(folder)
    room.begin()
    position = initial_position(2, rng)
    room.look(Tabletop.of(position), 4)
    for number in range(turns):
        before = position
        _, position = random_turn(position, rng)
        top = Tabletop.of(position)
        if number == 1:
            room.table.take_switches(frozenset({"a1", "b3"}))
        if number == 2:
            wrong = Tabletop.of(before)
            wrong.minis = {**wrong.minis, "ze": "top"}
            room.look(wrong, 20)
            room.look(Tabletop.of(before), 8)
        room.look(top, 8)
    room.ask(Pause(True))
    room.look(Tabletop.of(position), 2)
    room.ask(Pause(False))
    room.ask(Undo(1))
    room.look(Tabletop.of(position), 3)
    room.look(Tabletop.of(before), 10)
    return room
