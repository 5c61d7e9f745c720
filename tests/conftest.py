"""No test reads or writes what the person at this machine keeps: games, deck, table code."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Generator, Iterator
from typing import Any

import pytest

# Before anything of ours is imported: the default places are worked out then.
os.environ["HOME"] = tempfile.mkdtemp(prefix="olympus-home-")
# As many tests run at once as there are cores; threads within one would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2

cv2.setNumThreads(1)


# Whole games cost most. They come first, so that no core is left alone with one of them at the end.
FIRST = ("tests/table/", "tests/sensing/", "tests/virtual/", "tests/calibration/", "tests/web/browser/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The dearest folders first; within them everything in its order."""
    items.sort(
        key=lambda item: next((n for n, at in enumerate(FIRST) if item.nodeid.startswith(at)), len(FIRST))
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Modules and tests stay to the end: to look through them for garbage, again and again, would find none."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


# What these share is dear, too: a browser, a filmed table.
TOGETHER = ("tests/web/browser/", "tests/sensing/test_ring_watch", "tests/sensing/test_frame_watch")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """All of a module goes to one worker: what its tests share, a game begun or pictures read, is made once."""
    from xdist.scheduler import LoadFileScheduling

    class ByModule(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            shared = nodeid.startswith(TOGETHER)
            return nodeid.split("/test_")[0] if shared else str(super()._split_scope(nodeid))

    config.option.loadscopereorder = False
    return ByModule(config, log)


@pytest.fixture(autouse=True)
def journals_are_closed() -> Iterator[None]:
    """What a test has left open is closed, before anybody finds it lying about."""
    yield
    from tests.referee.keeping import close_all

    close_all()
