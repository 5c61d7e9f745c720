"""Skips where nothing can be compiled."""

from __future__ import annotations

import pytest

from tests.bridge.contract import unavailable

from .core import missing


@pytest.fixture(autouse=True)
def compiler() -> None:
    if reason := missing():
        unavailable(reason, wanted_by_ci=True)
