"""One test at least for each ruling O1 to O17, on small decks laid out in the test."""

from __future__ import annotations

import pytest

from companion.games.olympeak import rules
from companion.games.olympeak.cards import Deck, contenders_in_play
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import (
    Blocked,
    DeclineInsert,
    EndRound,
    EndTurn,
    Event,
    Insert,
    Play,
    Predictions,
    Remove,
    Reveal,
    Stop,
)
from companion.games.olympeak.position import GameState, Phase, Player, Setup, SetupError
from companion.games.olympeak.refusal import FINDINGS, IllegalEvent, Reason
from companion.games.olympeak.scoring import places, score
from companion.games.olympeak.whereabouts import may_hold, misplaced

from .tabletop import NAMES, after, grid, play, reveal, table

RED = "+1 h1 red"


def why(state: GameState, event: Event) -> str:
    text = rules.explain_illegal(state, event)
    assert text is not None
    with pytest.raises(IllegalEvent) as caught:
        rules.apply(state, event)
    assert str(caught.value).startswith(text)
    return text


def test_o1_white_and_stars_stay_in_the_box_with_three() -> None:
    state = table(3, {"p001": "+1 h1 white *", "p002": RED, "p003": RED, "p004": "+1 h1 red white"})
    assert state.setup.racing == ("blue", "green", "red")
    text = why(state, Reveal(("p001", "p002", "p003")))
    assert text == "p001 (+1, white) has a star and stays in the box with 3 players (O1)."
    # White on a card without a star is a sign without a contender.
    assert reveal(state, "p004", "p002", "p003").targets("p004") == ("red",)


def test_o1_everything_is_in_with_four_and_the_left_card_counts_the_rounds() -> None:
    state = table(4, {"p001": "+1 h1 white *", "p002": RED, "p003": RED, "p004": RED})
    assert state.setup.racing == contenders_in_play(6) == ("blue", "green", "red", "white")
    assert reveal(state, "p001", "p002", "p003", "p004").phase is Phase.PLAY
    assert default_box().rounds(("red", "blue", "white", "green")) == 3
    assert default_box().rounds(("green", "blue", "red")) == 1


def test_a_setup_names_all_its_defects_at_once() -> None:
    seats = tuple(Player(name, 0) for name in NAMES[:3])
    with pytest.raises(SetupError) as caught:
        Setup(seats, ("white", "blue", "red"), 4, Deck(()), "loose")
    assert len(caught.value.defects) == 4
    with pytest.raises(SetupError, match="1 players where 2 to 6 can play"):
        Setup(seats[:1], ("red", "green", "blue"), 1, Deck(()))


@pytest.mark.parametrize(
    ("cards", "order"),
    [
        (("+4 h1 red", "-2 h4 red", "+0 h3 red"), (1, 2, 0)),  # most heads
        (("+4 h4 red", "-2 h3 red", "+3 h4 red"), (2, 0, 1)),  # then the lowest value
        (("+2 h4 red", "-2 h3 red", "+2 h4 red"), (2, 0, 1)),  # then the youngest, here the last seat
        (("stop", "+1 h1 red", "insert"), (1, 2, 0)),  # order cards cannot lead
    ],
)
def test_o2_who_leads(cards: tuple[str, ...], order: tuple[int, ...]) -> None:
    names = [f"{'p00' if text[0] in '+-' else 'o0'}{n}" for n, text in enumerate(cards, 1)]
    state = table(3, dict(zip(names, cards, strict=True)))
    assert reveal(state, *names).order == order


def test_o2_only_the_player_to_act_may_play_and_only_the_card_revealed() -> None:
    state = reveal(table(2, {"p001": "+1 h4 red", "p002": "+1 h1 blue"}), "p001", "p002")
    assert why(state, Play(1, "p002", "blue")) == "It is Ada's turn, not Ben's (O2)."
    assert why(state, Play(7, "p002", "blue")) == "It is Ada's turn, not seat 7's (O2)."
    assert why(state, Play(0, "p002", "blue")) == "Ada revealed p001 and must play it, not p002 (O2)."
    assert why(state, Reveal(("p001", "p002"))) == "First Ada is to play p001 (O2)."


