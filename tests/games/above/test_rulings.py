"""One or more examples of every ruling, by hand-made positions."""

from __future__ import annotations

import random

import pytest

from companion.games.above.board import STANDARD, Board, BoardError
from companion.games.above.position import Phase, Position, PositionError
from companion.games.above.rules import IllegalAction, initial_position, legal_actions, successors
from tests.games.above.play import after, legal
from tests.games.above.positions import ALL, START, text


def spaces(actions: list[str]) -> list[str]:
    """The last word of each action."""
    return [action.split()[-1] for action in actions]


# A1, A2: the board


def test_a1_columns_go_round() -> None:
    assert spaces(legal(after(text(), "activate ze"))) == ["a2", "b1", "p1"]


def test_a1_rings_and_columns_are_parameters() -> None:
    small = Board.of(3, 16)
    line = "ze=a3,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=,fertility=,gate=,barrier= ze.he/ap 0 2"
    position = after(Position.parse(line, small), "activate ze")
    assert spaces(legal(position)) == ["b3", "p3", "top"]
    with pytest.raises(PositionError, match="a4"):
        Position.parse(line.replace("a3", "a4"), small)
    with pytest.raises(BoardError, match="rings"):
        Board.of(0, 16)
    assert Board.of(6, 16) is STANDARD


def test_a2_forward_from_ring_6_is_the_summit() -> None:
    assert spaces(legal(after(text("ze=d6"), "activate ze"))) == ["c6", "e6", "top"]


@pytest.mark.parametrize(
    ("entered", "reach"),
    (
        ("c3", "b2.b3.b4.c2.c3.c4.d2.d3.d4"),
        ("a1", "a1.a2.b1.b2.p1.p2"),
        ("p6", "a5.a6.o5.o6.p5.p6"),
        ("top", ""),
    ),
)
def test_a2_reach_of_thunder(entered: str, reach: str) -> None:
    reached = STANDARD.reach[STANDARD.index[entered]]
    assert ".".join(STANDARD.names(reached)) == reach


# A3, A4: set-up and order


