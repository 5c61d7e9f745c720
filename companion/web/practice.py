"""The practice table on the page: a simulated table's pieces as they truly lie, and a hand for whoever sits down.

None of it goes by the running table: that sees what its camera shows it, as everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Protocol, TypeVar

from fastapi import FastAPI, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field

from companion.errors import CompanionError
from companion.messages import say, words_of
from companion.web.language import Words
from companion.web.models import PlayCardView
from companion.web.phones import HOST_ONLY, Phone, Phones, Unwelcome
from companion.web.rights import Seated, phones_of

T = TypeVar("T")

MAX_SEATS = 6
NOT_YOURS = say("web.not_your_cards")


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RingView(_View):
    """A ring of the mountain as it lies: outer and inner radius, its turn and shift, in mm and degrees."""

    outer_mm: float
    inner_mm: float
    turn_deg: float = 0.0
    shift_mm: tuple[float, float] = (0.0, 0.0)


class ThingView(_View):
    """A piece. `name` is what requests call it; `kind`: `mini`, `token`, `card`, `play` (a card of OlymPeak),
    `contender`, `cube`, `tile`, `stack`, …; `what`: the deity, the type, the contender.

    `x`, `y` in mm from the table's middle, east and north; `yaw_deg` counter-clockwise; `size_mm` east and north when
    not turned; `up`: a card shows its Powered side, or its face; `face`: what is on it then; `held`: in a hand. The
    lowest come first.
    """

    name: str
    kind: str
    what: str
    x: float
    y: float
    yaw_deg: float
    size_mm: tuple[float, float]
    up: bool = True
    held: bool = False
    face: PlayCardView | None = None


class AreaView(_View):
    """A part of the table: `kind` is `zone` (of a `seat`), `discard` or `scoreboard`; middle and size in mm."""

    kind: str
    x: float
    y: float
    size_mm: tuple[float, float]
    seat: int | None = None


class HandView(_View):
    """A hand over the table: whose, where its finger tips are and where its elbow, in mm."""

    seat: int
    tip: tuple[float, float]
    elbow: tuple[float, float]


class PracticeView(_View):
    """The simulated table. `seats`: those that somebody real plays; `columns` of the mountain.

    Cards in hands are in no view of the table: `PrivateView` has them, for who plays the seat.
    """

    seats: tuple[int, ...] = ()
    columns: int = 0
    rings: tuple[RingView, ...] = ()
    areas: tuple[AreaView, ...] = ()
    things: tuple[ThingView, ...] = ()
    hands: tuple[HandView, ...] = ()


class PrivateView(_View):
    """What only the player of a seat may see: the cards in hand, the contenders predicted first and second.

    `may_predict`: other tiles may still be laid.
    """

    cards: tuple[PlayCardView, ...] = ()
    first: str = ""
    second: str = ""
    may_predict: bool = False


class Practice(Protocol):
    """A simulated table that somebody real may sit down at. What cannot be done raises a CompanionError."""

    def view(self) -> PracticeView:
        """The table as it truly lies."""

    def take(self, seat: int, taken: bool) -> None:
        """Somebody real plays `seat` from now on, or the simulated people play it again."""

    def private(self, seat: int) -> PrivateView:
        """What the player of a seat that was taken over has in hand."""

    def predict(self, seat: int, first: str, second: str) -> None:
        """The player of a seat lays other tiles."""

    def put(self, piece: str, x: float, y: float, own: frozenset[int]) -> None:
        """A hand carries a piece to (x, y) in mm. `own`: the seats whose cards it may play."""

    def turn(self, piece: str) -> None:
        """A hand turns a card over."""


class _Ask(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TakeAsk(_Ask):
    """Take a seat of the simulated table over, or give it back."""

    seat: int = Field(ge=0, le=5)
    taken: bool


_Millimetres = Annotated[float, Field(ge=-1000, le=1000, allow_inf_nan=False)]


class PutAsk(_Ask):
    """Carry a piece to (x, y), in mm from the table's middle, east and north."""

    piece: str = Field(min_length=1, max_length=24)
    x: _Millimetres
    y: _Millimetres


class PrivateAsk(_Ask):
    """Look at the cards of a seat that was taken over."""

    seat: int = Field(ge=0, le=5)


class PredictAsk(_Ask):
    """Predict these contenders as first and second."""

    seat: int = Field(ge=0, le=5)
    first: str = Field(min_length=1, max_length=12)
    second: str = Field(min_length=1, max_length=12)


class TurnAsk(_Ask):
    """Turn a card over."""

    piece: str = Field(min_length=1, max_length=24)


class Obeyed(BaseModel):
    """What is done about it, in words."""

    text: Words


def add_practice(app: FastAPI, practice: Practice | None, responses: dict[int | str, dict[str, Any]]) -> None:
    """The requests to a practice table; where there is none they are refused."""

    def table() -> Practice:
        if practice is None:
            raise HTTPException(404, say("web.real_table"))
        return practice

    @app.get("/api/practice", responses=responses)
    async def view() -> PracticeView:
        """The pieces of the simulated table as they truly lie."""
        return table().view()

    @app.post("/api/practice/seat", responses=responses)
    async def seat(body: TakeAsk, phone: Seated) -> Obeyed:
        """Take a seat over at any time, or give it back to the simulated people; a seat only its own."""
        if not phone.host and phone.seat != body.seat:
            raise Unwelcome(403, HOST_ONLY)
        _try(lambda: table().take(body.seat, body.taken))
        return Obeyed(text=say("web.practice_yours" if body.taken else "web.practice_back"))

    @app.post("/api/practice/private", responses=responses)
    async def private(body: PrivateAsk, phone: Seated, request: Request) -> PrivateView:
        """The cards in the hand of a seat that was taken over: a request of its own, for who plays that seat."""
        if body.seat not in _own(phone, phones_of(request)):
            raise Unwelcome(403, NOT_YOURS)
        return _try(lambda: table().private(body.seat))

    @app.post("/api/practice/predict", responses=responses)
    async def predict(body: PredictAsk, phone: Seated, request: Request) -> Obeyed:
        """Lay other tiles before the first reveal."""
        if body.seat not in _own(phone, phones_of(request)):
            raise Unwelcome(403, NOT_YOURS)
        _try(lambda: table().predict(body.seat, body.first, body.second))
        return Obeyed(text=say("web.tiles_down"))

    @app.post("/api/practice/put", responses=responses)
    async def put(body: PutAsk, phone: Seated, request: Request) -> Obeyed:
        """Move a piece that lies on the table, or play a card from the hand of a seat that is one's own."""
        own = _own(phone, phones_of(request))
        _try(lambda: table().put(body.piece, body.x, body.y, own))
        return Obeyed(text=say("web.hand_coming"))

    @app.post("/api/practice/turn", responses=responses)
    async def turn(body: TurnAsk, phone: Seated) -> Obeyed:
        """Turn a card over."""
        _try(lambda: table().turn(body.piece))
        return Obeyed(text=say("web.hand_coming"))


def _own(phone: Phone, phones: Phones) -> frozenset[int]:
    """The seats whose hidden cards this phone may see and play: its own; the host's also those that no phone has."""
    others = {each.seat for each in phones.all if each.id != phone.id}
    seats = range(MAX_SEATS) if phone.host else () if phone.seat is None else (phone.seat,)
    return frozenset(seat for seat in seats if seat not in others)


def _try(act: Callable[[], T]) -> T:
    try:
        return act()
    except CompanionError as error:
        raise HTTPException(409, words_of(error)) from error
