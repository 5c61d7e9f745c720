"""The rulebook's own examples, as printed."""

from __future__ import annotations

from companion.games.olympeak import rules
from companion.games.olympeak.cards import Deck, contenders_in_play
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import Blocked, EndTurn, Insert, Play, Remove, Stop
from companion.games.olympeak.position import GameState, Phase, Player, Setup, begin, order_of_play
from companion.games.olympeak.scoring import outcome

from .tabletop import after, card, grid, play, reveal, table


def test_order_of_play_in_a_round() -> None:
    """Danny, Roni, Sharon and Tammy: Roni and Tammy show four heads, Roni's value is lower."""
    names = ("Roni", "Danny", "Sharon", "Tammy")  # clockwise: Danny follows Roni
    cards = {"p001": "+1 h4 white", "p002": "+2 h2 red", "p003": "+3 h3 red white", "p004": "+3 h4 blue"}
    deck = Deck(
        tuple(
            card(name, text)
            for name, text in {**cards, **{f"p{n:03d}": "+0 h1 red" for n in range(10, 60)}}.items()
        )
    )
    seats = tuple(Player(name, age) for age, name in enumerate(names))
    state = begin(Setup(seats, contenders_in_play(4), 2, deck))
    state = reveal(state, "p001", "p002", "p003", "p004")
    assert [names[seat] for seat in state.order] == ["Roni", "Danny", "Sharon", "Tammy"]
    state = play(play(state, "white"), "red")
    # Sharon's card goes only under white or red: she loses her turn and draws.
    assert rules.legal(state) == (Blocked(2, "p003"),)
    state = rules.apply(state, Blocked(2, "p003"))
    assert state.hands[2] == 7
    state = play(state, "blue")
    assert state.columns == {"blue": 1, "green": 0, "red": 1, "white": 1}
    state = rules.apply(state, EndTurn())
    assert state.cube == {"blue": 3, "green": 0, "red": 2, "white": 1}
    assert (state.phase, state.turn) == (Phase.REVEAL, 2)


def _four_turns() -> GameState:
    """The example of a four player game: rows 1 to 5 in four turns, two rounds by the blue card."""
    every = "blue green red white"
    deck = {f"p{n:03d}": f"+1 h1 {every}" for n in range(30, 90)}
    deck |= {
        "p001": f"+1 h4 {every}", "o01": "stop", "p002": "+1 h1 red", "p003": "+1 h1 red",
        "p004": f"+1 h4 {every}", "p005": "+1 h1 blue", "p006": "+1 h1 white", "p007": "+1 h1 white",
        "p008": f"+1 h4 {every}", "p009": "+1 h1 green", "o02": "remove", "p010": "+1 h1 blue",
        "p011": f"+1 h4 {every}", "p012": "+1 h1 red", "o03": "insert", "p013": "+1 h1 white",
        "p014": "+1 h1 blue",
    }  # fmt: skip
    state = table(4, deck, rounds=default_box().rounds(("blue", "green", "red", "white")))
    # Turn 1, row 1: the second player stops the turn, so two cards only.
    state = play(play(reveal(state, "p001", "o01", "p002", "p003"), "white"), "red")
    state = after(state, Stop(1, True), EndTurn())
    # Turn 2, row 2: one player cannot play, so three cards.
    state = play(play(reveal(state, "p004", "p005", "p006", "p007"), "red"), "blue")
    state = after(play(state, "white"), Blocked(3, "p007"), EndTurn())
    # Turn 3, row 3: a card is taken out by Remove.
    state = play(play(reveal(state, "p008", "p009", "o02", "p010"), "white"), "green")
    state = rules.apply(play(state, "red"), Remove(2, "p009"))
    state = rules.apply(play(state, "blue"), EndTurn())
    # Turn 4: the third player's Insert fills row 4, so the fourth opens row 5 under blue.
    state = play(play(reveal(state, "p011", "p012", "o03", "p014"), "green"), "red")
    state = rules.apply(play(state, "blue"), Insert(2, "p013", "white", row=4))
    assert rules.legal(state) == (Play(3, "p014", "blue", 5),)
    return rules.apply(play(state, "blue"), EndTurn())


def test_example_of_a_four_player_game() -> None:
    state = _four_turns()
    assert state.setup.rounds == 2
    assert {contender: sorted(column) for contender, column in grid(state).items()} == {
        "blue": [2, 3, 4, 5],
        "green": [4],
        "red": [1, 2, 3, 4],
        "white": [1, 2, 3, 4],
    }
    # The round goes on until six cards, not six rows, lie in a column.
    assert (state.phase, state.round, state.open_row[0]) == (Phase.REVEAL, 1, 6)


def test_scoring_example_of_sharon_and_danny() -> None:
    cubes = {"blue": 20, "green": 15, "red": 9, "white": 4}
    result = outcome(cubes, "dense", ("green", "blue"), ("blue", "red"))
    assert result.points == (6, 5)
    assert result.winners == (0,)
    assert result.scores[0].reasons == (
        "Green was predicted first and came second: 3 points.",
        "Blue was predicted second and came first: 3 points.",
    )
    assert result.scores[1].reasons == (
        "Blue was predicted first and came first: 5 points.",
        "Red was predicted second and came third: 0 points.",
    )


def test_a_cube_stays_at_either_end_until_it_is_moved() -> None:
    deck = {f"p{n:03d}": "-2 h4 blue" for n in range(1, 5)} | {
        f"p{n:03d}": "+4 h1 blue" for n in range(11, 41)
    }
    state = table(2, deck)
    lowest = []
    for n in range(1, 5):
        state = play(reveal(state, f"p{n:03d}", f"p{n + 10:03d}"), "blue")
        state = after(state, Blocked(1, f"p{n + 10:03d}"), EndTurn())
        lowest.append(state.cube["blue"])
    assert lowest == [-2, -4, -5, -5]
    assert order_of_play(state.setup, ("p011", "p012")) == (1, 0)
