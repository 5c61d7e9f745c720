"""The wiring in a table profile: as it is written, read again, refused, and used."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from calibration.profile import ProfileError, TableProfile, load_profile, save_profile
from calibration.profile_base import Measured
from calibration.wiring_profile import (
    LIGHTS,
    SPACES,
    BadSwitch,
    LaneProfile,
    LightsProfile,
    ReedsProfile,
    ScoreboardProfile,
    SwitchFault,
)
from firmware_bridge.virtual_wiring import Wiring

MEASURED = Measured(at=datetime(2026, 1, 1, tzinfo=UTC), how="test")
REEDS = ReedsProfile(
    measured=MEASURED,
    spaces=("", *SPACES[1:]),
    bad=(
        BadSwitch(space="c4", fault=SwitchFault.DEAD, trust=0.0),
        BadSwitch(space="d5", fault=SwitchFault.DOUBLED, trust=0.9, also="d4"),
    ),
)
SCOREBOARD = ScoreboardProfile(
    measured=MEASURED, lane=(LaneProfile(carries="blue", axis=1, scale=-1.0, offset_mm=0.5),)
)


def test_what_was_measured_of_the_wiring_is_read_again_as_it_was_written(tmp_path: Path) -> None:
    lights = LightsProfile(measured=MEASURED, places=LIGHTS, channels="grb", dark=("c4",), weak=("d5",))
    profile = TableProfile(reeds=REEDS, lights=lights, scoreboard=SCOREBOARD)
    save_profile(tmp_path / "table.toml", profile)
    assert load_profile(tmp_path / "table.toml") == profile
    # Once more, into what stands there already.
    save_profile(tmp_path / "table.toml", profile)
    assert load_profile(tmp_path / "table.toml") == profile


def test_a_misspelt_key_is_named_with_the_right_one(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    save_profile(file, TableProfile(scoreboard=SCOREBOARD))
    file.write_text(file.read_text().replace("offset_mm", "ofset_mm"))
    with pytest.raises(ProfileError, match=r"ofset_mm.*is `offset_mm` meant\?"):
        load_profile(file)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ReedsProfile(measured=MEASURED, spaces=SPACES[:-1]), "must hold 97 names"),
        (lambda: ReedsProfile(measured=MEASURED, spaces=("b1", *SPACES[1:])), "b1 is given twice"),
        (lambda: ReedsProfile(measured=MEASURED, spaces=("q1", *SPACES[1:])), "there is no 'q1'"),
        (lambda: BadSwitch(space="a7", fault=SwitchFault.DEAD, trust=0), "there is no space 'a7'"),
        (lambda: LightsProfile(measured=MEASURED, places=LIGHTS, channels="rgg"), "some order"),
        (lambda: LaneProfile(carries="black", axis=0), "carries must be one of blue"),
        (lambda: LaneProfile(carries="blue", axis=0, scale=0.0), "scale must not be 0"),
        (
            lambda: ScoreboardProfile(measured=MEASURED, lane=SCOREBOARD.lane * 2),
            "carries blue is given twice",
        ),
    ],
)
def test_what_cannot_be_is_refused(make: object, words: str) -> None:
    assert callable(make)
    with pytest.raises(ValidationError, match=words):
        make()


def test_a_switch_is_believed_as_far_as_it_deserves() -> None:
    assert (REEDS.trust("c4"), REEDS.trust("d5"), REEDS.trust("e1")) == (0.0, 0.9, 1.0)
    # Nobody knows the number of a1's; d5's is good enough.
    assert REEDS.distrusted == {"a1", "c4"}
    assert REEDS.closed({0, 1}) == {"a2"}


@settings(max_examples=20, deadline=None)
@given(
    st.permutations(range(105)),
    st.permutations(range(3)),
    st.integers(0, 104),
    st.tuples(*[st.integers(0, 255)] * 3),
)
def test_whatever_way_a_strip_is_wired_a_place_shows_what_it_should(
    order: list[int], channels: list[int], place: int, colour: tuple[int, int, int]
) -> None:
    wiring = Wiring(leds=tuple(order), channels=(channels[0], channels[1], channels[2]))
    # What is measured: by position on the strip the place, by colour sent the colour seen.
    places = tuple(LIGHTS[order.index(position)] for position in range(105))
    seen = "".join("rgb"[channels.index(sent)] for sent in range(3))
    lights = LightsProfile(measured=MEASURED, places=places, channels=seen)
    shown = tuple(colour if n == place else (0, 0, 0) for n in range(105))
    assert wiring.lit(lights.sent(shown)) == shown


def test_a_place_beyond_what_the_board_allows_is_asked_for_as_far_as_it_goes() -> None:
    lane = LaneProfile(carries="blue", axis=0, scale=0.5)
    assert lane.asked_mm(45.0) == 90.0
    assert lane.asked_mm(180.0) == 185.0
