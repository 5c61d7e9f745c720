"""The page's API: anyone in the room may look, who has joined may ask (`rights.py`)."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Request
from fastapi import Path as PathParameter
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException

from companion.messages import LANGUAGES, row, say, words_of
from companion.web.access import Guard
from companion.web.archive import Archive, GameView, NotKept, ReplayView
from companion.web.asks import Refusal
from companion.web.events import STREAM_LIMIT, STREAMS_PER_ADDRESS, EventStream
from companion.web.files import File, Files, answer, pack
from companion.web.hub import Hub, TableBusy
from companion.web.joining import Keep, add_joining
from companion.web.language import LANGUAGE, page_words, page_words_address, said
from companion.web.models import Snapshot
from companion.web.phones import Phones, Unwelcome
from companion.web.practice import Practice, add_practice
from companion.web.preflight import Preflight, add_preflight
from companion.web.reference import reference_page
from companion.web.requests import add_requests
from companion.web.statistics import StatisticsView, statistics
from companion.web.stills import add_stills

STATIC = Path(__file__).parent / "static"

# The schema is Refusal's, of which "/api/games" tells: told by name it need not be built for every status of every
# address, which took half of the page's start.
_REFUSED = {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{Refusal.__name__}"}}}}
_REFUSALS: dict[int | str, dict[str, Any]] = dict.fromkeys(
    (400, 401, 403, 408, 409, 413, 415, 422, 429, 503), _REFUSED
)

_GameNumber = Annotated[int, PathParameter(ge=1, le=2**53, description="The game's number in the journal")]
_StepNumber = Annotated[int, PathParameter(ge=0, le=2**31, description="The step, from 0")]

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}},
    503: {"model": Refusal},
}


def _sent(kind: str) -> dict[int | str, dict[str, Any]]:
    """What is described of an answer that is no JSON."""
    return {200: {"content": {kind: {}}}}


def create_app(
    hub: Hub,
    phones: Phones,
    allowed_hosts: Iterable[str] = (),
    *,
    keep: Keep = lambda _: None,
    practice: Practice | None = None,
    preflight: Preflight | None = None,
) -> FastAPI:
    """The application that shows `hub` and takes requests from `phones` that have joined.

    `allowed_hosts`: names the page answers to beside localhost, bare addresses and `.local` names. `keep`: called in
    a worker thread with who has joined, whenever that changes. `practice`: the simulated table that may be played at
    from the page. `preflight`: looks whether the table is fit to play with.
    """
    app = FastAPI(
        title="Olympus companion",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.state.hub = hub
    app.state.phones = phones
    app.add_middleware(Guard, codes=None, names=tuple(allowed_hosts))
    app.add_exception_handler(HTTPException, _plain_refusal)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(TableBusy, _busy)
    app.add_exception_handler(NotKept, _not_kept)
    app.add_exception_handler(Unwelcome, _unwelcome)
    _add_views(app, hub)
    _add_journal(app, hub)
    add_requests(app, hub, phones, _REFUSALS)
    add_joining(app, hub, phones, _REFUSALS, keep)
    add_stills(app, lambda: hub.stills, {404: {"model": Refusal}})
    add_practice(app, practice, _REFUSALS)
    add_preflight(app, preflight, _REFUSALS)

    @app.get("/api", include_in_schema=False)
    async def reference() -> Response:
        """The API's reference, to be read."""
        return HTMLResponse(reference_page(app.openapi()))

    app.mount("/", Files(STATIC), name="page")
    return app