def test_o3_a_turn_of_order_cards_only_uses_no_row() -> None:
    state = table(2, {"o01": "stop", "o02": "insert", **{f"p{n:03d}": RED for n in range(1, 20)}})
    begun = reveal(state, "o01", "o02")
    assert (begun.phase, begun.order, begun.turn) == (Phase.REVEAL, (), 2)
    assert begun.discarded == {"o01", "o02"}
    assert begun.hands == (6, 6)
    assert begun.piles.total == state.piles.total  # two discarded, two drawn
    assert play(reveal(begun, "p001", "p002"), "red").placed[0].row == 1


def test_o4_signs_taken_places_and_the_row_that_must_be_open() -> None:
    state = table(3, {"p001": "+1 h4 red", "p002": "+1 h1 red blue", "o01": "stop"})
    state = play(reveal(state, "p001", "p002", "o01"), "red")
    assert state.targets("p002") == ("blue",)
    assert state.targets("o01") == ("blue", "green")
    assert why(state, Play(1, "p002", "green")) == (
        "p002 (+1, blue or red) may not go under green, it does not show that sign (O4)."
    )
    assert why(state, Play(1, "p002", "red")) == (
        "Red already has a card in row 1, free there: blue, green (O4)."
    )
    assert why(state, Play(1, "p002", "white")) == "White does not race in this game (O1)."
    assert why(state, Play(1, "p002", "blue", row=2)) == "p002 belongs in row 1, not in row 2 (O4)."


def test_o4_a_full_row_opens_the_next_and_a_new_turn_a_new_row() -> None:
    cards = {"p001": "+1 h4 red", "p002": "+1 h1 blue", "p003": "+1 h1 green", "p004": "+1 h1 red"}
    state = table(4, {**cards, "p005": "+1 h1 white *", "p006": "+1 h2 red", "p007": RED, "p008": RED})
    state = reveal(state, "p001", "p002", "p003", "p004")
    state = play(play(play(state, "red"), "blue"), "green")
    # White is still free in row 1, and the card shows red only.
    assert rules.legal(state) == (Blocked(3, "p004"),)
    state = after(state, Blocked(3, "p004"), EndTurn())
    assert state.open_row == (2, ("blue", "green", "red", "white"))
    three = table(4, {**cards, "o01": "stop", "p005": "+1 h1 white *"})
    three = reveal(three, "p001", "p002", "p003", "p005")
    full = play(play(play(play(three, "red"), "blue"), "green"), "white")
    assert (full.phase, full.open_row[0]) == (Phase.TURN_END, 2)


def test_o5_who_can_place_must_and_who_cannot_takes_the_card_back() -> None:
    cards = {"p001": "+1 h4 red", "p002": "+1 h1 red", "p003": "+1 h1 red blue"}
    state = table(3, {**cards, **_filler(30)})
    state = play(reveal(state, "p001", "p002", "p003"), "red")
    assert why(state, Play(1, "p002", "red")).startswith("Red already has a card")
    blocked = rules.apply(state, Blocked(1, "p002"))
    assert blocked.hands == (6, 7, 5)
    assert blocked.held[1] == {"p002"}
    assert blocked.seat == 2
    assert why(blocked, Blocked(2, "p003")) == (
        "Chloe must place p003 (+1, blue or red), it can go under blue (O5)."
    )


def _filler(count: int) -> dict[str, str]:
    return {f"p{n:03d}": "+0 h1 blue green red" for n in range(105, 105 - count, -1)}


def test_o6_an_empty_draw_pile_is_made_anew_from_the_discard_pile() -> None:
    # 14 cards for two players: two are left to draw.
    state = table(2, {"o01": "remove", "p001": "+1 h4 red", **_filler(12)})
    state = play(reveal(state, "p001", "o01"), "red")
    assert state.piles.draw_range[0] == 1
    state = after(play(state, "blue"), Remove(1, "p001"), EndTurn())
    # The second draw emptied the pile, and the removed card may have been shuffled in.
    assert state.piles.total == 1
    assert state.discarded == frozenset()
    assert rules.explain_illegal(state, Reveal(("p001", "p105"))) is None


def test_o6_with_both_piles_empty_nobody_draws() -> None:
    state = table(2, {"o01": "insert", "p001": "+1 h4 red", **_filler(10)})
    assert state.piles.total == 0
    state = play(reveal(state, "p001", "o01"), "red")
    assert state.hands == (5, 5)
    state = play(state, "blue")
    assert why(state, DeclineInsert(1, True)) == (
        "Both piles are empty, so nobody can have drawn a card (O6)."
    )
    assert DeclineInsert(1, True) not in rules.legal(state)
    assert rules.apply(state, DeclineInsert(1, False)).hands == (5, 5)


