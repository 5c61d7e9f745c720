"""Books of cards: what is confirmed comes back from the file, what cannot be is refused, what is missing is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.cards.above import AboveCards
from calibration.cards.book import CardBook, CardRefused, listed, missing
from calibration.cards.olympeak import OlympeakCards
from companion.games.above.cards import CARD_NAMES, GREEK
from companion.games.olympeak.cards import Kind
from companion.games.olympeak.deck_file import default_box, dump, parse

NOTHING = Path("does-not-exist.csv")


def test_cards_of_above_are_known_by_both_sides_and_kept(tmp_path: Path) -> None:
    book = AboveCards.kept(NOTHING)
    assert len(missing(book)) == 16
    assert (book.card_of(41), book.card_of(57), book.card_of(8), book.card_of(115)) == (
        "he1",
        "he1",
        None,
        None,
    )
    assert [field.value for field in book.fields("he1")] == ["b", "3"]
    book = book.confirmed("he1", {"letter": "Κ", "ring": "5"})
    assert book.told("he1") == "letter κ, ring 5"
    book.save(tmp_path / "mine" / "cards.csv")
    again = AboveCards.kept(tmp_path / "mine" / "cards.csv")
    assert again == book
    assert again.registered == {"he1"}
    assert listed(again, missing(again)).startswith("Zeus 1, Ares 1, Athena 1")
    assert listed(again, missing(again)).endswith("and 3 more")


def test_a_letter_on_two_cards_is_doubted_not_refused() -> None:
    book = AboveCards().confirmed("he1", {"letter": "k", "ring": "5"})
    assert book.doubts() == ()
    book = book.confirmed("ar2", {"letter": "k", "ring": "1"})
    assert book.doubts() == ("the letter λ is registered for Hera 1 and Ares 2",)


@pytest.mark.parametrize(
    ("book", "card", "values", "said"),
    [
        (AboveCards(), "he1", {"letter": "z", "ring": "1"}, "He1: there is no column 'z'"),
        (AboveCards(), "he1", {"letter": "b"}, "there is no ring ''"),
        (AboveCards(), "ze2", {"letter": "α", "ring": "2"}, "exchange them"),
        (
            OlympeakCards.kept(NOTHING),
            "p001",
            {"value": "9"},
            "progress value: -2, -1, 0, 1, 2, 3, 4, not '9'",
        ),
        (OlympeakCards.kept(NOTHING), "blue", {"rounds": ""}, "rounds printed on it: 1, 2, 3, not nothing"),
        (
            OlympeakCards.kept(NOTHING),
            "p001",
            {"value": "+1", "heads": "2", "signs": "", "star": "no"},
            "not nothing",
        ),
        (
            OlympeakCards.kept(NOTHING),
            "p001",
            {"value": "\N{MINUS SIGN}1", "heads": "2", "signs": "white", "star": "no"},
            "white alone has a star",
        ),
    ],
)
def test_what_cannot_be_is_refused(book: CardBook, card: str, values: dict[str, str], said: str) -> None:
    with pytest.raises(CardRefused) as caught:
        book.confirmed(card, values)
    assert said in str(caught.value)


@given(st.sampled_from(CARD_NAMES[1:8]), st.sampled_from(GREEK[1:]), st.integers(1, 6))
def test_any_letter_and_ring_is_kept_as_printed(card: str, letter: str, ring: int) -> None:
    book = AboveCards().confirmed(card, {"letter": letter, "ring": str(ring)})
    assert book.told(card) == f"letter {letter}, ring {ring}"


def test_cards_of_olympeak_are_kept_with_what_is_still_assumed(tmp_path: Path) -> None:
    file = tmp_path / "deck.csv"
    book = OlympeakCards.kept(file)
    assert len(missing(book)) == len(book.cards) == 124
    assert (book.card_of(73), book.card_of(115), book.card_of(8)) == ("green", "p001", None)
    book = book.confirmed("p002", {"value": "+4", "heads": "1", "signs": "red, blue", "star": "yes"})
    book = book.confirmed("o01", {"order": "insert", "star": "no"}).confirmed("white", {"rounds": "1"})
    book.save(file)
    again = OlympeakCards.kept(file)
    assert again.box == book.box
    assert again.registered == {"p002", "o01", "white"}
    assert again.told("p002") == "+4, 1 head, blue or red, with a star"
    assert (again.told("o01"), again.told("white")) == ("Insert", "1 round")
    assert again.box.deck["o01"].kind is Kind.INSERT
    # The rest is as assumed, and the file can be played with as it is.
    assert again.box.deck["p003"] == default_box().deck["p003"]
    assert not again.box.assumed


def test_every_card_can_be_confirmed_as_it_is_assumed() -> None:
    book = OlympeakCards.kept(NOTHING)
    for card in book.cards:
        values = {field.name: field.value for field in book.fields(card)}
        assert book.confirmed(card, values).told(card) == book.told(card)


def test_a_table_that_was_brought_in_whole_leaves_nothing_missing() -> None:
    assert missing(OlympeakCards(parse(dump(default_box())))) == ()
