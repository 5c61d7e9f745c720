"""The page's API: anyone in the room may look, who has the table's code may ask."""

from __future__ import annotations

import asyncio
import html
import time
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi import Path as PathParameter
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.security import APIKeyHeader
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from companion.web.access import CODE_HEADER, CodeCheck, Guard
from companion.web.archive import Archive, GameView, NotKept, ReplayView
from companion.web.events import STREAM_LIMIT, STREAMS_PER_ADDRESS, EventStream
from companion.web.fitted import Route, add_fitting_requests
from companion.web.hub import (
    Abandon,
    Answer,
    Command,
    Correct,
    Hub,
    NewGame,
    Pause,
    Resume,
    Rule,
    StartHere,
    TableBusy,
    Undo,
)
from companion.web.models import (
    AnswerAsk,
    CorrectAsk,
    Done,
    GameAsk,
    JoinAsk,
    NewGameAsk,
    PauseAsk,
    Refusal,
    RuleAsk,
    Snapshot,
    StartAsk,
    UndoAsk,
)
from companion.web.practice import Practice, add_practice

STATIC = Path(__file__).parent / "static"
NAME_LIMIT = 24

# Only documents the header; the guard in front of the application checks it before anything is read.
_code = Depends(APIKeyHeader(name=CODE_HEADER.title(), auto_error=False, description="The table's code"))
_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal} for status in (400, 401, 403, 408, 409, 413, 415, 422, 429, 503)
}

_GameNumber = Annotated[int, PathParameter(ge=1, le=2**53, description="The game's number in the journal")]
_StepNumber = Annotated[int, PathParameter(ge=0, le=2**31, description="The step, from 0")]

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}},
    503: {"model": Refusal},
}