def test_o7_stop_ends_the_turn_and_the_others_take_their_cards_back() -> None:
    cards = {"p001": "+1 h4 red", "o01": "stop", "p002": "+4 h1 blue", "p003": "+4 h1 blue"}
    state = play(
        play(reveal(table(4, {**cards, **_filler(60)}), "p001", "o01", "p002", "p003"), "red"), "green"
    )
    assert rules.legal(state) == (Stop(1, False), Stop(1, True))
    assert why(state, Play(2, "p002", "blue")) == "First Ben decides on the Stop card (O7)."
    stopped = rules.apply(state, Stop(1, True))
    assert stopped.phase is Phase.TURN_END
    assert stopped.hands == (6, 6, 7, 7)
    assert stopped.held[2:] == (frozenset({"p002"}), frozenset({"p003"}))
    assert rules.apply(stopped, EndTurn()).cube == {"blue": 0, "green": 0, "red": 1, "white": 0}
    assert rules.apply(state, Stop(1, False)).seat == 2


def test_o8_remove_takes_a_card_of_its_own_row_and_frees_the_place() -> None:
    cards = {"p001": "+4 h4 red", "o01": "remove", "p002": "+1 h1 red"}
    state = reveal(table(3, {**cards, **_filler(60)}), "p001", "o01", "p002")
    state = play(play(state, "red"), "blue")
    assert rules.legal(state) == (Remove(1, None), Remove(1, "p001"))
    assert why(state, Remove(1, "p002")) == (
        "Remove takes another card of its own row, here only p001, and p002 is none (O8)."
    )
    state = play(rules.apply(state, Remove(1, "p001")), "red")
    assert grid(state) == {"blue": {1: "o01"}, "green": {}, "red": {1: "p002"}}
    assert rules.apply(state, EndTurn()).cube["red"] == 1
    assert state.discarded == {"p001"}


def test_o8_a_hole_keeps_its_row_open() -> None:
    cards = {"p001": "+1 h4 red", "p002": "+1 h1 blue", "o01": "remove", "p003": "+1 h1 blue"}
    state = reveal(table(4, {**cards, "o02": "insert", **_filler(60)}), "p001", "p002", "o02", "o01")
    # Row 1 fills up: red, blue, Insert, Remove; the Remove makes a hole in it.
    state = play(play(play(state, "red"), "blue"), "green")
    state = play(rules.apply(state, DeclineInsert(2, False)), "white")
    assert state.open_row[0] == 2
    state = rules.apply(state, Remove(3, "p002"))
    assert state.open_row == (1, ("blue",))


def test_o8_nothing_to_remove_in_a_row_just_opened() -> None:
    cards = {"p001": "+1 h4 red", "p002": "+1 h1 blue", "o01": "insert", "o02": "remove"}
    state = reveal(table(3, {**cards, **_filler(60)}), "p001", "p002", "o01")
    state = play(play(play(state, "red"), "blue"), "green")
    state = rules.apply(state, Insert(2, "o02", "red", row=2))
    assert rules.legal(state) == (Remove(2, None),)
    assert "here nothing" in why(state, Remove(2, "p001"))
    assert rules.apply(state, Remove(2, None)).phase is Phase.TURN_END


def test_o8_remove_may_take_the_insert_that_brought_it_in() -> None:
    cards = {"p001": "+1 h4 red", "o01": "insert", "o02": "remove"}
    state = play(play(reveal(table(2, {**cards, **_filler(40)}), "p001", "o01"), "red"), "blue")
    state = rules.apply(state, Insert(1, "o02", "green"))
    assert rules.legal(state) == (Remove(1, None), Remove(1, "o01"), Remove(1, "p001"))
    state = rules.apply(state, Remove(1, "o01"))
    assert state.open_row == (1, ("blue",))
    assert state.columns == {"blue": 0, "green": 1, "red": 1}


