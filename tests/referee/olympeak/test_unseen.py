"""Turns that nobody saw: told where they can only have come to one thing, never made up, nobody accused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.olympeak import rules
from companion.games.olympeak.events import Blocked, EndRound, EndTurn, Event, Play, Remove, Reveal, Ruling
from companion.games.olympeak.position import GameState, Phase
from companion.referee.olympeak.ledger import LENIENT
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, Misfit
from companion.referee.olympeak.unseen import Gap, played_unseen, round_over_unseen
from companion.referee.olympeak.wording import UNSEEN
from companion.referee.verdict import Kind
from companion.sensing.olympeak.reading import OlympeakReading
from tests.referee.olympeak.tabletop import Tabletop
from tests.referee.olympeak.test_refusals import Game

TURN = (Reveal(("p001", "p003")), Play(0, "p001", "red"), Play(1, "p003", "green"), EndTurn())


def cover(game: Game, seconds: float = 4.0) -> None:
    """Nothing can be seen for so long."""
    until = game.now + seconds
    while game.now < until:
        game.now += 0.07
        game.referee.observe(OlympeakReading(game.now, frame="the picture is black"))
    assert game.referee.verdict.kind is Kind.HOLD


def phase(game: Game) -> Phase:
    assert game.referee.state is not None
    return game.referee.state.phase


def cubes(game: Game) -> dict[str, int]:
    assert game.referee.state is not None
    return game.referee.state.cube


def test_two_whole_turns_are_taken_as_they_lie_and_who_played_them_is_left_open() -> None:
    game = Game(2, *TURN)
    cover(game)
    for card, contender, row in (
        ("p005", "red", 2),
        ("p006", "blue", 2),
        ("p007", "red", 3),
        ("p008", "blue", 3),
    ):
        game.lay(card, contender, row)
    verdict = game.look(1.0)
    assert verdict.kind is Kind.READY
    assert UNSEEN in verdict.text
    last = game.referee.events[-1]
    assert isinstance(last, Ruling)
    assert last.text == UNSEEN
    assert (last.revealed, last.order) == ((), ())
    assert cubes(game) == {"blue": 2, "green": -1, "red": 6}
    assert not game.notes.refusals
    # And the game goes on with the next cards.
    game.table.zones = {0: "p020", 1: "p021"}
    assert game.look(0.8).kind is Kind.READY
    assert phase(game) is Phase.PLAY


UNSEEN_ROWS = (("p005", "red", 2), ("p006", "blue", 2), ("p007", "red", 3), ("p008", "blue", 3))


@pytest.mark.parametrize("held", UNSEEN_ROWS)
@pytest.mark.parametrize("seconds", [2.2, 5.0], ids=["for a moment", "until it was told without"])
def test_who_holds_a_card_while_the_table_is_seen_again_is_not_accused_when_it_is_laid_back(
    held: tuple[str, str, int], seconds: float
) -> None:
    game = Game(2, *TURN)
    cover(game)
    for each in UNSEEN_ROWS:
        if each != held:
            game.lay(*each)
    game.table.cubes |= {"blue": 2, "green": -1, "red": 6}
    game.look(seconds)
    told = any(isinstance(event, Ruling) for event in game.referee.events)
    assert told == (seconds > 3.0)
    game.lay(*held)
    assert game.look(1.0).kind is Kind.READY
    last = game.referee.events[-1]
    assert isinstance(last, Ruling)
    assert {(each.card, each.to, each.row) for each in last.placed} > set(UNSEEN_ROWS)
    assert cubes(game) == {"blue": 2, "green": -1, "red": 6}
    assert not game.notes.refusals


def test_a_card_too_early_after_turns_that_nobody_saw_is_still_refused() -> None:
    """Another row, or a place where the cubes say that no card lay: nobody held that card."""
    for place in (("p020", "blue", 4), ("p020", "blue", 3)):
        game = Game(2, *TURN)
        cover(game)
        for each in (("p005", "red", 2), ("p006", "blue", 2), ("p007", "red", 3)):
            game.lay(*each)
        game.table.cubes |= {"blue": 1, "green": -1, "red": 6}
        game.look(5.0)
        assert isinstance(game.referee.events[-1], Ruling)
        game.lay(*place)
        assert game.look(1.0).kind is Kind.ILLEGAL


def test_the_rest_of_the_open_turn_and_another_one() -> None:
    game = Game(2, Reveal(("p001", "p003")))
    cover(game)
    game.lay("p001", "red", 1, seat=0)
    game.lay("p003", "green", 1, seat=1)
    game.lay("p006", "blue", 2)
    game.look(5.0)
    assert [type(event) for event in game.referee.events] == [Reveal, Play, Play, EndTurn, Ruling]
    assert cubes(game) == {"blue": 1, "green": -1, "red": 3}
    assert not game.notes.refusals


def test_what_may_not_lie_there_accuses_nobody_after_a_gap_and_may_be_ruled_on() -> None:
    game = Game(2, *TURN)
    cover(game)
    game.lay("p002", "green", 2)  # shows blue alone
    verdict = game.look(3.0)
    assert verdict.kind is Kind.SETUP
    assert "I could not see what was played" in verdict.text
    assert game.referee.may_rule
    assert not game.notes.refusals
    del game.table.columns["green", 2]
    assert game.look(0.5).kind is Kind.READY


def test_a_card_that_was_exchanged_in_a_gap_is_asked_back_by_name() -> None:
    game = Game(2, Reveal(("p001", "p003")))
    cover(game)
    game.table.zones[0] = "p002"
    verdict = game.look(3.0)
    assert verdict.kind is Kind.SETUP and not game.notes.refusals
    assert [todo.space for todo in verdict.todo] == ["reveal 0"]
    assert "p001" in verdict.text
    game.table.zones[0] = "p001"
    assert game.look(1.0).kind is Kind.READY


def test_a_short_gap_excuses_nothing() -> None:
    game = Game(4)
    cover(game, 1.0)
    game.lay("p001", "red", 1)
    assert game.look().kind is Kind.ILLEGAL


def test_a_whole_turn_that_was_played_in_one_go_needs_no_gap() -> None:
    game = Game(2, *TURN)
    game.lay("p005", "red", 2)
    game.lay("p006", "blue", 2)
    assert game.look(2.0).kind is Kind.READY
    assert cubes(game) == {"blue": 1, "green": -1, "red": 5}
    assert not game.notes.refusals


def test_cards_that_are_turned_up_already_belong_to_the_turn_after() -> None:
    game = Game(2, *TURN)
    cover(game)
    game.lay("p005", "red", 2)
    game.lay("p006", "blue", 2)
    game.lay("p007", "red", 3)
    game.table.zones = {1: "p008"}
    game.look(2.5)
    assert [type(event) for event in game.referee.events[4:]] == [Ruling, Reveal]
    assert game.referee.events[-1] == Reveal(("p007", "p008"))
    assert game.referee.current is not None
    assert game.referee.current.seat == 1


def test_a_gap_is_long_from_two_seconds_on_and_over_when_the_table_fits() -> None:
    gap = Gap()
    gap.look(False, 1.0)
    gap.look(False, 2.5)
    gap.look(True, 2.6)
    assert not gap.was_long
    gap.look(False, 3.0)
    gap.look(False, 5.5)
    gap.look(True, 5.6)
    assert gap.was_long
    gap.closed()
    assert not gap.was_long


def test_a_round_cleared_while_the_next_cards_lie_already() -> None:
    events: list[Event] = []
    for n in range(6):
        cards = (f"p0{20 + 2 * n}", f"p0{21 + 2 * n}")
        events += [Reveal(cards), Play(1, cards[1], "blue"), Blocked(0, cards[0]), EndTurn()]
    game = Game(2, *events)
    assert phase(game) is Phase.ROUND_END
    game.table.columns.clear()
    game.table.zones.clear()
    game.lay("p005", "red", 1)
    game.lay("p006", "blue", 1)
    game.look(2.5)
    assert phase(game) is Phase.REVEAL
    assert EndRound() in game.referee.events
    assert cubes(game) == {"blue": 7, "green": 0, "red": 2}
    assert not game.notes.refusals


def test_rows_that_may_be_one_turn_or_two_are_told_by_the_cubes() -> None:
    """Green stands at its lower end: -1 and then +1 lead to -4 in two turns, and to -5 in one with a filled row."""
    state = replace(Game(2).state, cubes=(0, -5, 0))
    first = {"p003": "green", "p005": "blue", "p006": "red"}
    rows = [Misfit(Fault.EXTRA, card, to, 1) for card, to in first.items()]
    rows.append(Misfit(Fault.EXTRA, "p008", "green", 2))
    look = Look.of(Game(2).table.reading())

    def green(seen: dict[str, int], misfits: list[Misfit] = rows) -> int | None:
        ruling = played_unseen(state, misfits, look, seen)
        return None if ruling is None else dict(ruling.cubes)["green"]

    assert green({}) is None
    assert green({"blue": 2, "green": -4, "red": 1}) == -4
    assert green({"blue": 2, "green": -5, "red": 1}) == -5
    assert green({"blue": 2, "green": 3, "red": 1}) is None
    # Where the first row has a hole, its turn was over.
    assert green({}, [each for each in rows if each.card != "p006"]) == -4


def blue(count: int) -> list[Event]:
    """So many turns in which seat 1 lays a card under blue, and nobody else anywhere."""
    events: list[Event] = []
    for n in range(count):
        cards = (f"p0{20 + 2 * n}", f"p0{21 + 2 * n}")
        events += [Reveal(cards), Play(1, cards[1], "blue"), Blocked(0, cards[0]), EndTurn()]
    return events


def test_a_round_that_was_played_to_its_end_unseen_is_over() -> None:
    game = Game(2, *blue(4))
    cover(game)
    game.lay("p040", "blue", 5)
    game.lay("p041", "blue", 6)
    verdict = game.look(4.0)
    assert verdict.kind is Kind.UNFINISHED
    assert phase(game) is Phase.ROUND_END
    assert cubes(game)["blue"] == 6
    assert not game.notes.refusals
    game.table.columns.clear()
    game.look(0.5)
    assert phase(game) is Phase.REVEAL


def test_nobody_goes_on_after_the_end_of_a_round() -> None:
    """Seven cards under a contender in rows of their own: after the sixth the round was over."""
    game = Game(2, *blue(4))
    cover(game)
    for row in (5, 6, 7):
        game.lay(f"p04{row}", "blue", row)
    assert game.look(3.0).kind is Kind.SETUP
    assert phase(game) is Phase.REVEAL
    assert not game.notes.refusals


def test_a_game_that_was_won_unseen_is_over() -> None:
    game = Game(2, *TURN)
    assert game.referee.state is not None
    start = replace(game.referee.state, cubes=(33, 0, 0))
    rows = [Misfit(Fault.EXTRA, "p005", "blue", 2)]
    ruling = played_unseen(start, rows, Look.of(game.table.reading()), {})
    assert ruling is not None
    assert dict(ruling.cubes)["blue"] == 35
    assert ruling_phase(start, ruling) is Phase.PREDICTIONS


def ruling_phase(state: GameState, ruling: Ruling) -> Phase:
    return rules.apply(state, ruling, accept=LENIENT).phase


IN_A_TURN = pytest.mark.parametrize(
    "open_turn", [(), (Reveal(("p020", "p006")),)], ids=["before a reveal", "in a turn"]
)


def finished_unseen(open_turn: tuple[Event, ...] = (), *, marker: int = 2) -> Game:
    """The round is finished and cleared away while nothing can be seen."""
    game = Game(2, *TURN, *open_turn)
    cover(game)
    game.table.columns.clear()
    game.table.zones.clear()
    game.table.cubes = {"blue": 4, "green": -2, "red": 7}
    game.table.round_marker = marker
    return game


def assert_goes_on(game: Game) -> None:
    """The next round has begun, with the cubes as they stand."""
    state = game.referee.state
    assert state is not None
    assert (state.phase, state.round, state.placed) == (Phase.REVEAL, 2, ())
    assert cubes(game) == {"blue": 4, "green": -2, "red": 7}
    assert not game.notes.refusals
    # Whatever lay there may be anywhere by now, and is no finding.
    game.table.zones = {0: "p001", 1: "p003"}
    game.look(1.0)
    assert phase(game) is Phase.PLAY
    assert not game.notes.found


@IN_A_TURN
def test_columns_cleared_unseen_are_asked_about(open_turn: tuple[Event, ...]) -> None:
    """The marker stands where it stood, so it may be anything."""
    game = finished_unseen(open_turn, marker=1)
    verdict = game.look(3.0)
    assert verdict.kind is Kind.QUESTION
    assert [choice.key for choice in verdict.choices] == ["round over"]
    assert game.referee.answer("round over")
    assert game.referee.verdict.kind is Kind.READY
    assert_goes_on(game)


@IN_A_TURN
def test_a_marker_that_was_moved_on_tells_that_the_round_was_finished(open_turn: tuple[Event, ...]) -> None:
    game = finished_unseen(open_turn)
    assert game.look(2.0).kind is Kind.HOLD
    verdict = game.look(1.5)
    assert verdict.kind is Kind.READY and UNSEEN in verdict.text
    assert_goes_on(game)


@pytest.mark.parametrize(
    ("lay", "played"),
    [([("blue", 0.2)], "blue"), ([("blue", 0.05)], "red"), ([("blue", 0.2), ("red", 0.2)], "red")],
    ids=["seen to lie there", "in one look alone", "moved back"],
)
def test_a_card_moved_just_before_nothing_could_be_seen_was_played_where_it_lay_last(
    lay: list[tuple[str, float]], played: str
) -> None:
    """It lies there too shortly for the turn to be told anew, and then the round is finished and cleared away."""
    game = Game(2, *TURN)
    for contender, seconds in lay:
        game.table.columns = {(contender, 1): "p001", ("green", 1): "p003"}
        game.look(seconds)
    assert game.referee.events == TURN
    cover(game)
    game.table.columns.clear()
    game.table.cubes = {"blue": 4, "green": -2, "red": 7}
    game.table.round_marker = 2
    assert game.look(2.0).kind is Kind.HOLD
    game.look(1.5)
    assert game.referee.events[1] in (Play(0, "p001", played), Play(0, "p001", played, 1))
    assert len(game.referee.turns) == 2
    assert_goes_on(game)


@pytest.mark.parametrize("full", [True, False], ids=["the round is over so", "the round is not over so"])
def test_turns_nobody_saw_that_were_seen_to_lie_there_before_they_were_cleared_away_are_not_asked_for(
    full: bool,
) -> None:
    """The picture is back for a moment too short to tell them, and then hands clear the columns."""
    game = Game(2, *blue(5))
    cover(game)
    game.lay("p005", "blue" if full else "red", 6)
    game.lay("p006", "green", 6)
    game.look(0.3)
    assert phase(game) is Phase.REVEAL and len(game.referee.turns) == 5
    for _ in range(30):
        game.now += 0.07
        game.referee.observe(game.table.reading(game.now, moving=True))
    game.table.columns.clear()
    kinds = set()
    for _ in range(60):
        kinds.add(game.look(0.05).kind)
    assert (Kind.QUESTION in kinds) is not full
    assert (game.referee.events[-1] == EndRound()) is full
    assert not game.notes.refusals


def test_turns_that_nobody_saw_are_told_only_once_they_have_lain_there_also_in_a_new_round() -> None:
    game = Game(2, *blue(6), EndRound())
    cover(game)
    for row in range(1, 7):
        game.lay(f"p0{30 + row}", "blue", row)
    game.look(0.3)
    assert phase(game) is Phase.REVEAL
    game.look(4.0)
    assert phase(game) is Phase.ROUND_END


def test_a_card_lifted_just_before_nothing_could_be_seen_was_not_removed() -> None:
    """Whether somebody carries out a Remove card after all takes longer to tell."""
    turn: tuple[Event, ...] = (
        Reveal(("p005", "o02")),
        Play(0, "p005", "red"),
        Play(1, "o02", "green"),
        Remove(1, None),
        EndTurn(),
    )
    game = Game(2, *turn)
    del game.table.columns["red", 1]
    game.look(0.5)
    assert game.referee.events == turn
    cover(game)
    game.table.columns.clear()
    game.table.cubes = {"blue": 4, "green": -2, "red": 7}
    game.table.round_marker = 2
    game.look(3.5)
    assert game.referee.events[:-1] == turn
    assert_goes_on(game)


def test_a_cube_that_most_looks_cannot_place_puts_nothing_off() -> None:
    game = finished_unseen()
    for number in range(60):
        cube = game.table.cubes.pop("red") if number % 4 else 7
        game.look(0.07)
        game.table.cubes["red"] = cube
    assert_goes_on(game)


def test_a_cube_that_is_read_now_here_now_there_is_asked_about() -> None:
    game = finished_unseen()
    for number in range(130):
        game.table.cubes["red"] = 6 + number % 2
        game.look(0.07)
    assert game.referee.verdict.kind is Kind.QUESTION


def test_cubes_that_are_still_moved_are_waited_for() -> None:
    game = finished_unseen()
    game.table.cubes = {"blue": 4, "green": -2, "red": 3}
    game.look(2.0)
    game.table.cubes["red"] = 7
    game.look(2.0)
    assert phase(game) is Phase.REVEAL and game.referee.state is not None and game.referee.state.round == 1
    game.look(1.5)
    assert_goes_on(game)


def test_a_cube_that_somebody_moves_late_counts_until_the_next_cards_are_turned_up() -> None:
    game = finished_unseen()
    game.table.cubes["red"] = 3
    game.look(3.5)
    assert cubes(game) == {"blue": 4, "green": -2, "red": 3}
    game.table.zones = {0: None}
    game.table.cubes["red"] = 7
    assert game.look(4.0).kind is Kind.READY
    assert cubes(game) == {"blue": 4, "green": -2, "red": 7}
    assert len([event for event in game.referee.events if isinstance(event, Ruling)]) == 1
    game.table.zones.clear()
    assert_goes_on(game)
    game.table.cubes["red"] = 5
    game.look(4.0)
    assert cubes(game)["red"] == 7


def cleared_under_hands(turns: int, *, marker: int = 2, seconds: float = 3.0) -> Game:
    """Both are to play; from then on hands are at work in every picture until the columns are empty."""
    game = Game(2, *blue(turns), Reveal(("p006", "p003")))
    until = game.now + seconds
    while game.now < until:
        game.now += 0.07
        game.referee.observe(game.table.reading(game.now, moving=True))
    game.table.columns.clear()
    game.table.zones.clear()
    game.table.cubes = {"blue": 6, "green": -1, "red": 2}
    game.table.round_marker = marker
    return game


def test_a_round_that_ended_under_hands_and_was_cleared_away_is_over() -> None:
    game = cleared_under_hands(5)
    verdict = game.look(3.5)
    assert verdict.kind is Kind.READY and UNSEEN in verdict.text
    state = game.referee.state
    assert state is not None
    assert (state.phase, state.round, state.placed) == (Phase.REVEAL, 2, ())
    assert cubes(game) == {"blue": 6, "green": -1, "red": 2}
    assert not game.notes.refusals


@pytest.mark.parametrize(("turns", "marker"), [(5, 1), (3, 2)], ids=["marker unmoved", "too few cards"])
def test_columns_cleared_under_hands_are_asked_about(turns: int, marker: int) -> None:
    game = cleared_under_hands(turns, marker=marker)
    verdict = game.look(4.0)
    assert verdict.kind is Kind.QUESTION
    assert [choice.key for choice in verdict.choices] == ["round over"]
    assert game.referee.answer("round over")
    assert game.referee.state is not None and game.referee.state.round == 2
    assert not game.notes.refusals


def test_columns_cleared_in_a_moment_are_to_be_put_back() -> None:
    assert cleared_under_hands(5, seconds=1.0).look(4.0).kind is Kind.HOLD


def test_hands_at_work_for_long_excuse_no_card() -> None:
    game = cleared_under_hands(3)
    game.table = Tabletop.of(game.state)
    game.lay("p003", "red", 4, seat=1)
    assert game.look(0.5).kind is Kind.ILLEGAL


def test_a_cube_where_no_cards_can_have_led_it_is_asked_about() -> None:
    game = finished_unseen()
    game.table.cubes["red"] = 34
    assert game.look(4.0).kind is Kind.QUESTION


def test_columns_that_come_back_were_not_cleared() -> None:
    game = Game(2, *TURN)
    cover(game)
    columns = dict(game.table.columns)
    game.table.columns.clear()
    assert game.look(3.0).kind is Kind.QUESTION
    game.table.columns.update(columns)
    assert game.look(0.5).kind is Kind.READY
    assert game.referee.state is not None
    assert game.referee.state.round == 1


def test_the_last_round_is_not_followed_by_another() -> None:
    game = Game(2, *TURN)
    assert game.referee.state is not None
    game.table.columns.clear()
    reading = game.table.reading()
    state = game.referee.state
    seen = {**game.table.cubes, "round": 1}
    assert round_over_unseen(state, Look.of(reading), seen) is not None
    assert round_over_unseen(replace(state, round=state.setup.rounds), Look.of(reading), seen) is None
    assert round_over_unseen(state, Look.of(reading), seen | {"round": 3}) is None
    assert round_over_unseen(state, Look.of(reading), {"round": 1, "blue": 3}) is None
    game.table.hidden = {"column red"}
    assert round_over_unseen(state, Look.of(game.table.reading()), seen) is None


def test_a_look_that_mistakes_a_cube_takes_no_question_back() -> None:
    game = Game(2, *TURN)
    cover(game)
    game.table.columns.clear()
    assert game.look(3.0).kind is Kind.QUESTION
    for contender in ("blue", "green", "red"):
        cubes_now = dict(game.table.cubes)
        del game.table.cubes[contender]
        assert game.look(0.07).kind is Kind.QUESTION
        game.table.cubes = cubes_now
        assert game.look(0.07).kind is Kind.QUESTION


def test_a_card_that_was_glimpsed_tells_whose_reveal_was_missed() -> None:
    """Both cards fit either player, and nothing lies before anybody any more."""
    game = Game(2, *TURN)
    game.table.zones = {1: "p006"}
    game.look(0.2)
    game.table.zones.clear()
    game.lay("p005", "red", 2)
    game.lay("p006", "blue", 2)
    game.look(0.7)
    assert game.referee.events[len(TURN) :][:1] == (Reveal(("p005", "p006")),)
    game.look(0.5)
    assert phase(game) is Phase.REVEAL
    assert cubes(game) == {"blue": 1, "green": -1, "red": 5}


@pytest.mark.parametrize("glimpsed", [True, False])
def test_who_was_seen_with_a_card_has_played_it_though_the_next_one_lies_there(glimpsed: bool) -> None:
    game = Game(2, *TURN)
    if glimpsed:
        game.table.zones = {0: "p006", 1: "p005"}
        game.look(0.07)
    game.table.zones = {0: "p006", 1: None}
    game.lay("p005", "blue", 2)
    assert (game.look(1.0).kind is Kind.ILLEGAL) == (not glimpsed)
    if glimpsed:
        assert game.referee.events[-1] == Reveal(("p006", "p005"))
        assert game.referee.current is not None
        assert game.referee.current.seat == 0


@pytest.mark.parametrize("turns", [1, 2])
def test_a_card_that_was_moved_before_unseen_turns_is_put_right_with_them(turns: int) -> None:
    """The last card was laid elsewhere after all, and the camera was covered before that could be seen."""
    game = Game(2, *TURN)
    cover(game)
    game.table.columns["blue", 1] = game.table.columns.pop(("red", 1))
    for card, contender, row in [("p005", "red", 2), ("p006", "green", 2), ("p007", "red", 3)][: 1 + turns]:
        game.lay(card, contender, row)
    game.look(5.0)
    assert cubes(game) == {"blue": 3, "green": 0, "red": 2 if turns == 1 else 3}
    assert [type(event) for event in game.referee.events] == [Reveal, Play, Play, EndTurn, Ruling]
    assert not game.notes.refusals


def test_a_card_that_may_not_lie_there_is_put_right_by_no_gap() -> None:
    game = Game(2, *TURN)
    cover(game)
    game.table.columns["blue", 1] = game.table.columns.pop(("green", 1))  # p003 shows green and red
    game.lay("p005", "red", 2)
    game.lay("p006", "green", 2)
    assert game.look(2.5).kind is Kind.SETUP
    assert game.referee.events == TURN
