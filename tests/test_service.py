"""The running table: what comes in, what is shown of it, and what people ask of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.games.above.position import Position
from companion.referee.journal import JournalError
from companion.referee.referee import Referee
from companion.referee.verdict import Kind
from companion.sensing.frames import CameraAbsent, Frame
from companion.sensing.reading import Finding
from companion.service import TableService
from companion.tables.above.kit import AboveKit
from companion.web.hub import Hub
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Notes


class NoCamera:
    """A camera that is not there."""

    name = "none"
    simulated = False
    notice = ""

    def open(self) -> None:
        raise CameraAbsent("No camera is plugged in.")

    def read(self, timeout_s: float) -> Frame:
        raise CameraAbsent("No camera is plugged in.")

    def close(self) -> None: ...


class FullDisk(Notes):
    """A ledger that cannot be written while `full`."""

    full = True

    def turn(self, actions: Sequence[Any]) -> None:
        if self.full:
            raise JournalError("The journal j.db cannot be written (disk full).")
        super().turn(actions)


def table_of(referee: Referee) -> tuple[TableService, Hub]:
    hub = Hub()
    kit = AboveKit()
    return TableService(
        kit, referee, NoCamera(), kit.eyes(), None, hub, frames_per_s=15.0, new_referee=lambda *_: referee
    ), hub


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(_run(test), 20))


async def _run(test: Callable[[], Awaitable[None]]) -> None:
    await test()


def test_who_looks_before_the_first_picture_sees_the_game_as_it_stands() -> None:
    async def test() -> None:
        position = Position.parse(START)
        table, hub = table_of(Referee(("Ada", "Ben"), Notes(), position))
        assert hub.latest.verdict is None
        task = asyncio.create_task(table.run())
        await asyncio.sleep(0)
        shown = hub.latest
        assert [player.name for player in shown.players] == ["Ada", "Ben"]
        assert shown.board.minis["ze"] == "a1"
        assert shown.verdict is not None and shown.verdict.text == "The camera is starting."
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    run(test)


def test_a_full_disk_is_said_once_and_shown_until_there_is_room(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        notes = FullDisk()
        table, hub = table_of(Referee(("Ada", "Ben"), notes, Position.parse(START)))
        top = Tabletop.of(Position.parse(START))
        table.take_reading(top.reading(0.0))
        top.cards[0]["he"] = 0
        top.minis["he"] = "c2"
        top.cards[1]["ar"] = 0
        for look in range(1, 30):
            table.take_reading(top.reading(look / 15))
        errors = [record for record in caplog.records if record.levelno == logging.ERROR]
        assert len(errors) == 1
        shown = hub.latest
        assert shown.verdict is not None and shown.verdict.kind == Kind.HOLD.value
        (journal,) = [device for device in shown.devices if device.name == "journal"]
        assert not journal.ok and "disk full" in journal.detail
        assert not notes.turns
        notes.full = False
        table.take_reading(top.reading(3.0))
        assert len(notes.turns) == 1
        assert not [device for device in hub.latest.devices if device.name == "journal"]
        assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]

    with caplog.at_level(logging.WARNING):
        run(test)


def test_what_is_out_of_order_with_the_table_is_shown_while_it_is_and_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def test() -> None:
        table, hub = table_of(Referee(("Ada", "Ben"), Notes(), Position.parse(START)))
        top = Tabletop.of(Position.parse(START))
        slipped = Finding("ring-3-slipped", "Ring 3 has slipped 2.4°.", "Turn it back.")
        for look in range(6):
            table.take_reading(replace(top.reading(look / 15), findings=(slipped,)))
        shown = hub.latest.model_dump()["notices"]
        assert shown == ({"key": slipped.key, "text": slipped.text, "todo": slipped.todo},)
        assert hub.latest.verdict is not None and hub.latest.verdict.kind == Kind.READY.value
        table.take_reading(top.reading(1.0))
        assert hub.latest.notices == ()
        assert [record.message for record in caplog.records] == ["Ring 3 has slipped 2.4°. Turn it back."]

    with caplog.at_level(logging.WARNING):
        run(test)
