"""What is against the rules is said with its reason and the way back, and nobody is accused for nothing."""

from __future__ import annotations

import pytest

from companion.games.olympeak.box import Box
from companion.games.olympeak.cards import Deck
from companion.games.olympeak.events import Blocked, EndTurn, Event, Lying, Play, Reveal, Ruling
from companion.games.olympeak.position import GameState
from companion.games.olympeak.rules import apply
from companion.referee.olympeak import refusal
from companion.referee.olympeak.ledger import LENIENT
from companion.referee.olympeak.referee import OlympeakReferee
from companion.referee.verdict import Kind, Mark, Verdict
from tests.games.olympeak.tabletop import card
from tests.games.olympeak.tabletop import table as fresh
from tests.referee.olympeak.tabletop import Notes, Tabletop
from tests.sentences import sentences, unsaid

CARDS = {
    "p001": "+3 h4 blue red",
    "p002": "+1 h3 blue",
    "p003": "-1 h2 green red",
    "p004": "+2 h1 white blue",
    "p005": "+2 h4 blue green red white",
    "p006": "+1 h3 blue green red white",
    "p007": "+1 h2 blue green red white",
    "p008": "+1 h1 blue green red white",
    "p009": "+4 h1 blue *",
    "o01": "stop",
    "o02": "remove",
    "o03": "insert",
    "o04": "insert",
    # The rest of the deck, so that there is something to draw.
    **{f"p{number:03d}": "+1 h1 blue" for number in range(20, 60)},
}
RED = "column red"


class Game:
    """A game of small cards at a table, from the events that have already happened."""

    def __init__(self, players: int, *events: Event) -> None:
        start = fresh(players, CARDS)
        state = start
        for event in events:
            state = apply(state, event, accept=LENIENT)
        self.state: GameState = state
        self.notes = Notes()
        deck = Deck(tuple(card(name, text) for name, text in CARDS.items()))
        box = Box(deck, {}, dict.fromkeys(("blue", "green", "red", "white"), 3))
        self.referee = OlympeakReferee(
            [player.name for player in start.setup.players],
            self.notes,
            ages=[player.age_order for player in start.setup.players],
            box=box,
            start=start,
            events=events,
        )
        self.table = Tabletop.of(state)
        self.now = 0.0
        self.look(0.3)

    def discard(self, contender: str, row: int) -> None:
        """A card goes from a column to the discard pile."""
        self.table.discard_top = self.table.columns.pop((contender, row))

    def look(self, seconds: float = 1.2) -> Verdict:
        until = self.now + seconds
        while self.now < until:
            self.now += 0.07
            self.referee.observe(self.table.reading(self.now))
        return self.referee.verdict

    def lay(self, name: str, to: str, row: int, seat: int | None = None) -> None:
        if seat is not None:
            del self.table.zones[seat]
        self.table.columns[to, row] = name


def revealed(*cards: str) -> Game:
    """Everybody has just turned up these cards."""
    return Game(len(cards), Reveal(cards))


def refused(game: Game, rule: str, *words: str) -> Verdict:
    verdict = game.look()
    assert verdict.kind is Kind.ILLEGAL, verdict
    assert verdict.rule == rule, verdict
    for word in words:
        assert word in verdict.text, verdict
    assert verdict.todo
    assert verdict.marks
    assert game.notes.refusals == [(verdict.text, rule)]
    return verdict


def test_a_column_that_the_card_does_not_name() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "white", 1, seat=0)
    verdict = refused(game, "O4", "p001", "white", "sign")
    assert ("column white", Mark.WRONG) in verdict.marks
    assert ("reveal 0", Mark.RETURN) in verdict.marks
    del game.table.columns["white", 1]
    game.lay("p001", "red", 1)
    assert game.look().kind is Kind.READY
    assert game.referee.verdict.seat == 1


def test_a_place_that_is_taken() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "blue", 1, seat=0)
    game.look(0.3)
    # Ben is blocked, so it is Chloe's turn; she lays on, then Dan where blue is taken.
    game.lay("p003", "red", 1, seat=2)
    game.look(0.3)
    game.lay("p004", "blue", 2, seat=3)
    verdict = refused(game, "O4", "Blue already has a card in row 1")
    assert verdict.seat == 3


