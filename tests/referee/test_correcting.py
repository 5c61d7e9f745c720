"""What people say about pieces that were read as something else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.above.box import DEITIES, MINI_IDS
from companion.games.above.position import Position
from companion.referee.corrections import Correction, Corrections
from companion.referee.evidence import Switches
from companion.referee.referee import Referee
from companion.referee.requests import Refused
from companion.referee.verdict import Kind
from companion.sensing.reading import Reading
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import NAMES, START, Notes


def misread(reading: Reading, names: dict[str, str]) -> Reading:
    """The reading with miniatures taken for others."""
    return replace(
        reading,
        minis=tuple(
            replace(
                mini,
                deity=names.get(mini.deity, mini.deity),
                marker=MINI_IDS[names.get(mini.deity, mini.deity)],
            )
            for mini in reading.minis
        ),
    )


class Table:
    """A referee before a table whose miniatures are read under other names."""

    def __init__(self, names: dict[str, str], corrections: tuple[Correction, ...] = ()) -> None:
        self.names = names
        self.top = Tabletop.of(Position.parse(START))
        self.notes = Notes()
        self.referee = Referee(NAMES[:2], self.notes, Position.parse(START), corrections=corrections)
        self.now = 0.0

    def look(self, times: int = 1, switches: Switches | None = None) -> Kind:
        for _ in range(times):
            self.now += 0.1
            self.referee.observe(misread(self.top.reading(self.now), self.names), switches)
        return self.referee.verdict.kind


def test_two_stickers_that_changed_places_are_put_right_for_the_game() -> None:
    table = Table({"ar": "he", "he": "ar"})
    assert table.look(3) is Kind.SETUP
    verdict = table.referee.correct("mini", "e1", "he", "ar")
    assert verdict.kind is Kind.READY
    assert table.notes.corrections == [Correction("mini", "e1", "he", "ar", swapped=True)]
    table.top.cards[0]["he"] = 0
    table.top.minis["he"] = "c2"
    table.top.cards[1]["ar"] = 0
    assert table.look(2) is Kind.READY
    assert [str(action) for action in table.notes.turns[0]][:2] == ["activate he", "move he c2"]
    again = Table({"ar": "he", "he": "ar"}, tuple(table.notes.corrections))
    assert again.look(2) is Kind.READY, "a game that goes on remembers it"


def test_a_reading_of_the_moment_stands_until_it_is_read_right() -> None:
    table = Table({"ar": "he"})
    table.top.hidden = {"c1"}
    assert table.look(3) is Kind.SETUP
    assert table.referee.correct("mini", "e1", "he", "ar").kind is Kind.READY
    assert not table.notes.corrections[0].swapped
    table.top.hidden = set()
    table.names = {}
    assert table.look(3) is Kind.READY


def test_of_two_that_are_read_alike_the_one_pointed_at_is_another() -> None:
    table = Table({"ar": "he"})
    table.look(3)
    assert table.referee.correct("mini", "e1", "he", "ar").kind is Kind.READY


def test_a_turn_that_was_misread_is_read_anew_and_both_are_kept() -> None:
    """Ada turned Demeter's card and Demeter stepped forward, but Ares was seen there, and so was his card."""
    table = Table({})
    table.look()
    before = table.referee.position
    table.top.minis["ze"], table.top.minis["de"] = None, "a2"
    table.names = {"de": "ze"}
    table.top.cards[0]["ze"] = 0
    table.top.tokens.add(("thunder", "d4"))
    table.top.hidden = {"k1"}
    table.look(2)
    assert table.referee.turns, table.referee.verdict
    assert before != table.referee.position
    with pytest.raises(Refused, match="look at the page again"):
        table.referee.correct("mini", "b1", "ze", "de")
    table.referee.correct("mini", "a2", "ze", "de")
    (said,) = table.notes.corrections
    assert (said.read, said.said) == ("ze", "de")


