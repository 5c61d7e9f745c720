"""No test reads or writes what the person at this machine keeps: games, deck, table code."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

import pytest

# Before anything of ours is imported: the default places are worked out then.
os.environ["HOME"] = tempfile.mkdtemp(prefix="olympus-home-")
# As many tests run at once as there are cores; threads within one would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2

cv2.setNumThreads(1)


@pytest.fixture(autouse=True)
def journals_are_closed() -> Iterator[None]:
    """What a test has left open is closed, before anybody finds it lying about."""
    yield
    from tests.referee.keeping import close_all

    close_all()
