"""Lift: which miniatures are in a hand while that hand hides everything, told by their switches.

A moving picture is no evidence, but a lifted miniature is shown where it may go only while it is in the air. The
switch that opens under it says at once which one it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.above.box import Table
from companion.games.above.position import Position
from companion.referee import verdicts
from companion.referee.evidence import Evidence, Switches
from companion.referee.explain import explain
from companion.referee.verdict import Kind, Verdict
from companion.sensing.reading import Reading

# A weak magnet's switch opens for less than this; nothing is shown for a flicker.
LIFT_S = 0.2
# Elsewhere something else has to be shown: what stands wrong and its way back, a question.
_SHOWN_FROM = (Kind.READY, Kind.UNFINISHED, Kind.LIFTED)


class Lift:
    """Compares the switches with how they were when the table was last seen at rest."""

    def __init__(self, names: Sequence[str], table: Table) -> None:
        self._names = names
        self._table = table
        self._rest: Reading | None = None
        self._closed: frozenset[str] = frozenset()
        self._since: tuple[frozenset[str], float] | None = None
        # The verdict at rest, and what is shown instead of it.
        self._stands: Verdict | None = None
        self._shows: Verdict | None = None
        self._explained: Reading | None = None

    def settle(self, verdict: Verdict, evidence: Evidence, switches: Switches | None) -> Verdict:
        """The table is at rest. The verdict from which the next look is judged: what was only shown is over."""
        stands = self._stood(verdict)
        self._since = self._stands = self._shows = self._explained = None
        self._rest = evidence.reading
        self._closed = frozenset() if switches is None else switches.closed
        return stands

    def shown(
        self, verdict: Verdict, position: Position | None, switches: Switches | None, now: float
    ) -> Verdict:
        """The verdict while the picture moves at `now`: the one that stands, or where a lifted miniature may go."""
        stands = self._stood(verdict)
        if position is None or switches is None or stands.kind not in _SHOWN_FROM:
            return stands
        lifted = self._without_lifted(switches, now)
        if lifted is None:
            self._stands = self._shows = self._explained = None
            return stands
        if lifted != self._explained:
            self._explained = lifted
            evidence = Evidence(lifted, len(self._names), self._table, switches)
            explanation = explain(position, evidence)
            said = (
                verdicts.unfinished(explanation, evidence, self._names) if explanation.best.fits else stands
            )
            self._stands, self._shows = stands, said if said.kind is Kind.LIFTED else stands
        return self._shows or stands

    def _stood(self, verdict: Verdict) -> Verdict:
        """The verdict that stands behind what is shown; one that somebody else has put in its place counts."""
        return self._stands if self._stands is not None and verdict == self._shows else verdict

    def _without_lifted(self, switches: Switches, now: float) -> Reading | None:
        """The table as it was at rest without what has been lifted since; None while nothing has."""
        if self._rest is None:
            return None
        opened = self._closed - switches.closed - switches.ignored
        lifted = frozenset(mini.deity for mini in self._rest.minis if mini.space in opened)
        if self._since is None or self._since[0] != lifted:
            self._since = (lifted, now)
        if not lifted or now - self._since[1] < LIFT_S:
            return None
        minis = tuple(mini for mini in self._rest.minis if mini.deity not in lifted)
        rest = self._rest
        return replace(rest, minis=minis, hidden=rest.hidden - opened, under_hand=rest.under_hand - opened)