def test_o9_insert_draws_one_places_one_and_then_draws_once_more() -> None:
    cards = {"p001": "+1 h4 red", "o01": "insert", "p002": "+4 h1 green", "p003": RED}
    state = play(play(reveal(table(2, {**cards, **_filler(40)}), "p001", "o01"), "red"), "blue")
    assert state.hands == (6, 5)
    placed = rules.apply(state, Insert(1, "p002", "green"))
    assert placed.hands == (6, 6)  # one drawn, one laid, one drawn
    assert rules.apply(state, DeclineInsert(1, True)).hands == (6, 7)
    assert rules.apply(state, DeclineInsert(1, False)).hands == (6, 6)
    assert why(state, Insert(1, "p003", "red")).startswith("Red already has a card in row 1")
    assert why(state, Insert(1, "p003", "red", row=2)).startswith("Red already has a card in row 1")
    assert Insert(1, "p002", "green", 1) in rules.legal(state)


def test_o9_a_full_row_lets_the_inserted_card_open_the_next() -> None:
    cards = {"p001": "+1 h4 red", "p002": "+1 h1 blue", "o01": "insert", "p003": "+3 h1 blue"}
    state = reveal(table(3, {**cards, **_filler(40)}), "p001", "p002", "o01")
    state = rules.apply(play(play(play(state, "red"), "blue"), "green"), Insert(2, "p003", "blue", row=2))
    assert grid(state)["blue"] == {1: "p002", 2: "p003"}
    assert rules.apply(state, EndTurn()).cube == {"blue": 4, "green": 0, "red": 1}


def test_o9_inserts_may_be_chained_and_a_stop_at_the_end_ends_the_turn() -> None:
    cards = {"p001": "+1 h4 red", "o01": "insert", "o02": "insert", "o03": "stop", "p002": "+1 h1 white *"}
    state = reveal(table(4, {**cards, "p003": RED, **_filler(60)}), "p001", "o01", "p002", "p003")
    state = play(play(state, "red"), "blue")
    state = rules.apply(state, Insert(1, "o02", "green"))
    assert (state.seat, state.pending) == (1, "o02")
    state = rules.apply(state, Insert(1, "o03", "white"))
    # Two cards drawn for the two Inserts and two laid; the normal draw comes when the chain is over.
    assert state.hands[1] == 5
    state = rules.apply(state, Stop(1, True))
    assert state.phase is Phase.TURN_END
    assert state.hands == (6, 6, 7, 7)


def test_o9_the_card_inserted_comes_from_the_hand_not_from_the_table() -> None:
    cards = {"p001": "+1 h4 red", "o01": "insert", "p002": "+1 h1 green"}
    state = reveal(table(3, {**cards, **_filler(40)}), "p001", "o01", "p002")
    state = play(play(state, "red"), "blue")
    assert why(state, Insert(1, "p002", "green")) == (
        "p002 lies revealed before Chloe, not in the hand (O9)."
    )
    assert why(state, Insert(1, "p001", "green")).startswith("p001 (+1, red) cannot come from Ben's hand")
    assert not [e for e in rules.legal(state) if isinstance(e, Insert) and e.card in ("p001", "p002", "o01")]


def test_o10_cubes_move_by_what_still_lies_and_are_clamped_for_good() -> None:
    deck = {f"p{n:03d}": "-2 h1 blue" for n in range(1, 4)} | {"p011": "+1 h1 blue"}
    deck |= {f"p{n:03d}": "+4 h4 red" for n in range(21, 25)}
    state = table(2, deck)
    for low, high in (("p001", "p021"), ("p002", "p022"), ("p003", "p023")):
        state = rules.apply(play(play(reveal(state, low, high), "red"), "blue"), EndTurn())
    assert state.cube == {"blue": -5, "green": 0, "red": 12}
    state = rules.apply(play(play(reveal(state, "p011", "p024"), "red"), "blue"), EndTurn())
    assert state.cube["blue"] == -4  # the sixth step down is not remembered


def _six_turns(state: GameState) -> GameState:
    for n in range(1, 7):
        state = play(reveal(state, f"p{n:03d}", f"p{n + 20:03d}"), "red")
        state = rules.apply(play(state, "blue"), EndTurn())
    return state


def _race(rounds: int) -> GameState:
    deck = {f"p{n:03d}": "+4 h4 red" for n in range(1, 13)}
    deck |= {f"p{n:03d}": "+1 h1 blue" for n in range(21, 33)}
    return table(2, {**deck, **_filler(40)}, rounds=rounds)


