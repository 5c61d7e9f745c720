"""Lettering in pictures: one thread of the program writes it all.

OpenCV 5 unpacks its font, five megabytes, for every thread that has ever written; Hershey's letters of OpenCV 4 took
none. So whoever writes does it in the same thread and waits for it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import ParamSpec, TypeVar

THREAD = "lettering"

Given = ParamSpec("Given")
Drawn = TypeVar("Drawn")

_writer = ThreadPoolExecutor(1, thread_name_prefix=THREAD)


def lettered(draw: Callable[Given, Drawn]) -> Callable[Given, Drawn]:
    """`draw`, which writes into pictures, to be run in the thread for it; what it raises is raised here."""

    @wraps(draw)
    def drawn(*args: Given.args, **kwargs: Given.kwargs) -> Drawn:
        if threading.current_thread().name.startswith(THREAD):
            return draw(*args, **kwargs)
        return _writer.submit(draw, *args, **kwargs).result()

    return drawn
