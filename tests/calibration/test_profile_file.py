"""Writing a profile: whole or not at all, the one before kept, the owner's comments too."""

from __future__ import annotations

import os
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_mock import MockerFixture

from calibration.profile_file import ProfileError, write_profile

DATA: dict[str, Any] = {"name": "kitchen", "camera": {"fx": 1774.0, "at": datetime(2026, 5, 1, tzinfo=UTC)}}
OTHER: dict[str, Any] = {"name": "garden", "rings": {"ring": [{"ring": 1}, {"ring": 2}]}}


def read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def test_the_profile_before_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "table.toml"
    write_profile(file, DATA)
    write_profile(file, OTHER)
    assert read(file) == OTHER
    assert read(file.with_name("table.toml.previous")) == DATA
    assert sorted(path.name for path in file.parent.iterdir()) == ["table.toml", "table.toml.previous"]


@pytest.mark.parametrize("step", ["open", "fsync", "link", "replace"])
def test_a_disk_that_fails_at_any_step_leaves_the_old_profile(
    tmp_path: Path, mocker: MockerFixture, step: str
) -> None:
    file = tmp_path / "table.toml"
    write_profile(file, DATA)
    failure = OSError(28, "No space left on device")
    where = {
        "open": (Path, "open"),
        "fsync": (os, "fsync"),
        "link": (os, "link"),
        "replace": (Path, "replace"),
    }
    mocker.patch.object(*where[step], side_effect=failure)
    with pytest.raises(ProfileError, match="No space left"):
        write_profile(file, OTHER)
    mocker.stopall()
    assert read(file) == DATA


def test_comments_and_spelling_of_what_stays_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(
        "# Our kitchen table\nname = 'kitchen'  # the big one\nport = '/dev/ttyACM0'\n\n"
        "[camera]\n# measured by Ada\nfx = 1774.0\nat = 2026-05-01T00:00:00Z\n"
    )
    write_profile(file, {**DATA, "camera": {"fx": 1780.5, "at": DATA["camera"]["at"]}})
    text = file.read_text()
    assert "# Our kitchen table\nname = 'kitchen'  # the big one\n" in text
    assert "# measured by Ada\nfx = 1780.5\nat = 2026-05-01T00:00:00Z" in text
    assert "port" not in text


def test_what_is_no_toml_is_replaced_and_kept_beside(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("name = = 3")
    write_profile(file, DATA)
    assert read(file) == DATA
    assert file.with_name("table.toml.previous").read_text() == "name = = 3"


VALUES = st.one_of(
    st.integers(-(2**40), 2**40), st.floats(-1e6, 1e6), st.text("abcäµ°\n\"'#", max_size=8), st.booleans()
)
KEYS = st.sampled_from(["name", "camera", "rings", "ring", "fx_px"])
TABLES = st.recursive(
    st.dictionaries(KEYS, VALUES, max_size=4),
    lambda inner: st.dictionaries(
        KEYS,
        st.one_of(VALUES, inner, st.lists(inner, min_size=1, max_size=3), st.lists(st.floats(-9, 9))),
        max_size=4,
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=60)
@given(first=TABLES, second=TABLES)
def test_whatever_stood_there_what_is_written_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, first: dict[str, Any], second: dict[str, Any]
) -> None:
    file = tmp_path_factory.mktemp("profile") / "table.toml"
    write_profile(file, first)
    assert read(file) == first
    write_profile(file, second)
    assert read(file) == second
