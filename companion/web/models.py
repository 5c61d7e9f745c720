"""The snapshot: everything the page shows, as typed, immutable models. The page holds no state beside it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from companion.referee.verdict import Verdict


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlayerView(_View):
    """A player: seat number from 0, clockwise, and name."""

    seat: int
    name: str


class DeviceView(_View):
    """A part of the table (`camera`, `controller`): whether it is there, why not, whether simulated."""

    name: str
    ok: bool
    detail: str = ""
    simulated: bool = False


class TokenView(_View):
    """A token on the board."""

    type: str
    space: str


class CardView(_View):
    """A deity card in front of a seat, and whether its Powered side is up."""

    deity: str
    powered: bool


class BoardView(_View):
    """What stands on the mountain and lies in front of the seats.

    `minis`: deity to space, None for one in the hand or beside the board. `cards`: one list a seat. `pile`:
    the common discard pile of four players.
    """

    rings: int = 6
    columns: int = 16
    minis: dict[str, str | None] = Field(default_factory=dict)
    tokens: tuple[TokenView, ...] = ()
    cards: tuple[tuple[CardView, ...], ...] = ()
    pile: tuple[str, ...] = ()


class TodoView(_View):
    """A physical act still to be done."""

    text: str
    space: str | None = None


class ChoiceView(_View):
    """An answer that may be given: `key` is sent back, `text` stands on the button."""

    key: str
    text: str


class MarkView(_View):
    """A highlighted space and what is meant."""

    space: str
    mark: str


class VerdictView(_View):
    """The referee's verdict. `question` names what is asked, so that a late answer meets no other."""

    kind: str
    seat: int
    text: str
    rule: str = ""
    todo: tuple[TodoView, ...] = ()
    marks: tuple[MarkView, ...] = ()
    actions: tuple[str, ...] = ()
    choices: tuple[ChoiceView, ...] = ()
    winners: tuple[int, ...] = ()
    question: str = ""

    @classmethod
    def of(cls, verdict: Verdict, turn: int) -> VerdictView:
        """The view of `verdict`, given in turn number `turn`."""
        choices = tuple(ChoiceView(key=choice.key, text=choice.text) for choice in verdict.choices)
        asked = repr((turn, verdict.seat, verdict.kind.value, verdict.text, verdict.choices))
        return cls(
            kind=verdict.kind.value,
            seat=verdict.seat,
            text=verdict.text,
            rule=verdict.rule,
            todo=tuple(TodoView(text=todo.text, space=todo.space) for todo in verdict.todo),
            marks=tuple(MarkView(space=space, mark=mark.value) for space, mark in verdict.marks),
            actions=verdict.actions,
            choices=choices,
            winners=verdict.winners,
            question=f"{zlib.crc32(asked.encode()):08x}" if choices else "",
        )


class HistoryLine(_View):
    """An accepted turn, in words."""

    turn: int
    seat: int
    name: str
    text: str


class Snapshot(_View):
    """The whole table at one moment.

    `version` grows with every change and is set by the hub. `turn`: how many turns are completed. `lights`:
    the colour of every LED as `rrggbb`, in strip order. `score`: one line each for what is to be compared
    ("Hera leads on ring 5"). Times are in seconds since 1970.
    """

    version: int = 0
    game: str = "above"
    players: tuple[PlayerView, ...] = ()
    simulated: bool = False
    devices: tuple[DeviceView, ...] = ()
    board: BoardView = Field(default_factory=BoardView)
    verdict: VerdictView | None = None
    turn: int = 0
    paused: bool = False
    history: tuple[HistoryLine, ...] = ()
    lights: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    started_at: float | None = None
    ended_at: float | None = None


def hex_colours(pixels: Sequence[tuple[int, int, int]]) -> tuple[str, ...]:
    """LED colours (0 to 255 each of red, green, blue) as the snapshot writes them."""
    return tuple(f"{red:02x}{green:02x}{blue:02x}" for red, green, blue in pixels)


class _Ask(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class AnswerAsk(_Ask):
    """An answer: the `key` of the choice and the `question` it belongs to, both from the snapshot."""

    key: str = Field(min_length=1, max_length=200)
    question: str = Field(min_length=1, max_length=20)


class UndoAsk(_Ask):
    """Take back the last accepted turn; `turn` is the turn number the person saw."""

    turn: int = Field(ge=0, le=1_000_000)


class NewGameAsk(_Ask):
    """Begin a new game for `players` people; names are given by seat, missing ones are made up."""

    players: Literal[2, 4]
    names: tuple[str, ...] = Field(default=(), max_length=4)


class PauseAsk(_Ask):
    """Stop or go on with the judging."""

    paused: bool


class JoinAsk(_Ask):
    """Only asks whether the code is right."""


class Done(BaseModel):
    """A request that was carried out, in words."""

    text: str


class Refusal(BaseModel):
    """A request that was not carried out: the reason, and what to do, in one sentence."""

    error: str
