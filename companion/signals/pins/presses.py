"""Presses: what fingers do to a contact, freed of its chatter. Time is given, nothing waits."""

from __future__ import annotations

from enum import Enum

# Contacts chatter for a few milliseconds; a finger is never as quick as this.
DEBOUNCE_S = 0.03
# What must not happen by accident asks to be held for so long.
HOLD_S = 1.0
# Nobody holds a button for so long: it is stuck, or something lies on it.
STUCK_S = 30.0


class Press(Enum):
    """What a button tells."""

    DOWN = "down"
    HELD = "held"  # for HOLD_S; told once
    UP = "up"  # before it was held
    LET_GO = "let go"  # after it was held


class Button:
    """One contact over time. What was closed from the beginning is no press: it first has to open."""

    def __init__(self) -> None:
        self._raw: bool | None = None
        self._raw_since = 0.0
        self._closed: bool | None = None
        self._down_at = 0.0
        self._held = False

    @property
    def is_closed(self) -> bool:
        """The contact, chatter aside; open until it is known."""
        return bool(self._closed)

    @property
    def is_known(self) -> bool:
        """Has the contact been still for long enough, once, to be told?"""
        return self._closed is not None

    def is_stuck(self, now: float) -> bool:
        """Has it been closed for longer than a finger stays?"""
        return self.is_closed and now - self._down_at >= STUCK_S

    def step(self, closed: bool, now: float) -> Press | None:
        """The contact as it is at `now`, in seconds; call it often. What the finger has done, if anything."""
        if closed is not self._raw:
            self._raw, self._raw_since = closed, now
        settled = now - self._raw_since >= DEBOUNCE_S
        if settled and closed is not self._closed:
            first, self._closed = self._closed is None, closed
            if closed:
                self._down_at = self._raw_since
                self._held = first  # closed from the beginning: nothing to tell until it has opened
                return None if first else Press.DOWN
            return None if first else (Press.LET_GO if self._held else Press.UP)
        if self.is_closed and not self._held and now - self._down_at >= HOLD_S:
            self._held = True
            return Press.HELD
        return None
