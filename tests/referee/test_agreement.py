"""How many looks a verdict rests on: all that have said the same, whatever it took to work out what they come to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.above.position import Position
from companion.referee.agreement import Agreement
from companion.referee.patience import ILLEGAL_LOOKS
from companion.referee.sequel import SequelSearch
from companion.referee.verdict import Kind
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import started
from tests.referee.test_sequel import START, played


@pytest.mark.parametrize("portion", [250, 500, 10_000])
def test_looks_at_which_two_turns_were_still_searched_for_count(
    portion: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, table = started()
    searched: list[bool] = []
    run = SequelSearch.run

    def in_portions(search: SequelSearch, paths: int | None = None) -> bool:
        searched.append(run(search, portion))
        return searched[-1]

    monkeypatch.setattr(SequelSearch, "run", in_portions)
    table.cards[0]["ap"], table.minis["ap"] = 0, "o4"
    said = [session.look(table).kind for _ in range(12)]
    assert said.index(Kind.ILLEGAL) == max(searched.index(True), ILLEGAL_LOOKS - 1)


def test_two_turns_are_not_told_by_the_same_two_looks() -> None:
    start = Position.parse(START)
    after = played(start, "activate he, move he c2, disgrace po")
    later = played(after, "activate de, move de k2, place fertility e4")
    session, _ = started(START)
    table = Tabletop.of(later)
    session.look(table)
    assert not session.notes.turns
    session.look(table)
    assert session.referee.position == after
    session.look(table)
    assert session.referee.position == later and len(session.notes.turns) == 2


def test_looks_from_before_hands_came_do_not_count() -> None:
    session, table = started()
    table.cards[0]["ar"], table.minis["ar"] = 0, "e3"
    for _ in range(3):
        session.look(table)
        session.now += 0.07
        session.referee.observe(replace(table.reading(session.now), moving=True))
    assert session.referee.verdict.kind is not Kind.ILLEGAL
    assert session.look(table, 2).kind is Kind.ILLEGAL


def test_every_look_that_came_to_the_same_is_counted_once_whatever_lay_between_them_until_hands_come() -> (
    None
):
    agreement = Agreement()
    counted = []
    for says in ("e3", "e4", "e3", "e3"):
        agreement.look(says)
        counted.append(agreement.count_in_all(says))
    assert counted == [1, 1, 2, 3]
    agreement.reset()
    agreement.look("e3")
    assert agreement.count_in_all("e3") == 1
