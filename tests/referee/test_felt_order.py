"""What the switches have felt of a turn decides where what lies there does not."""

from __future__ import annotations

import pytest

from companion.games.above.board import SPACES, bits
from companion.games.above.position import Position
from companion.referee.evidence import Switches
from companion.referee.verdict import Kind, Verdict
from companion.sensing.reading import Reading
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import Session, hand, started
from tests.referee.test_sequel import played

# No Barrier is left in the Reserve: Ares shifts two that lie there (A12).
ALL_LAID = (
    "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=b5.f5,fertility=d3.n4,gate=h3.l6,"
    "barrier=b1.f2.g4.j2.k3.p3 ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap 0 2"
)
FORTH = (
    "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=b5.f5,fertility=b1.n4,gate=h3.l6,"
    "barrier=j2.p3 ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap 0 2"
)
RELAID = "activate ar, move ar e2, shift barrier b1 d4, shift barrier f2 b1"


def felt_under(position: Position) -> frozenset[str]:
    """The switches that a position closes."""
    return frozenset(SPACES[space] for space in bits(position.stood_on))


def changes(session: Session, closed: frozenset[str], text: str) -> frozenset[str]:
    """Under a hand switches open and close one after the other ("-b1 +d4"); those that are closed in the end."""
    for change in text.split():
        closed = changed(closed, change)
        hand(session, closed, 3)
    return closed


def changed(closed: frozenset[str], change: str) -> frozenset[str]:
    return closed - {change[1:]} if change[0] == "-" else closed | {change[1:]}


def relaid(order: str) -> tuple[Session, Verdict]:
    """Both Barriers have been shifted, the second to where the first one lay, or one of them alone: it looks alike."""
    session, table = started(ALL_LAID)
    start = Position.parse(ALL_LAID)
    session.look(table, 3, Switches(felt_under(start)))
    closed = changes(session, felt_under(start), f"-e1 +e2 {order}")
    after = played(start, RELAID)
    assert closed == felt_under(after)
    return session, session.look(Tabletop.of(after), 30, Switches(closed))


@pytest.mark.parametrize("order", ["-b1 +d4 -f2 +b1", "-p3 +p3 -b1 +d4 -f2 +b1", "-b1 +b1 -b1 +d4 -f2 +b1"])
def test_a_barrier_shifted_to_where_the_other_one_lay_is_told_by_the_order_of_the_switches(
    order: str,
) -> None:
    session, verdict = relaid(order)
    assert verdict.kind is Kind.READY and verdict.seat == 1
    assert ", ".join(map(str, session.notes.turns[-1])) == RELAID


@pytest.mark.parametrize(
    "order", ["-f2 +d4", "-f2 +d4 -b1 +b1", "-b1 +b1 -f2 +d4", "-b1 -f2 +d4 +b1", "-f2 -b1 +d4 +b1"]
)
def test_one_barrier_shifted_and_another_one_brushed_is_half_of_the_power(order: str) -> None:
    session, verdict = relaid(order)
    assert verdict.kind is Kind.UNFINISHED and verdict.choices
    assert not session.notes.turns


@pytest.mark.parametrize(("order", "is_told"), [("-b1 +d4 -f2 +b1", True), ("-f2 +d4 -b1 +b1", False)])
def test_so_it_is_where_the_next_turn_was_played_before_anybody_saw_either(order: str, is_told: bool) -> None:
    session, table = started(ALL_LAID)
    start = Position.parse(ALL_LAID)
    session.look(table, 3, Switches(felt_under(start)))
    closed = changes(session, felt_under(start), f"-e1 +e2 {order} -k1 +k2 -g3 +g3 +h5")
    later = played(start, f"{RELAID}, activate de, move de k2, place fertility h5")
    session.look(Tabletop.of(later), 40, Switches(closed))
    assert (session.referee.position == later) is is_told


def rested_at_each(felt: str) -> tuple[Session, Position, frozenset[str]]:
    """A table where these switches have changed, one after the other, with a hand resting after each; those closed."""
    session, table = started(FORTH)
    start = Position.parse(FORTH)
    session.look(table, 3, Switches(felt_under(start)))
    closed = felt_under(start)
    for change in felt.split():
        closed = changes(session, closed, change)
        hand(session, closed, 20)
    return session, start, closed


@pytest.mark.parametrize(
    ("order", "is_told"), [("-k1 +l1 -l1 +l2", True), ("-k1 +k2 -k2 +l2", True), ("-k1 +l2", False)]
)
def test_where_a_miniature_stood_between_two_turns_that_nobody_saw_is_told_by_the_switches(
    order: str, is_told: bool
) -> None:
    """Demeter moved, and Athena's or Aphrodite's power moved her on; by which way is nothing that lies there."""
    session, start, closed = rested_at_each(order)
    closed = changes(session, closed, "+h5 -o1 +o2")
    by = "k2" if "k2" in order else "l1"
    between = f"activate de, move de {by}, place fertility h5"
    later = played(start, f"{between}, activate ap, move ap o2, move de l2")
    assert closed == felt_under(later)
    session.look(Tabletop.of(later), 40, Switches(closed))
    told = [", ".join(map(str, turn)) for turn in session.notes.turns]
    assert told[:1] == ([between] if is_told else [])


