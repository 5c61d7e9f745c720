"""What takes longer than a look is searched for in portions, and comes to the same."""

from __future__ import annotations

from itertools import accumulate

import pytest

from companion.games.above.board import SPACES, bits
from companion.games.above.position import Position
from companion.games.above.rules import apply
from companion.referee import explain, watching
from companion.referee.evidence import Switches
from companion.referee.patience import BLIND_PORTION
from companion.referee.portion import InPortions, Portion, Steps, at_once
from companion.referee.verdict import Verdict
from companion.sensing.reading import Reading
from tests.referee.test_referee import START
from tests.referee.test_telling import Blind, played

AS_MANY_AS_IT_TAKES = 1_000_000


def counting(steps: int, paths: int) -> Steps[str]:
    for _ in range(steps):
        yield paths
    return "found"


@pytest.mark.parametrize(("left", "looks"), [(0, 7), (3, 4), (7, 2), (12, 2), (13, 1)])
def test_a_search_goes_on_where_the_last_look_has_left_it(left: int, looks: int) -> None:
    search = InPortions(counting(6, 2))
    for _ in range(looks - 1):
        assert search.run(Portion(left)) is None
    assert search.run(Portion(left)) == "found"
    spent = Portion(0)
    assert search.run(spent) == "found"
    assert spent.left == 0
    assert at_once(counting(6, 2)) == "found"


def third_turn_begun(portion: int, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Verdict], list[int]]:
    """What is said of each look at a third turn, and how many paths each look has tried.

    Hera has disgraced any one of eight, then Ares laid token after token where he liked. In none of these games is it the
    next turn that is begun now, so that all that was felt after each of them is gone through.
    """
    tried = 0
    judge_path = explain._Search._judge

    def counted(*args: object) -> object:
        nonlocal tried
        tried += 1
        return judge_path(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(explain._Search, "_judge", counted)
    monkeypatch.setattr(watching, "BLIND_PORTION", portion)
    table = Blind(Position.parse(START.replace("ze=a1", "ze=h4")))
    first = played(table.start, "activate he, move he c2, disgrace at")
    then = played(first.after, "activate ar, move ar e2, place barrier m6, place barrier n6")
    third = played(then.after, "activate de, move de k2, place fertility e4")
    table.feel(first.after, 6.0)
    for position in [*accumulate(then.turn[:-1], apply, initial=first.after)][1:]:
        table.feel(position, 2.0)
    table.feel(then.after, 6.0)
    switches = Switches(frozenset(SPACES[space] for space in bits(third.after.stood_on)))
    said, paths = [], []
    for _ in range(200):
        tried, before = 0, table.session.now
        table.session.now = before + 0.1
        said.append(table.session.referee.observe(Reading(table.session.now, blind=True), switches))
        paths.append(tried)
    monkeypatch.undo()
    return said, paths


def test_no_look_takes_longer_for_what_may_have_been_played_before(monkeypatch: pytest.MonkeyPatch) -> None:
    at_one_go, in_one = third_turn_begun(AS_MANY_AS_IT_TAKES, monkeypatch)
    in_portions, paths = third_turn_begun(BLIND_PORTION, monkeypatch)
    assert max(in_one) > BLIND_PORTION >= max(paths)
    assert sum(paths) == sum(in_one)
    assert in_portions[-1] == at_one_go[-1]


def test_in_small_portions_the_same_is_said_a_little_later(monkeypatch: pytest.MonkeyPatch) -> None:
    at_one_go, in_one = third_turn_begun(AS_MANY_AS_IT_TAKES, monkeypatch)
    little = 100
    in_portions, paths = third_turn_begun(little, monkeypatch)
    assert sum(paths) == sum(in_one)
    assert sum(count > little // 2 for count in paths) > 10
    assert in_portions[-1] == at_one_go[-1]