def _add_views(app: FastAPI, hub: Hub) -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")

    async def front(request: Request) -> Response:
        """The page with the table as it is now in it, in the phone's language: nobody looks at an empty one."""
        response = answer(pack(painted(page, hub).encode(), "text/html; charset=utf-8"), request)
        response.headers.update({"Cache-Control": "no-store", "Content-Language": LANGUAGE.get()})
        return response

    for path in ("/", "/index.html"):
        app.add_api_route(path, front, methods=["GET", "HEAD"], include_in_schema=False)

    @app.get("/messages/{language}.json", include_in_schema=False)
    async def messages(language: str, request: Request) -> Response:
        """The page's own words in a language."""
        if language not in LANGUAGES:
            raise HTTPException(404, say("web.no_language", languages=row(LANGUAGES)))
        response = answer(_packed_words(language), request)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response

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
            raise HTTPException(503, say("web.too_many_here"))
        if hub.readers >= STREAM_LIMIT:
            raise HTTPException(503, say("web.too_many"))
        return EventStream(hub, address)

    @app.get(
        "/camera.jpg", response_class=Response, responses={**_sent("image/jpeg"), 404: {"model": Refusal}}
    )
    async def camera(request: Request) -> Response:
        """The latest camera picture with what was recognised drawn in."""
        latest = await hub.picture()
        if latest is None:
            raise HTTPException(404, say("web.no_picture"))
        version, jpeg = latest
        headers = {"ETag": f'"{version}"', "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(jpeg, media_type="image/jpeg", headers=headers)

    @app.get(
        "/api/record",
        response_class=Response,
        responses={**_sent("application/jsonl"), 404: {"model": Refusal}},
    )
    async def record() -> Response:
        """The game's record so far, as JSON Lines."""
        text = hub.record() if hub.record else None
        if text is None:
            raise HTTPException(404, say("web.no_record"))
        game = "olympeak" if hub.latest.game == "olympeak" else "above"
        return _record_of(text, f"{game}-record")


@cache
def _packed_words(language: str) -> File:
    return pack(page_words(language), "application/json")


def _add_journal(app: FastAPI, hub: Hub) -> None:
    """The games that are kept. They are read beside the running table, in a thread of their own."""

    def archive() -> Archive:
        if hub.archive is None:
            raise HTTPException(404, say("web.no_journal"))
        return hub.archive

    kept: dict[int | str, dict[str, Any]] = {404: {"model": Refusal}}

    @app.get("/api/games", responses=kept)
    async def games() -> tuple[GameView, ...]:
        """All games in the journal, the newest first."""
        return await asyncio.to_thread(archive().games)

    @app.get("/api/statistics", responses=kept)
    async def of_all() -> StatisticsView:
        """Statistics of the finished games."""
        return statistics(await asyncio.to_thread(archive().games))

    @app.get("/api/games/{game}", responses=kept)
    async def replay(game: _GameNumber) -> ReplayView:
        """A game with all its steps."""
        return await asyncio.to_thread(archive().replay, game)

    @app.get("/api/games/{game}/steps/{step}", responses=kept)
    async def step(game: _GameNumber, step: _StepNumber) -> Snapshot:
        """The table as it stood after a step of a game."""
        return await asyncio.to_thread(archive().step, game, step)

    @app.get(
        "/api/games/{game}/record",
        response_class=Response,
        responses={**_sent("application/jsonl"), **kept},
    )
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
    table, text = hub.snapshot_json().decode(), said(verdict.text) if verdict else ""
    language = LANGUAGES[LANGUAGE.get()]
    for place, filled in (
        ('<html lang="en">', f'<html lang="{language.code}" dir="{language.direction}">'),
        ('href="messages/en.json"', f'href="{page_words_address(language.code)}"'),
        ('<meta name="table" content="">', f'<meta name="table" content="{html.escape(table)}">'),
        ('<p class="noscript"></p>', f'<p class="noscript">{html.escape(said(say("web.no_script")))}</p>'),
        ('<p id="verdict-text"></p>', f'<p id="verdict-text">{html.escape(text)}</p>'),
    ):
        page = page.replace(place, filled, 1)
    return page


Handler = Callable[[Request, Exception], Awaitable[Response]]


def _refusal(status: int, sentence: str, headers: Any = None) -> Response:
    return JSONResponse(Refusal(error=sentence).model_dump(), status_code=status, headers=headers)


async def _plain_refusal(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    if error.detail == "Not Found":
        return _refusal(404, say("web.nothing_here"), error.headers)
    if error.detail == "Method Not Allowed":
        return _refusal(405, say("web.not_so"), error.headers)
    if error.status_code == 400:
        # FastAPI's own words for a body that is no text, or a number of a thousand digits.
        return _refusal(400, say("web.cannot_be_read"), error.headers)
    return _refusal(error.status_code, error.detail, error.headers)


async def _bad_request(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body") or say("web.the_request")
    return _refusal(422, say("web.not_understood", where=where, why=first["msg"]))


async def _not_kept(request: Request, error: Exception) -> Response:
    return _refusal(404, words_of(error))


async def _unwelcome(request: Request, error: Exception) -> Response:
    if not isinstance(error, Unwelcome):
        raise error
    headers = {"Retry-After": str(int(error.wait_s) + 1)} if error.wait_s else None
    return _refusal(error.status, words_of(error), headers)


async def _busy(request: Request, error: Exception) -> Response:
    return _refusal(503, words_of(error), {"Retry-After": "1"})
