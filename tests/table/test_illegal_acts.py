"""What a soak counts of acts against the rules: an act that could be seen and was not called illegal is missed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.referee.referee import Referee
from companion.referee.verdict import Choice, Kind, Todo, Verdict
from companion.sensing.frames import Frame
from companion.soak.game import soak_game
from companion.soak.gaps import BLINDING, HIDES_S, Gaps
from companion.soak.illegal_acts import (
    LOOKED_AT_S,
    AskedBack,
    asks_to_turn_back,
    asks_what_it_was,
    that_count,
)
from companion.soak.plan import SoakPlan, Stage
from companion.soak.readings.watching import watch_by_readings
from companion.soak.report import SoakReport
from companion.tables.catalogue import kit_for
from companion.virtual.faults import Fault
from companion.virtual.tally import IllegalAct
from tests.table.running import FEW_FRAMES_PER_S, only_mistake

ASKS_BACK = Verdict(
    Kind.SETUP, 0, "I have not seen what was played.", todo=(Todo("Put Ares back on a1.", "a1"),)
)


def act(began_at: float = 1.0, *, caught: bool = False, thing: str = "Ares", place: str = "a1") -> IllegalAct:
    return IllegalAct(began_at, began_at + 1.0, frozenset({place}), frozenset({thing}), caught)


def put_back(what: IllegalAct, verdict: Verdict = ASKS_BACK, *, hid: bool = True) -> int:
    asked_back = AskedBack(
        lambda since, until: hid and (since, until) == (what.began_at, what.done_at + LOOKED_AT_S)
    )
    asked_back.look(what, verdict)
    asked_back.look(what, verdict)
    return asked_back.count([act(), what])


def test_what_nobody_could_see_counts_as_put_back_if_a_thing_or_a_place_of_it_is_named() -> None:
    assert put_back(act(place="c3")) == put_back(act(thing="Hades")) == 1
    card = replace(ASKS_BACK, todo=(Todo("Ann turns Ares over."),))
    assert put_back(act(place="c3"), card) == 1


def test_what_could_be_seen_is_not_put_back_but_missed() -> None:
    assert put_back(act(), hid=False) == 0


@pytest.mark.parametrize(("seen_s", "counts"), [(0.3, 1), (0.8, 0)])
def test_what_was_looked_at_once_before_the_picture_went_could_not_be_seen(
    seen_s: float, counts: int
) -> None:
    what = act()
    asked_back = AskedBack(lambda since, until: until > what.done_at + seen_s)
    asked_back.look(what, ASKS_BACK)
    assert asked_back.count([what]) == counts


@pytest.mark.parametrize(
    "verdict",
    [
        replace(ASKS_BACK, todo=()),
        replace(ASKS_BACK, kind=Kind.QUESTION),
        replace(ASKS_BACK, kind=Kind.READY),
    ],
)
def test_nothing_but_being_asked_back_counts(verdict: Verdict) -> None:
    assert put_back(act(), verdict) == 0


def test_what_the_table_does_not_name_or_calls_illegal_besides_is_not_put_back() -> None:
    assert put_back(act(thing="Hades", place="c3")) == 0
    assert put_back(act(caught=True)) == 0


def asked(key: str, text: str) -> Verdict:
    return Verdict(Kind.QUESTION, 0, "Which of these was played?", choices=(Choice(key, text),))


@pytest.mark.parametrize(
    "choice, things, places, is_asked",
    [
        # Only the card of Ares was turned; his miniature was moved elsewhere, or where it is said to have been.
        (("turn:activate ar, move ar b1", "Ares: to b1"), "Ares", "", False),
        (("turn:activate ar, move ar b1", "Ares: to b1"), "Ares", "a1 c3", False),
        (("turn:by 1, activate ar, move ar b1", "Ben: Ares: to b1"), "Ares", "a1 b1", True),
        (("wrong:activate ar, move ar b1", "Ares: to b1"), "Ares", "a1 c3", False),
        (("did:move ar b1", "Ares went to b1"), "Ares", "a1 c3", True),
        (("did:move ar b1", "Ares went to b1"), "Ares", "", False),
        # One of several Barriers, here and elsewhere.
        (("turn:activate ha, place barrier b1", "Hades: a Barrier to b1"), "Barrier", "c3", False),
        (("turn:activate ha, place barrier b1", "Hades: a Barrier to b1"), "Barrier", "b1", True),
        (("did:place barrier b1", "a Barrier came to b1"), "Barrier", "c3", False),
        (("did:remove barrier b1", "a Barrier was taken off b1"), "Barrier", "c3", False),
        (("did:remove barrier b1", "a Barrier was taken off b1"), "Barrier", "b1", True),
    ],
)
def test_a_turn_asks_for_the_act_whose_space_it_names(
    choice: tuple[str, str], things: str, places: str, is_asked: bool
) -> None:
    """A name alone is not enough: a card has its miniature's, and a token that of its kind."""
    what = IllegalAct(1.0, 2.0, frozenset(places.split()), frozenset(things.split()), doubtful=True)
    asked_back = AskedBack(lambda since, until: False)
    asked_back.look(what, asked(*choice))
    assert asked_back.count_doubtful([what]) == is_asked


