"""Skips where nothing can be compiled."""

from __future__ import annotations

import pytest

from tests.installed import do_without

from .core import missing


@pytest.fixture(autouse=True)
def compiler() -> None:
    if reason := missing():
        do_without(reason)
