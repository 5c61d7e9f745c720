"""What there is to tell beside the verdict: findings, which are kept with the game, and news."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.olympeak.refusal import Refusal as Finding
from companion.referee.olympeak.ledger import Ledger


class Notes:
    """`findings`: all of the game, as they were worded. `news`: what has just happened; empty, if nothing."""

    def __init__(self, ledger: Ledger) -> None:
        self.findings: list[str] = []
        self.news = ""
        self._fresh: list[str] = []
        self._ledger = ledger

    def find(self, text: str, ruling: str) -> None:
        """Something is odd about a physical thing: it is said and kept, and the game goes on."""
        self._ledger.finding(text, ruling)
        self.findings.append(text)
        self._fresh.append(f"{text[:-1]} ({ruling})." if ruling else text)

    def find_all(self, found: Iterable[Finding]) -> None:
        """These findings, each told once."""
        for each in found:
            if f"{each.sentence}." not in self.findings:
                self.find(f"{each.sentence}.", each.ruling)

    def grow_old(self) -> None:
        """What was found so far is told no longer."""
        self._fresh.clear()

    def tell(self, text: str) -> str:
        """The sentence with what is new: findings first, then what has just happened."""
        return " ".join(each for each in (*self._fresh, self.news, text) if each)
