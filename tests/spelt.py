"""Which sentences a module can say, read from its source, and which of them were said."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any


def sentences(module: ModuleType) -> dict[range, str]:
    """Every `return` of the module that gives a sentence: its lines, and its words with … for values."""
    found = {}
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Return) and node.value is not None:
            inner = {
                id(part)
                for text in ast.walk(node.value)
                if isinstance(text, ast.JoinedStr)
                for part in text.values
            }
            parts = (_words(part) for part in ast.walk(node.value) if id(part) not in inner)
            words = " or ".join(text for text in parts if text.endswith("."))
            if words:
                found[range(node.lineno, (node.end_lineno or node.lineno) + 1)] = words
    return found


def _words(node: ast.AST) -> str:
    """The words of a text with values put in, or of a plain one that is a sentence by itself."""
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        return "".join(str(part) for part in parts)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith("."):
        return node.value
    return ""


@contextmanager
def lines_run(module: ModuleType) -> Iterator[set[int]]:
    """The lines of the module that are run meanwhile."""
    file, lines = module.__file__, set[int]()

    def follow(frame: FrameType, event: str, arg: object) -> Callable[..., Any] | None:
        if frame.f_code.co_filename != file:
            return None
        if event == "line":
            lines.add(frame.f_lineno)
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        yield lines
    finally:
        sys.settrace(before)


def unsaid(module: ModuleType, say_all: Callable[[], None]) -> list[str]:
    """The sentences of the module that `say_all` does not come to."""
    with lines_run(module) as run:
        say_all()
    return [words for lines, words in sentences(module).items() if run.isdisjoint(lines)]
