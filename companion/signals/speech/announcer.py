"""The announcer: what is worth saying aloud of what the referee says, each thing once.

Whose turn it is, what is against the rules and why, a question, the victory. What changes while hands move is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.messages import Text, say
from companion.referee.verdict import Kind, Verdict

# What everybody is to do is said as it is; that it is somebody's turn is said shortly.
_FOR_EVERYBODY = frozenset(
    {
        "olympeak.everybody_lays",
        "olympeak.lay_face_down",
        "olympeak.turn_up_together",
        "olympeak.turn_up",
        "olympeak.only_orders",
    }
)


@dataclass(frozen=True, slots=True)
class Announcement:
    """`key` names it: as long as it stays the same nothing new is to be said."""

    key: str
    text: str


class Announcer:
    """Follows the verdicts of a game. `last`: what was to be said last, None before there was anything."""

    def __init__(self) -> None:
        self.last: Announcement | None = None
        self._turns = -1
        self._said: set[str] = set()

    def tell(self, verdict: Verdict, turns: int, names: Sequence[str]) -> Announcement | None:
        """The verdict as it is shown; `turns`: how many are completed. Something new to say, None if there is not."""
        if turns != self._turns:
            self._turns = turns
            self._said.clear()
        text = _worth(verdict, names)
        if text is None or text in self._said:
            return None
        self._said.add(text)
        self.last = Announcement(f"{turns} {text}", text)
        return self.last


def _worth(verdict: Verdict, names: Sequence[str]) -> str | None:
    match verdict.kind:
        case Kind.READY:
            return next(_for_everybody(verdict.text), None) or (
                say("speech.turn", name=names[verdict.seat]) if verdict.seat < len(names) else None
            )
        case Kind.ILLEGAL | Kind.QUESTION | Kind.OVER:
            return verdict.text
        case _:
            return None


def _for_everybody(text: str) -> Iterator[Text]:
    if not isinstance(text, Text):
        return
    if text.key in _FOR_EVERYBODY:
        yield text
    for part in text.args.values():
        if isinstance(part, Text):
            yield from _for_everybody(part)