def create_app(
    hub: Hub,
    code: str,
    allowed_hosts: Iterable[str] = (),
    clock: Callable[[], float] = time.monotonic,
    practice: Practice | None = None,
) -> FastAPI:
    """The application that shows `hub` and takes requests from those who know `code`.

    `allowed_hosts`: names the page answers to beside localhost, bare addresses and `.local` names. `practice`: the
    simulated table that may be played at from the page.
    """
    app = FastAPI(
        title="Olympus companion",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.state.hub = hub
    app.add_middleware(Guard, codes=CodeCheck(code, clock), names=tuple(allowed_hosts))
    app.add_exception_handler(HTTPException, _plain_refusal)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(TableBusy, _busy)
    app.add_exception_handler(NotKept, _not_kept)
    _add_views(app, hub)
    _add_journal(app, hub)
    _add_requests(app, hub)
    add_practice(app, practice, Route(_REFUSALS, (_code,)))
    app.mount("/", StaticFiles(directory=STATIC, html=True), name="page")
    return app


def _add_views(app: FastAPI, hub: Hub) -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")

    async def front() -> Response:
        """The page with the table as it is now in it: nobody looks at an empty one."""
        return HTMLResponse(painted(page, hub), headers={"Cache-Control": "no-store"})

    for path in ("/", "/index.html"):
        app.add_api_route(path, front, methods=["GET", "HEAD"], include_in_schema=False)

    @app.get("/api/snapshot", response_model=Snapshot)
    async def snapshot() -> Response:
        """The whole table as it is now."""
        return Response(
            hub.snapshot_json(), media_type="application/json", headers={"Cache-Control": "no-store"}
        )

    @app.get("/api/events", response_class=Response, responses=_STREAM)
    async def events(request: Request) -> Response:
        """The table as server-sent events: `snapshot`, `lights`, `picture` (its version) and `beat`."""
        address = request.client.host if request.client else ""
        if hub.audience[address] >= STREAMS_PER_ADDRESS:
            raise HTTPException(503, "This device has too many pages open; close some and reload this one.")
        if hub.readers >= STREAM_LIMIT:
            raise HTTPException(503, "Too many pages are open; close some and reload this one.")
        return EventStream(hub, address)

    @app.get("/camera.jpg", response_class=Response, responses={404: {"model": Refusal}})
    async def camera(request: Request) -> Response:
        """The latest camera picture with what was recognised drawn in."""
        latest = await hub.picture()
        if latest is None:
            raise HTTPException(404, "There is no camera picture yet; see the camera's state on the page.")
        version, jpeg = latest
        headers = {"ETag": f'"{version}"', "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(jpeg, media_type="image/jpeg", headers=headers)

    @app.get("/api/record", response_class=Response, responses={404: {"model": Refusal}})
    async def record() -> Response:
        """The game's record so far, as JSON Lines."""
        text = hub.record() if hub.record else None
        if text is None:
            raise HTTPException(404, "There is no game to download yet; start one first.")
        game = "olympeak" if hub.latest.game == "olympeak" else "above"
        return _record_of(text, f"{game}-record")


def _add_journal(app: FastAPI, hub: Hub) -> None:
    """The games that are kept. They are read beside the running table, in a thread of their own."""

    def archive() -> Archive:
        if hub.archive is None:
            raise HTTPException(404, "No journal is kept here.")
        return hub.archive

    kept: dict[int | str, dict[str, Any]] = {404: {"model": Refusal}}

    @app.get("/api/games", responses=kept)
    async def games() -> tuple[GameView, ...]:
        """All games in the journal, the newest first."""
        return await asyncio.to_thread(archive().games)

    @app.get("/api/games/{game}", responses=kept)
    async def replay(game: _GameNumber) -> ReplayView:
        """A game with all its steps."""
        return await asyncio.to_thread(archive().replay, game)

    @app.get("/api/games/{game}/steps/{step}", responses=kept)
    async def step(game: _GameNumber, step: _StepNumber) -> Snapshot:
        """The table as it stood after a step of a game."""
        return await asyncio.to_thread(archive().step, game, step)

    @app.get("/api/games/{game}/record", response_class=Response, responses=kept)
    async def game_record(game: _GameNumber) -> Response:
        """A game's record, as JSON Lines."""
        return _record_of(await asyncio.to_thread(archive().record, game), f"game-{game}")


def _record_of(text: str, name: str) -> Response:
    return Response(
        text,
        media_type="application/jsonl",
        headers={
            "Content-Disposition": f'attachment; filename="{name}.jsonl"',
            "Cache-Control": "no-store",
        },
    )


def painted(page: str, hub: Hub) -> str:
    """The page's HTML with the latest snapshot, and the verdict's sentence for the time before it is drawn."""
    verdict = hub.latest.verdict
    table, said = hub.snapshot_json().decode(), verdict.text if verdict else ""
    for place, filled in (
        ('<meta name="table" content="">', f'<meta name="table" content="{html.escape(table)}">'),
        ('<p id="verdict-text"></p>', f'<p id="verdict-text">{html.escape(said)}</p>'),
    ):
        page = page.replace(place, filled, 1)
    return page


def _add_requests(app: FastAPI, hub: Hub) -> None:
    async def ask(command: Command) -> Done:
        outcome = await hub.ask(command)
        if not outcome.accepted:
            raise HTTPException(409, outcome.text)
        return Done(text=outcome.text)

    @app.post("/api/join", responses=_REFUSALS, dependencies=[_code])
    async def join(body: JoinAsk) -> Done:
        """Ask only whether the code is right."""
        return Done(text="This phone may now answer for the table.")

    @app.post("/api/answer", responses=_REFUSALS, dependencies=[_code])
    async def answer(body: AnswerAsk) -> Done:
        """Answer the question that the table asks now."""
        verdict = hub.latest.verdict
        if verdict is None or verdict.question != body.question:
            raise HTTPException(409, "That question is settled already; look at the page again.")
        if body.key not in {choice.key for choice in verdict.choices}:
            raise HTTPException(409, "That is not one of the answers; choose one of the buttons.")
        return await ask(Answer(body.key))

    @app.post("/api/undo", responses=_REFUSALS, dependencies=[_code])
    async def undo(body: UndoAsk) -> Done:
        """Take back the last accepted turns."""
        if body.turn != hub.latest.turn:
            raise HTTPException(409, "The game has gone on meanwhile; look at the page again.")
        return await ask(Undo(body.turns))

    @app.post("/api/correct", responses=_REFUSALS, dependencies=[_code])
    async def correct(body: CorrectAsk) -> Done:
        """Say that a piece or card is another than it was read as."""
        return await ask(Correct(body.what, body.place, body.shown, body.said))

    @app.post("/api/rule", responses=_REFUSALS, dependencies=[_code])
    async def rule(body: RuleAsk) -> Done:
        """Declare that play goes on from what lies there."""
        verdict = hub.latest.verdict
        if verdict is None or verdict.question != body.question:
            raise HTTPException(409, "The table has changed meanwhile; look at the page again.")
        return await ask(Rule(body.seat))

    @app.post("/api/start", responses=_REFUSALS, dependencies=[_code])
    async def start(body: StartAsk) -> Done:
        """Begin the game from what lies on the table."""
        return await ask(StartHere(body.seat))

    @app.post("/api/resume", responses=_REFUSALS, dependencies=[_code])
    async def resume(body: GameAsk) -> Done:
        """Go on with a game of the journal."""
        return await ask(Resume(body.game))

    @app.post("/api/abandon", responses=_REFUSALS, dependencies=[_code])
    async def abandon(body: GameAsk) -> Done:
        """Give a game of the journal up for good."""
        return await ask(Abandon(body.game))

    @app.post("/api/new", responses=_REFUSALS, dependencies=[_code])
    async def new(body: NewGameAsk) -> Done:
        """Begin a new game."""
        if hub.latest.game == "above" and body.players not in (2, 4):
            raise HTTPException(422, "Above is played by two people, or by four in two teams.")
        if body.ages and sorted(body.ages) != list(range(body.players)):
            raise HTTPException(
                422, f"The ages name each of 0 to {body.players - 1} once, 0 is the youngest."
            )
        if body.names and len(body.names) != body.players:
            raise HTTPException(422, f"Give {body.players} names, one a seat, or none at all.")
        for name in body.names:
            if not 1 <= len(name) <= NAME_LIMIT or not name.isprintable():
                raise HTTPException(422, f"A name has 1 to {NAME_LIMIT} printable characters.")
        if len(set(body.names)) < len(body.names):
            raise HTTPException(422, "Two players have the same name; tell them apart.")
        return await ask(NewGame(body.players, body.names, body.ages))

    @app.post("/api/pause", responses=_REFUSALS, dependencies=[_code])
    async def pause(body: PauseAsk) -> Done:
        """Stop the judging, or let it go on."""
        return await ask(Pause(body.paused))

    add_fitting_requests(app, ask, Route(_REFUSALS, (_code,)))


Handler = Callable[[Request, Exception], Awaitable[Response]]


def _refusal(status: int, sentence: str, headers: Any = None) -> Response:
    return JSONResponse(Refusal(error=sentence).model_dump(), status_code=status, headers=headers)


async def _plain_refusal(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    if error.detail == "Not Found":
        return _refusal(404, "There is nothing at this address; the table's page is at /.", error.headers)
    if error.detail == "Method Not Allowed":
        return _refusal(405, "This address cannot be used in that way; see /openapi.json.", error.headers)
    return _refusal(error.status_code, error.detail, error.headers)


async def _bad_request(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the request"
    return _refusal(422, f"The request was not understood: {where}: {first['msg']}.")


async def _not_kept(request: Request, error: Exception) -> Response:
    return _refusal(404, str(error))


async def _busy(request: Request, error: Exception) -> Response:
    return _refusal(503, str(error), {"Retry-After": "1"})
