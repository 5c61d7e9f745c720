"""A turn and the beginning of the next one, or two turns that nobody saw."""

from __future__ import annotations

import pytest

from companion.games.above.action import Action
from companion.games.above.box import DEITIES
from companion.games.above.position import Position
from companion.games.above.rules import apply
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.sequel import SequelSearch, sequels, unseen_end
from tests.referee.tabletop import TABLE, Tabletop

START = (
    "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=b5.f5,fertility=a2.n4,gate=h3.l6,barrier=j2.p3"
    " ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap 0 2"
)
NOBODY: frozenset[int] = frozenset()


def played(position: Position, text: str) -> Position:
    for words in text.split(", "):
        position = apply(position, Action.parse(words))
    return position


def test_the_next_player_may_begin_before_the_last_token_is_taken_off() -> None:
    start = Position.parse(START)
    after = played(start, "activate ze, move ze a2, move ze b2, place thunder d3")
    table = Tabletop.of(after)
    table.tokens.add(("fertility", "a2"))
    table.cards[1]["ar"] = 0
    evidence = Evidence(table.reading(), 2, TABLE)
    assert not explain(start, evidence).best.fits
    (found,) = sequels(start, evidence, frozenset(), NOBODY)
    assert found.first.after == after
    assert len(found.owed) == 1
    assert str(found.then.best.actions[0]) == "activate ar"


def test_two_whole_turns_that_nobody_saw_are_told_apart() -> None:
    start = Position.parse(START)
    after = played(start, "activate he, move he c2, disgrace po")
    later = played(after, "activate de, move de k2, place fertility e4")
    found = sequels(start, Evidence(Tabletop.of(later).reading(), 2, TABLE), frozenset(), NOBODY)
    assert found[0].first.after == after
    assert found[0].then.accepted is not None and found[0].then.accepted.after == later


def test_where_only_the_end_is_certain_no_turn_is_made_up() -> None:
    """Both lay a Thunder: which lay first cannot be known, and does not matter."""
    start = Position.parse(START)
    after = played(start, "activate ze, move ze b1, place thunder d3")
    later = played(after, "activate ze, move ze b2, place thunder e4")
    found = sequels(start, Evidence(Tabletop.of(later).reading(), 2, TABLE), frozenset(), NOBODY)
    assert len(found) > 1
    assert unseen_end(found) == later


def test_somebody_elses_miniature_without_a_card_is_no_turn() -> None:
    start = Position.parse(START)
    table = Tabletop.of(played(start, "activate ze, move ze b1, place thunder d3"))
    table.minis["ar"] = "e2"
    assert not sequels(start, Evidence(table.reading(), 2, TABLE), frozenset(), NOBODY)


@pytest.mark.parametrize(
    ("second", "is_open"),
    [
        ("activate at, move at g2, exhaust he 1, done", True),
        ("activate de, move de k2, place fertility e4", False),
    ],
)
def test_of_all_that_was_tried_of_the_second_turn_no_more_is_kept_than_tells_it(
    second: str, is_open: bool
) -> None:
    start = Position.parse(START)
    later = played(start, f"activate ze, move ze b1, place thunder d3, {second}")
    evidence = Evidence(Tabletop.of(later).reading(), 2, TABLE)
    (found, *_) = sequels(start, evidence, frozenset(), NOBODY)
    whole = explain(found.first.after, evidence, thorough=False)
    assert len(whole.partial) > 2 >= len(found.then.partial)
    assert (found.then.best, found.then.accepted) == (whole.best, whole.accepted)
    assert found.then.may_be_under_way == whole.may_be_under_way == is_open


def test_looked_for_in_portions_the_same_is_found() -> None:
    start = Position.parse(START)
    later = played(
        played(start, "activate he, move he c2, disgrace po"), "activate de, move de k2, place fertility e4"
    )
    evidence = Evidence(Tabletop.of(later).reading(), 2, TABLE)
    search = SequelSearch(start, evidence, frozenset(), NOBODY)
    portions = 0
    while not search.run(3):
        assert search.found == ()
        portions += 1
    assert portions > 1
    assert [each.first.after for each in search.found] == [
        each.first.after for each in sequels(start, evidence, frozenset(), NOBODY)
    ]


def begun(laid: str, ares: str, *, lies_there: bool = True) -> tuple[Evidence, Position]:
    """Demeter has taken Fertility off k2, which lies there still, and laid it on `laid`; Ares has come to `ares` since.

    The token that was laid has never been seen: he stands on it, or has been led on by it.
    """
    after = played(ON_THE_WAY, f"activate de, move de k2, move de k3, place fertility {laid}")
    table = Tabletop.of(after)
    table.tokens.remove(("fertility", laid))
    if lies_there:
        table.tokens.add(("fertility", "k2"))
    table.minis["ar"] = ares
    table.cards[1]["ar"] = 0
    return Evidence(table.reading(), 2, TABLE), after


ON_THE_WAY = Position.parse(START.replace("fertility=a2", "fertility=k2"))


def test_a_token_that_led_the_next_miniature_on_before_it_was_seen_is_where_that_came_by() -> None:
    evidence, after = begun("e2", "e3")
    (found,) = sequels(ON_THE_WAY, evidence, frozenset(), NOBODY)
    assert found.first.after == after
    assert len(found.owed) == 1
    assert not (found.is_doubtful or found.is_guessed)


def test_a_token_laid_where_another_was_taken_off_may_have_been_left_there_instead() -> None:
    """So the one that was laid may lie under the next miniature: nobody knows, nothing is taken for certain."""
    evidence, after = begun("e2", "e2")
    found = sequels(ON_THE_WAY, evidence, frozenset(), NOBODY)
    laid = {each.first.after for each in found}
    assert laid == {
        after,
        played(ON_THE_WAY, "activate de, move de k2, move de k3, place fertility k2"),
    }
    assert all(each.is_doubtful for each in found)