@pytest.mark.parametrize(
    ("felt", "is_told"),
    [
        ("-k1 +h5 -o1 +o2 +l1 -l1 +l2", False),
        ("-k1 +h5 -o1 +l1 -l1 +o2 +l2", False),
        ("-k1 +h5 +l1 -o1 +o2 -l1 +l2", True),
    ],
)
def test_where_a_hand_rests_in_the_second_turn_is_not_where_a_miniature_stood_before_it(
    felt: str, is_told: bool
) -> None:
    """The switch at k2 has never closed and may be dead: Demeter may have stood there, and nobody could have felt it."""
    session, start, closed = rested_at_each(felt)
    by_l1 = "activate de, move de l1, place fertility h5"
    later = played(start, f"{by_l1}, activate ap, move ap o2, move de l2")
    assert closed == felt_under(later)
    session.look(Tabletop.of(later), 60, Switches(closed))
    told = [", ".join(map(str, turn)) for turn in session.notes.turns]
    assert told[:1] == ([by_l1] if is_told else [])
    assert session.referee.position == later


# Poseidon's card is turned twice: once a Barrier is removed, once Aphrodite moved back onto the Thunder.
EITHER = (
    "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o2 thunder=b5.o1,fertility=d3.n4,gate=h3.l6,"
    "barrier=j2.p3 ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap 0 2"
)
REMOVES, PUSHES = "remove barrier p3", "back ap o1"


def covered(
    order: str, *powers: str, start: str = EITHER, felt: bool = True
) -> tuple[Session, Position, Switches | None]:
    """The camera was covered while both played Poseidon, and the switches changed in this order, one a second."""
    session, table = started(start)
    later = Position.parse(start)
    for space, power in zip(("m2", "m3"), powers, strict=True):
        later = played(later, f"activate po, move po {space}, {power}")
    closed = felt_under(Position.parse(start))
    session.look(table, 3, Switches(closed) if felt else None)
    for change in order.split():
        closed = changed(closed, change)
        for _ in range(10):
            session.now += 0.1
            black = Reading(session.now, frame="the picture is black")
            session.referee.observe(black, Switches(closed) if felt else None)
    assert closed == felt_under(later)
    return session, later, Switches(closed) if felt else None


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("-m1 +m2 -p3 -m2 +m3 -o2 -o1 +o1", [REMOVES, PUSHES]),
        ("-m1 +m2 -o2 -o1 +o1 -m2 +m3 -p3", [PUSHES, REMOVES]),
        # She was lifted before, he straightened in between, and something laid for a moment where the Barrier had been.
        ("-o2 +o2 -m1 +m2 -p3 -m2 +m2 -m2 +m3 -o2 -o1 +o1 +p3 -p3", [REMOVES, PUSHES]),
        # Both were done before he stepped, or after he had stepped twice: that tells nothing.
        ("-m1 +m2 -m2 +m3 -p3 -o2 -o1 +o1", []),
        ("-p3 -o2 -o1 +o1 -m1 +m2 -m2 +m3", []),
    ],
)
def test_which_of_two_powers_came_first_is_told_by_what_the_switches_felt_first(
    order: str, told: list[str]
) -> None:
    session, later, switches = covered(order, *(told or (REMOVES, PUSHES)))
    session.look(Tabletop.of(later), 60, switches)
    assert session.referee.position == later
    assert [", ".join(map(str, turn[2:])) for turn in session.notes.turns] == told


def test_a_token_that_the_rules_take_off_may_be_taken_off_late() -> None:
    order = "-m1 +m2 -o2 +o1 -m2 +m3 -p3 -p2"
    session, later, switches = covered(order, PUSHES, REMOVES, start=EITHER.replace("o1", "p2"))
    session.look(Tabletop.of(later), 60, switches)
    assert session.referee.position == later
    assert [", ".join(map(str, turn[2:])) for turn in session.notes.turns] == [PUSHES, REMOVES]


@pytest.mark.parametrize("felt", [True, False])
def test_what_an_arm_hides_after_a_gap_belongs_to_no_turn_before_it_is_seen(felt: bool) -> None:
    """Which of the two has moved her onto the space that is hidden still?"""
    session, later, switches = covered("-m1 +m2 -p3 -m2 +m3 -o2 -o1 +o1", REMOVES, PUSHES, felt=felt)
    table = Tabletop.of(later)
    table.under_hand = {"n1", "n2", "o1", "o2", "p1", "p2"}
    session.look(table, 8, switches)
    assert not session.notes.turns[1:] and not session.notes.rulings
    table.under_hand = set()
    session.look(table, 60, switches)
    assert session.referee.position == later
    told = [", ".join(map(str, turn[2:])) for turn in session.notes.turns]
    assert told == ([REMOVES, PUSHES] if felt else [])


@pytest.mark.parametrize("is_lifted", [True, False])
def test_who_was_lifted_after_a_turn_that_might_have_gone_on_was_lifted_in_the_next(is_lifted: bool) -> None:
    """Athena's player may exhaust more; meanwhile Ben's Zeus has gone onto a Fertility and back, and laid his Thunder."""
    session, table = started(FORTH)
    start = Position.parse(FORTH)
    session.look(table, 3, Switches(felt_under(start)))
    closed = changes(session, felt_under(start), "-g1 +g2")
    between = played(start, "activate at, move at g2, done")
    assert session.look(Tabletop.of(between), 5, Switches(closed)).kind is Kind.COMPLETE
    closed = changes(session, closed, ("-a1 +a1 " if is_lifted else "") + "-b1 +c3")
    later = played(between, "activate ze, move ze b1, move ze a1, place thunder c3")
    assert closed == felt_under(later)
    verdict = session.look(Tabletop.of(later), 10, Switches(closed))
    assert (verdict.kind is Kind.READY and session.referee.position == later) is is_lifted
    assert bool(verdict.choices) is not is_lifted