@pytest.mark.parametrize("players", (2, 4))
def test_a3_every_other_space_and_two_tokens_a_type(players: int) -> None:
    parities, orders = set(), set()
    for seed in range(30):
        position = initial_position(players, random.Random(seed))
        columns = sorted(space // 6 for space in position.minis)
        assert columns == list(range(columns[0], 16, 2))
        assert all(space % 6 == 0 for space in position.minis)
        assert [position.reserve(token) for token in ("thunder", "fertility", "gate", "barrier")] == [4] * 4
        parities.add(columns[0])
        orders.add(position.minis)
        assert Position.parse(str(position)) == position
    assert parities == {0, 1} and len(orders) > 20


def test_a4_two_players_hold_a_set_each_and_either_may_start() -> None:
    starts = set()
    for seed in range(20):
        position = initial_position(2, random.Random(seed))
        assert position.powered(0) == position.powered(1) == tuple(ALL.split("."))
        starts.add(position.turn)
    assert starts == {0, 1}


def test_a4_four_players_share_each_set_across_the_teams() -> None:
    starts = set()
    for seed in range(60):
        position = initial_position(4, random.Random(seed))
        hands = [position.powered(seat) for seat in range(4)]
        assert [len(hand) for hand in hands] == [4] * 4
        whole = tuple(ALL.split("."))
        partners = [s for s in (1, 3) if sorted(hands[0] + hands[s]) == sorted(whole)]
        assert partners
        assert "ze" in hands[position.turn]
        starts.add(position.turn)
    assert starts == {0, 1, 2, 3}


def test_a4_clockwise() -> None:
    four = text(cards="ze.he/ze.he/ar.at/ar.at", turn=3)
    assert after(four, "activate ar", "move ar e2", "place barrier a3", "place barrier a4").turn == 0


# A5: recover at once


def test_a5_two_players_recover_before_the_move() -> None:
    position = after(text(cards=f"at/{ALL}"), "activate at")
    assert position.powered(0) == tuple(ALL.split("."))
    assert position.phase is Phase.MOVE


def test_a5_athena_as_the_last_card_can_be_exhausted_again() -> None:
    position = after(text(cards=f"at/{ALL}"), "activate at", "move at g2")
    assert "exhaust at 0" in legal(position)
    position = after(position, "exhaust at 0", "exhaust ze 0")
    assert position.powered(0) == ("he", "ar", "ha", "de", "po", "ap")
    assert position.turn == 1


def test_a5_four_players_pick_four_kinds_before_the_move() -> None:
    position = after(text(cards="ze/ze.he.ar.at/he.ar.at.ha/ha.de.po.ap"), "activate ze")
    assert (position.phase, position.decides) == (Phase.RECOVER, 0)
    assert position.pile() == ("ze", "de", "po", "ap")
    assert legal(position) == ["recover 0 ze de po ap"]
    position = after(position, "recover 0 ze de po ap")
    assert position.powered(0) == ("ze", "de", "po", "ap")
    assert (position.phase, position.mover) == (Phase.MOVE, "ze")


def test_a5_every_choice_of_four_kinds() -> None:
    position = after(text(cards="ze/ze/he/he"), "activate ze")
    assert position.pile().count("ar") == 2
    # Of eight kinds less Hera, of which none lies there, four different ones.
    assert len(legal(position)) == 35
    assert all(len(set(pick.split()[2:])) == 4 for pick in legal(position))


def test_a5_fewer_kinds_than_four() -> None:
    position = after(text(cards="ze/he.ar.at.ha/he.ar.at.ha/de.de.po.ap"), "activate ze")
    assert position.pile() == ("ze", "ze", "po", "ap")
    assert legal(position) == ["recover 0 ze ze po ap"]


def test_a5_a_choice_between_doubles() -> None:
    position = after(text(cards="ze/he.ar.at.ha/he.ar.at.ha/de.de.ap"), "activate ze")
    assert position.pile() == ("ze", "ze", "po", "po", "ap")
    assert legal(position) == ["recover 0 ze po po ap", "recover 0 ze ze po ap"]


def test_a5_after_hera_clockwise_from_the_active_player() -> None:
    position = after(text(cards="he.at/ar/at/ar"), "activate he", "move he c2")
    position = after(position, "disgrace ar")
    assert position.picking == (1, 3)
    assert (position.decides, position.turn) == (1, 0)
    position = after(position, "recover 1 ze he ar ha")
    assert position.decides == 3 and position.turn == 0
    # Seat 1 has taken one of the Ares cards, the other is left.
    position = after(position, "recover 3 ze ar de po")
    assert (position.turn, position.decides) == (1, 1)
    assert position.at_turn_start


def test_a5_clockwise_from_a_later_seat() -> None:
    position = after(text(cards="ar/he.at/ar/at", turn=1), "activate he", "move he c2", "disgrace ar")
    assert position.picking == (2, 0)


# A6: movement


def test_a6_side_or_forward_only_and_not_onto_pieces() -> None:
    position = after(text("ze=c3,he=b3", "barrier=c4"), "activate ze")
    assert legal(position) == ["move ze d3"]
    with pytest.raises(IllegalAction):
        after(position, "move ze c2")


def test_a6_blocked_keeps_its_power() -> None:
    position = after(text("ze=c3,he=b3,ar=d3", "barrier=c4"), "activate ze")
    assert (position.phase, position.token_to_lay) == (Phase.POWER, "thunder")
    assert position.space_of("ze") == "c3"


def test_a6_thunder_does_not_touch_the_blocked() -> None:
    position = after(text("ze=c3,he=b3,ar=d3", "barrier=c4,thunder=c2"), "activate ze")
    assert position.phase is Phase.POWER
    assert position.tokens_on("thunder") == ("c2",)


# A7: entering a space


def test_a7_the_summit_ends_the_game() -> None:
    position = after(text("ze=d6"), "activate ze", "move ze top")
    assert position.is_over and position.winner == (0,)
    assert legal(position) == [] and successors(position) == ()
    assert str(position).endswith(" 0 2")
    assert Position.parse(str(position)) == position


def test_a7_four_players_win_as_a_team() -> None:
    position = after(text("ar=d6", cards="ze/ze.ar/he/he", turn=1), "activate ar", "move ar top")
    assert position.winner == (1, 3) and position.turn == 1


def test_a7_thunder_in_reach_is_removed_and_costs_the_power() -> None:
    position = after(text("ze=c2", "thunder=b4.d3.g3"), "activate ze", "move ze c3")
    assert position.tokens_on("thunder") == ("g3",)
    assert position.at_turn_start and position.turn == 1


def test_a7_the_space_left_triggers_nothing() -> None:
    position = after(text("ze=c3", "thunder=a4"), "activate ze", "move ze d3")
    assert position.tokens_on("thunder") == ("a4",)
    assert position.phase is Phase.POWER


def test_a7_thunder_on_a_later_step_of_the_movement_costs_the_power_too() -> None:
    position = after(text("ze=c1,he=b1", "fertility=c2,thunder=c4"), "activate ze", "move ze c2")
    assert (position.phase, position.movement_phase) == (Phase.MOVE, True)
    position = after(position, "move ze c3")
    assert position.at_turn_start and position.tokens_on("thunder") == ()


def test_a7_thunder_after_a_gate_costs_the_power_too() -> None:
    position = after(text("ze=c1,he=b1", "gate=c2.h3,thunder=h4"), "activate ze", "move ze c2", "jump ze h3")
    assert position.at_turn_start and position.turn == 1


def test_a7_thunder_with_a_gate_is_always_applied() -> None:
    position = after(text("ze=c1,he=b1", "gate=c2.h3,thunder=b2"), "activate ze", "move ze c2")
    assert position.power_lost and position.phase is Phase.JUMP
    assert after(position, "jump ze h3").at_turn_start


def test_a7_thunder_triggered_by_another_deity_has_no_effect() -> None:
    start = text("he=c3,ap=o1", "thunder=c5", cards=f"ze.ap/{ALL}")
    position = after(start, "activate ap", "move ap o2", "move he c4")
    assert position.tokens_on("thunder") == () and position.turn == 1


# A8, A9: chains


def test_a8_fertility_makes_another_step() -> None:
    position = after(text("ze=c1,he=b1", "fertility=c2.c3"), "activate ze", "move ze c2")
    assert position.tokens_on("fertility") == ("c3",)
    assert legal(position) == ["move ze b2", "move ze c3", "move ze d2"]
    position = after(position, "move ze c3")
    assert legal(position) == ["move ze b3", "move ze c4", "move ze d3"]
    assert after(position, "move ze c4").phase is Phase.POWER


def test_a8_may_step_back_to_the_side_it_came_from() -> None:
    position = after(text("ze=c2", "fertility=d2"), "activate ze", "move ze d2")
    assert "move ze c2" in legal(position)


def test_a8_blocked_ends_the_movement() -> None:
    position = after(text("ze=c1,he=b2,ar=d2", "fertility=c2,barrier=c3"), "activate ze", "move ze c2")
    assert position.tokens_on("fertility") == ()
    assert position.phase is Phase.POWER


def test_a8_onto_the_summit() -> None:
    position = after(text("ze=c5", "fertility=c6"), "activate ze", "move ze c6", "move ze top")
    assert position.winner == (0,)


def test_a9_a_choice_of_gates_and_both_are_removed() -> None:
    position = after(text("ze=c1,he=b1", "gate=c2.h3.k5"), "activate ze", "move ze c2")
    assert (position.phase, position.mover) == (Phase.JUMP, "ze")
    assert legal(position) == ["jump ze h3", "jump ze k5"]
    position = after(position, "jump ze k5")
    assert position.tokens_on("gate") == ("h3",)
    assert position.space_of("ze") == "k5"
    assert position.phase is Phase.POWER


def test_a9_without_another_gate_to_ring_1() -> None:
    position = after(text("ze=b1", "gate=b2,barrier=f1"), "activate ze", "move ze b2")
    # Ring 1 but for seven other deities and a Barrier; b1, where it came from, is allowed.
    assert spaces(legal(position)) == ["a1", "b1", "d1", "h1", "j1", "l1", "n1", "p1"]


def test_a9_not_to_the_space_it_stands_on() -> None:
    position = after(text("ze=b1", "gate=a1"), "activate ze", "move ze a1")
    assert "a1" not in spaces(legal(position)) and "b1" in spaces(legal(position))


def test_a9_fertility_where_it_arrives() -> None:
    position = after(text("ze=b1", "gate=b2,fertility=h1"), "activate ze", "move ze b2", "jump ze h1")
    assert position.phase is Phase.MOVE
    assert legal(position) == ["move ze h2"]


def test_a9_a_chain_from_gate_to_fertility_to_gate() -> None:
    start = text("ze=b1", "gate=b2.d5,fertility=h1")
    position = after(start, "activate ze", "move ze b2", "jump ze d5")
    assert position.tokens_on("gate") == () and position.phase is Phase.POWER
    position = after(text("ze=b1", "gate=h2,fertility=b2.c2"), "activate ze", "move ze b2", "move ze c2")
    assert spaces(legal(position)) == ["b2", "c3", "d2"]


# A10: powers


def test_a10_a_power_that_cannot_be_carried_out_is_skipped() -> None:
    position = after(text(), "activate po", "move po l1")
    assert position.at_turn_start and position.turn == 1


# A11, A12: laying tokens


def test_a11_open_spaces_only() -> None:
    position = after(text("ze=b2", "gate=c3,thunder=h6"), "activate ze", "move ze b3")
    listed = spaces(legal(position))
    assert len(listed) == 96 - 8 - 2
    assert not {"top", "c3", "h6", "b3"} & set(listed)


def test_a12_an_empty_reserve_shifts() -> None:
    laid = "a3.b3.c3.d3.e3.f3"
    position = after(text("de=k1", f"fertility={laid}"), "activate de", "move de l1")
    listed = legal(position)
    assert len(listed) == 6 * (96 - 8 - 6)
    assert "shift fertility a3 top" not in listed and "shift fertility a3 b3" not in listed
    position = after(position, "shift fertility a3 a4")
    assert position.tokens_on("fertility") == ("a4", "b3", "c3", "d3", "e3", "f3")


def test_a12_ares_places_two() -> None:
    position = after(text(), "activate ar", "move ar e2", "place barrier a3")
    assert position.just_laid == "a3" and position.turn == 0
    assert "place barrier a3" not in legal(position)
    assert after(position, "place barrier a4").tokens_on("barrier") == ("a3", "a4")


def test_a12_ares_with_one_left_may_not_move_the_one_just_placed() -> None:
    position = after(text(tokens="barrier=a3.b3.c3.d3.e3"), "activate ar", "move ar e2", "place barrier f3")
    listed = legal(position)
    assert {action.split()[2] for action in listed} == {"a3", "b3", "c3", "d3", "e3"}
    position = after(position, "shift barrier a3 a4")
    assert position.tokens_on("barrier") == ("a4", "b3", "c3", "d3", "e3", "f3")
    assert position.turn == 1


def test_a12_ares_shifts_twice_and_the_space_left_is_open_again() -> None:
    position = after(text(tokens="barrier=a3.b3.c3.d3.e3.f3"), "activate ar", "move ar e2")
    position = after(position, "shift barrier a3 a4")
    listed = legal(position)
    assert not any(action.startswith("shift barrier a4 ") for action in listed)
    assert "shift barrier b3 a3" in listed
    assert after(position, "shift barrier b3 a3").tokens_on("barrier") == ("a3", "a4", "c3", "d3", "e3", "f3")


# A13: Poseidon


def test_a13_remove_or_move_back() -> None:
    start = text("ze=a2,he=c3,ar=c4,de=b3", "gate=h3,barrier=a1,fertility=j2")
    position = after(start, "activate po", "move po m2")
    assert legal(position) == [
        "back de b2",
        "back he c2",
        "back po m1",
        "remove barrier a1",
        "remove fertility j2",
        "remove gate h3",
    ]
    removed = after(position, "remove barrier a1")
    assert removed.reserve("barrier") == 6 and removed.turn == 1


def test_a13_thunder_has_no_effect_and_chains_work() -> None:
    start = text("he=c3", "thunder=c1,fertility=c2,gate=b2.h4")
    position = after(start, "activate po", "move po m2", "back he c2")
    assert position.tokens_on("thunder") == ()
    assert (position.phase, position.mover, position.movement_phase) == (Phase.MOVE, "he", False)
    assert legal(position) == ["move he b2", "move he c3", "move he d2"]
    position = after(position, "move he b2")
    assert legal(position) == ["jump he h4"]
    position = after(position, "jump he h4")
    assert position.turn == 1 and position.space_of("he") == "h4"


def test_a13_a_chain_to_the_summit_wins_for_the_active_side() -> None:
    start = text("he=d6,po=m1", "fertility=d5")
    position = after(start, "activate po", "move po m2", "back he d5")
    assert legal(position) == ["move he c5", "move he d6", "move he e5"]
    start = text("he=d6", "fertility=d5.e5.e6")
    position = after(
        start, "activate po", "move po m2", "back he d5", "move he e5", "move he e6", "move he top"
    )
    assert position.winner == (0,) and str(position).endswith(" 0 2")


def test_a13_poseidon_may_move_himself_back_over_thunder() -> None:
    position = after(text("po=m2", "thunder=j2"), "activate po", "move po m3", "back po m2")
    assert position.tokens_on("thunder") == ("j2",) and position.turn == 1


# A14: Aphrodite


def test_a14_another_deity_and_never_the_summit() -> None:
    position = after(text("ze=d6"), "activate ap", "move ap o2")
    listed = legal(position)
    assert not any(action.startswith("move ap") for action in listed)
    assert "move ze c6" in listed and "move ze top" not in listed


def test_a14_no_triggered_step_onto_the_summit() -> None:
    position = after(text("ze=d5", "fertility=d6"), "activate ap", "move ap o2", "move ze d6")
    assert legal(position) == ["move ze c6", "move ze e6"]


def test_a14_fertility_on_ring_6_with_both_sides_shut_ends_it() -> None:
    start = text("ze=d5", "fertility=d6,barrier=c6.e6")
    assert after(start, "activate ap", "move ap o2", "move ze d6").turn == 1


def test_a14_skipped_when_nobody_else_can_move() -> None:
    start = text(
        "ze=a6,he=b6,ar=c6,at=d6,ha=e6,de=f6,po=g6,ap=o1",
        "barrier=h6.p6",
    )
    position = after(start, "activate ap", "move ap o2")
    assert position.at_turn_start and position.turn == 1


def test_a14_a_gate_takes_the_deity_along() -> None:
    start = text("ze=d5", "gate=c2.d6")
    position = after(start, "activate ap", "move ap o2", "move ze d6", "jump ze c2")
    assert position.space_of("ze") == "c2" and position.turn == 1


# A15: Hera


def test_a15_two_players() -> None:
    position = after(text(cards=f"{ALL}/he.po"), "activate he", "move he c2")
    assert legal(position) == ["disgrace he", "disgrace po"]
    assert after(position, "disgrace po").powered(1) == ("he",)


def test_a15_two_players_the_last_card_recovers() -> None:
    position = after(text(cards=f"{ALL}/po"), "activate he", "move he c2", "disgrace po")
    assert position.powered(1) == tuple(ALL.split("."))


def test_a15_four_players_every_copy_of_every_opponent() -> None:
    start = text(cards="he.at/ar.ar.de/at.ap/de.po")
    position = after(start, "activate he", "move he c2")
    assert legal(position) == ["disgrace ar", "disgrace de", "disgrace po"]
    assert after(position, "disgrace ar").powered(1) == ("de",)
    both = after(position, "disgrace de")
    assert both.powered(1) == ("ar", "ar") and both.powered(3) == ("po",)


# A16: Athena


def test_a16_two_players_none_one_or_two() -> None:
    position = after(text(cards=f"ze.at.po/{ALL}"), "activate at", "move at g2")
    assert legal(position) == ["done", "exhaust po 0", "exhaust ze 0"]
    assert after(position, "done").turn == 1
    one = after(position, "exhaust po 0")
    assert legal(one) == ["done", "exhaust ze 0"]
    two = after(one, "exhaust ze 0")
    # The last card that could be exhausted: nothing is left to say, and the hand is full again.
    assert two.turn == 1 and two.powered(0) == tuple(ALL.split("."))


def test_a16_two_players_recover_in_between() -> None:
    position = after(text(cards=f"ze.at/{ALL}"), "activate at", "move at g2", "exhaust ze 0")
    assert len(legal(position)) == 9
    assert after(position, "exhaust ze 0").powered(0) == tuple(ALL.split(".")[1:])


def test_a16_four_players_one_own_and_one_of_the_mate() -> None:
    start = text(cards="ze.at/he.ar/ze.po/he.ar")
    position = after(start, "activate at", "move at g2")
    assert legal(position) == ["done", "exhaust po 2", "exhaust ze 0", "exhaust ze 2"]
    mate = after(position, "exhaust po 2")
    assert legal(mate) == ["done", "exhaust ze 0"]
    assert mate.athena_used == (2,)
    own = after(position, "exhaust ze 0")
    assert own.phase is Phase.RECOVER and own.decides == 0
    own = after(own, "recover 0 ze at ha de")
    assert legal(own) == ["done", "exhaust po 2", "exhaust ze 2"]
    assert after(own, "exhaust po 2").turn == 1


def test_a16_the_mate_picks_before_the_turn_passes() -> None:
    start = text(cards="ze.at/he.ar/po/he.ar")
    position = after(start, "activate at", "move at g2", "done")
    assert position.turn == 1
    position = after(start, "activate at", "move at g2", "exhaust ze 0")
    position = after(position, "recover 0 at ha de po", "exhaust po 2")
    assert (position.turn, position.decides, position.phase) == (0, 2, Phase.RECOVER)
    assert after(position, "recover 2 ze at ha po").turn == 1


# A17: the end


def test_a17_nothing_is_legal_after_the_summit() -> None:
    over = Position.parse(text("ze=top"))
    assert legal_actions(over) == () and over.winner == (0,) and over.phase is Phase.OVER
    with pytest.raises(IllegalAction, match="A17"):
        after(over, "activate he")


def test_the_example_turn_of_the_notation() -> None:
    start = START.replace("he=c1", "he=b2").replace("fertility=d2", "fertility=b1")
    position = after(start, "activate po", "move po m2", "back he b1")
    assert position.phase is Phase.MOVE and position.mover == "he"
    assert after(position, "move he c1").turn == 1
