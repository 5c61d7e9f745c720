"""Texts of positions and actions: read strictly, printed canonically, all defects named."""

from __future__ import annotations

import copy
import pickle
import tracemalloc

import pytest

from companion.errors import CompanionError
from companion.games.above.action import Action, ActionError
from companion.games.above.board import SPACES, BoardError, space_index
from companion.games.above.position import Position, PositionError
from tests.games.above.play import after
from tests.games.above.positions import ALL, START, text

FOUR = text(cards="ze.ze.he.ar/he.ar/at.ha/de.po", turn=3)


def test_spaces_are_ordered_by_column_then_ring() -> None:
    assert len(SPACES) == 97
    assert SPACES[:7] == ("a1", "a2", "a3", "a4", "a5", "a6", "b1")
    assert SPACES[95:] == ("p6", "top")
    assert [space_index(space) for space in SPACES] == list(range(97))
    with pytest.raises(BoardError, match="q1"):
        space_index("q1")


def test_the_example_of_the_notation() -> None:
    position = Position.parse(START)
    assert str(position) == START
    assert (position.players, position.turn, position.decides) == (2, 0, 0)
    assert position.at_turn_start and not position.is_over and position.winner == ()
    assert (
        position.space_of("he") == "c1" and position.mini_on("c1") == "he" and position.mini_on("c2") is None
    )
    assert position.minis[1] == space_index("c1")
    assert position.tokens_on("gate") == ("h3", "l6")
    assert position.token_at("l6") == "gate" and position.token_at("l5") is None
    assert position.reserve("gate") == 4
    assert position.powered(1) == tuple(ALL.split("."))
    assert position.activated is None and position.mover is None and position.token_to_lay is None


def test_four_players_hold_doubles_and_share_a_pile() -> None:
    position = Position.parse(FOUR)
    assert position.powered(0) == ("ze", "ze", "he", "ar")
    assert position.pile() == ("at", "ha", "de", "po", "ap", "ap")


def test_a_finished_position() -> None:
    over = text("ze=top", turn=1)
    position = Position.parse(over)
    assert position.is_over and position.winner == (1,) and not position.at_turn_start
    assert str(position) == over


@pytest.mark.parametrize(
    ("bad", "named"),
    (
        ("", "fields"),
        (START + " ", "fields"),
        (START.replace(" ", "  ", 1), "fields"),
        (START + "\n", "players"),
        (START.replace("ze=a1", "ze=q1"), "q1"),
        (START.replace("ze=a1", "ze=a7"), "a7"),
        (START.replace("ze=a1", "ze=A1"), "A1"),
        (START.replace("ze=a1", "ze=c1"), "Zeus and Hera"),
        (START.replace("ze=a1", "ze=b3"), "thunder"),
        (START.replace("ze=a1,he=c1", "he=c1,ze=a1"), 'expected "ze='),
        (START.replace("ze=a1,", ""), "expected 8 parts"),
        (START.replace("ze=a1", "ze:a1"), "ze:a1"),
        (START.replace("ze=a1,he=c1", "ze=top,he=top"), "Zeus and Hera cannot both be on top"),
        (START.replace("b3.f5", "f5.b3"), "not in order"),
        (START.replace("b3.f5", "b3.b3"), "b3"),
        (START.replace("b3.f5", "b3."), '""'),
        (START.replace("b3.f5", "top"), "summit"),
        (START.replace("b3.f5", "d2"), "fertility"),
        (START.replace("b3.f5", "a2.a3.a4.a5.a6.b2.b3"), "7 tokens"),
        (START.replace("thunder=b3.f5,", ""), "expected 4 parts"),
        (START.replace("thunder=", "lightning="), "lightning"),
        (START.replace(" 0 2", " 2 2"), 'turn "2"'),
        (START.replace(" 0 2", " 00 2"), 'turn "00"'),
        (START.replace(" 0 2", " -1 2"), 'turn "-1"'),
        (START.replace(" 0 2", " 0 3"), 'players "3"'),
        (START.replace(" 0 2", " 0 4"), "4 seats expected"),
        (START.replace(f"{ALL}/{ALL}", ALL), "2 seats expected"),
        (START.replace(f"{ALL}/{ALL}", f"{ALL}/"), "seat 1 has no Powered card"),
        (START.replace(f"{ALL}/{ALL}", f"{ALL}/ze.ze"), "names ze twice"),
        (START.replace(f"{ALL}/{ALL}", f"{ALL}/he.ze"), "not in the order"),
        (START.replace(f"{ALL}/{ALL}", f"{ALL}/xx"), '"xx" is no deity'),
        (text(cards="ze.he.ar.at.ha/he/ar/at"), "holds 5 cards"),
        (text(cards="ze/ze/ze/at"), "3 cards of Zeus"),
        (text(cards="ze.ze.ze/he/ar/at"), "3 cards of Zeus"),
        (text(cards="ze/he/ar/"), "seat 3 has no Powered card"),
    ),
)
def test_bad_positions_are_refused_and_the_part_is_named(bad: str, named: str) -> None:
    with pytest.raises(PositionError) as refused:
        Position.parse(bad)
    assert named in str(refused.value)
    assert isinstance(refused.value, CompanionError) and isinstance(refused.value, ValueError)


