"""Which sentences a module can say, and which of them were said."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any
from unittest.mock import patch

from companion.messages import catalogue, text

_KEY = re.compile(r"[a-z]+\.[a-z0-9_]+")


def sentences(module: ModuleType) -> frozenset[str]:
    """Every key of the catalogue that the module's source names."""
    found = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _KEY.fullmatch(node.value):
            subject = node.value.partition(".")[0]
            if subject in catalogue.subjects() and node.value in catalogue.keys(subject):
                found.add(node.value)
    return frozenset(found)


def unsaid(module: ModuleType, say_all: Callable[[], None]) -> list[str]:
    """The keys that the module's source names and `say_all` does not come to."""
    said = set()
    really = text._said

    def note(key: str, *args: Any, **more: Any) -> str:
        said.add(key)
        return really(key, *args, **more)

    with patch.object(text, "_said", note):
        say_all()
    return sorted(sentences(module) - said)
