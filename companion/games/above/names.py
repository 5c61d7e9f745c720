"""Names of Above's pieces and places, as they stand in sentences of any language."""

from __future__ import annotations

from functools import cache

from companion.messages import Text, say


@cache
def deity_name(deity: str) -> Text:
    """A deity by its code."""
    return say(f"names.{deity}")


@cache
def token_name(token: str) -> Text:
    """A token by its type."""
    return say(f"names.{token}")


@cache
def place_name(space: str) -> Text:
    """A space as people say it."""
    return say("names.summit") if space == "top" else say("names.space", space=space)


@cache
def seat_name(seat: int) -> Text:
    """A seat, where nobody's name is known."""
    return say("names.seat", n=seat)