@pytest.mark.parametrize(
    "verdict, is_asked",
    [
        (ASKS_BACK, True),
        (replace(ASKS_BACK, kind=Kind.UNFINISHED), False),
        (replace(ASKS_BACK, todo=(Todo("Put Hades back on c3.", "c3"),)), False),
        (asked("turn:activate ar, move ar a1", "Ares: to a1"), True),
        (asked("did:place barrier a1", "a Barrier came to a1"), True),
        (asked("turn:activate ha, move ha c3", "Hades: to c3"), False),
        (asked("did:disgrace ar", "Ares was disgraced"), False),
        (asked("did:activate ar", "Ares was activated"), False),
    ],
)
def test_what_a_broken_switch_may_account_for_has_to_be_asked_for_by_name(
    verdict: Verdict, is_asked: bool
) -> None:
    doubtful, plain, red = (act(1.0), act(3.0), act(5.0, caught=True))
    doubtful.doubtful = red.doubtful = True
    asked_back = AskedBack(lambda since, until: False)
    for what in (doubtful, plain, red):
        asked_back.look(what, verdict)
    assert asked_back.count([doubtful, plain, red]) == 0
    assert asked_back.count_doubtful([doubtful, plain, red]) == is_asked


def test_what_was_put_back_is_not_counted_again_as_doubtful() -> None:
    """Twice counted, it would make up for an act that was missed."""
    asked_back, what = AskedBack(lambda since, until: True), act()
    what.doubtful = True
    asked_back.look(what, ASKS_BACK)
    assert (asked_back.count([what]), asked_back.count_doubtful([what])) == (1, 0)


def test_only_the_last_act_may_have_begun_after_the_last_turn_and_only_uncaught() -> None:
    missed, caught, late = act(1.0), act(3.0, caught=True), act(9.0)
    assert that_count([missed, caught, late], 8.0) == [missed, caught]
    assert that_count([missed, caught, late], None) == [missed, caught, late]
    # One that was begun before, however long it has lain there, is missed; so is an older one whatever comes last.
    assert that_count([missed], 8.0) == [missed]
    assert that_count([act(8.0)], 8.0) == [act(8.0)]
    assert that_count([missed, act(9.0, caught=True)], 8.0) == [missed, act(9.0, caught=True)]
    assert that_count([], 8.0) == []


def test_what_switches_cannot_tell_is_no_act_that_counts() -> None:
    missed, unfelt = act(1.0), replace(act(3.0), unfelt=True)
    assert that_count([missed, unfelt], None) == [missed]
    # Nor does it make way for an older one.
    assert that_count([missed, replace(act(9.0), unfelt=True)], 8.0) == [missed]
    assert that_count([missed, act(9.0), replace(act(9.5), unfelt=True)], 8.0) == [missed, act(9.0)]