def test_a_card_laid_on_top_of_another() -> None:
    game = revealed("p005", "p001", "p003", "p004")
    game.lay("p005", "red", 1, seat=0)
    game.look(0.3)
    game.lay("p001", "red", 1, seat=1)
    refused(game, "O4", "Red already has a card in row 1")


def test_the_wrong_player() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p003", "green", 1, seat=2)
    verdict = refused(game, "O2", "It is Ada's turn, not Chloe's")
    assert verdict.seat == 2
    assert ("reveal 2", Mark.RETURN) in verdict.marks


def test_a_card_swapped_after_the_reveal_on_its_way_to_the_column() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p006", "red", 1, seat=0)
    refused(game, "O2", "Ada revealed p001 and must play it, not p006")


def test_a_card_swapped_after_the_reveal_in_its_place() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.table.zones[2] = "p006"
    verdict = refused(game, "O2", "Chloe revealed p003 and must play it, not p006")
    assert verdict.seat == 2
    game.table.zones[2] = "p003"
    assert game.look(0.3).kind is Kind.READY


def test_two_cards_at_once() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "red", 1, seat=0)
    game.lay("p006", "green", 1)
    verdict = refused(game, "O2", "Two cards at once: Ada", "p006")
    assert verdict.seat == 0


def test_a_row_that_is_closed_and_a_row_too_far_down() -> None:
    played = (
        Reveal(("p005", "p006", "p007", "p008")),
        Play(0, "p005", "blue"),
        Play(1, "p006", "red"),
        Play(2, "p007", "green"),
    )
    game = Game(4, *played)
    game.lay("p008", "white", 2, seat=3)
    refused(game, "O4", "row 1, not in row 2")


def test_an_inserted_card_that_may_not_lie_there() -> None:
    game = revealed("p001", "o03", "p003", "p004")
    game.lay("p001", "red", 1, seat=0)
    game.look(0.3)
    game.lay("o03", "green", 1, seat=1)
    assert game.look(0.3).kind is Kind.UNFINISHED
    game.lay("p002", "white", 1)
    verdict = refused(game, "O4", "p002", "white")
    assert verdict.seat == 1


def test_a_card_before_everybody_has_revealed() -> None:
    game = Game(4)
    game.lay("p001", "red", 1)
    refused(game, "O2", "first every player reveals")


def full_column() -> Game:
    """Six cards lie under blue: the round is over."""
    turns = [
        (Reveal((f"p0{n}", f"p0{n + 1}")), Play(1, f"p0{n + 1}", "blue"), Blocked(0, f"p0{n}"), EndTurn())
        for n in range(20, 32, 2)
    ]
    return Game(2, *(event for turn in turns for event in turn))


def test_a_card_after_the_last_one_of_a_round() -> None:
    game = full_column()
    game.lay("p006", "red", 6)
    verdict = refused(game, "O11", "The round is over", "p006 lies under red", "Take p006 away")
    assert verdict.seat == 1
    assert (RED, Mark.WRONG) in verdict.marks
    del game.table.columns["red", 6]
    assert game.look(0.5).kind is Kind.UNFINISHED


def test_a_card_after_the_last_one_of_the_game() -> None:
    lying = Lying("p020", "blue", 1, 0, 1)
    game = Game(2, Ruling("", 1, (("blue", 35), ("green", 0), ("red", 0)), (lying,)))
    assert game.referee.verdict.kind is Kind.UNFINISHED
    game.lay("p006", "red", 1)
    refused(game, "O12", "The game is over", "Take p006 away")
    del game.table.columns["red", 1]
    assert game.look(0.5).kind is Kind.UNFINISHED


def test_a_played_card_moved_to_another_column_later() -> None:
    turns = (Reveal(("p001", "p003")), Play(0, "p001", "red"), Play(1, "p003", "green"), EndTurn())
    game = Game(
        2, *turns, Reveal(("p005", "p006")), Play(0, "p005", "green"), Play(1, "p006", "red"), EndTurn()
    )
    game.look(0.3)
    game.table.columns["blue", 1] = game.table.columns.pop(("red", 1))
    verdict = refused(game, "O4", "p001 was played under red")
    assert [todo.text for todo in verdict.todo] == ["Put p001 back under red, row 1: it lies under blue."]
    assert (RED, Mark.RETURN) in verdict.marks


