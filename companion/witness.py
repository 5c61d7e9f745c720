"""The witness: what has been seen since the hands left, and what a ruling was made from."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from companion.referee.verdict import Kind, Verdict
from companion.tables.kit import AnyReading, Referee
from companion.web.stills import Ruling

# So many looks are counted; more would say the same.
LOOKS = 20


class Testifies(Protocol):
    """What of a game's kit the witness needs."""

    def evidence(
        self, looks: Sequence[Any], switches: Any, referee: Any, *, accepted: bool
    ) -> tuple[str, ...]:
        """What was seen where the last turn changed something if it was `accepted`, else where the verdict points."""


class Witness:
    """Follows the looks at one table. `wall_clock`: seconds since 1970, for what people are told."""

    def __init__(self, kit: Testifies, wall_clock: Callable[[], float]) -> None:
        self._kit = kit
        self._wall_clock = wall_clock
        self._looks: deque[AnyReading] = deque(maxlen=LOOKS)
        self._referee: Referee | None = None
        self._turns = 0
        self._verdict: Verdict | None = None

    def look(self, reading: AnyReading, switches: Any, referee: Referee) -> Ruling | None:
        """Takes in a look that has just been judged; a ruling if it has led to one.

        Rulings are: a turn is accepted, what lies there is against the rules, or it is in doubt.
        """
        if reading.moving:
            self._looks.clear()
        elif reading.frame == "ok":
            self._looks.append(reading)
        before, self._verdict = self._verdict, referee.verdict
        turns, self._turns = self._turns, len(referee.turns)
        known, self._referee = self._referee is referee, referee
        if not known or not self._looks:
            return None
        kind = "accepted" if self._turns > turns else _said(before, referee.verdict)
        if not kind:
            return None
        accepted = kind == "accepted"
        evidence = self._kit.evidence(tuple(self._looks), switches, referee, accepted=accepted)
        # What was accepted is told by the history.
        text = "" if accepted else referee.verdict.text
        return Ruling(self._turns, kind, text, evidence, self._wall_clock())


def _said(before: Verdict | None, now: Verdict) -> str:
    """The kind of ruling that has just been made, if it is one."""
    if before is not None and (before.kind, before.text) == (now.kind, now.text):
        return ""
    if now.kind is Kind.ILLEGAL:
        return "illegal"
    return "question" if now.kind is Kind.QUESTION and not now.by_rules else ""
