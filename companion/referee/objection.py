"""Objection: what is refused may be right all the same, for the referee may have believed a turn that was not played."""

from __future__ import annotations

from dataclasses import dataclass

from companion.referee.verdict import Verdict

# The answers' keys: that what was refused is right, and what counts from now on (the rest of the key).
OBJECT = "object"
RIGHT = "right:"


def asks_what_counts(verdict: Verdict) -> bool:
    """Is this the question that follows an objection, and no other?"""
    return any(choice.key.startswith(RIGHT) for choice in verdict.choices)


@dataclass(slots=True)
class Objection:
    """What was `refused` last, since when (seconds), and whether people have objected to it."""

    refused: Verdict | None = None
    since: float = 0.0
    is_raised: bool = False

    def look(self, refused: Verdict, now: float) -> float:
        """It is refused at `now`; for how many seconds it has been by then, hands that came and went included."""
        if self.refused is None or refused.text != self.refused.text:
            self.since, self.is_raised = now, False
        self.refused = refused
        return now - self.since

    def forget(self) -> None:
        """It is refused no longer."""
        self.refused, self.is_raised = None, False
