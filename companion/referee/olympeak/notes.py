"""What there is to tell beside the verdict: findings, which are kept with the game, and news."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.olympeak.refusal import Refusal as Finding
from companion.messages import say, sentences
from companion.referee.olympeak.ledger import Ledger


class Notes:
    """`findings`: all of the game, as they were worded. `news`: what has just happened; empty, if nothing."""

    def __init__(self, ledger: Ledger) -> None:
        self.findings: list[str] = []
        self.news = ""
        self._fresh: list[str] = []
        self._ledger = ledger

    def find(self, text: str, ruling: str) -> None:
        """Something is odd about a physical thing: it is said and kept, and the game goes on.

        `text` is without a full stop, since the `ruling` comes before it.
        """
        plain = say("olympeak.uncited", sentence=text)
        self._ledger.finding(plain, ruling)
        self.findings.append(plain)
        self._fresh.append(say("olympeak.cited", sentence=text, ruling=ruling) if ruling else plain)

    def find_all(self, found: Iterable[Finding]) -> None:
        """These findings, each told once."""
        for each in found:
            if not self.knows(each.sentence):
                self.find(each.sentence, each.ruling)

    def knows(self, text: str) -> bool:
        """Was this found before?"""
        return f"{text}." in self.findings

    def grow_old(self) -> None:
        """What was found so far is told no longer."""
        self._fresh.clear()

    def tell(self, text: str) -> str:
        """The sentence with what is new: findings first, then what has just happened."""
        return sentences(*self._fresh, self.news, text)
