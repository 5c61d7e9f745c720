"""What counts as red light without cause: only what stays on for as long as the table could see that all is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from companion.sensing.frames import Frame
from companion.soak.gaps import Gaps
from companion.virtual.faults import Fault
from companion.virtual.tally import ALARM_S, AlarmWatch, Tally

FRAME_S = 0.1


class Blank:
    def process(self, frame: Frame) -> None:
        """Nothing is read."""


def picture(at: float) -> Frame:
    return Frame(np.zeros((1, 1, 3), np.uint8), at, 0)


def alarms(red_until: float, until: float, unseen: Callable[[float], Fault | str | None]) -> int:
    """Nothing lies wrong from 0 s on; red light goes out at `red_until`; what hides the table at each moment."""
    now = 0.0
    gaps = Gaps(Blank(), FRAME_S, lambda: frozenset({f} if isinstance(f := unseen(now), Fault) else ()))
    tally = Tally(looked_on=gaps.seen)
    watch = AlarmWatch(tally)
    stale = picture(0.0)
    for number in range(round(until / FRAME_S) + 1):
        now = number * FRAME_S
        hidden = unseen(now)
        if hidden is Fault.FRAME_STALE:
            gaps.process(replace(stale, exposed_at=now))
        elif hidden != "no picture":
            gaps.process(picture(now))
        watch.step(now, True, lambda is_red=now < red_until: is_red)  # type: ignore[misc]
    return tally.false_alarms


HIDES = (Fault.HAND_LINGERS, Fault.FRAME_BLACK, Fault.FRAME_STALE, "no picture")


@pytest.mark.parametrize("hides", HIDES)
@pytest.mark.parametrize("first", [0.0, 0.5])
def test_who_could_not_see_that_all_is_right_is_given_the_time_afterwards(
    hides: Fault | str, first: float
) -> None:
    def unseen(now: float) -> Fault | str | None:
        return hides if first < now < first + 4.0 else None

    assert alarms(first + 4.3, 20.0, unseen) == 0
    # Once it can see, it has as long as everybody, and no longer.
    assert alarms(4.0 + ALARM_S - 0.2, 20.0, unseen) == 0
    assert alarms(4.0 + ALARM_S + 0.4, 20.0, unseen) == 1


def test_red_light_before_an_open_eye_counts_and_an_arm_excuses_nothing_for_long() -> None:
    assert alarms(ALARM_S + 0.3, 20.0, lambda now: None) == 1
    assert alarms(ALARM_S - 0.1, 20.0, lambda now: None) == 0

    # An arm that comes back again and again stops the time, and begins it anew never.
    def at_times(now: float) -> Fault | None:
        return Fault.HAND_LINGERS if 0.5 < now % 2.0 < 1.5 else None

    assert alarms(9.0, 20.0, at_times) == 1
    # Nor does one at the very moment that red light has been on for long enough.
    assert alarms(6.0, 20.0, lambda now: Fault.HAND_LINGERS if abs(now - ALARM_S) < 0.5 else None) == 1
