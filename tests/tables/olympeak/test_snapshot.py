"""The snapshot of an OlymPeak table: everything people see, nothing they may not."""

from __future__ import annotations

import json

from companion.games.olympeak.events import EndTurn, Play, Reveal
from companion.referee.olympeak.referee import OlympeakReferee
from companion.referee.verdict import Kind
from companion.tables.olympeak.snapshot import olympeak_snapshot
from companion.web.models import DeviceView, OlympeakView, Snapshot
from tests.referee.olympeak.playing import Evening
from tests.referee.olympeak.tabletop import Notes
from tests.referee.olympeak.test_refusals import Game, revealed

CAMERA = (DeviceView(name="camera", ok=True, simulated=True),)


def view_of(game: Game) -> tuple[Snapshot, OlympeakView]:
    snapshot = olympeak_snapshot(game.referee, game.table.reading(game.now), CAMERA)
    assert snapshot.olympeak is not None
    return snapshot, snapshot.olympeak


def test_the_turn_as_it_stands() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "blue", 1, seat=0)
    game.look(0.5)
    snapshot, view = view_of(game)
    assert (snapshot.game, snapshot.simulated) == ("olympeak", True)
    assert (view.phase, view.row, view.free) == ("play", 1, ("green", "red"))
    assert [zone.status for zone in view.zones] == ["played", "back", "acts", "waits"]
    assert [zone.order for zone in view.zones] == [1, 2, 3, 4]
    (blue,) = (column for column in view.columns if column.contender == "blue")
    assert [(card.card.id, card.row, card.new, card.wrong) for card in blue.cards] == [
        ("p001", 1, True, False)
    ]
    assert {cube.contender: cube.seen for cube in view.cubes} == dict.fromkeys(
        ("blue", "green", "red", "white"), 0
    )


def test_what_lies_against_the_rules_is_shown_as_such() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "white", 1, seat=0)
    assert game.look().kind is Kind.ILLEGAL
    _, view = view_of(game)
    (white,) = (column for column in view.columns if column.contender == "white")
    assert [(card.card.id, card.wrong) for card in white.cards] == [("p001", True)]


def test_cards_turned_up_before_the_others_are_not_shown() -> None:
    game = Game(2, Reveal(("p001", "p003")), Play(0, "p001", "red"), Play(1, "p003", "green"), EndTurn())
    game.table.zones = {0: "p006", 1: None}
    game.look(0.4)
    snapshot, view = view_of(game)
    assert [zone.state for zone in view.zones] == ["up", "down"]
    assert "p006" not in snapshot.model_dump_json()
    assert [line.text for line in snapshot.history] == [
        "Ada p001 under red; Ben p003 under green; cubes: green -1, red 3"
    ]


def test_hands_and_tiles_are_nowhere_in_it_until_the_tiles_are_turned_up() -> None:
    evening = Evening(4, 5)
    first, second = evening.people.first, evening.people.second
    evening.session.table.tiles = {seat: (first[seat], second[seat]) for seat in range(4)}
    evening.play(2)
    session = evening.session
    snapshot = olympeak_snapshot(session.referee, session.table.reading(session.now), CAMERA)
    assert snapshot.olympeak is not None
    assert snapshot.olympeak.results == ()
    shown = json.dumps(snapshot.model_dump(mode="json"))
    lying = {each.card for each in evening.truth.placed} | set(evening.truth.revealed)
    played = {getattr(event, "card", None) for event in evening.events}
    for hand in evening.people.hands:
        for card in set(hand) - lying - played:
            assert f'"{card}"' not in shown


def test_points_with_their_reasons_at_the_end() -> None:
    evening = Evening(3, 2)
    evening.play()
    session = evening.session
    snapshot = olympeak_snapshot(session.referee, session.table.reading(session.now), CAMERA)
    view = snapshot.olympeak
    assert view is not None
    outcome = evening.truth.outcome
    assert outcome is not None
    assert [result.points for result in view.results] == list(outcome.points)
    assert [result.seat for result in view.results if result.won] == list(outcome.winners)
    assert all(len(result.reasons) == 2 for result in view.results)
    assert view.places == dict(outcome.places)


def test_before_the_row_is_laid() -> None:
    referee = OlympeakReferee(("Ada", "Ben"), Notes())
    snapshot = olympeak_snapshot(referee, None, CAMERA)
    assert snapshot.olympeak is not None
    assert snapshot.olympeak.phase == "setup"
    assert len(snapshot.olympeak.zones) == 2


def test_a_card_that_lies_elsewhere_when_a_game_goes_on_is_shown_there_as_wrong() -> None:
    evening = Evening(3, 4)
    evening.play(2)
    before = evening.session.referee
    assert before.state is not None
    referee = OlympeakReferee(
        before.names,
        Notes(),
        start=before.turns[0].before,
        events=before.events,
        box=before.box,
    )
    table = evening.session.table
    place, card = sorted(table.columns.items())[0]
    del table.columns[place]
    other = next(contender for contender in table.contenders if contender != place[0])
    table.columns[other, 9] = card
    for at in range(6):
        referee.observe(table.reading(float(at)))
    view = olympeak_snapshot(referee, table.reading(9.0), CAMERA).olympeak
    assert view is not None
    wrong = {(c.contender, p.card.id) for c in view.columns for p in c.cards if p.wrong}
    assert wrong == {(other, card)}