def test_a_player_may_lay_the_card_elsewhere_until_the_next_one_plays() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "blue", 1, seat=0)
    assert game.look(0.5).seat == 2
    game.table.columns["red", 1] = game.table.columns.pop(("blue", 1))
    assert game.look(0.5).seat == 1
    assert not game.notes.refusals


def test_one_look_and_moving_hands_accuse_nobody() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p003", "white", 1, seat=2)
    game.look(0.05)
    for _ in range(20):
        game.now += 0.3
        game.referee.observe(game.table.reading(game.now, moving=True))
    game.now += 0.05
    game.referee.observe(game.table.reading(game.now))
    assert game.referee.verdict.kind is not Kind.ILLEGAL
    assert not game.notes.refusals


def test_what_is_merely_not_seen_gets_time_and_what_is_covered_costs_nothing() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "red", 1, seat=0)
    game.look(0.5)
    game.table.hidden = {RED, "reveal 1"}
    assert game.look(8.0).kind is Kind.READY
    game.table.hidden = set()
    game.lay("p002", "blue", 1, seat=1)
    game.look(0.5)
    del game.table.columns["red", 1]
    assert game.look(2.0).kind is not Kind.ILLEGAL
    assert not game.notes.refusals


def test_a_card_that_stays_away_is_asked_back() -> None:
    game = Game(2, Reveal(("p001", "p003")), Play(0, "p001", "red"), Play(1, "p003", "green"), EndTurn())
    del game.table.columns["red", 1]
    verdict = game.look(4.0)
    assert verdict.kind is Kind.ILLEGAL
    assert verdict.rule == "O8"
    assert verdict.todo[0].text == "Put p001 back under red, row 1."


def test_many_cards_gone_at_once_is_a_hold_and_no_offence() -> None:
    plays = [Play(s, f"p00{5 + s}", to) for s, to in enumerate(("blue", "green", "red", "white"))]
    game = Game(4, Reveal(("p005", "p006", "p007", "p008")), *plays, EndTurn())
    game.table.columns.clear()
    verdict = game.look(6.0)
    assert verdict.kind is Kind.HOLD
    assert [choice.key for choice in verdict.choices] == ["undo"], "they are all of the last turn"
    assert not game.notes.refusals


def test_a_blocked_player_is_told_what_to_do() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "blue", 1, seat=0)
    verdict = game.look(0.5)
    assert verdict.seat == 2
    assert verdict.todo[0].text == "Ben: take p002 back to your hand and draw a card."
    assert ("reveal 1", Mark.REMOVE) in verdict.marks
    del game.table.zones[1]
    verdict = game.look(0.5)
    assert "Ben" not in verdict.text
    assert not verdict.todo


def test_a_bad_picture_is_a_hold() -> None:
    game = revealed("p001", "p002")
    reading = type(game.table.reading())(game.now + 1, frame="No frame markers are in view.")
    assert game.referee.observe(reading).kind is Kind.HOLD


@pytest.mark.parametrize("key", ["stop", "decline", "nonsense"])
def test_answers_count_only_while_they_are_asked(key: str) -> None:
    game = revealed("p001", "o01")
    assert not game.referee.answer(key)


def test_a_remove_of_another_row_is_refused() -> None:
    events = (Reveal(("p005", "p006")), Play(0, "p005", "blue"), Play(1, "p006", "red"), EndTurn())
    game = Game(2, *events, Reveal(("p001", "o02")))
    game.look(0.3)
    game.lay("p001", "red", 2, seat=0)
    game.look(0.4)
    game.lay("o02", "green", 2, seat=1)
    game.look(0.4)
    del game.table.columns["blue", 1]
    game.table.discard_top = "p005"
    refused(game, "O8", "Remove takes another card of its own row", "p005")


def test_a_removed_card_laid_down_again() -> None:
    game = revealed("p001", "o02", "p003", "p004")
    game.lay("p001", "red", 1, seat=0)
    game.look(0.4)
    game.lay("o02", "green", 1, seat=1)
    game.look(0.4)
    del game.table.columns["red", 1]
    game.table.discard_top = "p001"
    game.look(0.4)
    game.lay("p003", "red", 1, seat=2)
    game.look(0.4)
    game.lay("p001", "white", 1)
    refused(game, "O8", "p001 was removed and belongs on the discard pile")


