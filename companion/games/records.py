"""What the record checkers of both games answer: where a record first departs from the rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Departure:
    """The first line (from 1) of a record that does not follow, and in one sentence what was expected."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"
