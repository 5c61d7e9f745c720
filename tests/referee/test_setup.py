"""Guidance while the board is set up, and what differs from a known position."""

from __future__ import annotations

import random
from dataclasses import replace

from companion.games.above.box import DEITIES, DEITY_NAMES, Table
from companion.games.above.position import Position
from companion.games.above.setup import SETUP_CARDS, initial_position
from companion.referee.drawn import Drawn
from companion.referee.evidence import Evidence
from companion.referee.setup import Act, differences, read_start
from companion.referee.verdict import Kind, Mark
from companion.sensing.reading import CardSighting, Reading
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Session

NAMES = ("Ada", "Ben")
NAMES4 = ("Ada", "Ben", "Chloe", "Dan")
POSITION = Position.parse(START)


def acts(table: Tabletop, drawn: Drawn | None = None) -> tuple[Act, ...]:
    start, todo = read_start(Evidence(table.reading(), table.players, Table()), NAMES, drawn)
    assert (start is None) == bool(todo)
    return todo


def texts(table: Tabletop) -> list[str]:
    return [act.todo.text for act in acts(table)]


def test_all_that_is_missing_is_said_at_once_and_who_begins() -> None:
    table = Tabletop.of(POSITION)
    table.minis.update(ze=None, he=None)
    table.tokens -= {("thunder", "b5"), ("barrier", "j2"), ("barrier", "p3")}
    table.cards[1]["po"] = 0
    assert texts(table) == [
        "Put Zeus and Hera on ring 1, on every other space, in any order (A3).",
        "Place a Thunder token: turn up two cards, the first names the column, the second the ring.",
        "Place 2 Barrier tokens: turn up two cards, the first names the column, the second the ring.",
        "Ben: turn Poseidon Powered face up.",
    ]


def test_what_stands_wrong_is_named_and_lit() -> None:
    table = Tabletop.of(POSITION)
    table.minis.update(ze="c4", ar="d1", po="top")
    table.tokens.add(("gate", "a6"))
    said = acts(table)
    assert [act.todo.text for act in said] == [
        "Move Zeus to ring 1: it stands on c4 (A3).",
        "Move Poseidon to ring 1: it stands on the summit (A3).",
        "Move Ares from d1 one space on: a deity stands on every other space (A3).",
        "3 Gate tokens lie on the board: only 2 do when a game begins (A3).",
    ]
    assert [act.marks for act in said[:3]] == [
        (("c4", Mark.WRONG),),
        (("top", Mark.WRONG),),
        (("d1", Mark.WRONG),),
    ]


def test_two_on_one_space_and_cards_that_lie_nowhere() -> None:
    table = Tabletop.of(POSITION)
    table.minis["he"] = "a1"
    assert texts(table) == [
        "Move Zeus from a1: two stand there (A3).",
        "Move Hera from a1: two stand there (A3).",
    ]
    table = Tabletop.of(initial_position(4, random.Random(3)))
    table.cards[2].subtract([next(iter(+table.cards[2]))])
    start, todo = read_start(Evidence(table.reading(), 4, Table()), ("Ada", "Ben", "Chloe", "Dan"))
    assert start is None
    assert [act.todo.text for act in todo] == ["Chloe: lay your 4 cards Powered face up; I see 3."]


def dealt_otherwise(table: Tabletop, sets: dict[tuple[int, str], int]) -> list[str]:
    """What is to be done where some cards (seat, deity) are of another set than they were."""
    reading = table.reading()
    cards = []
    for each in reading.cards:
        seat = Table().seat_at(each.xyz_mm[0], each.xyz_mm[1], 4)
        assert seat is not None
        cards.append(replace(each, card_set=sets.get((seat, each.deity), each.card_set)))
    start, todo = read_start(Evidence(replace(reading, cards=tuple(cards)), 4, Table()), NAMES4)
    assert (start is None) == bool(todo)
    return [act.todo.text for act in todo]


def test_with_four_each_set_is_dealt_to_two_opponents() -> None:
    for seed in range(12):
        assert dealt_otherwise(Tabletop.of(initial_position(4, random.Random(seed))), {}) == []
    table = Tabletop.of(initial_position(4, random.Random(3)))
    one = min(+table.cards[2], key=DEITIES.index)
    (was,) = {c.card_set for c in table.reading().cards if Table().seat_at(*c.xyz_mm[:2], 4) == 2}
    (said,) = dealt_otherwise(table, {(2, one): 3 - was})
    assert said.startswith(f"Chloe: {DEITY_NAMES[one]} is of the other set than the rest of your cards.")
    # Partners that hold one set between them, each seat with one set alone.
    said_of = dealt_otherwise(
        table, {(seat, deity): 1 + seat % 2 for seat in range(4) for deity in table.cards[seat]}
    )
    assert [text.split(" play ")[0] for text in said_of if "play together" in text] == [
        "Ada and Chloe",
        "Ben and Dan",
    ]


