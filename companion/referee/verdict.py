"""The verdict: what the referee makes of the table, for the lights, the page and the journal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """The states a table can be in, as people are shown them."""

    SETUP = "setup"  # the table does not yet show the position the game starts or resumes from
    READY = "ready"  # nothing has happened this turn: the seat is to choose a card
    LIFTED = "lifted"  # a miniature is in someone's hand
    UNFINISHED = "unfinished"  # part of a legal turn lies on the table; `todo` says what is missing
    COMPLETE = "complete"  # a whole legal turn lies on the table, but it may still go on (Athena)
    ILLEGAL = "illegal"  # settled, clearly read, and no legal turn explains it
    QUESTION = "question"  # two explanations fit alike
    HOLD = "hold"  # cannot judge now: hands, too much covered, no picture
    OVER = "over"  # the game has a winner


class Mark(Enum):
    """What a highlighted space means."""

    MOVED = "moved"  # the piece that acted
    TARGET = "target"  # legal targets of the lifted miniature, or places still to be filled
    WRONG = "wrong"  # the piece that stands against the rules
    RETURN = "return"  # where it must go back to
    REMOVE = "remove"  # a token to be taken off
    MISSING = "missing"  # where a piece is missing
    WINNER = "winner"


@dataclass(frozen=True, slots=True)
class Todo:
    """One physical act that is still to be done, in words, with the space it concerns (None: a card)."""

    text: str
    space: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible answer to a question: `key` is sent back, `text` is shown."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee says now.

    `seat`: whose turn it is. `text`: one or two sentences for players. `rule`: the rule an illegal state
    breaks, with its ruling ("A6"). `marks`: spaces to light. `actions`: the legal actions that explain what
    lies on the table, in notation. `choices`: buttons to answer with (also "done" while COMPLETE). `by_rules`: it
    is the game that asks, and a player who decides; not the referee, who is in doubt.
    """

    kind: Kind
    seat: int
    text: str
    rule: str = ""
    todo: tuple[Todo, ...] = ()
    marks: tuple[tuple[str, Mark], ...] = ()
    actions: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    winners: tuple[int, ...] = ()
    by_rules: bool = False
