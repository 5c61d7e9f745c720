"""The box as a table: the deck that is shipped, its balance, and every defect an owner can type."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from companion.games.olympeak import deck_file
from companion.games.olympeak.cards import CARD_NAMES, CONTENDERS, Kind
from companion.games.olympeak.deck_file import DeckError, default_box, dump, parse, read


def lines() -> list[str]:
    return dump(default_box()).splitlines()


def defects(text: str) -> list[str]:
    with pytest.raises(DeckError) as caught:
        parse(text)
    return [str(defect) for defect in caught.value.defects]


def with_line(number: int, line: str) -> str:
    """The shipped table with one line (from 1) written otherwise."""
    changed = lines()
    changed[number - 1] = line
    return "\n".join(changed)


def test_the_shipped_deck_has_what_the_rulebook_counts() -> None:
    deck = default_box().deck
    assert tuple(card.id for card in deck) == CARD_NAMES
    assert Counter(card.kind.value for card in deck) == {"progress": 105, "stop": 5, "remove": 5, "insert": 5}
    progress = [card for card in deck if not card.is_order]
    assert {card.value for card in progress} == set(range(-2, 5))
    assert {card.heads for card in progress} == {1, 2, 3, 4}


def test_the_shipped_deck_says_that_it_is_an_assumption() -> None:
    text = files("companion.games.olympeak").joinpath("deck.csv").read_text(encoding="utf-8")
    assert text.startswith("# ASSUMPTION")
    assert default_box().assumed
    assert not parse(dump(default_box())).assumed


@pytest.mark.parametrize("players", [2, 4])
def test_the_shipped_deck_favours_no_contender(players: int) -> None:
    cards = [card for card in default_box().deck.in_play(players) if not card.is_order]
    racing = CONTENDERS if players > 3 else CONTENDERS[:3]
    for contender in racing:
        named = [card for card in cards if contender in card.signs]
        fair = [card for card in cards if racing[0] in card.signs]
        assert sorted(card.value for card in named) == sorted(card.value for card in fair)
    heads = Counter(card.heads for card in cards)
    assert max(heads.values()) - min(heads.values()) <= 1
    assert {sign for card in cards for sign in card.signs} == set(racing)


def test_enough_is_left_for_two_and_three_players() -> None:
    few = default_box().deck.in_play(3)
    assert len(few) == 58
    assert Counter(card.kind for card in few if card.is_order) == {
        Kind.STOP: 3,
        Kind.REMOVE: 3,
        Kind.INSERT: 3,
    }


def test_a_box_survives_its_table() -> None:
    box = default_box()
    again = parse(dump(box))
    assert again.deck == box.deck
    assert (again.card_ids, again.printed_rounds) == (box.card_ids, box.printed_rounds)
    assert again.card_by_id[115] == "p001"


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_tables_from_spreadsheets_are_understood(delimiter: str) -> None:
    text = "\ufeff" + dump(default_box()).replace(",", delimiter).replace("\n", "\r\n")
    assert parse(text.replace("-2", "\N{MINUS SIGN}2")).deck == default_box().deck


def test_columns_may_stand_in_another_order_and_rows_too() -> None:
    rows = [line.split(",")[::-1] for line in lines()]
    text = "\n".join(",".join(row) for row in [rows[0], *rows[:0:-1]])
    assert parse(text).deck == default_box().deck


@pytest.mark.parametrize(
    ("number", "line", "expected"),
    [
        (
            2,
            "p001,115,progress,5,1,blue,",
            "line 2, column value: the progress value is a number from -2 to 4",
        ),
        (
            2,
            "p001,115,progress,,1,blue,",
            "line 2, column value: the progress value is a number from -2 to 4",
        ),
        (2, "p001,115,progress,-2,0,blue,", "line 2, column heads: the number of hydra heads is a number"),
        (2, "p001,115,progress,-2,1,,", "line 2, column signs: a progress card shows at least one"),
        (2, "p001,115,progress,-2,1,pink,", "line 2, column signs: unknown contender 'pink'"),
        (2, "p001,115,progress,-2,1,red red,", "line 2, column signs: a contender is named twice"),
        (2, "p001,115,progress,-2,1,white,", "line 2, column star: a card for white alone needs a star"),
        (2, "p001,115,progress,-2,1,blue,maybe", "line 2, column star: write yes or leave it empty"),
        (2, "p001,116,progress,-2,1,blue,", "line 3, column marker: marker 116 is already on line 2"),
        (2, "p001,72,progress,-2,1,blue,", "line 2, column marker: marker 72 belongs to another piece"),
        (2, "p001,250,progress,-2,1,blue,", "line 2, column marker: a marker id is a number from 0 to 249"),
        (2, "p001,115,progess,-2,1,blue,", "line 2, column kind: unknown kind 'progess'"),
        (3, "p001,116,progress,-1,2,blue,", "line 3, column card: p001 stands already on line 2"),
        (2, "p1,115,progress,-2,1,blue,", "line 2, column card: 'p1' is no progress card"),
        (107, "o01,220,stop,1,,,", "line 107, column value: a stop card has none, leave it empty"),
        (107, "p107,220,stop,,,,", "line 107, column card: 'p107' is no stop card"),
        (122, "blue,72,contender,4,,,", "line 122, column value: the number of rounds on a contender card"),
        (122, "blue,73,contender,2,,,", "line 122, column marker: the blue contender carries marker 72"),
        (122, "blue,72,contender,2,1,,", "line 122, column heads: a contender card has none"),
        (122, "blue,72,contender,2,,,yes", "line 122, column star: of the contender cards only white"),
        (122, "grey,72,contender,2,,,", "line 122, column card: 'grey' is no contender card"),
        (2, "p001,115,progress", "line 2: 3 cells where there are 7 columns"),
        (1, "card,marker,kind,value,head,signs,star", "line 1: the columns must be card,marker,kind"),
    ],
)
def test_each_defect_names_its_line_and_column(number: int, line: str, expected: str) -> None:
    assert any(text.startswith(expected) for text in defects(with_line(number, line)))


def test_a_spare_marker_may_replace_a_lost_one() -> None:
    box = parse(with_line(2, "p001,241,progress,-2,1,blue,"))
    assert box.card_by_id[241] == "p001"
    assert 115 not in box.card_by_id


def test_missing_cards_are_counted() -> None:
    rows = lines()
    text = "\n".join([*rows[:50], *rows[58:124]])
    assert defects(text) == [
        "line 116, column card: 97 of the 105 progress cards, missing: p050, p051, p052, p053, p054, p055 …",
        "line 116, column card: 3 of the 4 contender cards, missing: white",
    ]


def test_all_defects_are_told_at_once_by_line() -> None:
    rows = lines()
    rows[1] = "p001,115,progress,9,9,pink,maybe"
    rows[9] = "p009,123,progress"
    rows[20] = "# p020 is lost"
    found = defects("\n".join(rows))
    assert [text.split(":")[0] for text in found] == [
        "line 2, column star",
        "line 2, column value",
        "line 2, column heads",
        "line 2, column signs",
        "line 10",
        "line 125, column card",
    ]
    assert found[-1].endswith("104 of the 105 progress cards, missing: p020")


def test_an_empty_or_unreadable_file(tmp_path: Path) -> None:
    assert defects("\n# nothing\n") == [f"line 1: the file is empty, the first line must be {HEADING}"]
    with pytest.raises(DeckError, match="cannot be read"):
        read(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes(HEADING.encode() + b"\np001;\xe4\n")
    with pytest.raises(DeckError, match="line 2: this is not UTF-8 text"):
        read(tmp_path / "latin.csv")


HEADING = ",".join(deck_file.COLUMNS)
