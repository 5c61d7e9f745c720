"""What the players say when they are asked if a card was chosen anew, or what becomes of an order card: the truth."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

import pytest

from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import Play
from companion.games.olympeak.position import Phase, Placed, begin
from companion.games.olympeak.simulation import random_setup
from companion.games.olympeak.standing import standing
from companion.virtual.olympeak.calls import Calls
from tests.virtual.olympeak.conftest import Choice, Table, make_table

IS_IT_NEW = (Choice("new"), Choice("old"))


@pytest.fixture
def table() -> Table:
    """Two players, of whom nobody has played yet."""
    return make_table(2, 7)


def turned_up(table: Table, *cards: str, unseen: bool = False) -> None:
    """These cards are turned up, by seat, perhaps while something lies over the camera."""
    table.match._waiting.unseen = unseen
    table.match._answers.turned_up(cards)
    table.match._waiting.unseen = False


def test_what_was_turned_up_only_once_lies_there_still(table: Table) -> None:
    turned_up(table, "o01", "o02")
    assert table.match.answer(IS_IT_NEW, 0) == "old"
    turned_up(table, "p001", "o02")
    assert table.match.answer(IS_IT_NEW, 0) == "old"
    assert table.match.answer(IS_IT_NEW) == "new"
    turned_up(table, "p002", "p003")
    assert table.match.answer(IS_IT_NEW) == "old"


def test_the_same_card_turned_up_again_was_chosen_anew(table: Table) -> None:
    turned_up(table, "p001", "p002")
    turned_up(table, "p003", "p002")
    assert table.match.answer(IS_IT_NEW, 1) == "new"
    assert table.match.answer(IS_IT_NEW, 0) == "old"


def test_of_what_nobody_could_see_in_between_the_table_knows_nothing(table: Table) -> None:
    turned_up(table, "p001", "p002")
    turned_up(table, "p003", "p004", unseen=True)
    turned_up(table, "p005", "p002")
    assert table.match.answer(IS_IT_NEW, 1) == "new"
    turned_up(table, "p001", "p004")
    assert table.match.answer(IS_IT_NEW, 1) == "old"


@pytest.mark.parametrize("true", ["turned up:p001,o02", "as read:p001,o02"])
def test_which_cards_were_turned_up_is_said_as_it_was(table: Table, true: str) -> None:
    turned_up(table, "p001", "o02")
    other = ("as read" if true.startswith("turned") else "turned up") + ":p003,o02"
    assert table.match.answer((Choice(other), Choice(true)), 0) == true
    assert table.match.answer((Choice("turned up:p003,o02"), Choice("as read:p004,o02")), 0) is None


def test_where_neither_is_offered_nothing_is_said(table: Table) -> None:
    turned_up(table, "o01", "o02")
    assert table.match.answer((Choice("new"),), 0) is None


@dataclass
class Lights:
    """Seat lights as a test sets them."""

    white: set[int]
    amber: set[int] = field(default_factory=set)

    def seat_lit(self, seat: int) -> bool:
        return seat in self.white

    def seat_amber(self, seat: int) -> bool:
        return seat in self.amber

    def seat_red(self, seat: int) -> bool:
        return False


@pytest.mark.parametrize(
    ("early", "white", "amber", "is_over"),
    [
        # The one light that is on called the player to lay the very card that is decided on now.
        ({1, 2}, {0}, set(), False),
        ({1}, {0}, set(), False),
        ({1}, {0, 2}, set(), True),
        ({1}, {0}, {2}, True),
        (set(), {0, 1}, set(), False),
        (set(), {0, 1, 2}, set(), True),
    ],
)
def test_the_light_that_called_the_player_does_not_say_that_the_turn_is_over(
    early: set[int], white: set[int], amber: set[int], is_over: bool
) -> None:
    setup = random_setup(3, random.Random(1), default_box())
    calls = Calls(Lights(white, amber), setup, dict.fromkeys(early, "p001"))
    assert calls.turn_over(0) is is_over


@pytest.mark.parametrize("kept", ["decline", "drew"])
def test_what_becomes_of_the_last_card_is_said_although_all_others_have_chosen(
    table: Table, kept: str
) -> None:
    """Nobody takes the own light for the table's having gone on, and leaves it unsaid whether a card was drawn."""
    match = table.match
    before = begin(random_setup(2, random.Random(1), default_box()))
    before = replace(before, phase=Phase.CHOICE, order=(0,))
    after = replace(before, phase=Phase.TURN_END, order=())
    match._secrets.early[1] = "p001"
    saying = match._answers.say(kept, state=before, after=after)
    for _ in range(100):
        next(saying)
    assert match.answer((Choice("drew"), Choice("decline"))) == kept
    with pytest.raises(StopIteration):
        next(saying)


def test_where_a_card_lay_that_is_gone_is_remembered(table: Table) -> None:
    asked = (Choice("lay:p001:blue"), Choice("lay:p001:red"))
    assert table.match.answer(asked) is None
    table.match._answers.laid(Play(0, "p001", "red"))
    table.match._answers.laid(Play(1, "p002", "blue"))
    assert table.match.answer(asked) == "lay:p001:red"


def test_it_is_called_right_by_what_lies_there_and_what_is_named(table: Table) -> None:
    """Whether to object, people see; of cubes and round they hear only when it is said what would count."""
    state = table.match.state
    assert table.match.answer((Choice("object"),)) == "object"
    wrong = replace(state, cubes=(state.cubes[0] + 1, *state.cubes[1:]))
    assert table.match.answer((Choice(f"right:{standing(wrong)}"), Choice("none"))) is None
    assert (
        table.match.answer((Choice(f"right:{standing(state)}"), Choice("none"))) == f"right:{standing(state)}"
    )
    lying = table.match.state.setup.racing[0]
    table.match.state = replace(state, placed=(Placed("p001", lying, 0, 1, 0),))
    assert table.match.answer((Choice("object"),)) is None