def test_o11_a_column_of_six_ends_the_round() -> None:
    state = _six_turns(_race(rounds=2))
    assert (state.phase, state.round) == (Phase.ROUND_END, 1)
    assert why(state, Reveal(("p007", "p027"))) == ("The round is over, first the columns are cleared (O11).")
    state = rules.apply(state, EndRound())
    assert (state.phase, state.round, state.placed) == (Phase.REVEAL, 2, ())
    assert state.cube == {"blue": 6, "green": 0, "red": 24}
    assert state.open_row[0] == 1
    assert len(state.discarded) == 12
    assert why(state, Reveal(("p001", "p027"))).endswith(
        "it is on the discard pile, which has not been shuffled since (O6)."
    )


def test_o12_the_last_round_or_a_contender_on_35_ends_the_game() -> None:
    assert _six_turns(_race(rounds=1)).phase is Phase.PREDICTIONS
    state = rules.apply(_six_turns(_race(rounds=3)), EndRound())
    for n in (7, 8, 9):
        state = play(reveal(state, f"p{n:03d}", f"p{n + 20:03d}"), "red")
        state = rules.apply(play(state, "blue"), EndTurn())
    assert (state.phase, state.cube["red"], state.round) == (Phase.PREDICTIONS, 35, 2)
    over = rules.apply(state, Predictions(("red", "blue"), ("blue", "red")))
    assert over.phase is Phase.OVER
    assert over.outcome is not None
    assert over.outcome.winners == (0,)
    assert why(over, EndTurn()) == "The game is over and scored (O12)."
    assert rules.legal(over) == ()


def test_o13_equal_cubes_share_a_place() -> None:
    cubes = {"blue": 10, "green": 10, "red": 3, "white": 3}
    assert places(cubes, "dense") == {"blue": 1, "green": 1, "red": 2, "white": 2}
    assert places(cubes, "competition") == {"blue": 1, "green": 1, "red": 3, "white": 3}


def test_o14_points_and_their_reasons() -> None:
    standing = {"blue": 1, "green": 2, "red": 3, "white": 3}
    assert [score(*pair, standing).points for pair in (("blue", "green"), ("green", "blue"))] == [9, 6]
    third = score("red", "blue", standing)
    assert third.points == 3
    assert third.reasons == (
        "Red was predicted first and came third (shared): 0 points.",
        "Blue was predicted second and came first: 3 points.",
    )


def test_o14_equals_win_together() -> None:
    state = _six_turns(_race(rounds=1))
    # Red came first, blue second, green third.
    for first, second, points, winners in (
        (("red", "blue"), ("green", "red"), (5, 6), (1,)),
        (("blue", "red"), ("green", "blue"), (3, 9), (1,)),
        (("green", "blue"), ("red", "green"), (3, 3), (0, 1)),
    ):
        over = rules.apply(state, Predictions(first, second))
        assert over.outcome is not None
        assert (over.outcome.points, over.outcome.winners) == (points, winners)


def test_o15_predictions() -> None:
    state = _six_turns(_race(rounds=1))
    assert why(state, Predictions(("red", "red"), ("red", "blue"))) == (
        "Ada predicted red both first and second (O15)."
    )
    assert why(state, Predictions(("white", "red"), ("red", "blue"))) == (
        "Ada predicted white, which does not race (O1)."
    )
    assert why(state, Predictions(("blue", "red"), ("green", "green"))) == (
        "Two players predicted green second, but those tiles are dealt from one set (O15)."
    )
    assert why(state, Predictions(("blue",), ("green",))).startswith("Each player predicts")


def test_o15_with_four_two_players_may_predict_the_same() -> None:
    deck = {f"p{n:03d}": "+1 h1 blue green red white *" for n in range(1, 60)}
    state = table(4, deck, rounds=1)
    n = 0
    while state.phase is Phase.REVEAL:
        names = [f"p{n + seat:03d}" for seat in range(1, 5)]
        n += 4
        state = reveal(state, *names)
        for contender in state.setup.racing:
            state = play(state, contender)
        state = rules.apply(state, EndTurn())
    same = Predictions(("red",) * 4, ("blue",) * 4)
    assert rules.explain_illegal(state, same) is None
    result = rules.apply(state, same).outcome
    assert result is not None
    assert result.winners == (0, 1, 2, 3)


