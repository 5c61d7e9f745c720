"""A filmed table that is dear to make, for all tests of sight that leave it as it was."""

from __future__ import annotations

import pytest

from tests.sensing.rendered import RenderedTable


@pytest.fixture(scope="session")
def filmed() -> RenderedTable:
    """One table for all: whoever moves something, or knocks against it, puts it right again."""
    rendered = RenderedTable(1)
    reading, _ = rendered.settle()
    assert rendered.wrong(reading) == []
    return rendered
