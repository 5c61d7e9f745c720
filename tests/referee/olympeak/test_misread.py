"""A revealed card that two looks misread alike: nobody is accused of it, and the reveal is told anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from companion.games.olympeak.events import Play, Reveal
from companion.referee.olympeak.patience import FEW_LOOKS
from companion.referee.verdict import Kind, Verdict
from companion.sensing.olympeak.reading import Corners, RevealCard
from tests.referee.olympeak.test_refusals import Game

NOTHING: Mapping[str, str] = {}
CARDS = ("p001", "p002", "p003")
AS_IT_LIES, AS_READ = "turned up:p001,p002,p003", "as read:p005,p002,p003"


def look(
    game: Game, looks: int, misread: Mapping[str, str] = NOTHING, *, shift: float = 0.0, moving: bool = False
) -> Verdict:
    """So many looks, with where each card's print lies in the picture; `misread`: what a card is taken for."""
    for _ in range(looks):
        game.now += 0.07
        read = game.table.reading(game.now, moving=moving)
        reveal = tuple(replace(each, corners_px=_square(each, shift)) for each in read.reveal)
        reveal = tuple(replace(each, card=misread.get(each.card or "", each.card)) for each in reveal)
        game.referee.observe(replace(read, reveal=() if moving else reveal))
        assert not moving or game.referee.verdict.kind is not Kind.ILLEGAL
    return game.referee.verdict


def _square(zone: RevealCard, shift: float) -> Corners:
    x, y = 100.0 + 200 * zone.seat + shift, 100.0
    return ((x, y), (x + 20, y), (x + 20, y + 20), (x, y + 20))


def revealed(looks: int, misread: Mapping[str, str] = NOTHING) -> Game:
    """Everybody turns up a card in plain view; so many looks misread some of them."""
    game = Game(3)
    game.table.zones = dict.fromkeys(range(3))
    look(game, 2)
    game.table.zones = dict(enumerate(CARDS))
    look(game, looks, misread)
    return game


@pytest.mark.parametrize("looks", [2, 3, 4])
@pytest.mark.parametrize("other", ["p005", "p008", "o01"])
def test_a_reveal_that_some_looks_misread_is_told_anew(looks: int, other: str) -> None:
    for seat, card in enumerate(CARDS):
        game = revealed(looks, {card: other})
        believed = list(CARDS)
        believed[seat] = other
        assert game.referee.events == (Reveal(tuple(believed)),)
        for _ in range(12):
            assert look(game, 1).kind is Kind.READY
        assert game.referee.events == (Reveal(CARDS),)
        assert game.referee.verdict.seat == 0
        game.lay("p001", "red", 1, seat=0)
        assert look(game, 3).seat == 1
        assert Play(0, "p001", "red", 1) in game.referee.announced
        assert not game.notes.refusals


def test_a_card_that_is_misread_long_after_is_neither_believed_nor_anybodys_fault() -> None:
    game = revealed(40)
    for _ in range(20):
        assert look(game, 1, {"p001": "p005"}).kind is Kind.READY
    assert look(game, 10).kind is Kind.READY
    assert game.referee.events == (Reveal(CARDS),)
    assert not game.notes.refusals


@pytest.mark.parametrize("looks", [FEW_LOOKS + 1, 20])
@pytest.mark.parametrize("lies", [0, ("red", 1)], ids=["before the seat", "in a column"])
def test_a_card_that_hands_have_exchanged_is_refused(looks: int, lies: int | tuple[str, int]) -> None:
    game = revealed(looks)
    look(game, 4, moving=True)
    move(game, "p005", lies)
    assert look(game, 8).kind is Kind.ILLEGAL


def move(game: Game, card: str, lies: int | tuple[str, int]) -> None:
    """The first player's card is gone, and this one lies before them, or in a column."""
    del game.table.zones[0]
    if isinstance(lies, int):
        game.table.zones[lies] = card
    else:
        game.table.columns[lies] = card


def asked(looks: int = FEW_LOOKS, lies: int | tuple[str, int] = 0) -> Game:
    """The first player's p001 was read as p005 until hands came: nobody is accused, and it is asked."""
    game = revealed(looks, {"p001": "p005"})
    look(game, 4, moving=True)
    move(game, "p001", lies)
    for _ in range(20):
        assert look(game, 1).kind is Kind.READY
    assert look(game, 6).kind is Kind.QUESTION
    return game