def test_all_defects_at_once() -> None:
    bad = (
        START.replace("ze=a1", "ze=z9")
        .replace("b3.f5", "top")
        .replace(" 0 2", " 7 2")
        .replace(f"/{ALL}", "/")
    )
    with pytest.raises(PositionError) as refused:
        Position.parse(bad)
    assert len(refused.value.defects) == 4


def test_mid_turn_has_no_text() -> None:
    position = after(START, "activate ze")
    with pytest.raises(PositionError, match="start of a turn"):
        str(position)
    assert "ze activated, seat 0 to move" in repr(position)
    assert repr(Position.parse(START)) == f"<Position {START}>"


def test_positions_are_values() -> None:
    position = after(START, "activate ze")
    again = after(Position.parse(START), "activate ze")
    assert position == again and hash(position) == hash(again)
    assert position != Position.parse(START) and position != START
    assert pickle.loads(pickle.dumps(position)) == position
    assert copy.deepcopy(position) == position
    with pytest.raises(AttributeError):
        position.turn = 1  # type: ignore[misc]
    with pytest.raises(AttributeError):
        position.note = ""  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    (
        "activate ze",
        "recover 1 ze he po ap",
        "recover 3 ze ze po po",
        "move he c3",
        "move he top",
        "jump he k4",
        "place gate c3",
        "shift gate c3 d5",
        "remove gate c3",
        "back he b2",
        "disgrace ze",
        "exhaust ze 0",
        "done",
    ),
)
def test_actions_of_every_kind(line: str) -> None:
    action = Action.parse(line)
    assert str(action) == line and repr(action) == f"<Action {line}>"
    assert Action.parse(line) is action
    assert action.kind == line.split()[0]
    assert pickle.loads(pickle.dumps(action)) is action
    assert copy.deepcopy(action) is action and copy.copy(action) is action
    with pytest.raises(AttributeError):
        action.kind = "done"
    with pytest.raises(AttributeError):
        del action.kind


def test_parts_of_an_action() -> None:
    shift = Action.parse("shift gate c3 d5")
    assert (shift.token, shift.origin, shift.space, shift.deity, shift.seat) == (
        "gate",
        "c3",
        "d5",
        None,
        None,
    )
    recover = Action.parse("recover 1 ze he po ap")
    assert (recover.seat, recover.deities) == (1, ("ze", "he", "po", "ap"))
    assert Action("move", deity="he", space="c3") is Action.parse("move he c3")
    assert Action("exhaust", deity="ze", seat=2) is Action.parse("exhaust ze 2")


@pytest.mark.parametrize(
    ("bad", "named"),
    (
        ("", '""'),
        ("fly ze", '"fly"'),
        ("Move he c3", '"Move"'),
        ("move he", "2 words"),
        ("move he c3 c4", "2 words"),
        ("move  he c3", "2 words"),
        ("move he c3 ", "2 words"),
        ("move he q3", '"q3"'),
        ("move he c7", '"c7"'),
        ("move xx c3", '"xx"'),
        ("place water c3", '"water"'),
        ("exhaust ze 4", '"4"'),
        ("exhaust ze 00", '"00"'),
        ("recover 0 ze he po", "5 words"),
        ("recover 0 he ze po ap", "order"),
        ("recover 0 ze ze ze ap", "3 times"),
        ("done now", "0 words"),
    ),
)
def test_bad_actions_are_refused_and_the_part_is_named(bad: str, named: str) -> None:
    with pytest.raises(ActionError) as refused:
        Action.parse(bad)
    assert named in str(refused.value)
    assert isinstance(refused.value, CompanionError) and isinstance(refused.value, ValueError)


def test_actions_are_built_with_the_parts_they_have() -> None:
    with pytest.raises(ActionError, match="needs a space"):
        Action("move", deity="he")
    with pytest.raises(ActionError, match="has no token"):
        Action("move", deity="he", space="c3", token="gate")
    with pytest.raises(ActionError, match="no seat"):
        Action("exhaust", deity="ze", seat=9)
    with pytest.raises(ActionError, match="no kind"):
        Action("fly")
    with pytest.raises(ActionError, match="no space"):
        Action("move", deity="he", space="c33")
    with pytest.raises(ActionError, match="4 cards"):
        Action("recover", seat=0, deities=("ze",))


def test_a_shift_takes_little_memory() -> None:
    spaces = [f"{column}{ring}" for column in "abcdefghijklmnopqrst" for ring in range(1, 10)]
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        # From a space that no board in use has: nobody has built these.
        shifts = [
            Action("shift", token="gate", origin="t9", space=space) for space in spaces if space != "t9"
        ]
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # All 36 480 of the standard board then take 5 MB, and a table that runs for days meets most of them.
    assert (after - before) / len(shifts) < 150