def test_without_zeus_alpha_nobody_begins_and_with_it_its_owner_is_named() -> None:
    table = Tabletop.of(POSITION)
    reading = table.reading()
    hidden = replace(reading, cards=tuple(c for c in reading.cards if (c.deity, c.card_set) != ("ze", 1)))
    _, todo = read_start(Evidence(hidden, 2, Table()), NAMES)
    assert todo[0].todo.text == "Ada: lay your 8 cards Powered face up; I see 7, Zeus missing."
    table.zeus_alpha = 1
    session = Session(None)
    verdict = session.look(table)
    assert verdict.kind is Kind.READY
    assert verdict.text.startswith("All set. Ben has the Zeus card marked α and begins. Ben: choose")


def card(number: int) -> CardSighting:
    known = SETUP_CARDS[number]
    return CardSighting(known.deity, known.card_set, True, 0, (0.0, 250.0, 0.0))


def test_the_cards_turned_up_one_by_one_say_where_the_tokens_go() -> None:
    table = Tabletop.of(POSITION)
    table.tokens.clear()
    drawn = Drawn()
    order = [3, 0, 5, 12]
    for count in range(1, 5):
        drawn.look(Reading(0.0, cards=tuple(card(number) for number in order[:count])))
    first, second, third, fourth = (SETUP_CARDS[number] for number in order)
    spaces = [f"{first.column}{second.ring}", f"{third.column}{fourth.ring}"]
    said = acts(table, drawn)[:2]
    assert [act.todo.space for act in said] == spaces
    assert said[0].todo.text == f"Place a Thunder token on {spaces[0]}: Athena names column d, Zeus ring 2."
    assert said[0].marks == ((spaces[0], Mark.TARGET),)
    table.tokens.add(("thunder", spaces[0]))
    assert next(act.todo.space for act in acts(table, drawn)) == spaces[1]


def test_a_card_of_which_nothing_is_known_leaves_its_token_to_the_players() -> None:
    drawn = Drawn(tuple(each for each in SETUP_CARDS if each is not SETUP_CARDS[0]))
    for count in range(1, 5):
        drawn.look(Reading(0.0, cards=tuple(card(number) for number in [3, 0, 5, 12][:count])))
    # The second token's place is told; the first one's is read by people.
    assert [(told.token, told.space) for told in drawn.spaces] == [
        ("thunder", f"{SETUP_CARDS[5].column}{SETUP_CARDS[12].ring}")
    ]


def test_cards_spread_out_at_once_have_no_order() -> None:
    drawn = Drawn()
    drawn.look(Reading(0.0, cards=(card(0), card(1))))
    drawn.look(Reading(0.0, cards=(card(0), card(1), card(2))))
    assert drawn.spaces == ()
    drawn.look(Reading(0.0))
    for count in (1, 2):
        drawn.look(Reading(0.0, cards=tuple(card(number) for number in range(count))))
    assert len(drawn.spaces) == 1


def test_tokens_laid_otherwise_than_the_cards_say_are_taken_as_they_lie() -> None:
    """Two of each type on open spaces are a start (A3), wherever they lie."""
    drawn = Drawn()
    for count in range(1, 17):
        drawn.look(Reading(0.0, cards=tuple(card(number) for number in range(count))))
    assert len(drawn.spaces) == 8
    assert acts(Tabletop.of(POSITION), drawn) == ()


def test_each_piece_that_differs_is_told_with_where_it_is_and_where_it_belongs() -> None:
    table = Tabletop.of(POSITION)
    table.minis.update(ze="d4", de=None)
    table.tokens ^= {("gate", "h3"), ("thunder", "e2")}
    table.cards[1]["po"] = 0
    said = differences(POSITION, Evidence(table.reading(), 2, Table()), NAMES)
    assert {act.todo.text: act.marks for act in said} == {
        "Put Zeus on a1: it stands on d4.": (("d4", Mark.WRONG), ("a1", Mark.RETURN)),
        "Put Demeter on k1: it is not on the board.": (("k1", Mark.RETURN),),
        "Take the Thunder token off e2.": (("e2", Mark.REMOVE),),
        "Put a Gate token on h3.": (("h3", Mark.RETURN),),
        "Turn Ben's Poseidon card to its Powered side.": (),
    }
    assert differences(POSITION, Evidence(Tabletop.of(POSITION).reading(), 2, Table()), NAMES) == ()
