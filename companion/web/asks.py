"""What the page asks of the table, and what is answered: typed models, checked before anything is done."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from companion.web.language import Words


class _Ask(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class AnswerAsk(_Ask):
    """An answer: the `key` of the choice and the `question` it belongs to, both from the snapshot."""

    key: str = Field(min_length=1, max_length=400)
    question: str = Field(min_length=1, max_length=20)


class UndoAsk(_Ask):
    """Take back the last accepted turns, so many; `turn` is the turn number the person saw."""

    turn: int = Field(ge=0, le=1_000_000)
    turns: int = Field(default=1, ge=1, le=1_000_000)


class CorrectAsk(_Ask):
    """What is `shown` at `place` is `said`. `what`: `mini`, `token` or `card`.

    `place`: a space, `cards` and the seat; in OlymPeak `column red` or `reveal 1`.
    """

    what: str = Field(pattern="^(mini|token|card)$")
    place: str = Field(min_length=1, max_length=20)
    shown: str = Field(min_length=1, max_length=20)
    said: str = Field(min_length=1, max_length=20)


class RuleAsk(_Ask):
    """Play on from what lies there, against the verdict with this `question`; `seat` is next."""

    question: str = Field(min_length=1, max_length=20)
    seat: int = Field(ge=0, le=5)


class StartAsk(_Ask):
    """Begin the game from what lies on the table; `seat` is to move."""

    seat: int = Field(ge=0, le=5)


class GameAsk(_Ask):
    """A game of the journal, by its number."""

    game: int = Field(ge=1, le=2**53)


class NewGameAsk(_Ask):
    """Begin a new game for `players` people; names are given by seat, missing ones are made up.

    Above: two or four. `ages` (OlymPeak): by seat, 0 for the youngest.
    """

    players: int = Field(ge=2, le=6)
    names: tuple[str, ...] = Field(default=(), max_length=6)
    ages: tuple[int, ...] = Field(default=(), max_length=6)


class PauseAsk(_Ask):
    """Stop or go on with the judging."""

    paused: bool


class HereAsk(_Ask):
    """Nothing but that this phone is here."""


class JoinAsk(_Ask):
    """Join with a code: the host's, or the invitation's together with a free `seat`."""

    code: str = Field(min_length=1, max_length=12)
    seat: int | None = Field(default=None, ge=0, le=5)


class SeatAsk(_Ask):
    """Take a free seat, or none."""

    seat: int | None = Field(ge=0, le=5)


class FreeAsk(_Ask):
    """A seat, whoever has it."""

    seat: int = Field(ge=0, le=5)


class PassAsk(_Ask):
    """The phone that is to be the host's, by its `id`."""

    phone: str = Field(min_length=1, max_length=16)


class InviteAsk(_Ask):
    """Show the invitation, or make a new one."""

    renew: bool = False


class Me(BaseModel):
    """Who the phone is that asked. `id`: as in the snapshot's `phones`, empty where it only looks on."""

    id: str = ""
    seat: int | None = None
    host: bool = False
    text: Words = ""


class LinkView(BaseModel):
    """An address to join at, and its QR code: an SVG path of dark modules in a square of `size` modules."""

    address: str
    size: int
    path: str


class Invitation(BaseModel):
    """How others join: the short number to type, and links that carry it."""

    code: str
    links: tuple[LinkView, ...]


class Done(BaseModel):
    """A request that was carried out, in words."""

    text: Words


class Refusal(BaseModel):
    """A request that was not carried out: the reason, and what to do, in one sentence."""

    error: Words
