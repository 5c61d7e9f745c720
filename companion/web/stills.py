"""Stills: the picture of the moment of a ruling, with what was seen, so that it can be looked at again and appealed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import FastAPI, HTTPException
from fastapi import Path as PathParameter
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

from companion.messages import say
from companion.web.language import Words

# As many as people still argue about; a picture is about 150 kB.
KEPT = 12


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was said, and why. `kind`: `accepted`, `illegal` or `question`; `turn`: how many turns were completed.

    `evidence`: one sentence for each thing that counted. `at`: seconds since 1970.
    """

    turn: int
    kind: str
    text: str
    evidence: tuple[str, ...]
    at: float


class StillView(BaseModel):
    """A ruling with a picture: `number` names it for `/api/stills/{number}.jpg`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    turn: int
    kind: str
    text: Words
    evidence: tuple[Words, ...]
    at: float


class StillMark(BaseModel):
    """That there is a still: which one, of which turn, and of what kind of ruling."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    turn: int
    kind: str


class Stills:
    """The latest rulings with their pictures; the oldest make room."""

    def __init__(self, kept: int = KEPT) -> None:
        self._stills: deque[tuple[StillView, bytes]] = deque(maxlen=kept)
        self._next = 1

    def keep(self, ruling: Ruling, jpeg: bytes) -> StillView:
        """Adds a ruling with its picture."""
        view = StillView(
            number=self._next,
            turn=ruling.turn,
            kind=ruling.kind,
            text=ruling.text,
            evidence=ruling.evidence,
            at=ruling.at,
        )
        self._next += 1
        self._stills.append((view, jpeg))
        return view

    def forget(self) -> None:
        """Another game is played: nobody appeals against the last one's rulings."""
        self._stills.clear()

    @property
    def views(self) -> tuple[StillView, ...]:
        """All that are kept, the oldest first."""
        return tuple(view for view, _ in self._stills)

    @property
    def marks(self) -> tuple[StillMark, ...]:
        """Which there are."""
        return tuple(StillMark(number=each.number, turn=each.turn, kind=each.kind) for each in self.views)

    def picture(self, number: int) -> bytes | None:
        """The picture of a ruling as JPEG, None when it is no longer kept."""
        return next((jpeg for view, jpeg in self._stills if view.number == number), None)


def add_stills(
    app: FastAPI, stills: Callable[[], Stills], responses: dict[int | str, dict[str, Any]]
) -> None:
    """The rulings that can be looked at again."""

    @app.get("/api/stills", responses=responses)
    async def rulings() -> tuple[StillView, ...]:
        """The latest rulings, the oldest first."""
        return stills().views

    @app.get(
        "/api/stills/{number}.jpg",
        response_class=Response,
        responses={200: {"content": {"image/jpeg": {}}}, **responses},
    )
    async def picture(
        number: Annotated[int, PathParameter(ge=1, le=2**53, description="The ruling's number")],
    ) -> Response:
        """The picture in which a ruling's table was seen, with what was recognised drawn in."""
        jpeg = stills().picture(number)
        if jpeg is None:
            raise HTTPException(404, say("web.no_still"))
        # A number never names another picture.
        headers = {"Cache-Control": "private, max-age=86400, immutable"}
        return Response(jpeg, media_type="image/jpeg", headers=headers)