def test_at_a_table_without_a_camera_what_is_asked_back_is_not_put_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nor is what no switch can tell, before it is put right, taken for the act before."""
    only_mistake(monkeypatch, "a Spent card turned up")
    report = SoakReport()
    plan = SoakPlan(2, 4, illegal=1.0, turns=3, stage=Stage.REEDS)
    soak_game(kit_for("above"), plan, report, watch=watch_by_readings, frames_per_s=FEW_FRAMES_PER_S)
    assert report.illegal_unfelt > report.illegal_shown == report.illegal_put_back == 0
    assert report.is_flawless and report.incidents == []


class Blank:
    def process(self, frame: Frame) -> float:
        return frame.exposed_at


def gaps_after(*shown: float, faults: frozenset[Fault] = frozenset(), stale: bool = False) -> Gaps:
    """Pictures at 0 and 1 s, then these, all alike if `stale`, with these `faults`."""
    now: frozenset[Fault] = frozenset()
    gaps = Gaps(Blank(), 1.0, lambda: now)
    picture = np.zeros((1, 1, 3), np.uint8)
    for number, at in enumerate((0.0, 1.0, *shown)):
        now = faults if at > 1.0 else frozenset()
        gaps.process(Frame(picture if stale and at > 1.0 else picture.copy(), at, number))
    return gaps


def test_a_camera_that_is_away_covered_or_stuck_hides_what_is_done() -> None:
    assert gaps_after(5.0).hid(2.0, 3.0, 5.0)
    assert gaps_after().hid(2.0, 3.0, 5.0)
    looks = [2.0, 3.0, 4.0, 5.0]
    assert gaps_after(*looks, stale=True).hid(2.5, 3.0, 5.0)
    for fault in BLINDING:
        assert gaps_after(*looks, faults=frozenset({fault})).hid(2.0, 3.0, 5.0)


def test_a_camera_that_is_there_or_never_was_hides_nothing() -> None:
    looks = [2.0, 3.0, 4.0, 5.0]
    assert not gaps_after(*looks).hid(0.0, 5.0, 5.0)
    assert not gaps_after(*looks, faults=frozenset({Fault.HAND_LINGERS, Fault.REED_DEAD})).hid(0.0, 5.0, 5.0)
    # Before and after it was away, and for a moment only.
    assert not gaps_after(5.0, 6.0, 7.0).hid(5.5, 7.0, 7.0) and not gaps_after(5.0).hid(0.2, 0.8, 5.0)
    assert not gaps_after(1.0 + 0.9 * HIDES_S).hid(0.0, 2.0, 3.0)
    assert not Gaps(Blank(), 1.0).hid(0.0, 9.0, 9.0)


def test_a_referee_that_says_of_every_mistake_that_it_has_seen_nothing_misses_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The camera is there all along."""
    only_mistake(monkeypatch, "far away")

    def meek(referee: Referee) -> Verdict:
        said = referee._session.verdict
        return replace(said, kind=Kind.SETUP, marks=()) if said.kind is Kind.ILLEGAL else said

    monkeypatch.setattr(Referee, "verdict", property(meek))
    report = SoakReport()
    plan = SoakPlan(2, 4, illegal=1.0, turns=1)
    soak_game(kit_for("above"), plan, report, watch=watch_by_readings, frames_per_s=FEW_FRAMES_PER_S)
    assert report.illegal_shown > report.illegal_caught == report.illegal_put_back == 0
    assert not report.is_flawless and any("not caught" in each for each in report.incidents)


def test_a_card_that_is_told_to_be_turned_back_is_not_missed() -> None:
    """Nobody is accused of it: it is a turn that is to be finished, and it names a card of the act."""
    asks = Verdict(
        Kind.UNFINISHED, 0, "Turn it back.", todo=(Todo("Turn Ben's Ares card to its Powered side."),)
    )
    assert asks_to_turn_back(asks, act())
    assert not asks_to_turn_back(asks, act(thing="Hades"))
    assert not asks_to_turn_back(replace(asks, kind=Kind.READY), act())
    assert not asks_to_turn_back(replace(asks, todo=()), act(), any_card=True)
    taken = replace(asks, todo=(Todo("Ben takes 1 more card from the discard pile."),))
    assert asks_to_turn_back(taken, act(), any_card=True) and not asks_to_turn_back(taken, act())
    back = replace(asks, todo=(Todo("Put Hera back on o3.", "o3"), *asks.todo))
    assert not asks_to_turn_back(back, act(), any_card=True)
    assert not SoakReport(reopened=1).is_flawless
    assert SoakReport(reopened=1, reopened_asked=1).is_flawless


def test_which_card_was_turned_up_is_answered_also_of_one_that_was_exchanged() -> None:
    choices = (Choice("turned up:p041,p027", "Ann: p041"), Choice("as read:p048,p027", "Ann: p048"))
    asks = Verdict(Kind.QUESTION, 0, "What was turned up?", choices=choices)
    assert asks_what_it_was(asks, act(thing="p048"))
    assert not asks_what_it_was(asks, act(thing="p028"))
    assert not asks_what_it_was(replace(asks, choices=choices[:1]), act(thing="p048"))
    assert not asks_what_it_was(replace(asks, kind=Kind.READY), act(thing="p048"))
