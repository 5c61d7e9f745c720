"""Taking back: by request over several turns, by putting cards back, and what was misread."""

from __future__ import annotations

import pytest

from companion.games.olympeak.events import EndRound, EndTurn, Play, Reveal
from companion.games.olympeak.position import Phase
from companion.referee.corrections import Correction
from companion.referee.requests import Refused
from companion.referee.verdict import Kind
from tests.referee.olympeak.playing import Evening
from tests.referee.olympeak.tabletop import Tabletop
from tests.referee.olympeak.test_findings import show
from tests.referee.olympeak.test_referee import TURN, step
from tests.referee.olympeak.test_refusals import Game, revealed


@pytest.mark.parametrize(("players", "seed", "back"), [(2, 3, 2), (4, 2, 3), (3, 6, 5)])
def test_several_turns_are_taken_back_and_the_table_restored(players: int, seed: int, back: int) -> None:
    evening = Evening(players, seed)
    evening.play(5)
    referee, session = evening.session.referee, evening.session
    turns = list(referee.turns)
    wanted = turns[-back].before
    verdict = referee.take_back(back)
    assert f"last {back} turns are taken back" in verdict.text
    assert referee.state == wanted
    assert len(referee.turns) == len(turns) - back
    assert session.look(2.0).kind is Kind.SETUP
    session.table = Tabletop.of(wanted)
    assert session.look(1.0).kind in (Kind.READY, Kind.UNFINISHED)
    assert referee.state == wanted
    assert not session.notes.refusals
    assert len(session.notes.written) == len(referee.events)


def test_a_card_taken_back_before_its_seat_reopens_the_turn_there() -> None:
    game = revealed("p005", "p006", "p007", "p008")
    for card, to, seat in (
        ("p005", "red", 0),
        ("p006", "blue", 1),
        ("p007", "green", 2),
        ("p008", "white", 3),
    ):
        game.lay(card, to, 1, seat=seat)
        game.look(0.4)
    assert isinstance(game.referee.events[-1], EndTurn)
    del game.table.columns["white", 1]
    game.table.zones[3] = "p008"
    verdict = game.look(1.5)
    assert (verdict.kind, verdict.seat) == (Kind.READY, 3)
    assert "taken back as far as that" in verdict.text
    assert game.referee.state is not None and game.referee.state.phase is Phase.PLAY
    assert game.referee.targets["white"] == 0
    del game.table.columns["green", 1]
    game.table.zones[2] = "p007"
    assert game.look(1.5).seat == 2
    game.lay("p007", "white", 1, seat=2)
    game.look(0.4)
    game.lay("p008", "green", 1, seat=3)
    game.look(0.4)
    assert game.referee.events[-3:] == (Play(2, "p007", "white", 1), Play(3, "p008", "green", 1), EndTurn())
    assert not game.notes.refusals


def test_a_card_that_could_not_be_placed_is_no_turn_taken_back() -> None:
    """A player who is blocked leaves the card lying for a while: that is the end of the turn, not its undoing."""
    game = revealed("p001", "p002")
    game.lay("p001", "blue", 1, seat=0)
    game.look(4.0)
    assert isinstance(game.referee.events[-1], EndTurn)


def test_when_all_cards_of_the_turn_are_gone_the_players_are_asked() -> None:
    game = Game(2, *TURN)
    game.look(0.3)
    game.table.columns.clear()
    verdict = game.look(4.0)
    assert verdict.kind is Kind.QUESTION
    assert game.referee.answer("undo")
    assert not game.referee.turns
    assert game.look(0.4).kind is Kind.READY
    assert not game.notes.refusals


def test_the_end_of_a_round_is_no_obstacle_to_putting_a_card_back() -> None:
    evening = next(each for each in (Evening(2, seed) for seed in range(20)) if each.setup.rounds > 1)
    evening.look()
    while evening.truth.phase is not Phase.ROUND_END:
        step(evening)
    referee, session = evening.session.referee, evening.session
    unit = referee.turns[-1]
    assert isinstance(unit.events[-1], EndTurn)
    last = next(event for event in reversed(unit.events) if isinstance(event, Play))
    if unit.states[unit.events.index(last)].waiting != (last.seat,):
        pytest.skip("somebody else acted after the last play")
    table = session.table
    place = next(place for place, card in table.columns.items() if card == last.card)
    del table.columns[place]
    table.zones = {last.seat: last.card}
    session.look(1.5)
    assert referee.current is not None
    assert (referee.current.phase, referee.current.seat) == (Phase.PLAY, last.seat)
    assert not any(isinstance(event, EndRound) for event in referee.events)


