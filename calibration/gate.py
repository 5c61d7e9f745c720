"""The quality gate: what a measurement is judged by, each in numbers, with its limit and what to do next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from companion.messages import say


class Judgement(Enum):
    """What a finding means for the measurement it belongs to."""

    GOOD = "good"
    DOUBTFUL = "doubtful"  # it is kept, and the owner is told
    BAD = "bad"  # it is not kept
    NOT_FITTED = "not fitted"  # there is nothing to judge


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was judged: the value `seen`, the `limit` it was held against, and `advice` if not good."""

    what: str
    seen: str
    limit: str
    judgement: Judgement = Judgement.GOOD
    advice: str = ""

    @property
    def good(self) -> bool:
        """Nothing needs to be done."""
        return self.judgement in (Judgement.GOOD, Judgement.NOT_FITTED)

    def as_json(self) -> dict[str, Any]:
        """The finding for programs."""
        return {
            "what": self.what,
            "seen": self.seen,
            "limit": self.limit,
            "judgement": self.judgement.value,
            "advice": self.advice,
        }


def not_fitted(what: str, advice: str = "") -> Finding:
    """A part that this table does not have: nothing is wrong with that."""
    return Finding(what, say("check.not_fitted"), "", Judgement.NOT_FITTED, advice)


def passes(findings: Iterable[Finding]) -> bool:
    """May the measurement be kept?"""
    return all(finding.judgement is not Judgement.BAD for finding in findings)


def held(
    what: str, seen: str, limit: str, *, good: bool, bearable: bool = False, advice: str = ""
) -> Finding:
    """A finding: good, doubtful where that is bearable, else bad."""
    if good:
        return Finding(what, seen, limit)
    return Finding(what, seen, limit, Judgement.DOUBTFUL if bearable else Judgement.BAD, advice)


STYLES = {
    Judgement.GOOD: ("go", "green"),
    Judgement.DOUBTFUL: ("look", "yellow"),
    Judgement.BAD: ("no go", "bold red"),
    Judgement.NOT_FITTED: ("–", "dim"),
}


def findings_table(findings: Iterable[Finding], title: str = "") -> RenderableType:
    """The findings as a table for people, and below it what to do about those that are not good."""
    table = RichTable(title=title or None, title_justify="left")
    table.add_column("what")
    table.add_column("seen", justify="right")
    table.add_column("limit", justify="right")
    table.add_column("")
    rows: list[RenderableType] = [table]
    for finding in findings:
        word, style = STYLES[finding.judgement]
        table.add_row(finding.what, finding.seen, finding.limit, Text(word, style=style))
        if finding.advice:
            rows.append(Text.assemble((f"{finding.what}: ", style), finding.advice))
    return Group(*rows)
