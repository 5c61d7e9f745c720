"""Behind a cap nothing can be seen: there the switches and the rules tell, and nobody is accused by chance."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games.above.action import Action
from companion.games.above.board import SPACES, Board
from companion.games.above.box import DEITIES, TOKEN_IDS
from companion.games.above.position import Position
from companion.games.above.rules import apply
from companion.referee.behind_caps import ASKED_AFTER_S, ASKED_LATER_S
from companion.referee.evidence import Switches
from companion.referee.verdict import Kind, Mark, Verdict
from companion.sensing.reading import TokenSighting
from tests.referee.tabletop import Tabletop, random_position, random_turn
from tests.referee.test_referee import START, Session


def closed_by(table: Tabletop) -> frozenset[str]:
    return frozenset(space for space in table.minis.values() if space) | {space for _, space in table.tokens}


def hidden_by_a_cap(position: Position, space: str) -> bool:
    reach = Board.of().reach[SPACES.index(space)]
    return any(reach >> stood & 1 for stood in position.minis)


def within_reach(space: str) -> list[str]:
    """Where a miniature on a space, or an arm over it, may hide something."""
    reach = Board.of().reach[SPACES.index(space)]
    return [other for number, other in enumerate(SPACES) if reach >> number & 1]


def is_accepted(session: Session, table: Tabletop, after: Position, switches: Switches | None = None) -> None:
    """What lies there now is a turn, at the latest when people say that it is done."""
    verdict = session.look(table, 4, switches)
    assert not verdict.choices or session.referee.answer("done"), verdict
    assert session.referee.position == after, verdict.text


def laying_turns(
    players: int, count: int, kind: str = "place", most_turns: int = 12
) -> list[tuple[Position, tuple[Action, ...], Position]]:
    """Random turns at whose end a token lies next to a miniature, on a space where no magnet was.

    `kind`: it was laid, or shifted there. `most_turns`: of the games that they are from.
    """
    rng = random.Random(players)
    found: list[tuple[Position, tuple[Action, ...], Position]] = []
    while len(found) < count:
        position = random_position(players, rng.randint(0, most_turns), rng)
        actions, after = random_turn(position, rng)
        laid = [action for action in actions if action.kind == kind]
        bare = not any(position.stood_on >> SPACES.index(str(action.space)) & 1 for action in laid)
        if laid and bare and not after.is_over and all(hidden_by_a_cap(after, str(a.space)) for a in laid):
            found.append((position, actions, after))
    return found


@pytest.mark.parametrize("players", [2, 4])
def test_a_token_that_was_laid_behind_a_cap_is_told_by_its_switch(players: int) -> None:
    for position, actions, after in laying_turns(players, 12):
        before, table = Tabletop.of(position), Tabletop.of(after)
        session = Session(position, players)
        session.look(before, 2, Switches(closed_by(before)))
        table.hidden = {str(action.space) for action in actions if action.kind == "place"}
        is_accepted(session, table, after, Switches(closed_by(table)))
        assert not session.notes.refusals


@pytest.mark.parametrize("widely", [True, False])
@pytest.mark.parametrize("players", [2, 4])
def test_what_a_hand_still_covers_accuses_nobody_and_is_waited_for(players: int, widely: bool) -> None:
    """What was laid is judged when it is seen: the switch has felt it, and the hand may still take it elsewhere.

    `widely`: an arm lies over it and over everything near it; otherwise the miniature beside it is in view.
    """
    for position, actions, after in laying_turns(players, 10):
        before, table = Tabletop.of(position), Tabletop.of(after)
        session = Session(position, players)
        session.look(before, 2, Switches(closed_by(before)))
        laid = {str(action.space) for action in actions if action.kind == "place"}
        if widely:
            table.hidden = laid | {each for space in laid for each in within_reach(space)}
        else:
            table.under_hand = laid
        for _ in range(12):
            assert session.look(table, 1, Switches(closed_by(table))).kind is not Kind.ILLEGAL
        assert not session.notes.turns
        table.hidden, table.under_hand = set(), set()
        is_accepted(session, table, after, Switches(closed_by(table)))


@pytest.mark.parametrize("players", [2, 4])
def test_without_a_switch_people_are_asked_in_good_time_to_show_a_token_that_was_laid_behind_a_cap(
    players: int,
) -> None:
    """With a camera alone nothing tells of it: what would be silence is a plea, and a light where it may lie."""
    for position, actions, after in laying_turns(players, 6):
        before, table = Tabletop.of(position), Tabletop.of(after)
        session = Session(position, players)
        session.look(before, 2)
        table.hidden = {str(action.space) for action in actions if action.kind == "place"}
        first = session.look(table, 4)
        assert not any(mark is Mark.MISSING for _, mark in first.marks)
        session.now += ASKED_AFTER_S
        verdict = session.look(table, 1)
        assert verdict.kind is Kind.UNFINISHED
        lit = {space for space, mark in verdict.marks if mark is Mark.MISSING}
        assert lit and lit <= table.hidden
        assert all(space[0].upper() in verdict.text or space in verdict.text for space in lit), verdict.text
        table.hidden = set()
        is_accepted(session, table, after)


@pytest.mark.parametrize("players", [2, 4])
def test_who_lifts_the_miniature_for_a_moment_has_shown_the_token_behind_its_cap(players: int) -> None:
    """So they are asked to do; that the cap hides the token again afterwards takes nothing back."""
    for position, actions, after in laying_turns(players, 6):
        table, session = Tabletop.of(after), Session(position, players)
        session.look(Tabletop.of(position), 2)
        laid = {str(action.space) for action in actions if action.kind == "place"}
        table.hidden = set(laid)
        session.look(table, 4)
        session.now += ASKED_AFTER_S
        assert session.look(table, 1).kind is Kind.UNFINISHED
        reach = Board.of().reach[SPACES.index(min(laid))]
        deity = next(
            each for each, space in table.minis.items() if space and reach >> SPACES.index(space) & 1
        )
        lifted = replace(table, minis={**table.minis, deity: None}, hidden=set())
        assert session.look(lifted, 6).kind is not Kind.ILLEGAL
        is_accepted(session, table, after)


@pytest.mark.parametrize("players", [2, 4])
def test_who_has_taken_a_token_off_from_behind_a_cap_is_asked_to_show_it_where_a_switch_sticks(
    players: int,
) -> None:
    """Its switch says that it lies there still. What would be asked for in vain is seen once the cap is away."""
    rng = random.Random(players)
    found = 0
    while found < 3:
        position = random_position(players, rng.randint(6, 12), rng)
        actions, after = random_turn(position, rng)
        before, table = Tabletop.of(position), Tabletop.of(after)
        chosen = {action.space for action in actions if action.kind == "remove"}
        gone = {space for _, space in before.tokens - table.tokens}
        stood_on = set(table.minis.values()) | {space for _, space in table.tokens}
        if (
            after.is_over
            or not gone
            or gone & (stood_on | chosen)
            or not all(hidden_by_a_cap(after, each) for each in gone)
        ):
            continue
        found += 1
        session = Session(position, players)
        stuck = Switches(closed_by(table) | gone)
        session.look(before, 2, Switches(closed_by(before)))
        table.hidden = set(gone)
        session.look(table, 4, stuck)
        assert not session.notes.turns
        session.now += ASKED_AFTER_S
        verdict = session.look(table, 1, stuck)
        assert verdict.kind is Kind.UNFINISHED and "lift that miniature" in verdict.text, verdict.text
        assert gone <= {space for space, mark in verdict.marks if mark in (Mark.MISSING, Mark.REMOVE)}
        table.hidden = set()
        is_accepted(session, table, after, stuck)


@pytest.mark.parametrize("players", [2, 4])
def test_a_token_laid_aside_of_the_middle_is_asked_for_where_a_cap_covers_part_of_a_space(
    players: int,
) -> None:
    """Its space is in view, its print is not: nothing but a plea tells whoever has laid it why no light comes."""
    for position, actions, after in laying_turns(players, 6):
        table, session = Tabletop.of(after), Session(position, players)
        session.look(Tabletop.of(position), 2)
        table.partly = {str(action.space) for action in actions if action.kind == "place"}
        session.look(table, 4)
        session.now += ASKED_AFTER_S
        assert not any(mark is Mark.MISSING for _, mark in session.look(table, 1).marks)
        session.now += ASKED_LATER_S - ASKED_AFTER_S
        verdict = session.look(table, 1)
        assert verdict.kind is Kind.UNFINISHED
        assert {space for space, mark in verdict.marks if mark is Mark.MISSING} == table.partly
        table.partly = set()
        is_accepted(session, table, after)


@pytest.mark.parametrize("players", [2, 4])
def test_a_token_laid_aside_of_the_middle_under_a_cap_is_told_by_its_switch(players: int) -> None:
    for position, actions, after in laying_turns(players, 12):
        table, session = Tabletop.of(after), Session(position, players)
        before = Tabletop.of(position)
        session.look(before, 2, Switches(closed_by(before)))
        table.partly = {str(action.space) for action in actions if action.kind == "place"}
        is_accepted(session, table, after, Switches(closed_by(table)))
        assert not session.notes.refusals


@pytest.mark.parametrize("players", [2, 4])
def test_a_token_that_lies_half_under_a_cap_is_not_said_to_be_gone_while_its_switch_is_closed(
    players: int,
) -> None:
    """Somebody has come to stand beside it and leans over it."""
    rng = random.Random(players)
    covered = 0
    while covered < 12:
        position = random_position(players, rng.randint(4, 12), rng)
        _, after = random_turn(position, rng)
        before, table = Tabletop.of(position), Tabletop.of(after)
        table.partly = {space for _, space in before.tokens & table.tokens if hidden_by_a_cap(after, space)}
        if not table.partly or after.is_over:
            continue
        covered += 1
        session = Session(position, players)
        session.look(before, 2, Switches(closed_by(before)))
        changed = closed_by(before) ^ closed_by(table)
        is_accepted(session, table, after, Switches(closed_by(table), changed=changed))
        assert not session.notes.refusals


@pytest.mark.parametrize("players", [2, 4])
def test_a_token_laid_behind_a_cap_where_a_magnet_stood_when_the_turn_began_is_asked_for(
    players: int,
) -> None:
    """Its switch was closed before, and is closed: it tells nothing."""
    for position, actions, after in laying_turns(players, 6):
        laid = {str(action.space) for action in actions if action.kind == "place"}
        before, table = Tabletop.of(position), Tabletop.of(after)
        session = Session(position, players)
        session.look(before, 2, Switches(closed_by(before) | laid))
        table.hidden = laid
        stale = Switches(closed_by(table), changed=frozenset())
        session.look(table, 4, stale)
        session.now += ASKED_AFTER_S
        verdict = session.look(table, 1, stale)
        if verdict.kind is Kind.UNFINISHED:
            lit = {space for space, mark in verdict.marks if mark is Mark.MISSING}
            assert laid <= lit, verdict.text
        table.hidden = set()
        is_accepted(session, table, after, Switches(closed_by(table)))


def test_a_token_that_was_taken_up_to_be_shifted_may_lie_anywhere_and_behind_caps_is_asked_for_too() -> None:
    for position, actions, after in laying_turns(2, 3, "shift", 30):
        table, session = Tabletop.of(after), Session(position)
        session.look(Tabletop.of(position), 2)
        shifted = {str(action.space) for action in actions if action.kind == "shift"}
        table.hidden = shifted
        verdict = session.look(table, 2)
        assert verdict.kind is Kind.UNFINISHED and "open space" in verdict.text
        assert not any(todo.space for todo in verdict.todo) and not verdict.marks
        session.now += ASKED_AFTER_S
        verdict = session.look(table, 1)
        assert {space for space, mark in verdict.marks if mark is Mark.MISSING} == shifted
        table.hidden = set()
        is_accepted(session, table, after)


def test_nobody_is_asked_for_what_a_switch_or_the_eye_would_tell() -> None:
    session, before, table = turned()
    session.look(before, 2, Switches(closed_by(before)))
    for hidden, under_hand, switches in (
        ("b2", "", Switches(closed_by(table))),
        ("", "b2", None),
        ("", "", None),
    ):
        table.hidden, table.under_hand = {hidden} - {""}, {under_hand} - {""}
        session.look(table, 2, switches)
        session.now += 2 * ASKED_AFTER_S
        assert not any(mark is Mark.MISSING for _, mark in session.look(table, 2, switches).marks)


def turned() -> tuple[Session, Tabletop, Tabletop]:
    """Zeus has stepped to a2 and may lay a Thunder; b2 is behind his cap."""
    position = Position.parse(START)
    session, before, table = Session(position), Tabletop.of(position), Tabletop.of(position)
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "a2"
    table.hidden = {"b2"}
    return session, before, table


def taking_turns(players: int, count: int) -> list[tuple[Position, Position, set[tuple[str, str]]]]:
    """Random turns that take tokens off next to where a miniature stands afterwards, with those tokens."""
    rng = random.Random(players)
    found: list[tuple[Position, Position, set[tuple[str, str]]]] = []
    while len(found) < count:
        position = random_position(players, rng.randint(0, 12), rng)
        _, after = random_turn(position, rng)
        gone = Tabletop.of(position).tokens - Tabletop.of(after).tokens
        moved = {space for _, space in gone} & {after.space_of(deity) for deity in DEITIES}
        if gone and not moved and not after.is_over and all(hidden_by_a_cap(after, s) for _, s in gone):
            found.append((position, after, gone))
    return found


@pytest.mark.parametrize("players", [2, 4])
def test_a_token_that_was_taken_from_behind_a_cap_is_gone_and_asked_for_if_it_comes_to_light(
    players: int,
) -> None:
    for position, after, gone in taking_turns(players, 12):
        session, table = Session(position, players), Tabletop.of(after)
        session.look(Tabletop.of(position), 2)
        table.hidden = {space for _, space in gone}
        is_accepted(session, table, after)
        # Nobody had taken them off, and the cap is pushed aside.
        table.tokens |= gone
        table.hidden = set()
        verdict = session.look(table, 4)
        assert verdict.kind is Kind.READY
        assert {(space, Mark.REMOVE) for _, space in gone} <= set(verdict.marks)
        table.tokens -= gone
        assert not session.look(table, 4).marks


@pytest.mark.parametrize("players", [2, 4])
def test_a_token_under_a_hand_beside_a_miniature_in_view_is_not_taken_off_yet(players: int) -> None:
    """The hand reaches for it; without that act the turn is not over."""
    for position, after, gone in taking_turns(players, 12):
        session, table = Session(position, players), Tabletop.of(after)
        session.look(Tabletop.of(position), 2)
        table.tokens |= gone
        table.under_hand = {space for _, space in gone}
        for _ in range(20):
            assert session.look(table, 1).kind is not Kind.ILLEGAL
        assert not session.notes.turns
        table.tokens -= gone
        table.under_hand = set()
        is_accepted(session, table, after)


def test_a_token_is_not_one_of_those_that_are_all_seen_elsewhere() -> None:
    session, before, table = turned()
    session.look(before, 2, Switches(closed_by(before)))
    closed = closed_by(table) | {"b2"}
    beside = tuple(
        TokenSighting("thunder", marker, (), (200.0 + 20 * number, 0.0, 2.0))
        for number, marker in enumerate(TOKEN_IDS["thunder"][2:])
    )
    for _ in range(40):
        session.now += 0.07
        reading = table.reading(session.now)
        session.referee.observe(replace(reading, tokens=(*reading.tokens, *beside)), Switches(closed))
    assert session.referee.verdict.kind is Kind.ILLEGAL
    assert "b2" in session.referee.verdict.text


def test_a_switch_that_was_closed_before_the_turn_accuses_nobody_of_it() -> None:
    """It sticks, and when a cap comes to hide its space it has not been found out yet."""
    session, before, table = turned()
    closed = closed_by(table) | {"b2"}
    session.look(before, 2, Switches(closed_by(before) | {"b2"}))
    for _ in range(40):
        assert session.look(table, 1, Switches(closed)).kind is not Kind.ILLEGAL
    table.tokens.add(("thunder", "p2"))
    assert session.look(table, 4, Switches(closed | {"p2"})).kind is Kind.READY
    assert [str(action) for action in session.notes.turns[0]][-1] == "place thunder p2"


@pytest.mark.parametrize("hands", ["ze.ar.ha/ze.at.ap.ap/he/de 1 4", "ze.ar.ha.ap/ze.at.ap 1 2"])
@pytest.mark.parametrize("space", ["n5", "o6"])
def test_athena_may_go_on_from_a_space_that_her_own_cap_hides(hands: str, space: str) -> None:
    """Her print is seen, the space below only felt: her turn is over, and may go on (A15), however many play."""
    start = Position.parse(
        "ze=a1,he=j4,ar=p3,at=o5,ha=m3,de=j5,po=m5,ap=l4"
        f" thunder=,fertility=i3,gate=j3,barrier=a2.h1.h2.h6.i6.l6 {hands}"
    )
    session, table = Session(start, start.players), Tabletop.of(start)
    session.look(table, 2, Switches(closed_by(table)))
    after = start
    for act in ("activate at", f"move at {space}", "done"):
        after = apply(after, Action.parse(act))
    table = Tabletop.of(after)

    def look(times: int) -> Verdict:
        for _ in range(times):
            session.now += 0.07
            reading = replace(table.reading(session.now), hidden=frozenset({space}))
            session.referee.observe(reading, Switches(closed_by(table)))
        return session.referee.verdict

    verdict = look(8)
    assert (verdict.kind, verdict.seat) == (Kind.COMPLETE, after.turn)
    # The next player takes a miniature up.
    table.minis["he"] = None
    verdict = look(8)
    assert (verdict.kind, verdict.seat) == (Kind.LIFTED, after.turn)


def test_where_another_token_is_read_under_the_edge_of_a_cap_the_one_that_lay_there_has_gone() -> None:
    """Its switch is closed by that one, which was laid in the same turn."""
    start = after = Position.parse(START.replace("fertility=d3", "fertility=a2"))
    for act in ("activate ze", "move ze a2", "move ze b2", "place thunder a2"):
        after = apply(after, Action.parse(act))
    before, table = Tabletop.of(start), Tabletop.of(after)
    session = Session(start)
    session.look(before, 2, Switches(closed_by(before)))
    switches = Switches(closed_by(table), changed=closed_by(before) ^ closed_by(table))
    for _ in range(4):
        session.now += 0.07
        session.referee.observe(
            replace(table.reading(session.now), partly_hidden=frozenset({"a2"})), switches
        )
    assert session.referee.position == after
