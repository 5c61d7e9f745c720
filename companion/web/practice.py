"""The practice table on the page: a simulated table's pieces as they truly lie, and a hand for whoever sits down.

None of it goes by the running table: that sees what its camera shows it, as everywhere.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol

from fastapi import FastAPI, HTTPException
from pydantic import BaseModel, ConfigDict, Field

from companion.errors import CompanionError
from companion.web.phones import HOST_ONLY, Unwelcome
from companion.web.rights import Seated


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RingView(_View):
    """A ring of the mountain as it lies: outer and inner radius, its turn and shift, in mm and degrees."""

    outer_mm: float
    inner_mm: float
    turn_deg: float = 0.0
    shift_mm: tuple[float, float] = (0.0, 0.0)


class ThingView(_View):
    """A piece. `name` is what requests call it; `kind`: `mini`, `token`, `card`; `what`: the deity, the type.

    `x`, `y` in mm from the table's middle, east and north; `yaw_deg` counter-clockwise; `up`: a card shows its
    Powered side; `held`: in a hand. The lowest come first.
    """

    name: str
    kind: str
    what: str
    x: float
    y: float
    yaw_deg: float
    up: bool = True
    held: bool = False


class HandView(_View):
    """A hand over the table: whose, where its finger tips are and where its elbow, in mm."""

    seat: int
    tip: tuple[float, float]
    elbow: tuple[float, float]


class PracticeView(_View):
    """The simulated table. `seats`: those that somebody real plays; `columns` of the mountain."""

    seats: tuple[int, ...] = ()
    columns: int = 0
    rings: tuple[RingView, ...] = ()
    things: tuple[ThingView, ...] = ()
    hands: tuple[HandView, ...] = ()


class Practice(Protocol):
    """A simulated table that somebody real may sit down at. What cannot be done raises a CompanionError."""

    def view(self) -> PracticeView:
        """The table as it truly lies."""

    def take(self, seat: int, taken: bool) -> None:
        """Somebody real plays `seat` from now on, or the simulated people play it again."""

    def put(self, piece: str, x: float, y: float) -> None:
        """A hand carries a piece to (x, y) in mm."""

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


class TurnAsk(_Ask):
    """Turn a card over."""

    piece: str = Field(min_length=1, max_length=24)


class Obeyed(BaseModel):
    """What is done about it, in words."""

    text: str


def add_practice(app: FastAPI, practice: Practice | None, responses: dict[int | str, dict[str, Any]]) -> None:
    """The requests to a practice table; where there is none they are refused."""

    def table() -> Practice:
        if practice is None:
            raise HTTPException(404, "This table is a real one: its pieces are moved by hand.")
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
        return Obeyed(text="The seat is yours." if body.taken else "The seat is played by the table again.")

    @app.post("/api/practice/put", responses=responses)
    async def put(body: PutAsk, phone: Seated) -> Obeyed:
        """Move a piece."""
        _try(lambda: table().put(body.piece, body.x, body.y))
        return Obeyed(text="The hand is on its way.")

    @app.post("/api/practice/turn", responses=responses)
    async def turn(body: TurnAsk, phone: Seated) -> Obeyed:
        """Turn a card over."""
        _try(lambda: table().turn(body.piece))
        return Obeyed(text="The hand is on its way.")


def _try(act: Any) -> None:
    try:
        act()
    except CompanionError as error:
        raise HTTPException(409, str(error)) from error