def test_a_token_that_nobody_has_seen_may_not_have_been_laid_where_the_next_miniature_stands() -> None:
    evidence, after = begun("e2", "e2", lies_there=False)
    (found,) = sequels(ON_THE_WAY, evidence, frozenset(), NOBODY)
    assert found.first.after == after and found.is_doubtful


def test_a_gate_under_the_miniature_that_came_through_it_was_laid_if_the_other_one_has_gone() -> None:
    start = Position.parse(
        "ze=p2,he=i2,ar=c3,at=m2,ha=g1,de=m1,po=c1,ap=g2 thunder=o6,fertility=f2.i5.k1,gate=c5.f1.g3,barrier=b3.d4"
        " ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap 0 2"
    )
    after = played(start, "activate ha, move ha f1, jump ha c5, place gate i6")
    table = Tabletop.of(played(after, "activate ap, move ap g3, jump ap i6, move he h2"))
    table.tokens.add(("gate", "f1"))
    touched = frozenset(map(DEITIES.index, ("ha", "ap", "he")))
    (found,) = sequels(start, Evidence(table.reading(), 2, TABLE), frozenset(), touched)
    assert found.first.after == after and not found.is_doubtful


def test_wherever_a_thunder_was_laid_and_triggered_unseen_it_is_certain_what_came_of_it() -> None:
    start = Position.parse(START)
    after = played(start, "activate ze, move ze a2, move ze b2, place thunder e3")
    later = played(after, "activate ar, move ar e2")
    assert later.tokens_on("thunder") == start.tokens_on("thunder")
    found = sequels(start, Evidence(Tabletop.of(later).reading(), 2, TABLE), frozenset(), NOBODY)
    assert unseen_end(found) == later


def test_a_gate_that_the_next_miniature_has_jumped_from_unseen_lay_a_step_from_where_it_stood() -> None:
    start = Position.parse(START)
    after = played(start, "activate ha, move ha i2, place gate c2")
    later = played(after, "activate he, move he c2, jump he l6, disgrace po")
    found = sequels(start, Evidence(Tabletop.of(later).reading(), 2, TABLE), frozenset(), NOBODY)
    assert after in {each.first.after for each in found}
    assert unseen_end(found) == later


@pytest.mark.parametrize("gone", [True, False])
def test_a_miniature_that_went_and_came_again_unseen_has_left_a_trace_if_a_token_has_gone(gone: bool) -> None:
    start = Position.parse(START.replace("fertility=a2", "fertility=b1"))
    after = played(start, "activate ze, move ze b1, move ze a1, place thunder d4")
    table = Tabletop.of(played(after, "activate de, move de k2, place fertility e4"))
    if not gone:
        table.tokens.add(("fertility", "b1"))
    (found,) = sequels(start, Evidence(table.reading(), 2, TABLE), frozenset(), NOBODY)
    assert found.first.after == after
    assert found.is_doubtful is not gone


def test_a_miniature_where_a_token_was_taken_off_before_leaves_no_doubt() -> None:
    start = Position.parse(START.replace("thunder=b5", "thunder=b2"))
    after = played(start, "activate he, move he c2")
    later = played(after, "activate he, move he b2, disgrace po")
    found = sequels(start, Evidence(Tabletop.of(later).reading(), 2, TABLE), frozenset(), NOBODY)
    assert after in {each.first.after for each in found}
    assert not any(each.is_doubtful for each in found)


@pytest.mark.parametrize("hidden", [{"o1"}, {"o1", "p3"}])
def test_a_token_that_poseidons_player_chose_has_gone_if_his_turn_was_played(hidden: set[str]) -> None:
    """What lies there in plain view was not chosen: who would be asked to take it off has never named it."""
    start = Position.parse(START.replace("ap=o1", "ap=o2").replace("b5.f5", "f5.o1"))
    later = played(start, "activate po, move po m2, remove barrier j2, activate po, move po m3, back ap o1")
    table = Tabletop.of(later)
    table.hidden = hidden
    search = SequelSearch(start, Evidence(table.reading(), 2, TABLE), frozenset(), {6, 7}, gap=True)
    search.run()
    assert search.found and not search.was_cut_short
    chosen = {action for each in search.found for action in each.first.actions if action.kind == "remove"}
    assert {f"{action.token} {action.space}" for action in chosen} <= {"barrier j2", "barrier p3"}
    assert not any(each.owed for each in search.found)


FORTH_AND_BACK = START.replace("fertility=a2", "fertility=d1")


def test_whoever_has_moved_between_is_named_though_another_may_have_gone_forth_and_back_alike() -> None:
    """Ares has never left e1. Hera may have come back to where the next turn moves her from, or have gone on."""
    start = Position.parse(FORTH_AND_BACK)
    powered = "activate ap, move ap o2"
    back = played(start, f"{powered}, move he d1, move he c1")
    assert back == played(start, f"{powered}, move ar d1, move ar e1")
    on = played(start, f"{powered}, move he d1, move he d2")
    later = played(back, "activate he, move he c2, disgrace po")
    table = Tabletop.of(later)
    table.tokens.add(("fertility", "d1"))
    touched = frozenset(map(DEITIES.index, ("he", "ap")))
    found = sequels(start, Evidence(table.reading(), 2, TABLE), frozenset(), touched)
    assert {each.first.after for each in found} == {back, on}
    assert not any(each.is_doubtful for each in found)
    assert unseen_end(found) == later
