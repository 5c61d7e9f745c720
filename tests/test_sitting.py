"""The sitting: what people ask of the table, and the games that are offered, set aside and given up."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions
from companion.games.above.setup import initial_position
from companion.referee.game import AboveEntry, load
from companion.referee.journal_reader import JournalReader
from companion.referee.referee import Referee
from companion.referee.verdict import Kind
from companion.web.hub import (
    Abandon,
    Correct,
    NewGame,
    Outcome,
    Resume,
    Rule,
    StartHere,
    Undo,
)
from tests.referee.keeping import journal_at, play_some
from tests.referee.tabletop import Tabletop, random_turn
from tests.referee.test_referee import START
from tests.room import Room, begun, run


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    with closing(room.archive), closing(room.book):
        yield room


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


def test_the_first_turn_is_taken_back_although_it_could_still_go_on(room: Room) -> None:
    """Athena's player may exhaust more cards: her turn lies there whole, and is over as soon as it is taken back."""

    async def test() -> None:
        table, start = begun(room, turns=0)
        step = next(a for a in legal_actions(apply(start, Action.parse("activate at"))) if a.space != "top")
        shown = Tabletop.of(apply(apply(start, Action.parse("activate at")), step))
        for number in range(1, 4):
            table.take_reading(shown.reading(100.0 + number))
        assert not table.referee.turns
        assert table.referee.verdict.kind is Kind.COMPLETE
        assert room.ask(Undo()).accepted
        assert isinstance(table.referee, Referee) and table.referee.position == start
        assert room.ask(Undo()) == Outcome(False, "There is no turn to take back.")

    run(test)


def test_more_turns_than_were_played_are_not_taken_back_and_nothing_is_lost(room: Room) -> None:
    async def test() -> None:
        table, _ = begun(room, turns=2)
        refused = room.ask(Undo(1000))
        assert refused == Outcome(False, "Only 2 turns have been played: so many can be taken back.")
        assert len(table.referee.turns) == 2
        assert room.ask(Undo(1)).accepted
        assert "Only one turn has been played" in room.ask(Undo(2)).text

    run(test)


def test_only_an_open_game_that_is_in_the_journal_is_given_up(room: Room) -> None:
    async def test() -> None:
        begun(room, turns=1)
        number = room.book.current
        assert number is not None
        refused = room.ask(Abandon(number + 1))
        assert not refused.accepted and "holds no Above game" in refused.text
        assert room.archive.replay(number).game.status == "open"
        assert room.ask(Abandon(number)).accepted
        steps = len(room.archive.replay(number).steps)
        again = room.ask(Abandon(number))
        assert not again.accepted and "given up already" in again.text
        assert len(room.archive.replay(number).steps) == steps
        # Nothing was written for the number that did not exist: the next game to get it is a whole one.
        fresh = initial_position(2, random.Random(5))
        top = Tabletop.of(fresh)
        top.zeus_alpha = fresh.turn
        room.look(top, 4)
        assert room.book.current == number + 1
        assert room.archive.replay(number + 1).game.status == "open"

    run(test)


def test_nobody_is_given_a_name_that_somebody_has(room: Room) -> None:
    assert room.book.referee(4, ("Ben",)).names == ("Ben", "Ada", "Chloe", "Dan")
    assert room.book.referee(4, ("Dan", "Eve")).names == ("Dan", "Eve", "Chloe", "Ada")
    assert room.book.referee(2).names == ("Ada", "Ben")


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
