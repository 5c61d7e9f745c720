"""Answering with two buttons: which of the choices `yes` takes and what `no` does."""

from __future__ import annotations

from collections.abc import Sequence

from companion.referee.verdict import Choice

# Keys that decline; where one of just two choices declines, it is `no`.
DECLINING = ("decline", "no")


class Chooser:
    """Follows what is asked.

    One choice: yes takes it. Two: yes takes one and no the other. More: no goes on to the next, yes takes the one
    it has come to.
    """

    def __init__(self) -> None:
        self._choices: tuple[Choice, ...] = ()
        self._at = 0

    def ask(self, choices: Sequence[Choice]) -> None:
        """These are the choices now; another question begins at its first."""
        if tuple(choices) != self._choices:
            self._choices, self._at = tuple(choices), 0

    @property
    def yes(self) -> Choice | None:
        """What yes would answer; None while nothing is asked."""
        if not self._choices:
            return None
        if len(self._choices) == 2:
            return self._choices[1 if self._choices[0].key in DECLINING else 0]
        return self._choices[self._at]

    @property
    def no(self) -> Choice | None:
        """What no would answer; None where it only goes on, or has nothing to say."""
        if len(self._choices) != 2:
            return None
        return next(choice for choice in self._choices if choice is not self.yes)

    @property
    def goes_on(self) -> bool:
        """Does no go on to the next choice?"""
        return len(self._choices) > 2

    def next(self) -> None:
        """No was pressed where it goes on."""
        if self.goes_on:
            self._at = (self._at + 1) % len(self._choices)