def test_a_card_of_somebody_who_could_not_place_it() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "blue", 1, seat=0)
    game.look(0.4)
    game.lay("p002", "red", 1, seat=1)
    verdict = refused(game, "O5", "Ben could not place p002 this turn and takes it back to hand")
    assert verdict.seat == 1


def test_a_card_that_lies_twice() -> None:
    game = Game(2, Reveal(("p001", "p003")), Play(0, "p001", "red"), Play(1, "p003", "green"), EndTurn())
    game.look(0.3)
    game.lay("p001", "blue", 1)
    refused(game, "O17", "p001 lies twice on the table")


def test_a_card_that_nobody_revealed() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p006", "red", 1)
    refused(game, "O2", "p006 lies under red, and nobody revealed it: only a revealed card is played")


def test_every_reason_that_the_referee_can_give_is_given_above() -> None:
    tests = [test for name, test in globals().items() if name.startswith(("test_a_", "test_two"))]

    def say_all() -> None:
        for test in tests:
            test()

    assert len(tests) > 15
    assert len(sentences(refusal)) >= 10
    # What the search would have found; kept so that nobody ever meets an empty reason.
    assert unsaid(refusal, say_all) == ["olympeak.may_not_go_now"]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (("p001", "white"), ("p001", "red")),
        (("p006", "red"), ("p001", "red")),
        (("p003", "green"), ("p001", "blue")),
    ],
)
def test_what_was_wrong_is_accepted_as_soon_as_it_lies_right(
    wrong: tuple[str, str], right: tuple[str, str]
) -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay(*wrong, 1)
    game.table.zones = {seat: card for seat, card in game.table.zones.items() if card != wrong[0]}
    assert game.look().kind is Kind.ILLEGAL
    game.table.columns.clear()
    game.table.zones = dict(enumerate(("p001", "p002", "p003", "p004")))
    del game.table.zones[0]
    game.lay(*right, 1)
    assert game.look(0.4).kind is Kind.READY
    assert game.referee.current is not None
    assert [each.card for each in game.referee.current.placed] == ["p001"]


def test_a_card_is_gone_while_the_remove_card_is_still_in_the_hand() -> None:
    """Whoever takes both up at once is not accused: the Remove card may lie there in a moment."""
    game = revealed("p005", "o02", "p007", "p008")
    game.lay("p005", "red", 1, seat=0)
    game.look(0.5)
    del game.table.zones[1]
    game.discard("red", 1)
    assert game.look(2.0).kind is not Kind.ILLEGAL
    game.lay("o02", "green", 1)
    verdict = game.look(0.5)
    assert verdict.seat == 2
    assert not game.notes.refusals


@pytest.mark.parametrize("laid_since", [("p003",), ("p003", "p007")])
def test_the_first_card_is_in_a_hand_while_those_laid_after_it_lie_there(laid_since: tuple[str, ...]) -> None:
    """All were laid in one stretch of hands, and the first is taken up once more before any look has seen it."""
    game = revealed("p001", "p003", "p007", "p008")
    del game.table.zones[0]
    for seat, (name, to) in enumerate(zip(laid_since, ("green", "red"), strict=False), start=1):
        game.lay(name, to, 1, seat=seat)
    assert game.look(2.5).kind is Kind.READY
    game.lay("p001", "blue", 1)
    verdict = game.look(0.5)
    assert (verdict.kind, verdict.seat) == (Kind.READY, len(laid_since) + 1)
    assert not game.notes.refusals


def test_who_plays_before_a_card_that_stays_away_is_refused_later() -> None:
    game = revealed("p001", "p003")
    del game.table.zones[0]
    game.lay("p003", "green", 1, seat=1)
    assert game.look(2.5).kind is Kind.READY
    refused(game, "O2", "It is Ada's turn, not Ben's")


@pytest.mark.parametrize("before_the_seat", ["p001", None, "p006"])
def test_who_plays_before_a_card_that_lies_there_is_refused_at_once(before_the_seat: str | None) -> None:
    """Face up, face down, or exchanged for another: it is in nobody's hand."""
    game = revealed("p001", "p003")
    game.table.zones[0] = before_the_seat
    game.lay("p003", "green", 1, seat=1)
    assert game.look(0.4).kind is Kind.ILLEGAL
