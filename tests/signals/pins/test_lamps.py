"""What lamps and buzzer say of a verdict."""

from __future__ import annotations

import itertools

import pytest

from companion.referee.verdict import Kind, Verdict
from companion.signals.pins.lamps import KIND_LAMPS, STOPPED_LAMPS, Tune, lamps_of, tune_between
from companion.signals.pins.plan import LAMPS, Part
from companion.signals.rhythms import Rhythm


def said(kind: Kind, seat: int = 0, text: str = "") -> Verdict:
    return Verdict(kind, seat, text)


def test_every_kind_lights_something_of_its_own() -> None:
    shown = [
        tuple(sorted((part.value, rhythm.name) for part, rhythm in KIND_LAMPS[kind].items())) for kind in Kind
    ]
    assert all(shown)
    assert len(set(shown)) == len(Kind)
    assert all(part in LAMPS for lit in KIND_LAMPS.values() for part in lit)


def test_the_colours_mean_what_people_expect() -> None:
    assert lamps_of(said(Kind.READY), stopped=False) == {Part.GREEN: Rhythm.STEADY}
    assert Part.RED in lamps_of(said(Kind.ILLEGAL), stopped=False)
    assert Part.AMBER in lamps_of(said(Kind.QUESTION), stopped=False)
    assert all(Part.RED not in lit for kind, lit in KIND_LAMPS.items() if kind is not Kind.ILLEGAL)


@pytest.mark.parametrize("kind", Kind)
def test_an_emergency_stop_takes_the_red_lamp_and_leaves_the_rest(kind: Kind) -> None:
    lit = lamps_of(said(kind), stopped=True)
    assert lit[Part.RED] is STOPPED_LAMPS[Part.RED]
    assert {p: r for p, r in lit.items() if p is not Part.RED} == {
        p: r for p, r in KIND_LAMPS[kind].items() if p is not Part.RED
    }


@pytest.mark.parametrize("tune", Tune)
def test_no_tune_is_long_and_each_begins_and_ends_with_sound(tune: Tune) -> None:
    assert tune.length_ms <= 1000
    assert tune.sounds(0) and tune.sounds(tune.length_ms - 1)
    assert not tune.sounds(tune.length_ms) and not tune.sounds(tune.length_ms + 5000)
    on = sum(tune.sounds(ms) for ms in range(tune.length_ms))
    assert on == sum(tune.value[::2])


def test_tunes_are_told_apart() -> None:
    assert all(one.value != other.value for one, other in itertools.combinations(Tune, 2))


@pytest.mark.parametrize(
    ("before", "now", "taken", "tune"),
    [
        (None, said(Kind.ILLEGAL), 0, None),
        (said(Kind.READY), said(Kind.ILLEGAL), 0, Tune.ILLEGAL),
        (said(Kind.ILLEGAL), said(Kind.ILLEGAL, text="in other words"), 0, None),
        (said(Kind.READY), said(Kind.QUESTION), 0, Tune.QUESTION),
        (said(Kind.UNFINISHED), said(Kind.READY, 1), 1, Tune.TURN),
        (said(Kind.COMPLETE), said(Kind.OVER), 1, Tune.VICTORY),
        (said(Kind.READY), said(Kind.LIFTED), 0, None),
        (said(Kind.READY), said(Kind.HOLD), 0, None),
    ],
)
def test_only_what_is_worth_hearing_is_heard(
    before: Verdict | None, now: Verdict, taken: int, tune: Tune | None
) -> None:
    assert tune_between(before, now, 3, 3 + taken) is tune
