"""Taking back: by request over several turns, or by simply putting the table back."""

from __future__ import annotations

import random

import pytest

from companion.games.above.position import Position
from companion.referee.turn import Turn
from companion.referee.verdict import Kind, Mark
from tests.referee.tabletop import Tabletop, random_position, random_turn
from tests.referee.test_referee import START, Session, started

# Ben's Poseidon is Spent, so that a step back cannot be the beginning of a flood.
NO_FLOOD = START.replace("de.po.ap 0 2", "de.ap 0 2")


def played(players: int, turns: int, seed: int) -> tuple[Session, list[Position]]:
    """A session after so many turns, and all positions it went through."""
    rng = random.Random(seed)
    positions = [random_position(players, 4, rng)]
    session = Session(positions[0], players)
    session.look(Tabletop.of(positions[0]))
    while len(positions) <= turns:
        _, after = random_turn(positions[-1], rng)
        if after.is_over or after in positions:
            continue
        session.look(Tabletop.of(after), 2)
        session.referee.answer("done")
        assert session.referee.position == after
        positions.append(after)
    return session, positions


@pytest.mark.parametrize(("players", "back"), [(2, 1), (2, 3), (4, 2), (4, 5)])
def test_several_turns_are_taken_back_and_the_table_restored(players: int, back: int) -> None:
    session, positions = played(players, 5, 10 + back)
    verdict = session.referee.take_back(back)
    assert verdict.kind is Kind.SETUP
    assert ("The last turn is" if back == 1 else f"last {back} turns are") in verdict.text
    wanted = positions[-1 - back]
    assert session.referee.position == wanted
    assert session.notes.taken_back == back
    assert session.look(Tabletop.of(positions[-1]), 20).kind is Kind.SETUP
    assert session.look(Tabletop.of(wanted)).kind is Kind.READY
    assert session.referee.position == wanted
    assert not session.notes.refusals


def test_more_turns_than_there_were_are_all_of_them() -> None:
    session, positions = played(2, 2, 3)
    session.referee.take_back(99)
    assert session.referee.position == positions[0]
    assert not session.referee.turns
    assert session.referee.take_back() is session.referee.verdict


@pytest.mark.parametrize(("players", "back", "seed"), [(2, 1, 1), (2, 2, 2), (2, 4, 3), (4, 1, 4), (4, 3, 5)])
def test_who_puts_the_table_back_has_taken_the_turns_back(players: int, back: int, seed: int) -> None:
    session, positions = played(players, 5, seed)
    wanted = positions[-1 - back]
    table = Tabletop.of(wanted)
    session.look(table, 2)
    assert session.referee.position == positions[-1], "a look or two are a table being used"
    verdict = session.look(table, 15)
    assert verdict.kind is Kind.READY
    assert "taken back" in verdict.text
    assert session.referee.position == wanted
    assert session.notes.taken_back == back
    assert not session.notes.refusals


def test_a_turn_put_back_piece_by_piece_is_taken_back_without_an_accusation() -> None:
    session, table = started(NO_FLOOD)
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "a2"
    table.tokens.add(("thunder", "d4"))
    session.look(table, 2)
    assert len(session.referee.turns) == 1
    table.minis["ze"] = "a1"
    verdict = session.look(table, 20)
    assert verdict.kind is Kind.UNFINISHED
    assert verdict.text.startswith("If Ada's last turn is taken back: Take the Thunder token off d4.")
    assert ("d4", Mark.WRONG) in verdict.marks
    table.tokens.remove(("thunder", "d4"))
    assert session.look(table, 10).kind is Kind.UNFINISHED
    table.cards[0]["ze"] = 1
    assert session.look(table, 15).kind is Kind.READY
    assert session.referee.position == Position.parse(NO_FLOOD)
    assert not session.notes.refusals


def test_a_turn_put_back_halfway_and_left_so_is_said_to_be_wrong() -> None:
    session, table = started(NO_FLOOD)
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "a2"
    table.tokens.add(("thunder", "d4"))
    session.look(table, 2)
    table.minis["ze"] = "a1"
    assert session.look(table, 90).kind is Kind.ILLEGAL


def test_a_step_back_in_a_turn_that_has_begun_is_no_taking_back() -> None:
    """Ben turns his Hera card and moves her back to where Ada had moved her from."""
    session, table = started()
    table.cards[0]["he"] = 0
    table.minis["he"] = "c2"
    table.cards[1]["ar"] = 0
    session.look(table, 2)
    assert len(session.referee.turns) == 1
    table.cards[1]["he"] = 0
    table.minis["he"] = "c1"
    verdict = session.look(table, 3)
    assert verdict.kind is Kind.ILLEGAL
    assert verdict.text.startswith(
        "Hera cannot step back: a miniature moves forward or sideways (phase 2, A6)."
    )
    assert verdict.rule == "phase 2, A6"
    assert ("c2", Mark.RETURN) in verdict.marks


