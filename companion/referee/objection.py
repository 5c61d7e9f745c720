"""Objection: what is refused may be right all the same, for the referee may have believed a turn that was not played."""

from __future__ import annotations

from dataclasses import dataclass

from companion.messages import say
from companion.referee.requests import Refused
from companion.referee.verdict import Verdict

# The answers' keys: that what was refused is right, and what counts from now on (the rest of the key).
OBJECT = "object"
RIGHT = "right:"
# What would count stands there for so long (s) before anybody can agree to it: the others are to hear it, and the
# finger that has just objected to lift.
HEARD_S = 3.0


def asks_what_counts(verdict: Verdict) -> bool:
    """Is this the question that follows an objection, and no other?"""
    return any(choice.key.startswith(RIGHT) for choice in verdict.choices)


@dataclass(slots=True)
class Objection:
    """What was `refused` last, since when (seconds), and whether people have objected to it."""

    refused: Verdict | None = None
    since: float = 0.0
    is_raised: bool = False
    # When the table was looked at last, and first since it is asked what would count.
    _now: float = 0.0
    _asked_at: float | None = None

    def tick(self, now: float) -> None:
        """It is `now`, whatever there is to be seen."""
        self._now = now
        if self.is_raised and self._asked_at is None:
            self._asked_at = now

    def look(self, refused: Verdict, now: float) -> float:
        """It is refused at `now`; for how many seconds it has been by then, hands that came and went included."""
        if self.refused is None or refused.text != self.refused.text:
            self.since = now
            self.raised(False)
        self.refused = refused
        return now - self.since

    def raised(self, is_raised: bool) -> None:
        """People object, or have thought better of it."""
        self.is_raised, self._asked_at = is_raised, None

    def heard(self) -> None:
        """Raises Refused while it has not stood there for long enough what would count."""
        if self._asked_at is None or self._now - self._asked_at < HEARD_S:
            raise Refused(say("above.heard_first"))

    def forget(self) -> None:
        """It is refused no longer."""
        self.refused = None
        self.raised(False)
