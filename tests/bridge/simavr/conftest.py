"""Chips for the tests, where the simulator is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.installed import do_without

from .chip import Chip, missing
from .host import ChipHost


@pytest.fixture(autouse=True)
def simulator() -> None:
    if reason := missing():
        do_without(reason)


@pytest.fixture
def chip() -> Iterator[Chip]:
    with Chip() as made:
        yield made


@pytest.fixture
def host(chip: Chip) -> ChipHost:
    """Connected to the chip."""
    made = ChipHost(chip)
    made.connect()
    made.events.clear()
    return made
