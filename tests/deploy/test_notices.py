"""The third-party notices are what the locks say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def notices() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notices", ROOT / "deploy" / "notices.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_file_is_what_the_locks_say(notices: ModuleType) -> None:
    assert notices.NOTICES.read_text(encoding="utf-8") == notices.notices(), "run: python deploy/notices.py"


def test_every_version_of_every_lock_is_named(notices: ModuleType) -> None:
    text = notices.NOTICES.read_text(encoding="utf-8")
    for name, versions in notices.locked().items():
        assert f"| {name} | {', '.join(versions)} |" in text


def test_a_licence_that_nobody_has_looked_at_is_refused(
    notices: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "USABLE", {"MIT"})
    assert notices.licence_of("tomlkit")[0] == "MIT"
    with pytest.raises(notices.NoticeError, match="numpy is none that is known"):
        notices.licence_of("numpy")
    with pytest.raises(notices.NoticeError, match="no-such-package is not installed"):
        notices.licence_of("no-such-package")