def test_o16_a_second_row_in_one_turn_with_two_players() -> None:
    cards = {"p001": "+1 h4 red", "o01": "insert", "o02": "insert", "p002": "+2 h1 red", "p003": "+1 h1 blue"}
    state = play(play(reveal(table(2, {**cards, **_filler(40)}), "p001", "o01"), "red"), "blue")
    state = after(state, Insert(1, "o02", "green", 1), Insert(1, "p002", "red", 2))
    assert grid(state) == {"blue": {1: "o01"}, "green": {1: "o02"}, "red": {1: "p001", 2: "p002"}}
    assert state.phase is Phase.TURN_END


def test_o17_a_card_in_two_places_or_in_the_wrong_hand_is_found() -> None:
    cards = {"p001": "+1 h4 red", "p002": "+1 h1 red", "p003": "+1 h1 blue"}
    state = reveal(table(3, {**cards, **_filler(40)}), "p001", "p002", "p003")
    state = after(play(state, "red"), Blocked(1, "p002"))
    state = after(play(state, "blue"), EndTurn())
    assert why(state, Reveal(("p001", "p105", "p104"))) == (
        "p001 (+1, red) cannot come from Ada's hand, it lies under red in row 1 (O17)."
    )
    assert why(state, Reveal(("p002", "p105", "p104"))) == (
        "p002 (+1, red) cannot come from Ada's hand, Ben took it back (O17)."
    )
    assert why(state, Reveal(("p105", "p105", "p104"))) == (
        "p105 lies before two players, and there is only one of it (O17)."
    )
    assert why(state, Reveal(("x9", "p105", "p104"))) == "x9 is no card of this box (O17)."
    assert why(state, Reveal(("p105",))) == "Each of the 3 players reveals one card, and 1 are shown (O2)."
    assert rules.explain_illegal(state, Reveal(("p105", "p002", "p104"))) is None


def test_o17_after_a_finding_the_game_goes_on() -> None:
    cards = {"p001": "+1 h4 red", "p002": "+1 h1 blue"}
    state = reveal(table(2, {**cards, **_filler(40)}), "p001", "p002")
    state = rules.apply(play(play(state, "red"), "blue"), EndTurn())
    found = rules.refusals(state, Reveal(("p001", "p105")))
    assert {each.reason for each in found} == {Reason.ON_TABLE} <= FINDINGS
    assert rules.apply(state, Reveal(("p001", "p105")), accept=FINDINGS).phase is Phase.PLAY


def test_o17_what_was_taken_back_may_be_exchanged_after_the_round() -> None:
    deck = {f"p{n:03d}": "+4 h4 red" for n in range(1, 13)}
    deck |= {f"p{n:03d}": "+1 h1 red" for n in range(21, 33)}
    state = table(2, {**deck, **_filler(70)}, rounds=2)
    for n in range(1, 7):
        state = play(reveal(state, f"p{n:03d}", "p021"), "red")
        state = after(state, Blocked(1, "p021"), EndTurn())
    assert state.held[1] == {"p021"}
    state = rules.apply(state, EndRound())
    assert state.loose[1] == {"p021"}
    assert "no discard pile has been shuffled" in why(state, Reveal(("p021", "p022")))
    assert rules.explain_illegal(state, Reveal(("p007", "p021"))) is None


def test_o17_a_hand_that_is_known_whole_holds_nothing_else() -> None:
    # Thirteen cards for two players: Ada draws the one that is left, and Ben is blocked with each of his.
    reds = {f"p{n:03d}": "+1 h4 red" for n in (1, 2, 3)} | {f"p{n:03d}": RED for n in (11, 12, 13)}
    blues = {f"p{n:03d}": "+1 h4 blue" for n in (4, 5, 6)} | {f"p{n:03d}": "+1 h1 blue" for n in (14, 15, 16)}
    state = table(2, {**reds, **blues, "p020": RED})
    for n in range(1, 7):
        assert misplaced(state, 1, "p020") is None
        mine, theirs = f"p{n:03d}", f"p{n + 10:03d}"
        state = play(reveal(state, mine, theirs), "red" if n < 4 else "blue")
        state = after(state, Blocked(1, theirs), EndTurn())
    assert state.hands == (1, 6)
    found = misplaced(state, 1, "p020")
    assert found is not None
    assert found.text == "Ben's whole hand is known and p020 (+1, red) is not in it (O17)."
    assert may_hold(state, 1) == ("p011", "p012", "p013", "p014", "p015", "p016")
