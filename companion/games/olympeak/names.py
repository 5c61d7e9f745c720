"""Names of OlymPeak's pieces, as they stand in sentences of any language."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from companion.messages import Text, listed, row, say


@cache
def contender_name(contender: str) -> Text:
    """A contender by its colour."""
    return say(f"names.{contender}")


@cache
def order_name(kind: str) -> Text:
    """A kind of order card: `stop`, `remove`, `insert`."""
    return say(f"names.{kind}")


@cache
def cube_name(contender: str) -> Text:
    """A contender's cube."""
    return say("olympeak.cube", contender=contender_name(contender))


def contenders_listed(contenders: Iterable[str]) -> Text:
    """ "blue, red and green"."""
    return listed(map(contender_name, contenders))


def contenders_in_row(contenders: Iterable[str]) -> Text:
    """ "blue, red, green"."""
    return row(map(contender_name, contenders))
