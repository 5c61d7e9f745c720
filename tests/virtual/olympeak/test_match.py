"""Whole games at the simulated OlymPeak table: the table lies as the rules say, and people need only the lights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.olympeak import rules
from companion.games.olympeak.events import EndRound, EndTurn, Event, Reveal
from companion.games.olympeak.position import GameState, Phase, begin
from companion.games.olympeak.simulation import Step
from companion.virtual.olympeak import layout
from companion.virtual.olympeak.match import CardMatch
from companion.virtual.olympeak.mischief import KINDS
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.truth import cube_places, lie_of, lie_on
from tests.virtual.olympeak.conftest import Choice, Table, make_table

Make = Callable[..., Table]
COUNTS = (2, 3, 4, 5, 6)


def everywhere(table: Table) -> list[str]:
    """Every card, wherever it is: over the table, in the piles, in a hand."""
    secrets = table.match._secrets
    over = [t.name for t in table.scene.things("card") if t.name not in table.scene.discarded]
    in_hands = [card for hand in secrets.hands for card in hand if card not in over]
    return [*over, *in_hands, *secrets.draw_pile, *secrets.discard_pile]


@pytest.mark.parametrize("players", COUNTS)
def test_a_whole_game_lies_on_the_table_as_the_rules_say(players: int) -> None:
    """After every event, with mistakes in between: columns, zones and cubes are those of the state."""
    wrong: list[str] = []
    seen: Counter[type[Event]] = Counter()

    def compare(step: Step, when: float | None) -> None:
        seen[type(step.event)] += 1
        truth, lies = lie_of(step.after), lie_on(table.scene, players)
        # Revealed order cards lie there until they have been looked at (O3).
        shown = dict(enumerate(step.event.cards)) if isinstance(step.event, Reveal) else truth.zones
        if truth.columns != lies.columns or dict(lies.zones) != dict(shown):
            wrong.append(f"{when} s, {step.event}: {lies}")

    for seed in range(4):
        table = make_table(players, 40 + seed, illegal=0.25, on_event=compare)
        table.play()
        assert not wrong
        tally = table.match.tally
        assert table.match.state.phase is Phase.OVER
        assert (tally.stuck, tally.false_alarms) == (0, 0)
        assert tally.illegal_caught == tally.illegal_shown > 0
        assert tally.turns == sum(isinstance(step.event, EndTurn) for step in table.steps)
        assert cube_places(table.scene) == table.match.state.cube
        round_y = table.scene.thing("round").pose.y
        assert abs(round_y - table.scene.table.round_centre(table.match.state.round)[1]) < 4
    assert len(seen) >= 8


@pytest.mark.parametrize("players", COUNTS)
def test_the_events_told_are_a_game_by_the_rules(players: int) -> None:
    table = make_table(players, 7, illegal=0.2)
    table.play()
    state = begin(table.match.state.setup)
    for step in table.steps:
        assert step.before == state
        state = rules.apply(state, step.event)
        assert step.after == state
    assert state.phase is Phase.OVER


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.sampled_from(COUNTS))
def test_no_card_is_lost_or_made(seed: int, players: int) -> None:
    """Every card of the box is somewhere, once; piles are as high as what they hold."""
    in_play: list[str] = []

    def count(step: Step, when: float | None) -> None:
        if isinstance(step.event, Reveal) and not step.after.order:
            # Order cards only: they are looked at for a while before they go to the pile (O3).
            return
        assert len(set(everywhere(table))) == len(everywhere(table)), step.event
        assert sorted(everywhere(table)) == in_play, step.event

    table = make_table(players, seed, illegal=0.2, on_event=count)
    in_play = sorted(card.id for card in table.match.state.setup.deck.in_play(players))
    table.play()
    secrets = table.match._secrets
    assert sorted(table.scene.discarded) == sorted(secrets.discard_pile)
    assert layout.draw_pile(table.scene) == len(secrets.draw_pile)


def test_equal_seeds_play_equal_games(table: Make) -> None:
    def course(seed: int) -> list[object]:
        game = table(4, seed, illegal=0.3)
        game.play()
        return [*(step.event for step in game.steps), game.now, game.match.tally, game.scene.things()]

    assert course(3) == course(3)
    assert course(3)[:5] != course(4)[:5]


def test_what_is_played_does_not_depend_on_how_often_time_is_stepped(table: Make) -> None:
    def first_turn(ticks: int) -> list[Event]:
        game = table(3, 8)
        while len(game.steps) < 4:
            game.now += 1 / 30
            if round(game.now * 30) % ticks == 0:
                game.match.step(game.now)
        return [step.event for step in game.steps[:4]]

    assert first_turn(1) == first_turn(3)


def test_hands_leave_before_anything_counts(table: Make) -> None:
    away: list[bool] = []

    def note(step: Step, when: float | None) -> None:
        away.append(game.match.hands_away)

    game: Table = table(4, 5, illegal=0.2, on_event=note)
    game.play()
    assert all(away)
    assert game.match.last_hand_left_at is not None


def test_people_wait_for_the_lights_and_give_up_without_them(table: Make) -> None:
    game = table(4, 2, patience_s=12.0)
    game.play(until=lambda t: t.match.state.phase is Phase.PLAY)
    game.lights.on = False
    game.play(limit_s=200)
    assert game.match.tally.stuck == 1
    # Before they gave up they straightened a card, should the camera have missed it.
    assert game.match.tally.reseated >= 1


def test_nobody_begins_before_all_seats_are_lit(table: Make) -> None:
    game = table(3, 2)
    game.lights.on = False
    for _ in range(60):
        game.tick()
    assert not lie_on(game.scene, 3).zones
    game.lights.on = True
    for _ in range(60):
        game.tick()
    assert len(lie_on(game.scene, 3).zones) == 3


def test_red_without_cause_is_a_false_alarm_told_once(table: Make) -> None:
    game = table(2, 3)
    game.play(until=lambda t: t.match.state.phase is Phase.PLAY)
    game.lights.on, game.lights.alarm = False, True
    for _ in range(90):
        game.tick()
    assert game.match.tally.false_alarms == 1


def test_what_is_never_caught_is_counted_as_shown_only(table: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    game = table(4, 6, illegal=0.5, patience_s=5.0)
    monkeypatch.setattr(game.lights, "seat_red", lambda seat: False)
    game.play()
    tally = game.match.tally
    assert tally.illegal_shown > tally.illegal_caught == 0


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_mistake_is_made_seen_and_put_right(kind: str) -> None:
    shown = 0
    for seed in range(12):
        table = make_table(5 if kind != "remove" else 3, seed, illegal=1.0, kinds=(kind,))
        while not table.match.finished:
            table.tick()
            assert table.match.showing_illegal in ("", kind)
        assert table.match.tally.illegal_caught == table.match.tally.illegal_shown
        for act in table.match.tally.illegal_acts:
            assert act.began_at < act.done_at and act.places and act.things <= set(table.scene.box.card_ids)
        assert table.match.tally.stuck == 0
        shown += table.match.tally.illegal_shown
        if shown:
            return
    pytest.fail(f"nobody ever made the mistake {kind!r}")


def test_order_cards_are_carried_out_by_doing_or_by_answering(table: Make) -> None:
    asked = 0
    for seed in range(6):
        game = table(4, seed)
        game.play()
        asked += game.match.tally.asked
    assert asked > 0
    assert game.match.answer([Choice("something else")]) is None


def test_motors_move_cubes_and_round_marker_and_nobody_else_does(table: Make) -> None:
    places: dict[str, float] = {}
    game = table(4, 11, lanes=lambda: places)
    hands_over_lanes = 0
    while not game.match.finished:
        game.tick()
        wanted = {**game.match.state.cube, "round": float(game.match.state.round)}
        for lane, place in wanted.items():
            at = places.get(lane, 0.0)
            places[lane] = at + max(-0.5, min(0.5, place - at))
        shot = game.scene.snapshot()
        hands_over_lanes += sum(hand.tip[0] > 250 and hand.tip[2] < 30 for hand in shot.hands)
    assert game.match.tally.stuck == 0
    assert cube_places(game.scene) == game.match.state.cube
    assert hands_over_lanes == 0


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_game_under_way_is_taken_up_where_it_stands(table: Make, players: int) -> None:
    """Resumed in any state, the table shows it and the game goes on by the rules to its end."""
    first = table(players, 21)
    first.play()
    states = [step.after for step in first.steps if step.after.phase is not Phase.OVER]
    after_a_round = [step.after for step in first.steps if isinstance(step.event, EndRound)][:1]
    for n, state in enumerate([*states[3 :: max(1, len(states) // 5)], *after_a_round]):
        resumed = table(players, 100 + n, state=state)
        assert lie_on(resumed.scene, players).columns == lie_of(state).columns
        assert dict(lie_on(resumed.scene, players).zones) == dict(lie_of(state).zones)
        assert cube_places(resumed.scene) == state.cube
        in_play = sorted(card.id for card in state.setup.deck.in_play(players))
        assert sorted(everywhere(resumed)) == in_play
        resumed.play()
        assert resumed.match.state.phase is Phase.OVER
        assert resumed.match.tally.stuck == 0
        assert resumed.steps[0].before == state


def test_nothing_hidden_is_open_to_those_who_watch(table: Make) -> None:
    """What a match and its scene show in public holds no card that lies in a hand or in the draw pile."""
    game = table(4, 9)
    checked = 0

    def open_names(match: CardMatch, scene: CardScene) -> set[str]:
        told = {name for name in vars(match) if not name.startswith("_")}
        assert told == {
            "scene", "eyes", "rng", "lanes", "on_event", "state", "tally", "now", "last_hand_left_at",
        }  # fmt: skip
        fans = {t.name for t in scene.things("card") if t.layer >= 90}
        return {t.name for t in scene.things("card")} - fans

    while not game.match.finished:
        game.tick()
        if game.match.hands_away and game.match.state.phase is Phase.PLAY and not game.match.state.placed:
            hidden = {card for hand in game.match._secrets.hands for card in hand}
            hidden |= set(game.match._secrets.draw_pile)
            revealed = {game.match.state.revealed[seat] for seat in game.match.state.waiting}
            assert not (open_names(game.match, game.scene) - revealed) & hidden - set(game.scene.discarded)
            checked += 1
    assert checked


def test_a_seat_at_the_edge_holds_cards_over_it_and_they_are_no_part_of_the_game(table: Make) -> None:
    fans = 0
    for seed in range(3):
        game = table(2, seed)
        while not game.match.finished:
            game.tick()
            held = [t for t in game.scene.things("card") if t.layer >= 90]
            fans += bool(held)
            lies = lie_on(game.scene, 2)
            assert not {t.name for t in held} & {card for card, _, _ in lies.columns}
    assert fans > 30


def test_a_state_says_what_everybody_sees(table: Make) -> None:
    game = table(3, 1)
    assert isinstance(game.match.state, GameState)
    assert game.match.players == 3