@pytest.mark.parametrize("looks", [2, FEW_LOOKS])
@pytest.mark.parametrize("lies", [0, ("red", 1)], ids=["before the seat", "in a column"])
def test_a_card_that_few_looks_have_read_otherwise_is_asked_about(
    looks: int, lies: int | tuple[str, int]
) -> None:
    game = asked(looks, lies)
    verdict = game.referee.verdict
    assert (verdict.kind, verdict.seat) == (Kind.QUESTION, 0)
    assert [choice.key for choice in verdict.choices] == [AS_IT_LIES, AS_READ]
    assert look(game, 60).kind is Kind.QUESTION
    assert game.referee.answer(AS_IT_LIES)
    assert game.referee.events == (Reveal(CARDS),)
    assert look(game, 4).kind is Kind.READY
    assert game.referee.verdict.seat == (0 if lies == 0 else 1)
    assert not game.notes.refusals


@pytest.mark.parametrize("lies", [0, ("red", 1)], ids=["before the seat", "in a column"])
def test_whoever_is_said_to_have_exchanged_it_is_refused(lies: int | tuple[str, int]) -> None:
    game = asked(FEW_LOOKS, lies)
    assert game.referee.answer(AS_READ)
    verdict = look(game, 4)
    assert (verdict.kind, verdict.rule) == (Kind.ILLEGAL, "O2")
    game.table.columns.clear()
    game.table.zones[0] = "p005"
    assert look(game, 8).kind is Kind.READY


def test_a_doubted_card_that_is_read_as_before_again_is_not_asked_about() -> None:
    game = revealed(2)
    look(game, 4, moving=True)
    look(game, 15, {"p001": "p005"})
    for _ in range(40):
        assert look(game, 1).kind is Kind.READY
    assert game.referee.events == (Reveal(CARDS),)


def test_whoever_plays_on_has_answered() -> None:
    game = asked(FEW_LOOKS, ("red", 1))
    del game.table.zones[1], game.table.zones[2]
    game.lay("p002", "blue", 1)
    game.lay("p003", "green", 1)
    assert look(game, 30).kind is Kind.QUESTION
    game.table.zones = dict(enumerate(("p004", "p006", "p007")))
    assert look(game, 8).kind is Kind.READY
    assert game.referee.events[0] == Reveal(CARDS)
    assert game.referee.events[-1] == Reveal(("p004", "p006", "p007"))
    assert [text.startswith("It was not said whether what") for text in game.referee.findings] == [True]
    assert not game.notes.refusals


def test_a_card_that_lies_elsewhere_than_the_revealed_one_is_refused() -> None:
    game = revealed(FEW_LOOKS + 1)
    game.table.zones[0] = "p005"
    assert look(game, 8, shift=15.0).kind is Kind.ILLEGAL


@pytest.mark.parametrize("laid", [False, True])
def test_two_cards_that_few_looks_have_read_otherwise_are_asked_about_together(laid: bool) -> None:
    game = revealed(FEW_LOOKS, {"p001": "p005", "p002": "p006"})
    look(game, 4, moving=True)
    move(game, "p001", ("red", 1))
    if laid:
        del game.table.zones[1]
        game.lay("p002", "blue", 1)
    verdict = look(game, 26)
    assert verdict.kind is Kind.QUESTION
    assert [choice.key for choice in verdict.choices] == [AS_IT_LIES, "as read:p005,p006,p003"]
    assert game.referee.answer(AS_IT_LIES)
    assert look(game, 4).seat == (2 if laid else 1)
    assert not game.notes.refusals


def half_seen(looks: int, misread: Mapping[str, str] = NOTHING, *, anew: int = 0) -> Game:
    """Two of the cards lie face up in so many looks, which misread some, and `anew` more, which do not; hands hide how
    the third is turned up.
    """
    return half_seen_as(*([misread] * looks), *([NOTHING] * anew))


def half_seen_as(*misread: Mapping[str, str]) -> Game:
    """The same, with what each of the looks misreads."""
    game = Game(3)
    game.table.zones = dict.fromkeys(range(3))
    look(game, 2)
    game.table.zones = {0: "p001", 1: "p002", 2: None}
    for each in misread:
        look(game, 1, each)
    look(game, 4, moving=True)
    game.table.zones[2] = "p003"
    return game


