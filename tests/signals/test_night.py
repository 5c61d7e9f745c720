"""The lights' brightness by the hour and by wish."""

from __future__ import annotations

from datetime import time

import pytest

from companion.signals.night import Dimming, Night, NightMode


@pytest.mark.parametrize(
    ("begins", "ends", "hour", "dark"),
    [
        (time(22), time(7), time(21, 59), False),
        (time(22), time(7), time(22), True),
        (time(22), time(7), time(0), True),
        (time(22), time(7), time(6, 59), True),
        (time(22), time(7), time(7), False),
        (time(1), time(5), time(0, 59), False),
        (time(1), time(5), time(3), True),
        (time(1), time(5), time(5), False),
        (time(7), time(7), time(7), False),
        (None, time(7), time(3), False),
    ],
)
def test_night_falls_by_the_hour(begins: time | None, ends: time, hour: time, dark: bool) -> None:
    night = Night(Dimming(day=0.9, night=0.2, begins=begins, ends=ends), lambda: hour)
    assert night.is_on is dark
    assert night.brightness == (0.2 if dark else 0.9)


@pytest.mark.parametrize(("mode", "brightness"), [(NightMode.NIGHT, 0.3), (NightMode.DAY, 1.0)])
@pytest.mark.parametrize("hour", [time(12), time(23)])
def test_what_somebody_wants_comes_before_the_hour(mode: NightMode, brightness: float, hour: time) -> None:
    night = Night(Dimming(night=0.3, begins=time(22)), lambda: hour)
    night.mode = mode
    assert night.brightness == brightness
    night.mode = NightMode.AUTO
    assert night.is_on is (hour == time(23))
