"""The running table: what comes in, what is shown of it, and what people ask of it."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from companion.games.above.position import Position
from companion.games.above.setup import initial_position
from companion.referee.game import AboveEntry, load
from companion.referee.journal import JournalError, JournalReader
from companion.referee.referee import Referee
from companion.referee.verdict import Kind
from companion.sensing.frames import CameraAbsent, Frame
from companion.service import STARTING, TableService
from companion.tables.above.book import AboveBook
from companion.tables.above.kit import AboveKit
from companion.tables.replay import JournalArchive
from companion.web.hub import (
    Abandon,
    Command,
    Correct,
    Hub,
    NewGame,
    Outcome,
    Request,
    Resume,
    Rule,
    StartHere,
    Undo,
)
from companion.web.models import Snapshot
from tests.referee.keeping import journal_at, play_some
from tests.referee.tabletop import Tabletop, random_turn
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


@dataclass
class Room:
    """A table with its journal, its page, and a clock that moves with every look."""

    folder: Path
    dealt: list[Referee] = field(default_factory=list)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.book = AboveBook(journal_at(self.folder / "j.db"))
        self.archive = JournalArchive(JournalReader(self.folder / "j.db"), lambda: self.book.current)
        self.hub = Hub(archive=self.archive)

    def open(self, referee: Referee | None = None) -> TableService:
        kit = AboveKit()
        self.table = TableService(
            kit,
            referee or self.book.resume() or self.book.referee(2),
            NoCamera(),
            kit.eyes(),
            None,
            self.hub,
            frames_per_s=15.0,
            book=self.book,
            on_game=self.dealt.append,  # type: ignore[arg-type]
        )
        return self.table

    def look(self, top: Tabletop, times: int = 3) -> Snapshot:
        for _ in range(times):
            self.now += 0.2
            self.table.take_reading(top.reading(self.now))
        return self.hub.latest

    def ask(self, command: Command) -> Outcome:
        """What the table makes of a request."""
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        request = Request(command, outcome)
        self.table.serve(request)
        return outcome.result()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    with closing(room.archive), closing(room.book):
        yield room


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(_run(test), 20))


async def _run(test: Callable[[], Awaitable[None]]) -> None:
    await test()


def begun(room: Room, turns: int = 0) -> tuple[TableService, Position]:
    """A table at which a game has been resumed and its position lies."""
    journal = journal_at(room.folder / "j.db")
    _, position = play_some(journal, turns)
    journal.close()
    table = room.open()
    room.look(Tabletop.of(position))
    return table, position


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


def test_several_turns_are_taken_back_at_once(room: Room) -> None:
    async def test() -> None:
        table, _ = begun(room, turns=4)
        assert room.hub.latest.turn == 4
        outcome = room.ask(Undo(3))
        assert outcome.accepted and "last 3 turns" in outcome.text
        assert len(table.referee.turns) == 1
        assert not room.ask(Undo(1)).text.startswith("There is no")
        assert room.ask(Undo()) == Outcome(False, "There is no turn to take back.")

    run(test)


def test_the_house_rules_only_on_what_was_called_illegal(room: Room) -> None:
    async def test() -> None:
        table, position = begun(room, turns=2)
        assert not room.hub.latest.may_rule
        refused = room.ask(Rule(0))
        assert not refused.accepted and "nothing to rule on" in refused.text
        top = Tabletop.of(position)
        top.minis["ze"] = "d6" if position.space_of("ze") != "d6" else "e6"
        shown = room.look(top, 5)
        assert shown.verdict is not None and shown.verdict.kind == "illegal"
        assert shown.may_rule
        assert room.ask(Rule(1)).accepted
        assert room.dealt == [table.referee]
        assert room.look(top).verdict is not None
        shown = room.hub.latest
        assert shown.verdict is not None and shown.verdict.kind == "ready"
        assert shown.history[-1].text.startswith("played on from what lay there")
        assert room.book.current is not None
        with closing(JournalReader(room.folder / "j.db")) as journal:
            assert load(journal, room.book.current).turns[-1].ruling

    run(test)


def test_nothing_is_ruled_on_while_the_table_cannot_be_seen(room: Room) -> None:
    async def test() -> None:
        table, position = begun(room)
        top = Tabletop.of(position)
        top.minis["ze"] = "d6"
        room.look(top, 5)
        table.sitting.paused = True
        refused = room.ask(Rule(0))
        assert not refused.accepted and "cannot be seen" in refused.text

    run(test)


def test_a_misreading_is_corrected_and_both_are_kept(room: Room) -> None:
    async def test() -> None:
        _, position = begun(room)
        space = position.space_of("ze")
        refused = room.ask(Correct("mini", "d6", "ze", "he"))
        assert not refused.accepted and "look at the page again" in refused.text
        accepted = room.ask(Correct("mini", space, "ze", "he"))
        assert accepted == Outcome(True, "Noted. Both readings are kept.")
        with closing(JournalReader(room.folder / "j.db")) as journal:
            (said,) = load(journal, 1).corrections
        assert (said.read, said.said, said.place) == ("ze", "he", space)

    run(test)


def test_a_game_begins_from_what_lies_there_and_says_what_stands_against_it(room: Room) -> None:
    async def test() -> None:
        room.open()
        position = Position.parse(START.replace("ze=a1", "ze=d4"))
        top = Tabletop.of(position)
        top.minis["ap"] = None
        assert room.look(top).may_start
        refused = room.ask(StartHere(0))
        assert not refused.accepted and "Aphrodite is not on the board" in refused.text
        top = Tabletop.of(position)
        room.look(top)
        assert room.ask(StartHere(1)).accepted
        shown = room.look(top)
        assert not shown.may_start
        assert shown.verdict is not None and (shown.verdict.kind, shown.verdict.seat) == ("ready", 1)

    run(test)


# -- an open game


def test_an_open_game_is_offered_with_its_picture_until_the_table_shows_it(room: Room) -> None:
    async def test() -> None:
        journal = journal_at(room.folder / "j.db")
        _, position = play_some(journal, 3)
        journal.close()
        room.open()
        elsewhere = Tabletop.of(position)
        elsewhere.minis["ze"] = "d6" if position.space_of("ze") != "d6" else "e6"
        shown = room.look(elsewhere)
        offer = shown.offer
        assert offer is not None
        assert (offer.game, offer.here, offer.turns, offer.players) == (1, True, 3, ("Ada", "Ben"))
        assert offer.board is not None and offer.board.minis["ze"] == position.space_of("ze")
        assert offer.begun_at == 1_700_000_000.0
        assert shown.verdict is not None and shown.verdict.kind == "setup"
        assert {mark.mark for mark in shown.verdict.marks} == {"wrong", "return"}
        assert room.look(Tabletop.of(position)).offer is None
        assert room.hub.latest.verdict is not None and room.hub.latest.verdict.kind == "ready"

    run(test)


def test_who_says_go_on_is_asked_no_more(room: Room) -> None:
    async def test() -> None:
        journal = journal_at(room.folder / "j.db")
        _, position = play_some(journal, 3)
        journal.close()
        table = room.open()
        referee = table.referee
        elsewhere = Tabletop.of(position)
        elsewhere.minis["ze"] = "d6" if position.space_of("ze") != "d6" else "e6"
        room.look(elsewhere)
        assert room.ask(Resume(1)).accepted
        shown = room.look(elsewhere)
        assert shown.offer is None and table.referee is referee
        assert shown.verdict is not None and shown.verdict.kind == "setup"

    run(test)


def test_a_new_game_sets_the_open_one_aside_and_it_may_still_go_on(room: Room) -> None:
    async def test() -> None:
        table, _ = begun(room, turns=3)
        assert room.ask(NewGame(2, ("Eve", "Finn"))).accepted
        shown = room.look(Tabletop.of(Position.parse(START.replace("ze=a1", "ze=d4"))))
        assert [player.name for player in shown.players] == ["Eve", "Finn"]
        assert shown.offer is not None and (shown.offer.game, shown.offer.here) == (1, False)
        assert room.ask(Resume(1)).accepted
        assert [player.name for player in room.hub.latest.players] == ["Ada", "Ben"]
        assert len(table.referee.turns) == 3
        assert room.dealt[-1] is table.referee

    run(test)


@pytest.mark.parametrize("aside", [False, True])
def test_an_abandoned_game_is_offered_no_more(room: Room, aside: bool) -> None:
    async def test() -> None:
        table, _ = begun(room, turns=3)
        if aside:
            room.ask(NewGame(2))
        assert room.ask(Abandon(1)).accepted
        shown = room.look(Tabletop.of(Position.parse(START.replace("ze=a1", "ze=d4"))))
        assert shown.offer is None
        assert not table.referee.has_begun
        refused = room.ask(Resume(1))
        assert not refused.accepted and "Game 1 cannot go on" in refused.text
        assert not room.ask(Resume(99)).accepted

    run(test)


def test_a_new_game_set_up_instead_of_the_offered_one_is_begun_without_asking(room: Room) -> None:
    async def test() -> None:
        journal = journal_at(room.folder / "j.db")
        play_some(journal, 6, seed=3)
        journal.close()
        room.open()
        fresh = initial_position(2, random.Random(44))
        top = Tabletop.of(fresh)
        top.zeus_alpha = fresh.turn
        assert room.look(top, 4).offer is not None
        shown = room.look(top, 20)
        assert shown.offer is None
        assert shown.verdict is not None and shown.verdict.kind == "ready"
        assert room.book.current == 2
        assert room.book.set_aside() == 1

    run(test)


def test_a_game_in_which_nothing_happened_is_not_kept_open(room: Room) -> None:
    async def test() -> None:
        begun(room, turns=0)
        room.ask(NewGame(2))
        assert room.book.set_aside() is None

    run(test)


def test_a_restart_shows_just_what_was_announced(room: Room) -> None:
    async def test() -> None:
        table, position = begun(room, turns=2)
        _, after = random_turn(position, random.Random(5))
        room.look(Tabletop.of(after), 4)
        table.referee.answer("done")
        reached = table.referee.turns
        other = Room(room.folder)
        with closing(other.archive), closing(other.book):
            again = other.open()
            assert again.referee.turns == reached
            assert isinstance(again.referee, Referee)
            assert isinstance(table.referee, Referee)
            assert again.referee.position == table.referee.position

    run(test)


def test_the_ledger_of_a_game_is_its_entry_in_the_journal(room: Room) -> None:
    """The book hands out entries, and every fact of the tests above has gone through one."""
    room.book.referee(2)
    assert room.book.current is None
    with closing(journal_at(room.folder / "j.db")) as journal:
        entry = AboveEntry(journal)
        entry.begin(("Ada", "Ben"), Position.parse(START))
        assert entry.game == 1
