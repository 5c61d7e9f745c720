"""Whole games at the simulated table: the table always lies as the rules say, and the lights alone lead."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.above.action import Action
from companion.games.above.box import TOKENS
from companion.games.above.position import Position
from companion.games.above.rules import initial_position
from companion.virtual import mischief
from companion.virtual.answers import Played, answer_to
from companion.virtual.deeds import Deed, Do
from companion.virtual.match import Match
from companion.virtual.motion import HUMAN
from companion.virtual.scene import Scene
from companion.virtual.tally import REOPENED_S
from companion.virtual.truth import lie_of, lie_on, same

from .conftest import PerfectEyes

TICK_S = 1 / 15


@dataclass(frozen=True)
class Say:
    """A choice offered to the players."""

    key: str
    text: str


def match_of(
    seed: int, players: int, illegal: float = 0.0, position: Position | None = None
) -> tuple[Match, PerfectEyes]:
    eyes = PerfectEyes()
    match = Match(Scene(random.Random(seed)), players, eyes, illegal=illegal, position=position)
    eyes.match = match
    return match, eyes


def run(match: Match, until: float = 3000.0) -> float:
    now = match.now
    while not match.finished and now < until:
        now += TICK_S
        match.step(now)
    return now


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10_000), st.sampled_from([2, 4]))
def test_the_table_lies_as_the_rules_say_after_every_turn(seed: int, players: int) -> None:
    match, _ = match_of(seed, players, illegal=0.25)
    names = sorted(piece.name for piece in match.scene.pieces())

    def check(position: Position, when: float | None) -> None:
        assert not lie_of(position).differing(lie_on(match.scene, players)), match.last_turn
        assert sorted(piece.name for piece in match.scene.pieces()) == names
        assert not any(piece.held for piece in match.scene.pieces())
        assert match.hands_away
        assert when == match.now

    match.on_turn_done = check
    run(match)
    assert match.finished
    assert match.position.is_over
    assert match.tally.stuck == 0
    assert match.tally.illegal_caught == match.tally.illegal_shown
    assert match.tally.false_alarms == 0


@pytest.mark.parametrize("players", [2, 4])
def test_games_have_a_length_for_an_evening_and_exercise_everything(players: int) -> None:
    kinds: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    lengths = []
    for seed in range(12):
        match, _ = match_of(seed, players)

        def count(position: Position, when: float | None, match: Match = match) -> None:
            kinds.update(action.kind for action in match.last_turn)
            kinds.update(str(a.deity) for a in match.last_turn if a.kind == "activate")
            tokens.update(a.token for a in match.last_turn if a.token)

        match.on_turn_done = count
        run(match)
        lengths.append(match.tally.turns)
    assert 22 <= sum(lengths) / len(lengths) <= 45
    assert all(kinds[deity] for deity in ("ze", "he", "ar", "at", "ha", "de", "po", "ap"))
    wanted = {"activate", "move", "place", "jump", "remove", "disgrace", "exhaust", "done"}
    assert wanted <= set(kinds)
    assert set(TOKENS) <= set(tokens)


def test_equal_seeds_play_equal_games() -> None:
    records = []
    for _ in range(2):
        match, _ = match_of(7, 2, illegal=0.3)
        seen: list[tuple[str, float]] = []
        match.on_turn_done = lambda position, when, seen=seen: seen.append((str(position), when))
        run(match)
        records.append((seen, match.scene.pieces()))
    assert records[0] == records[1]


def test_an_illegal_move_is_shown_until_the_red_light_and_then_put_back() -> None:
    match, eyes = match_of(3, 2, illegal=1.0)
    eyes.lights_on = True
    start = lie_of(match.position)
    now = 0.0
    while not match.showing_illegal and now < 60:
        now += TICK_S
        match.step(now)
    # What lies there may be seen, and refused, before the hand that laid it has left.
    assert match.showing_illegal and not match.hands_away
    assert start.differing(lie_on(match.scene, 2))
    assert match.tally.illegal_shown == 1
    while not match.hands_away:
        now += TICK_S
        match.step(now)
    (act,) = match.tally.illegal_acts
    assert 0.0 < act.began_at < act.done_at == pytest.approx(now)
    assert act.things
    position = match.position
    while match.tally.turns == 0 and now < 120:
        now += TICK_S
        match.step(now)
    assert match.tally.illegal_caught == 1
    assert match.position != position
    assert not lie_of(match.position).differing(lie_on(match.scene, 2))


def test_an_illegal_move_nobody_objects_to_counts_as_shown_but_not_caught() -> None:
    match, eyes = match_of(3, 2, illegal=1.0)
    now = 0.0
    while match.hands_away:
        now += TICK_S
        match.step(now)
    eyes.lights_on = False
    while not match.showing_illegal and now < 60:
        now += TICK_S
        match.step(now)
    while match.showing_illegal and now < 120:
        now += TICK_S
        match.step(now)
    assert match.tally.illegal_shown == 1
    assert match.tally.illegal_caught == 0


def test_who_shows_an_illegal_move_says_what_was_played_before_it_and_waits_on() -> None:
    match, eyes = match_of(3, 2)
    eyes.lights_on = True
    while match.tally.turns < 1:
        match.step(match.now + TICK_S)
    turn = ", ".join(map(str, match.last_turn))
    match.illegal = 1.0
    while match.hands_away:
        match.step(match.now + TICK_S)
    eyes.lights_on = False
    while not match.showing_illegal:
        match.step(match.now + TICK_S)
    began = match.now
    while match.now < began + 15.0:
        match.step(match.now + TICK_S)
    assert match.answer([Say(f"turn:{turn}", "what was played")], told=0) == f"turn:{turn}"
    while match.showing_illegal:
        match.step(match.now + TICK_S)
    assert match.now > began + 15.0 + match.patience_s


def test_without_lights_the_players_are_stuck() -> None:
    match, eyes = match_of(4, 2)
    eyes.lights_on = False
    spent = run(match, until=60.0)
    assert match.finished
    assert match.tally.stuck == 1
    assert match.tally.turns == 0
    assert 20 <= spent < 22


def test_who_objects_in_vain_is_stuck_as_soon_as_who_is_told_nothing() -> None:
    """To be asked is a way on; to have to object is none."""
    ends = []
    for text in ("none", "object", "stands"):
        match, eyes = match_of(1, 2)
        eyes.lights_on = False
        for _ in range(round(30 / TICK_S)):
            match.step(match.now + TICK_S)
            if text != "none" and match.now > 15:
                match.answer([Say(text, "")])
        ends.append((match.finished, match.tally.stuck))
    assert ends == [(True, 1), (True, 1), (False, 0)]


def test_at_an_evening_the_players_wait_for_a_table_that_is_slow_to_start() -> None:
    match, eyes = match_of(1, 2)
    match.pace = HUMAN
    eyes.lights_on = False
    run(match, until=300.0)
    assert (match.finished, match.tally.turns, match.tally.stuck) == (False, 0, 0)
    eyes.lights_on = True
    run(match, until=360.0)
    assert match.tally.turns >= 1


def test_a_red_light_without_cause_is_a_false_alarm_once() -> None:
    match, eyes = match_of(5, 2)
    while match.tally.turns < 1:
        match.step(match.now + TICK_S)
    eyes.lights_on, eyes.alarm = False, frozenset({"c4"})
    for _ in range(round(10 / TICK_S)):
        match.step(match.now + TICK_S)
    assert match.tally.false_alarms >= 1
    assert match.tally.reseated >= 1


def test_who_is_asked_for_a_token_that_was_laid_takes_the_miniatures_beside_it_away_for_a_moment() -> None:
    """They know on which of the lit spaces it lies, and nothing but a cap can keep it from being seen."""
    match, eyes = match_of(5, 2)
    laid: list[str] = []
    while not laid:
        turns = match.tally.turns
        while match.tally.turns == turns:
            match.step(match.now + TICK_S)
        spaces = [str(each.space) for each in match.last_turn if each.kind == "place"]
        laid = [space for space in spaces if beside(match.scene, space)]
    shown = beside(match.scene, laid[0])
    eyes.lights_on, eyes.asked_for = False, frozenset({laid[0], "p6"})
    away_with_no_hand: set[str] = set()
    while not match.finished:
        match.step(match.now + TICK_S)
        if match.hands_away:
            away_with_no_hand |= {mini.name for mini in match.scene.pieces("mini") if mini.held}
    assert away_with_no_hand and away_with_no_hand <= shown
    assert same(lie_on(match.scene, 2), lie_of(match.position))


def beside(scene: Scene, space: str) -> set[str]:
    """The miniatures on the spaces round one."""
    middle = scene.printed_centre(space)[:2]
    return {
        mini.name
        for mini in scene.pieces("mini")
        if scene.space_at(mini.pose.x, mini.pose.y) != space
        and math.dist((mini.pose.x, mini.pose.y), middle) < 80
    }


def test_who_has_straightened_in_vain_leaves_time_to_answer_what_is_asked() -> None:
    match, eyes = match_of(5, 2)
    while match.tally.turns < 1:
        match.step(match.now + TICK_S)
    eyes.lights_on, eyes.alarm = False, frozenset({match.position.space_of("ze")})
    away: list[float] = []
    while not match.finished:
        match.step(match.now + TICK_S)
        if not match.hands_away:
            away.append(0.0)
        elif away:
            away[-1] += TICK_S
    # After the last time they give up.
    *between, _ = (seconds for seconds in away if seconds)
    assert match.tally.reseated == len(between) + 1
    assert min(between) > 4.5


def test_the_moment_the_last_hand_leaves_is_told() -> None:
    match, _ = match_of(6, 2)
    done: list[float | None] = []
    match.on_turn_done = lambda position, when: done.append(when)
    while not done:
        match.step(match.now + TICK_S)
    assert match.last_hand_left_at is not None
    assert match.last_hand_left_at == pytest.approx(done[0], abs=TICK_S)


def test_hands_lift_pieces_and_open_switches_while_they_move() -> None:
    match, _ = match_of(8, 2)
    held, opened = 0, 0
    while match.tally.turns < 6:
        match.step(match.now + TICK_S)
        held += any(piece.held for piece in match.scene.pieces())
        opened += match.scene.closed_reeds() != frozenset(match.scene.holding())
        assert match.hands_away == (not match.scene.hands)
    assert held > 20
    assert opened > 0


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (
            "activate at, move at b1, exhaust he 0, done",
            ["activate at", "move at b1", "exhaust he 0", "done"],
        ),
        (
            "activate at, move at b1, exhaust he 0, exhaust he 0",
            ["activate at", "move at b1"] + ["exhaust he 0"] * 2,
        ),
    ],
)
def test_what_was_done_once_is_told_once(text: str, keys: list[str]) -> None:
    """Of two cards of one deity, as many are told to be exhausted as were."""
    start = initial_position(4, random.Random(1))
    turn = tuple(Action.parse(words) for words in text.split(", "))
    played = Played(start, turn, start)
    offered = [["did:activate at"], ["did:move at b1"]] + [["did:exhaust he 0", "did:done", "none"]] * 2
    told: list[str] = []
    for each in offered:
        key = answer_to(each, [played], 1, told=told)
        assert key is not None
        told.append(key)
    assert told == [f"did:{key}" for key in keys]


def test_players_answer_with_what_they_have_played() -> None:
    match, _ = match_of(9, 2)
    while match.tally.turns < 1:
        match.step(match.now + TICK_S)
    played = ", ".join(str(action) for action in match.last_turn)
    true = f"turn:{played}"
    assert match.answer([Say("turn:activate ze, move ze q9", "one"), Say(true, "other")]) == true
    assert match.answer([Say("turn:nonsense", "one")]) is None
    assert match.answer([Say("done", "Ada is done")]) == "done"
    assert match.tally.asked == 3


def test_at_a_human_pace_a_turn_takes_its_time() -> None:
    eyes = PerfectEyes()
    match = Match(Scene(random.Random(2)), 2, eyes, pace=HUMAN)
    eyes.match = match
    while match.tally.turns < 5:
        match.step(match.now + TICK_S)
    assert 5 < match.now / 5 < 20


def test_a_match_goes_on_from_a_given_position() -> None:
    first, _ = match_of(1, 2)
    while first.tally.turns < 4:
        first.step(first.now + TICK_S)
    again, _ = match_of(2, 2, position=first.position)
    assert again.position == first.position
    assert not lie_of(first.position).differing(lie_on(again.scene, 2))
    run(again)
    assert again.position.is_over


def test_that_it_is_right_as_it_lies_is_said_only_between_two_turns() -> None:
    """Half a turn is not right as it lies, whoever is on turn."""
    match, _ = match_of(9, 2)
    keys = [Say("lies:0", "Ada's turn begins"), Say("lies:1", "Ben's turn begins")]
    said = set()
    while match.tally.turns < 2:
        match.step(match.now + TICK_S)
        right = same(lie_on(match.scene, 2), lie_of(match.position))
        key = match.answer(keys)
        assert key == (f"lies:{match.position.turn}" if right and not match.showing_illegal else None)
        said.add(key)
    assert None in said and len(said) > 1


def test_who_has_recovered_and_turns_a_card_alone_has_done_nothing_illegal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is counted by itself, and lies there until it is asked back, or nobody asks."""

    def other_card(position: Position, rng: random.Random) -> list[Deed]:
        return [Deed(Do.FLIP, position.powered(1 - position.turn)[0], seat=1 - position.turn)]

    monkeypatch.setattr(mischief, "KINDS", {"a card": other_card})
    hands = str(initial_position(2, random.Random(1))).split()
    start = Position.parse(" ".join((*hands[:2], "ap/ze.de.po.ap", "0", "2")))
    match, _ = match_of(3, 2, position=start)
    while match.tally.turns < 1:
        match.step(match.now + TICK_S)
    match.illegal = 1.0
    while not match.tally.reopened:
        match.step(match.now + TICK_S)
    (act,) = match.tally.reopened
    assert not match.tally.illegal_acts and not match.showing_illegal
    act.caught = True
    match.illegal = 0.0
    while match.tally.turns < 2:
        match.step(match.now + TICK_S)
    # Whoever is asked at once goes on at once.
    assert match.now < act.done_at + REOPENED_S
