"""Which of two turns was played: asked for as long as both are possible, and never in the way of people who play on."""

from __future__ import annotations

from companion.games.olympeak.events import Event, Insert, Lying, Play, Reveal, Ruling, Stop
from companion.games.olympeak.position import Phase
from companion.referee.olympeak.ledger import states_of
from companion.referee.olympeak.left_open import played_on
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.path import Path
from companion.referee.verdict import Kind
from tests.referee.olympeak.tabletop import Tabletop
from tests.referee.olympeak.test_findings import phase
from tests.referee.olympeak.test_refusals import Game

CUBES = tuple((contender, 0) for contender in ("blue", "green", "red", "white"))
INSERTED = Insert(1, "p008", "blue", 1)
OPEN = "It was not said which turn was played"


def asked(rows: int = 0, round: int = 1) -> Game:
    """Two Inserts were laid behind hands, and one card that either may have brought; `rows` lay there before."""
    lying = tuple(Lying(f"p{20 + n:03d}", "red", n + 1, 0, 0) for n in range(rows))
    before = (Ruling("", round, CUBES, lying),) if rows else ()
    game = Game(4, *before, Reveal(("p001", "o03", "o04", "p003")))
    game.lay("p001", "red", rows + 1, seat=0)
    game.look()
    game.lay("o03", "green", rows + 1, seat=1)
    game.lay("o04", "white", rows + 1, seat=2)
    game.lay("p008", "blue", rows + 1)
    game.lay("p003", "red", rows + 2, seat=3)
    verdict = game.look(1.8)
    assert (verdict.kind, [choice.key for choice in verdict.choices]) == (Kind.QUESTION, ["turn:0", "turn:1"])
    return game


def test_it_stands_until_somebody_answers() -> None:
    game = asked()
    verdict = game.look(10.0)
    assert verdict.kind is Kind.QUESTION
    by_chloe, by_ben = verdict.choices
    assert "Chloe inserts p008" in by_chloe.text
    assert "Ben inserts p008" in by_ben.text
    assert game.referee.answer(by_ben.key)
    assert [event for event in game.referee.events if isinstance(event, Insert)] == [INSERTED]
    assert game.look().kind is Kind.READY
    assert not game.referee.findings


def test_it_goes_away_with_what_may_have_been_either() -> None:
    game = asked()
    # The inserted card was none after all, and the last player lays theirs where it belongs then.
    del game.table.columns["blue", 1], game.table.columns["red", 2]
    game.table.zones[3] = "p003"
    verdict = game.look()
    assert (verdict.kind, verdict.seat) == (Kind.UNFINISHED, 2)
    assert not game.notes.refusals


def test_a_card_that_is_straightened_meanwhile_accuses_nobody() -> None:
    game = asked()
    del game.table.columns["blue", 1]
    assert game.look(2.0).kind is Kind.QUESTION
    game.lay("p008", "blue", 1)
    assert game.look(2.0).kind is Kind.QUESTION
    # Gone for good it is missed, as any card.
    del game.table.columns["blue", 1]
    assert game.look(4.0).kind is Kind.ILLEGAL


def test_whoever_turns_up_the_next_cards_leaves_it_open() -> None:
    game = asked()
    game.table.zones = dict.fromkeys(range(4))
    assert game.look(2.0).kind is Kind.QUESTION
    game.table.zones[0] = "p002"
    assert game.look(2.0).kind is Kind.QUESTION
    game.table.zones = dict(enumerate(("p002", "p006", "p007", "p004")))
    verdict = game.look(0.5)
    assert (verdict.kind, verdict.seat, phase(game)) == (Kind.READY, 1, Phase.PLAY)
    assert sum(isinstance(event, Insert) for event in game.referee.events) == 1
    assert [text.startswith(OPEN) for text in game.referee.findings] == [True]
    game.lay("p006", "red", 3, seat=1)
    assert game.look().seat == 2
    assert not game.notes.refusals


def test_what_is_turned_up_rules_out_a_reading() -> None:
    """A card that is turned up from a hand was taken back when Stop was called, and not laid."""
    stopped = after(Stop(1, True))
    laid = after(Stop(1, False), Play(2, "p008", "blue", 1))
    table = Tabletop.of(stopped.state)

    def possible(*cards: str) -> object:
        table.zones = dict(enumerate(cards))
        return played_on((stopped, laid), Look.of(table.reading()), tiles=False)

    assert possible("p002", "p004", "p005") == ((stopped, laid), 0.0)
    assert possible("p002", "p004", "p008") == ((stopped,), 0.0)
    assert possible("p002", "p004") is None


def after(*events: Event) -> Path:
    """A turn of three that ended so after a Stop card."""
    before = Game(3, Reveal(("p001", "o01", "p008"))).state
    played = (Play(0, "p001", "red", 1), Play(1, "o01", "green", 1), *events)
    return Path(played, states_of(before, played), 0.0)


def test_cards_that_are_laid_unseen_leave_it_open_too() -> None:
    game = asked()
    game.table.zones = {1: "p006", 2: "p007", 3: "p004"}
    game.lay("p005", "red", 3)
    verdict = game.look(2.0)
    assert (verdict.kind, verdict.seat, phase(game)) == (Kind.READY, 1, Phase.PLAY)
    assert not game.notes.refusals


def test_what_has_not_been_revealed_is_refused_all_the_same() -> None:
    game = asked()
    game.lay("p005", "red", 3)
    verdict = game.look(2.0)
    assert verdict.kind is Kind.ILLEGAL
    assert "p005" in verdict.text


def test_whoever_clears_the_columns_leaves_it_open() -> None:
    game = asked(rows=4)
    for place in (("red", 1), ("red", 2)):
        game.discard(*place)
        assert game.look(1.0).kind is Kind.QUESTION
    for place in sorted(game.table.columns):
        game.discard(*place)
        assert game.look(0.2).kind in (Kind.QUESTION, Kind.UNFINISHED, Kind.READY)
    game.look()
    state = game.referee.state
    assert state is not None
    assert (state.round, state.phase) == (2, Phase.REVEAL)
    assert not game.notes.refusals


def test_whoever_turns_up_the_tiles_leaves_it_open() -> None:
    game = asked(rows=4, round=3)
    assert game.look(5.0).kind is Kind.QUESTION
    game.table.tiles[0] = ("red", None)
    assert game.look().kind is Kind.UNFINISHED
    assert phase(game) is Phase.PREDICTIONS
    assert not game.notes.refusals