@pytest.mark.parametrize("looks", [1, FEW_LOOKS, FEW_LOOKS + 1, 20])
@pytest.mark.parametrize(
    "seat, card",
    [(0, "p005"), (1, "p004"), (1, "p005")],
    ids=["played", "lies there", "lies there and would have led"],
)
def test_a_card_exchanged_before_all_were_seen_face_up_is_not_taken_for_the_revealed_one(
    looks: int, seat: int, card: str
) -> None:
    game = half_seen(looks)
    if seat == 0:
        move(game, card, ("red", 1))
    else:
        game.lay("p001", "red", 1, seat=0)
        game.table.zones[1] = card
    said = [look(game, 1).kind for _ in range(40)]
    assert game.referee.events == (Reveal(CARDS),)
    assert said[-1] is Kind.QUESTION and Kind.ILLEGAL not in said
    assert game.referee.answer("as read:p001,p002,p003")
    look(game, 4)
    assert (game.referee.verdict.kind, game.referee.verdict.seat) == (Kind.ILLEGAL, seat)


@pytest.mark.parametrize("looks", [1, FEW_LOOKS, FEW_LOOKS + 1, 20])
def test_a_card_misread_or_chosen_anew_before_all_were_seen_face_up_is_asked_about(looks: int) -> None:
    """By hands that hid how the last one was turned up: nothing tells whether that was earlier."""
    game = half_seen(looks, {"p001": "p005"})
    game.lay("p001", "red", 1, seat=0)
    for _ in range(40):
        assert look(game, 1).kind is not Kind.ILLEGAL
    assert game.referee.verdict.kind is Kind.QUESTION
    assert game.referee.answer(AS_IT_LIES)
    assert look(game, 4).seat == 1
    assert game.referee.events == (Reveal(CARDS),)
    assert not game.notes.refusals


def test_a_card_that_was_read_anew_before_hands_came_is_not_asked_about() -> None:
    game = half_seen(2, {"p001": "p005"}, anew=8)
    game.lay("p001", "red", 1, seat=0)
    for _ in range(40):
        assert look(game, 1).kind is Kind.READY
    assert game.referee.events == (Reveal(CARDS),)


@pytest.mark.parametrize("reads", ["p005 p001", "p005 p008 p001 p001 p004 p001"])
def test_a_card_that_some_look_has_read_rightly_before_hands_came_is_not_asked_about(reads: str) -> None:
    """Too few have for it to be told as what it is; but nobody has touched it, and as that card it was played."""
    game = half_seen_as(*({"p001": name} for name in reads.split()))
    game.lay("p001", "red", 1, seat=0)
    for _ in range(40):
        assert look(game, 1).kind is Kind.READY
    assert game.referee.events == (Reveal(CARDS),)


@pytest.mark.parametrize("seen", [1, 20])
@pytest.mark.parametrize("looks", [1, FEW_LOOKS, FEW_LOOKS + 1, 20])
def test_a_card_chosen_anew_in_plain_view_before_all_are_turned_up_counts(looks: int, seen: int) -> None:
    game = Game(3)
    game.table.zones = {0: "p005", 1: "p002", 2: None}
    look(game, looks)
    look(game, 4, moving=True)
    game.table.zones[0] = "p001"
    look(game, seen, shift=15.0)
    look(game, 4, moving=True)
    game.table.zones[2] = "p003"
    game.lay("p001", "red", 1, seat=0)
    for _ in range(40):
        assert look(game, 1).kind is Kind.READY
    assert game.referee.events == (Reveal(CARDS),)
    assert game.referee.verdict.seat == 1
    assert not game.notes.refusals


@pytest.mark.parametrize("lies", [True, False], ids=["before the seat", "in a column"])
@pytest.mark.parametrize("played", [0, 3])
def test_a_card_seen_after_somebody_has_played_was_not_free_to_be_exchanged(played: int, lies: bool) -> None:
    """The first plays at once, and nobody saw that card turned up; but by then all were."""
    game = Game(3)
    game.table.zones = {0: None, 1: "p002", 2: "p003"}
    look(game, 20)
    look(game, 4, moving=True)
    game.lay("p001", "red", 1, seat=0)
    look(game, played)
    look(game, 4, moving=True)
    assert not game.referee.events
    if lies:
        game.table.zones[1] = "p006"
    else:
        game.lay("p006", "blue", 1, seat=1)
    said = look(game, 40).kind
    assert said is (Kind.ILLEGAL if played else Kind.QUESTION)
    assert game.referee.events == (Reveal(CARDS),)


def test_of_two_cards_seen_as_often_neither_is_held_against_what_was_played() -> None:
    game = Game(3)
    game.table.zones = {0: "p005", 1: "p006", 2: None}
    look(game, 20)
    look(game, 4, moving=True)
    game.table.zones = {1: "p002", 2: "p003"}
    game.lay("p001", "red", 1)
    for _ in range(40):
        assert look(game, 1).kind is not Kind.ILLEGAL
    assert not game.notes.refusals
