"""The running table: what comes in, and what is shown of it."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest import mock

import pytest

from companion.games.above.position import Position
from companion.games.above.setup import initial_position
from companion.referee.journal import Journal
from companion.referee.journal_reader import DamagedJournalError, JournalReader
from companion.referee.referee import Referee
from companion.referee.requests import Refused
from companion.referee.unattended import UnattendedJournal
from companion.referee.verdict import Kind
from companion.service import STARTING
from companion.tables.above.book import AboveBook
from tests.referee.keeping import newest_game
from tests.referee.tabletop import Tabletop, random_turn
from tests.referee.test_referee import START, Notes
from tests.room import FullDisk, Room, begun, run


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    with closing(room.archive), closing(room.book):
        yield room


def test_who_looks_before_the_first_picture_sees_the_game_as_it_stands(room: Room) -> None:
    async def test() -> None:
        position = Position.parse(START)
        table = room.open(Referee(("Ada", "Ben"), Notes(), position))
        assert room.hub.latest.verdict is None
        task = asyncio.create_task(table.run())
        await asyncio.sleep(0)
        shown = room.hub.latest
        assert [player.name for player in shown.players] == ["Ada", "Ben"]
        assert shown.board.minis["ze"] == "a1"
        assert shown.verdict is not None and shown.verdict.text == STARTING
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    run(test)


def test_an_answer_that_the_referee_refuses_changes_nothing_and_ends_nothing(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulated people say how the table lies, and it is none that can be played from."""

    async def test() -> None:
        table = room.open(Referee(("Ada", "Ben"), Notes(), Position.parse(START)))
        shown = room.look(Tabletop.of(Position.parse(START)), 3)

        def refuse(key: str) -> bool:
            raise Refused("this position cannot be played from", ("a piece is missing",))

        monkeypatch.setattr(table.referee, "answer", refuse)
        assert not table.answer("lies:0")
        assert room.hub.latest == shown

    run(test)


def test_with_a_full_disk_the_game_goes_on_and_the_page_says_what_is_in_memory_only(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, room: Room
) -> None:
    monkeypatch.setattr("companion.service.RETRY_DISK_S", 0.0)

    async def test() -> None:
        table, position = begun(room)
        journal = room.book.journal
        assert isinstance(journal, Journal)
        journal.bound(1)
        game, rng = room.book.current, random.Random(5)
        assert game is not None
        while not journal.waiting:
            journal.append(game, "refusal", {"text": "Zeus cannot reach a3.", "rule": "A6"})
        for _ in range(3):
            _, position = random_turn(position, rng)
            shown = room.look(Tabletop.of(position))
        assert len(table.referee.turns) == 3
        assert shown.verdict is not None and shown.verdict.kind != Kind.HOLD.value
        (banner,) = [device for device in shown.devices if device.name == "journal"]
        assert not banner.ok and "The game goes on" in banner.detail and "full" in banner.detail
        assert not newest_game(room.folder / "j.db").turns
        record = room.book.record()
        journal.bound(None)
        shown = room.look(Tabletop.of(position), 1)
        assert not [device for device in shown.devices if device.name == "journal"]
        assert len(newest_game(room.folder / "j.db").turns) == 3 and room.book.record() == record
        assert [entry.levelname for entry in caplog.records] == ["ERROR", "WARNING"]

    with caplog.at_level(logging.WARNING):
        run(test)


def test_a_full_disk_is_said_once_and_shown_until_there_is_room(
    caplog: pytest.LogCaptureFixture, room: Room
) -> None:
    async def test() -> None:
        notes = FullDisk()
        room.open(Referee(("Ada", "Ben"), notes, Position.parse(START)))
        top = Tabletop.of(Position.parse(START))
        room.look(top, 1)
        top.cards[0]["he"] = 0
        top.minis["he"] = "c2"
        top.cards[1]["ar"] = 0
        shown = room.look(top, 30)
        errors = [record for record in caplog.records if record.levelno == logging.ERROR]
        assert len(errors) == 1
        assert shown.verdict is not None and shown.verdict.kind == Kind.HOLD.value
        (journal,) = [device for device in shown.devices if device.name == "journal"]
        assert not journal.ok and "disk full" in journal.detail
        assert not notes.turns
        notes.full = False
        shown = room.look(top, 1)
        assert len(notes.turns) == 1
        assert not [device for device in shown.devices if device.name == "journal"]
        assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]

    with caplog.at_level(logging.WARNING):
        run(test)


def test_a_journal_that_could_not_be_opened_is_told_of_and_kept_as_soon_as_it_can(tmp_path: Path) -> None:
    """As where the folder's rights are wrong: the banner stands from the start, and the game goes on."""
    (tmp_path / "games").touch()
    book = AboveBook(UnattendedJournal(tmp_path / "games" / "j.db", lambda: 0.0))

    async def test() -> None:
        room = Room(tmp_path)
        room.book.close()
        room.book = book
        table = room.open()
        task = asyncio.create_task(table.run())
        await asyncio.sleep(0)
        (journal,) = [device for device in room.hub.latest.devices if device.name == "journal"]
        assert not journal.ok and "in memory only" in journal.detail
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        room.look(Tabletop.of(initial_position(2, random.Random(1))), 6)
        assert table.referee.has_begun and "(entries: 0)" in book.trouble
        (tmp_path / "games").unlink()
        book.catch_up()
        shown = room.look(Tabletop.of(initial_position(2, random.Random(1))), 1)
        assert not [device for device in shown.devices if device.name == "journal"]

    with closing(book):
        run(test)
    with closing(JournalReader(tmp_path / "games" / "j.db")) as reader:
        assert [header.players for header in reader.games()] == [("Ada", "Ben")]


def test_a_journal_that_was_set_aside_is_told_of_and_one_that_is_spoilt_now_ends_the_table(
    tmp_path: Path,
) -> None:
    """Whoever starts it anew sets the file aside; what could not be written was not announced."""
    (tmp_path / "games.db").write_bytes(b"no database" * 1000)
    book = AboveBook(UnattendedJournal(tmp_path / "games.db", lambda: 0.0))

    async def test() -> None:
        room = Room(tmp_path)
        room.book.close()
        room.book = book
        table = room.open()
        top = Tabletop.of(initial_position(2, random.Random(1)))
        (notice,) = room.look(top, 1).notices
        assert "set aside as" in notice.text and "Nothing is deleted." in notice.todo
        with (
            mock.patch.object(table.referee, "observe", side_effect=DamagedJournalError("It is spoilt.")),
            pytest.raises(DamagedJournalError),
        ):
            room.look(top, 1)

    with closing(book):
        run(test)
