"""All lettering is done by one thread, whoever asks for it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.lettering import THREAD, lettered


@lettered
def writer(depth: int = 0) -> str:
    return threading.current_thread().name if depth == 0 else writer(depth - 1)


@lettered
def spill(what: str) -> None:
    raise ValueError(what)


def test_one_thread_writes_for_all_and_for_itself() -> None:
    with ThreadPoolExecutor(3) as others:
        names = {writer(2), *others.map(writer, range(6))}
    assert len(names) == 1
    assert names.pop().startswith(THREAD)


def test_what_goes_wrong_is_raised_where_it_was_asked_for() -> None:
    with pytest.raises(ValueError, match="ink"):
        spill("ink")
    assert writer().startswith(THREAD)
