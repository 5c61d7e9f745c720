"""Playing on against the rules, and beginning from whatever lies on the table."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import EndTurn, Play, Reveal, Ruling
from companion.games.olympeak.position import Phase
from companion.games.olympeak.records import check
from companion.referee.journal import Journal
from companion.referee.olympeak.journal import OlympeakEntry, load, record
from companion.referee.olympeak.referee import OlympeakReferee
from companion.referee.requests import Refused
from companion.referee.verdict import Kind
from companion.tables.olympeak.book import OlympeakBook
from tests.referee.olympeak.tabletop import Notes, Tabletop
from tests.referee.olympeak.test_referee import TURN, looks
from tests.referee.olympeak.test_refusals import Game, revealed


def ruled(game: Game) -> Ruling:
    event = next(event for event in reversed(game.referee.events) if isinstance(event, Ruling))
    assert any("ruling" in line for lines in game.notes.written for line in lines)
    return event


def test_a_card_under_a_contender_it_does_not_name_stays_there_and_the_next_plays() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "white", 1, seat=0)
    said = game.look()
    assert said.kind is Kind.ILLEGAL and game.referee.may_rule
    game.referee.rule(0)
    assert ruled(game).text == said.text
    verdict = game.look(0.4)
    assert (verdict.kind, verdict.seat) == (Kind.READY, 1)
    assert "white" not in verdict.text
    for card, to, seat in (("p002", "blue", 1), ("p003", "red", 2)):
        game.lay(card, to, 1, seat=seat)
        game.look(0.4)
    assert game.referee.state is not None
    assert game.referee.state.cube["white"] == 3
    assert game.referee.state.phase is Phase.REVEAL, "Dan's card goes nowhere, so the turn is over"


def test_who_played_out_of_turn_has_played() -> None:
    game = revealed("p005", "p006", "p007", "p008")
    game.lay("p007", "green", 1, seat=2)
    assert game.look().kind is Kind.ILLEGAL
    game.referee.rule(0)
    assert ruled(game).order == (2, 0, 1, 3)
    verdict = game.look(0.4)
    assert verdict.seat == 0
    game.lay("p005", "red", 1, seat=0)
    assert game.look(0.4).seat == 1


def test_a_card_played_in_place_of_the_revealed_one_counts() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p006", "red", 1, seat=0)
    assert game.look().kind is Kind.ILLEGAL
    game.referee.rule(0)
    assert ruled(game).revealed == ("p006", "p002", "p003", "p004")
    assert game.look(0.4).seat == 1


def test_a_card_swapped_before_its_seat_is_the_one_to_be_played() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.table.zones[2] = "p006"
    assert game.look().kind is Kind.ILLEGAL
    game.referee.rule(0)
    assert game.look(0.4).kind is Kind.READY
    assert game.referee.current is not None
    assert game.referee.current.revealed == ("p001", "p002", "p006", "p004")
    assert game.referee.current.seat == 0


def test_a_card_that_was_moved_stays_where_it_was_put() -> None:
    later = (Reveal(("p005", "p006")), Play(0, "p005", "green"), Play(1, "p006", "red"), EndTurn())
    game = Game(2, *TURN, *later)
    game.look(0.3)
    cubes = None if game.referee.state is None else game.referee.state.cube
    game.table.columns["blue", 1] = game.table.columns.pop(("red", 1))
    assert game.look().kind is Kind.ILLEGAL
    game.referee.rule(0)
    assert game.look(0.4).kind is Kind.READY
    state = game.referee.state
    assert state is not None
    placed = {(each.card, each.contender) for each in state.placed if each.row == 1}
    assert placed == {("p001", "blue"), ("p003", "green")}
    assert state.cube == cubes
    game.referee.take_back()
    assert game.referee.state is not None
    assert {each.contender for each in game.referee.state.placed if each.row == 1} == {"red", "green"}


def test_an_order_card_laid_out_of_turn_may_be_used() -> None:
    game = revealed("p005", "o02", "p007", "p008")
    game.lay("o02", "green", 1, seat=1)
    assert game.look().kind is Kind.ILLEGAL
    game.referee.rule(0)
    assert ruled(game).pending == "o02"
    verdict = game.look(0.4)
    assert verdict.seat == 0, "there is nothing in the row that could be removed"
    game.lay("p005", "red", 1, seat=0)
    assert game.look(0.4).seat == 2


def test_an_insert_that_was_laid_wrongly_is_done() -> None:
    game = revealed("p001", "o03", "p003", "p004")
    game.lay("p001", "red", 1, seat=0)
    game.look(0.3)
    game.lay("o03", "green", 1, seat=1)
    game.look(0.3)
    game.lay("p002", "white", 1)
    assert game.look().kind is Kind.ILLEGAL
    game.referee.rule(0)
    assert ruled(game).played == 2
    game.table.columns["blue", 1] = game.table.zones.pop(3) or ""
    assert game.look(0.6).kind in (Kind.ILLEGAL, Kind.READY)


def test_a_ruling_survives_a_restart_and_departs_from_the_rules_in_the_record(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "j.db", lambda: 0.0)) as journal:
        entry = OlympeakEntry(journal)
        box = default_box()
        row = ("red", "blue", "green")
        referee = OlympeakReferee(("Ada", "Ben"), entry, box=box)
        table = Tabletop(row, cubes=dict.fromkeys(row, 0))
        looks(referee, table)
        assert referee.state is not None
        signs = {card.id: card for card in box.deck.in_play(2) if not card.is_order}
        leads = max(signs, key=lambda name: (signs[name].heads, -signs[name].value))
        other = next(name for name in signs if signs[name].heads < signs[leads].heads)
        wrong = next(c for c in row if c not in signs[leads].signs)
        table.zones = {0: leads, 1: other}
        looks(referee, table, at=1.0)
        del table.zones[0]
        table.columns[wrong, 1] = leads
        assert looks(referee, table, count=12, at=2.0).kind is Kind.ILLEGAL
        referee.rule(0)
        assert referee.verdict.seat == 1
        lines = list(record(journal, 1))
        departure = check(lines)
        assert departure is not None and departure.line == 4 and "ruling of their own" in departure.text
        assert check(lines, rulings=True) is None
        again = OlympeakBook(journal).resume()
        assert again is not None
        assert again.state == referee.state
        assert looks(again, table, at=9.0).kind is Kind.READY
        assert again.verdict.seat == 1
        assert load(journal, 1).state == referee.state


def test_there_is_nothing_to_rule_on_in_good_order() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    with pytest.raises(Refused, match="nothing to rule on"):
        game.referee.rule(0)
    game.lay("p003", "green", 1, seat=2)
    game.table.columns["red", 1] = "p003"
    game.look()
    with pytest.raises(Refused, match="p003 lies in 2 places"):
        game.referee.rule(0)


def test_while_hands_move_nothing_is_ruled_on() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p006", "red", 1, seat=0)
    assert game.look().kind is Kind.ILLEGAL
    moving = replace(game.table.reading(game.now + 0.1), moving=True)
    game.referee.observe(moving)
    with pytest.raises(Refused, match="Take your hands off"):
        game.referee.rule(0)


# -- beginning from what lies there

ROW = ("red", "blue", "green")


def laid() -> Tabletop:
    """A table in its second round, three rows down."""
    return Tabletop(
        ROW,
        columns={("blue", 1): "p001", ("red", 1): "p003"},
        cubes={"blue": 12, "red": -2, "green": 34},
        round_marker=2,
    )


def signed(box_card: str, contender: str) -> bool:
    card = default_box().deck[box_card]
    return card.is_order or contender in card.signs


def with_good_cards(table: Tabletop) -> Tabletop:
    deck = default_box().deck
    for (contender, row), _ in list(table.columns.items()):
        taken = set(table.columns.values())
        name = next(
            card.id
            for card in deck.in_play(2)
            if not card.is_order and contender in card.signs and card.id not in taken
        )
        table.columns[contender, row] = name
    return table


@pytest.fixture
def three_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.games.olympeak.box.Box.rounds", lambda self, row: 3)


def test_a_game_begins_from_any_table_that_is_laid_out(three_rounds: None, tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "j.db", lambda: 0.0)) as journal:
        referee = OlympeakReferee(("Ada", "Ben"), OlympeakEntry(journal))
        table = with_good_cards(laid())
        assert looks(referee, table).kind is Kind.SETUP
        verdict = referee.start_here(0)
        assert verdict.kind is Kind.READY
        assert "Play begins in round 2 from what lies there." in verdict.text
        state = referee.state
        assert state is not None
        assert (state.round, state.cube) == (2, {"blue": 12, "green": 34, "red": -2})
        assert {(each.contender, each.row, each.card) for each in state.placed} == {
            (contender, row, card) for (contender, row), card in table.columns.items()
        }
        assert referee.turns == []
        assert looks(referee, table, at=1.0).kind is Kind.READY
        again = OlympeakBook(journal).resume()
        assert again is not None and again.state == state and again.turns == []
        lines = list(record(journal, 1))
        departure = check(lines)
        assert departure is not None and departure.line == 2 and "as it was laid out" in departure.text
        assert check(lines, rulings=True) is None
        with pytest.raises(Refused, match="under way"):
            referee.start_here(0)


def test_a_table_that_cannot_be_is_refused_with_all_its_defects_at_once(three_rounds: None) -> None:
    referee = OlympeakReferee(("Ada", "Ben"), Notes())
    with pytest.raises(Refused, match="Nothing has been seen"):
        referee.start_here(0)
    deck = default_box().deck
    wrong = next(card for card in deck.in_play(2) if not card.is_order and "blue" not in card.signs)
    star = next(card for card in deck if card.star and card.is_order)
    table = laid()
    table.columns = {("blue", 1): wrong.id, ("red", 1): star.id, ("red", 2): wrong.id}
    table.columns |= {("green", row): f"o0{row}" for row in range(1, 7)}
    table.contenders = ("red", "green", "blue", "white")
    table.cubes = {"blue": 12, "red": 35}
    table.round_marker = None
    looks(referee, table)
    with pytest.raises(Refused) as refused:
        referee.start_here(0)
    said = list(refused.value.defects)
    assert said[0] == "With so few players white does not race (O1)."
    assert "On the scoreboard I do not see green." in said
    assert any("has a star" in text for text in said)
    assert any("does not show that sign" in text for text in said)
    assert any("lies twice" in text for text in said)
    assert "Green has 6 cards: the round would be over (O11)." in said
    table = with_good_cards(laid())
    table.cubes["red"] = 35
    looks(referee, table)
    with pytest.raises(Refused, match="The red cube on 35"):
        referee.start_here(0)


def test_a_game_in_a_turn_of_several_cards_goes_on_after_a_ruling_to_its_end() -> None:
    """The piles and hands stay countable: the turn after next is told as usual."""
    game = revealed("p005", "p006")
    game.lay("p006", "red", 1, seat=1)
    assert game.look().kind is Kind.ILLEGAL
    game.referee.rule(0)
    game.lay("p005", "blue", 1, seat=0)
    game.look(0.4)
    assert isinstance(game.referee.events[-1], EndTurn)
    game.table.zones = {0: "p007", 1: "p008"}
    game.look(0.4)
    game.lay("p007", "green", 2, seat=0)
    game.look(0.4)
    game.lay("p008", "red", 2, seat=1)
    game.look(0.4)
    assert isinstance(game.referee.events[-1], EndTurn)
    assert [type(event) for event in game.referee.events[-4:-1]] == [Reveal, Play, Play]