def test_a_won_game_is_taken_back_by_putting_the_winner_down_again() -> None:
    position = Position.parse(START.replace("ze=a1", "ze=a6").replace(",fertility=d3.n4", ",fertility=d3"))
    session = Session(position)
    session.look(Tabletop.of(position))
    table = Tabletop.of(position)
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "top"
    assert session.look(table, 2).kind is Kind.OVER
    table.minis["he"] = None  # the board is being cleared
    assert session.look(table, 30).kind is Kind.OVER
    verdict = session.look(Tabletop.of(position), 15)
    assert verdict.kind is Kind.READY
    assert session.referee.position == position


def test_what_cannot_be_seen_takes_nothing_back() -> None:
    session, positions = played(2, 2, 8)
    table = Tabletop.of(positions[-2])
    table.hidden = {space for space in (positions[-2].space_of(d) for d in table.minis) if space != "top"}
    session.look(table, 40)
    assert session.referee.position == positions[-1]


def test_a_turn_is_kept_with_what_it_led_from_and_to() -> None:
    session, positions = played(2, 1, 4)
    (turn,) = session.referee.turns
    assert (turn.before, turn.after, turn.ruling) == (positions[0], positions[1], "")
    assert isinstance(turn, Turn) and turn.actions


def changed_after_all() -> tuple[Session, Tabletop]:
    """Ada's turn is over, and she lays her Thunder token elsewhere after all."""
    session, table = started()
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "b1"
    table.tokens.add(("thunder", "d5"))
    assert session.look(table, 3).seat == 1
    table.tokens = table.tokens - {("thunder", "d5")} | {("thunder", "e6")}
    return session, table


def test_who_changes_a_turn_that_is_over_may_say_that_it_is_meant_so() -> None:
    session, table = changed_after_all()
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.ILLEGAL
    assert verdict.text.startswith(
        "Ada's turn is over as it was (phase 3): Zeus: to b1, Thunder on d5. Put the"
    )
    assert dict(verdict.marks) == {"d5": Mark.RETURN, "e6": Mark.WRONG}
    (choice,) = verdict.choices
    assert choice.text == "Ada has played: Zeus: to b1, Thunder on e6"
    assert session.referee.answer(choice.key)
    assert not session.referee.answer(choice.key), "a second phone says the same"
    assert session.look(table, 3).kind is Kind.READY
    (turn,) = session.referee.turns
    assert str(turn.actions[-1]) == "place thunder e6"
    assert session.notes.taken_back == 1


def test_a_turn_that_is_over_stays_as_it_was_unless_somebody_says_otherwise() -> None:
    session, table = changed_after_all()
    session.look(table, 40)
    table.tokens = table.tokens - {("thunder", "e6")} | {("thunder", "d5")}
    assert session.look(table, 3).kind is Kind.READY
    assert not session.notes.taken_back
    table.minis["ze"] = "b3"  # no turn of Ada's leads there
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.ILLEGAL and not verdict.choices


@pytest.mark.parametrize("plays_on", [False, True])
def test_what_was_taken_back_by_mistake_counts_after_all(plays_on: bool) -> None:
    """Somebody pressed the button and did not mean it; the next player may have gone on meanwhile."""
    session, table = changed_after_all()
    after = session.referee.position
    table.tokens = table.tokens - {("thunder", "e6")} | {("thunder", "d5")}
    first = session.referee.take_back()
    assert [choice.text for choice in first.choices] == ["It counts after all"]
    if plays_on:
        table.cards[1]["de"] = 0
        table.minis["de"] = "k2"
        table.tokens.add(("fertility", "m5"))
    verdict = session.look(table, 20)
    assert verdict.kind is Kind.SETUP and verdict.choices == first.choices
    assert session.referee.answer("keep")
    assert not session.referee.answer("keep")
    assert session.referee.position == after
    session.look(table, 3)
    assert len(session.referee.turns) == (2 if plays_on else 1)
    assert not session.notes.refusals


def test_what_was_taken_back_is_gone_once_the_table_goes_on_from_before_it() -> None:
    session, _ = changed_after_all()
    session.referee.take_back()
    assert session.look(Tabletop.of(Position.parse(START)), 3).kind is Kind.READY
    assert not session.referee.answer("keep")