def test_switches_alone_told_of_the_wrong_miniature() -> None:
    """Two deities could have come to the space; the players say which did."""
    start = START.replace("ap=o1", "ap=b2")
    position = Position.parse(start.replace("ze=a1", "ze=b1").replace("po=m1", "po=a2"))
    notes = Notes()
    referee = Referee(NAMES[:2], notes, position)
    referee.observe(Tabletop.of(position).reading(0.1))
    table = Tabletop.of(position)
    table.cards[0]["de"] = 0
    table.minis["de"] = "k2"
    table.tokens.add(("fertility", "d5"))
    referee.observe(table.reading(0.2))
    referee.observe(table.reading(0.3))
    assert len(referee.turns) == 1
    table.unseen = set(DEITIES)
    referee.observe(table.reading(0.4), Switches(frozenset(s for s in table.minis.values() if s)))
    with pytest.raises(Refused, match="No legal turn brings Ares to k2"):
        referee.correct("mini", "k2", "de", "ar")
    with pytest.raises(Refused, match="No miniature is called"):
        referee.correct("mini", "k2", "de", "xx")
    assert not notes.corrections
    assert len(referee.turns) == 1


def test_a_token_and_a_card_under_a_wrong_sticker() -> None:
    table = Table({})
    table.look()
    reading = table.top.reading(1.0)
    tokens = tuple(replace(t, token="gate") if t.space == "b5" else t for t in reading.tokens)
    cards = tuple(
        replace(c, deity="he" if c.deity == "ar" else "ar" if c.deity == "he" else c.deity)
        if c.card_set == 1
        else c
        for c in reading.cards
    )
    wrong = replace(reading, tokens=tokens, cards=cards)
    for at in range(40):
        table.referee.observe(replace(wrong, exposed_at=2.0 + at / 10))
    assert table.referee.verdict.kind is Kind.ILLEGAL
    table.referee.correct("token", "b5", "gate", "thunder")
    assert table.referee.correct("card", "cards 0", "he", "ar").kind is Kind.READY
    assert [said.read.split(" ")[0] for said in table.notes.corrections] == ["gate", "he"]
    assert table.notes.corrections[1].swapped


@pytest.mark.parametrize(
    ("what", "place", "shown", "said", "words"),
    [
        ("mini", "a1", "ze", "thunder", "Nothing of that kind"),
        ("hat", "a1", "ze", "he", "Nothing of that kind"),
        ("mini", "d6", "ze", "he", "look at the page again"),
        ("mini", "a1", "he", "ze", "look at the page again"),
        ("token", "a1", "gate", "thunder", "look at the page again"),
    ],
)
def test_what_is_not_there_cannot_be_corrected(
    what: str, place: str, shown: str, said: str, words: str
) -> None:
    table = Table({})
    with pytest.raises(Refused, match="Nothing has been seen"):
        table.referee.correct(what, place, shown, said)
    table.look()
    with pytest.raises(Refused, match=words):
        table.referee.correct(what, place, shown, said)
    assert not table.notes.corrections


def test_a_word_taken_back_leaves_nothing() -> None:
    table = Table({"ar": "he", "he": "ar"})
    table.look(3)
    table.referee.correct("mini", "e1", "he", "ar")
    table.referee.correct("mini", "e1", "ar", "he")
    assert table.look(3) is Kind.ILLEGAL
    table.names = {}
    assert table.look(3) is Kind.READY


names = st.sampled_from(DEITIES)


@given(st.lists(st.tuples(names, names), max_size=12), st.permutations(DEITIES))
def test_swaps_only_ever_change_the_names_round(swaps: list[tuple[str, str]], read: list[str]) -> None:
    corrections = Corrections("mini")
    readings = [(f"{number}", name) for number, name in enumerate(read)]
    for raw, said in swaps:
        corrections.add(Correction("mini", "", raw, said, swapped=True))
        assert corrections.name(raw) == said
    assert sorted(corrections.names(readings)) == sorted(DEITIES)


@given(st.lists(st.tuples(names, names, st.booleans()), max_size=12))
def test_what_was_said_last_is_what_counts(said: list[tuple[str, str, bool]]) -> None:
    corrections = Corrections("mini")
    for read, name, swapped in said:
        corrections.add(Correction("mini", "here", read, name, swapped=swapped))
        assert corrections.names([("here", read)]) == (name,)
