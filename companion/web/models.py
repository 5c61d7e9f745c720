"""The snapshot: everything the page shows, as typed, immutable models. The page holds no state beside it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from companion.referee.verdict import Verdict
from companion.sensing.reading import Finding
from companion.web.fitted import NightView, PanelView, StopView
from companion.web.language import SpokenWords, Words
from companion.web.stills import StillMark


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlayerView(_View):
    """A player: seat number from 0, clockwise, and name."""

    seat: int
    name: str


class PhoneView(_View):
    """A phone that has joined: `id` names it, `seat` is the one it answers for, `host`: it has the host's rights."""

    id: str
    seat: int | None = None
    host: bool = False


class DeviceView(_View):
    """A part of the table (`camera`, `controller`): whether it is there, why not, whether simulated."""

    name: str
    ok: bool
    detail: Words = ""
    simulated: bool = False


class NoticeView(_View):
    """Something about the table itself that is to be known or done; `key` names it, so that it is told once."""

    key: str
    text: Words
    todo: Words

    @classmethod
    def of(cls, finding: Finding) -> NoticeView:
        """The view of what sight has found."""
        return cls(key=finding.key, text=finding.text, todo=finding.todo)


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


class PlayCardView(_View):
    """A card of OlymPeak that lies face up: `kind` is progress, stop, remove or insert."""

    id: str
    kind: str
    value: int = 0
    heads: int = 0
    signs: tuple[str, ...] = ()


class PlacedView(_View):
    """A card in a column. `new`: laid this turn; `wrong`: it lies there against the rules."""

    card: PlayCardView
    row: int
    new: bool = False
    wrong: bool = False


class ColumnView(_View):
    """The cards under a contender."""

    contender: str
    cards: tuple[PlacedView, ...] = ()


class ZoneView(_View):
    """The place before a seat.

    `state`: `empty`, `down` (a card face down), `up` (turned up, not all are yet), `shown` (the revealed
    card), `hidden` (cannot be seen). `order`: when the seat plays, from 1, None before the reveal. `status`:
    `acts`, `waits`, `played`, `back` (takes its card back) or nothing.
    """

    seat: int
    state: str
    card: PlayCardView | None = None
    order: int | None = None
    status: str = ""


class CubeView(_View):
    """A contender on the scoreboard: where it stands by the game, and where the camera sees it."""

    contender: str
    place: int
    seen: int | None = None


class ResultView(_View):
    """What a player's predictions were worth, with the reasons; only once the tiles are turned up."""

    seat: int
    first: str
    second: str
    points: int
    reasons: tuple[Words, ...]
    won: bool


class OlympeakView(_View):
    """An OlymPeak table: `contenders` from left to right, the columns in that order, zones by seat.

    `phase`: what the game waits for (`setup`, `reveal`, `play`, `choice`, `round_end`, `predictions`,
    `over`). `free`: contenders under which a card may go now, in row `row`. `places`: place of each contender
    at the end. `findings`: what was odd so far. `assumed`: the deck is the shipped one, which may differ from
    the box.
    """

    phase: str
    round: int = 1
    rounds: int | None = None
    turn: int = 1
    row: int = 1
    free: tuple[str, ...] = ()
    contenders: tuple[str, ...] = ()
    columns: tuple[ColumnView, ...] = ()
    zones: tuple[ZoneView, ...] = ()
    cubes: tuple[CubeView, ...] = ()
    round_seen: int | None = None
    places: dict[str, int] = Field(default_factory=dict)
    results: tuple[ResultView, ...] = ()
    findings: tuple[Words, ...] = ()
    assumed: bool = False


class TodoView(_View):
    """A physical act still to be done."""

    text: Words
    space: str | None = None


class ChoiceView(_View):
    """An answer that may be given: `key` is sent back, `text` stands on the button."""

    key: str
    text: Words


class MarkView(_View):
    """A highlighted space and what is meant."""

    space: str
    mark: str


class VerdictView(_View):
    """The referee's verdict. `question` names it, so that a late answer or ruling meets no other."""

    kind: str
    seat: int
    text: Words
    rule: Words = ""
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
            question=f"{zlib.crc32(asked.encode()):08x}",
        )


class OfferView(_View):
    """A game that is open in the journal and may go on.

    `game`: its number. `here`: it is the one the table is compared with already. `text`: how it stands.
    `begun_at` in seconds since 1970. `board` or `olympeak`: the table as it should look.
    """

    game: int
    here: bool
    players: tuple[str, ...]
    begun_at: float
    turns: int
    text: Words
    board: BoardView | None = None
    olympeak: OlympeakView | None = None


class SpokenView(_View):
    """What is to be said aloud where somebody wants that, once for each `key`."""

    key: str
    text: SpokenWords


class HistoryLine(_View):
    """An accepted turn, in words."""

    turn: int
    seat: int
    name: str
    text: Words


class Snapshot(_View):
    """The whole table at one moment.

    `version` grows with every change and is set by the hub. `turn`: how many turns are completed. `lights`:
    the colour of every LED as `rrggbb`, in strip order. `score`: one line each for what is to be compared
    ("Hera leads on ring 5"). `olympeak`: the table when that is the game. `may_rule`: the players may declare that
    they play on; `may_start`: that they begin from what lies there. `offer`: a game that may go on. `stop`,
    `night`, `panel`: emergency stop, lights, lamps and buttons, where they are fitted. `spoken`: what is
    said aloud where that is wanted. `phones`: who has joined.
    `asks`: the seat whose question the verdict asks, None where it is the host's. `stills`: the
    rulings whose picture is kept. Times are in seconds since 1970.
    """

    version: int = 0
    game: str = "above"
    players: tuple[PlayerView, ...] = ()
    simulated: bool = False
    devices: tuple[DeviceView, ...] = ()
    notices: tuple[NoticeView, ...] = ()
    board: BoardView = Field(default_factory=BoardView)
    verdict: VerdictView | None = None
    turn: int = 0
    paused: bool = False
    history: tuple[HistoryLine, ...] = ()
    lights: tuple[str, ...] = ()
    score: tuple[Words, ...] = ()
    olympeak: OlympeakView | None = None
    may_rule: bool = False
    may_start: bool = False
    offer: OfferView | None = None
    stop: StopView | None = None
    night: NightView | None = None
    panel: PanelView | None = None
    spoken: SpokenView | None = None
    phones: tuple[PhoneView, ...] = ()
    asks: int | None = None
    stills: tuple[StillMark, ...] = ()

    @property
    def asked(self) -> int | None:
        """Whose question it is, as `asks` has it: before a game has begun a question is nobody's own."""
        if self.verdict is None or not self.verdict.choices or self.may_start or self.verdict.kind == "setup":
            return None
        return self.verdict.seat


def hex_colours(pixels: Sequence[tuple[int, int, int]]) -> tuple[str, ...]:
    """LED colours (0 to 255 each of red, green, blue) as the snapshot writes them."""
    return tuple(f"{red:02x}{green:02x}{blue:02x}" for red, green, blue in pixels)
