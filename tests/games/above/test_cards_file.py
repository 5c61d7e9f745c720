"""Above's cards as a table: every letter and ring comes back, and every defect is named by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.above.cards import CARD_NAMES, GREEK, SETUP_CARDS, SetupCard, column_of
from companion.games.above.cards_file import CardsError, dump, owners_cards, parse, read

COLUMNS = "abcdefghijklmnop"


@st.composite
def decks(draw: st.DrawFn) -> tuple[SetupCard, ...]:
    names = [name for name in CARD_NAMES if name[:2] != "ze" and draw(st.booleans())]
    others = [
        SetupCard(n[:2], int(n[2:]), draw(st.sampled_from(COLUMNS)), draw(st.integers(1, 6))) for n in names
    ]
    return tuple(sorted([SetupCard("ze", 1, "a", 4), *others], key=lambda card: CARD_NAMES.index(card.id)))


@settings(max_examples=30)
@given(decks(), st.sampled_from(",;\t"))
def test_what_was_written_is_read_again(cards: tuple[SetupCard, ...], delimiter: str) -> None:
    assert parse("\N{BYTE ORDER MARK}# mine\n" + dump(cards).replace(",", delimiter)) == cards


@given(st.text(max_size=80))
def test_any_text_is_cards_or_named_defects(text: str) -> None:
    try:
        cards = parse(text)
    except CardsError as error:
        assert error.defects
    else:
        assert parse(dump(cards)) == cards


def test_greek_letters_name_the_columns_in_their_order() -> None:
    assert [column_of(letter) for letter in GREEK] == list(COLUMNS)
    assert [column_of(letter.upper()) for letter in GREEK] == list(COLUMNS)
    assert (column_of(" K "), column_of("ω"), column_of("q"), column_of("")) == ("k", None, None, None)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("zz1,a,1", "there is no card 'zz1'"),
        ("he1,q,1", "there is no column 'q', write a to p or the Greek letter"),
        ("he1,b,7", "there is no ring '7', they are 1 to 6"),
        ("he1,b,¹", "there is no ring '¹'"),
        ("he1,b", "2 cells where there are 3 columns"),
        pytest.param('"' + "x" * 200_000, "0 cells where there are 3 columns", id="a cell without end"),
        ("ze1,b,2", "exchange them"),
        ("ze2,α,2", "exchange them"),
        ("po1,c,2\npo1,c,2", "po1 stands there already"),
    ],
)
def test_every_defect_is_named_by_line(row: str, said: str) -> None:
    with pytest.raises(CardsError) as caught:
        parse(f"card,letter,ring\n{row}\nap2,x,9\n")
    lines = str(caught.value).splitlines()[-2:]
    assert said in lines[0]
    assert lines[0].startswith(f"line {2 + row.count(chr(10))}:")
    assert lines[1].startswith(f"line {3 + row.count(chr(10))}: ap2: there is no column 'x'")


def test_the_owners_file_is_used_when_it_is_there(tmp_path: Path) -> None:
    file = tmp_path / "cards.csv"
    assert owners_cards(file) == SETUP_CARDS
    with pytest.raises(CardsError, match="cannot be read"):
        owners_cards(file, named=True)
    file.write_text("card,letter,ring\nhe 1,Κ,3\n", encoding="utf-8")
    assert owners_cards(file) == (SetupCard("he", 1, "j", 3),)
    file.write_bytes(b"card,letter,ring\nhe1,\xff,3\n")
    with pytest.raises(CardsError, match="line 2: this is not UTF-8"):
        read(file)
