"""A test that lacks its program is skipped with the reason, but never where changes are judged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .installed import do_without, need

CI_RUN = Path(__file__).parents[1] / ".ci" / "run"


def test_a_missing_program_is_a_reason_to_skip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no browser"):
        do_without("no browser")
    with pytest.raises(pytest.skip.Exception, match="no not-a-program here: run `apt install a-package`"):
        need("sh", "not-a-program", packages="a-package")


def test_but_not_where_changes_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="CI must not skip this: no browser"):
        do_without("no browser")
    with pytest.raises(pytest.fail.Exception, match="no not-a-program"):
        need("not-a-program", packages="a-package")


def test_what_is_there_is_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    need("sh", packages="dash")


def test_ci_installs_every_package_that_a_test_asks_for() -> None:
    tests = Path(__file__).parent
    wanted = {
        package
        for path in tests.rglob("*.py")
        for packages in re.findall(r"\bneed\([^)]*packages=\"([^\"]+)\"", path.read_text())
        if path != Path(__file__)
        for package in packages.split()
    }
    installed = re.search(r'^packages="([^"]+)"', CI_RUN.read_text(), re.MULTILINE)
    assert wanted and installed is not None
    assert wanted - set(installed[1].split()) == set()
