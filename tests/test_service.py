"""The running table: what comes in, and what is shown of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.games.above.position import Position
from companion.referee.referee import Referee
from companion.referee.requests import Refused
from companion.referee.verdict import Kind
from companion.service import STARTING
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Notes
from tests.room import FullDisk, Room, run


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
