"""Votes on the prints of cards: one look in many is misread, and nothing comes of it."""

from __future__ import annotations

import random
from dataclasses import replace

from companion.games.olympeak.deck_file import default_box
from companion.referee.olympeak.prints import Prints
from companion.sensing.olympeak.reading import ColumnCard, Corners, OlympeakReading, RevealCard, StrayCard


def square(x: float, y: float) -> Corners:
    return ((x, y), (x + 20, y), (x + 20, y + 20), (x, y + 20))


def reading(*names: str) -> OlympeakReading:
    """Cards of these names in a column, before a seat, and beside."""
    column, shown, stray = names
    return OlympeakReading(
        0.0,
        columns=(ColumnCard("red", 1, column, 0.99, (0, 0, 0), square(100, 100)),),
        reveal=(RevealCard(0, None, (0, 0, 0)), RevealCard(1, shown, (0, 0, 0), square(300, 100))),
        stray=(StrayCard(stray, (0, 0, 0), square(500, 100)),),
    )


RIGHT = reading("p001", "p002", "o01")


def test_a_fresh_print_is_believed_at_once_and_a_misread_one_never() -> None:
    prints = Prints()
    assert prints.reading(RIGHT) == RIGHT
    prints.reading(RIGHT)
    for wrong in (("p009", "p002", "o01"), ("p001", "p009", "o01"), ("p001", "p002", "p009")):
        assert prints.reading(reading(*wrong)) == RIGHT
        assert prints.reading(RIGHT) == RIGHT


def test_two_looks_that_differ_say_nothing_until_a_third() -> None:
    prints = Prints()
    assert prints.reading(reading("p009", "p002", "o01")) is not None
    assert prints.reading(RIGHT) is None
    assert prints.reading(RIGHT) == RIGHT


def test_what_was_really_exchanged_is_believed_after_some_looks() -> None:
    prints = Prints()
    for _ in range(5):
        prints.reading(RIGHT)
    other = reading("p009", "p002", "o01")
    prints.stirred()
    assert [prints.reading(other) for _ in range(4)][-1] == other


def test_a_card_elsewhere_is_another_print() -> None:
    prints = Prints()
    prints.reading(RIGHT)
    moved = replace(RIGHT.columns[0], card="p009", corners_px=square(140, 160))
    there = replace(RIGHT, columns=(moved,))
    assert prints.reading(there) == there


def test_one_in_fifty_misread_changes_nothing_in_the_long_run() -> None:
    rng, prints, cards = random.Random(3), Prints(), sorted(default_box().card_ids)
    prints.reading(RIGHT)
    prints.reading(RIGHT)
    right = 0
    for _ in range(400):
        names = [rng.choice(cards) if rng.random() < 0.02 else name for name in ("p001", "p002", "o01")]
        told = prints.reading(reading(*names))
        assert told in (RIGHT, None)
        right += told is not None
    assert right > 390