def test_two_cards_whose_stickers_changed_places_are_put_right() -> None:
    game = Game(2)
    show(game, "p005", "p003")
    game.lay("p005", "red", 1, seat=0)
    game.look(0.4)
    game.referee.correct("card", "column red", "p005", "p006")
    assert game.notes.corrections == [Correction("card", "column red", "p005", "p006")]
    game.look(0.2)
    current = game.referee.current
    assert current is not None
    assert [each.card for each in current.placed] == ["p006"]
    assert current.revealed == ("p006", "p003")
    game.lay("p003", "green", 1, seat=1)
    game.look(0.4)
    assert game.referee.events[0] == Reveal(("p006", "p003"))
    assert isinstance(game.referee.events[-1], EndTurn)
    assert not game.notes.refusals


def test_a_turn_that_is_over_is_read_anew_with_its_cubes() -> None:
    game = Game(2, *TURN)
    game.look(0.4)
    assert game.referee.targets["red"] == 3
    game.referee.correct("card", "column red", "p001", "p005")
    assert game.referee.targets["red"] == 2
    assert game.referee.events[:2] == (Reveal(("p005", "p003")), Play(0, "p005", "red"))
    assert game.look(0.5).kind is Kind.READY


def test_a_card_that_would_have_led_otherwise_reopens_the_turn() -> None:
    """With the other card Ben would have played first: what was played since is told by the table anew."""
    game = Game(2, *TURN)
    game.look(0.4)
    game.referee.correct("card", "column green", "p003", "p005")
    assert game.referee.state is not None
    assert game.referee.state.phase in (Phase.PLAY, Phase.REVEAL)
    assert game.referee.events[0] == Reveal(("p001", "p005"))


@pytest.mark.parametrize(
    ("what", "place", "shown", "said", "words"),
    [
        ("mini", "column red", "p001", "p002", "Only a card"),
        ("card", "column red", "p001", "p999", "no card"),
        ("card", "column blue", "p001", "p002", "look at the page again"),
        ("card", "column red", "p003", "p002", "look at the page again"),
    ],
)
def test_what_is_not_there_cannot_be_corrected(
    what: str, place: str, shown: str, said: str, words: str
) -> None:
    game = Game(2, *TURN)
    game.look(0.4)
    with pytest.raises(Refused, match=words):
        game.referee.correct(what, place, shown, said)
    assert not game.notes.corrections


@pytest.mark.parametrize("plays_on", [False, True])
def test_what_was_taken_back_by_mistake_counts_after_all(plays_on: bool) -> None:
    """Somebody pressed the button and did not mean it; the next turn may have begun meanwhile."""
    game = Game(2, *TURN)
    game.look(0.4)
    events = game.referee.events
    game.referee.take_back()
    if plays_on:
        show(game, "p005", "p006")
    verdict = game.look(1.0)
    assert verdict.kind is Kind.SETUP
    assert [choice.text for choice in verdict.choices] == ["It counts after all"]
    assert game.referee.answer("keep")
    assert not game.referee.answer("keep")
    assert game.referee.events[: len(events)] == events
    assert game.look(1.0).kind is Kind.READY
    assert len(game.referee.turns) == (2 if plays_on else 1)
    assert not game.notes.refusals


def test_what_was_taken_back_is_gone_once_the_table_goes_on_from_before_it() -> None:
    game = Game(2, *TURN)
    game.look(0.4)
    game.referee.take_back()
    state = game.referee.state
    assert state is not None
    game.table = Tabletop.of(state)
    assert game.look(1.0).kind is Kind.READY
    assert not game.referee.answer("keep")


def test_a_finished_game_taken_back_by_mistake_is_over_again() -> None:
    evening = Evening(2, 3)
    evening.play()
    referee = evening.session.referee
    over = referee.verdict
    assert over.kind is Kind.OVER
    referee.take_back()
    assert evening.session.look(1.0).kind is Kind.SETUP
    assert referee.answer("keep")
    assert referee.verdict == over
