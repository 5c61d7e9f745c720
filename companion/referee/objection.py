"""Objection: what is refused may be right all the same, for the referee may have believed a turn that was not played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.messages import Arg, clauses, say
from companion.referee.question import NONE
from companion.referee.requests import Refused
from companion.referee.verdict import Choice, Kind, Verdict

# The answers' keys: that what was refused is right, and what counts from now on (the rest of the key).
OBJECT = "object"
RIGHT = "right:"
# What would count stands there for so long (s) before anybody can agree to it: the others are to hear it, and the
# finger that has just objected to lift.
HEARD_S = 3.0


def asks_what_counts(verdict: Verdict) -> bool:
    """Is this the question that follows an objection, and no other?"""
    return any(choice.key.startswith(RIGHT) for choice in verdict.choices)


def what_would_count(refused: Verdict, things: Sequence[Arg], choices: Sequence[Choice]) -> Verdict:
    """The question to everybody once people have objected: `things` would count, by one of `choices` or not at all."""
    # A player decides it: nobody is in doubt who was not before.
    return Verdict(
        Kind.QUESTION,
        refused.seat,
        say("referee.would_count", things=clauses(things)),
        marks=refused.marks,
        choices=(*choices, Choice(NONE, say("referee.not_right"))),
        by_rules=True,
    )


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

    def takes(self, key: str, shown: Verdict) -> bool:
        """Takes that people object, or have thought better of what was `shown`; False if the key says neither."""
        if key != OBJECT and not (key == NONE and asks_what_counts(shown)):
            return False
        self.raised(key == OBJECT)
        return True

    def heard(self) -> None:
        """Raises Refused while it has not stood there for long enough what would count."""
        if self._asked_at is None or self._now - self._asked_at < HEARD_S:
            raise Refused(say("referee.heard_first"))

    def forget(self) -> None:
        """It is refused no longer."""
        self.refused = None
        self.raised(False)
