"""The page's API: anyone in the room may look, who has the table's code may press a key."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated

from fastapi import FastAPI, HTTPException
from fastapi.responses import JSONResponse, Response, StreamingResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, StringConstraints

from calibration.page.board import NoticeBoard
from calibration.session import Key
from companion.web.access import CodeCheck, Guard

STATIC = Path(__file__).parent / "static"
# At most five views a second; a sign of life when nothing changes.
PERIOD_S = 0.2
BEAT_S = 2.0


class Press(BaseModel):
    """A key somebody presses on the page."""

    model_config = ConfigDict(extra="forbid")

    key: Key


class Answer(BaseModel):
    """What somebody answers to the form with this number; without `values` it is put aside."""

    model_config = ConfigDict(extra="forbid")

    number: int
    values: dict[str, Annotated[str, StringConstraints(max_length=200)]] | None = None


def create_page(board: NoticeBoard, code: str, clock: Callable[[], float] = time.monotonic) -> FastAPI:
    """The application that shows a notice board and presses its keys for those who know `code`."""
    app = FastAPI(title="Olympus calibration", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, codes=CodeCheck(code, clock), names=())

    @app.exception_handler(HTTPException)
    async def refused(request: object, error: HTTPException) -> Response:
        return JSONResponse({"error": str(error.detail)}, status_code=error.status_code)

    @app.get("/api/state")
    async def state() -> Response:
        return Response(board.state(), media_type="application/json")

    @app.get("/api/events")
    async def events() -> Response:
        return StreamingResponse(_stream(board), media_type="text/event-stream")

    @app.get("/api/picture")
    async def picture() -> Response:
        jpeg = await asyncio.to_thread(board.jpeg)
        if jpeg is None:
            raise HTTPException(404, "There is no picture yet.")
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    @app.post("/api/press")
    async def press(asked: Press) -> dict[str, bool]:
        if not board.press(asked.key):
            raise HTTPException(409, "That cannot be chosen any more; look at the page again.")
        return {"taken": True}

    @app.post("/api/answer")
    async def answer(given: Answer) -> dict[str, bool]:
        if not board.answer(given.number, given.values):
            raise HTTPException(409, "That is not asked any more; look at the page again.")
        return {"taken": True}

    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return app


async def _stream(board: NoticeBoard) -> AsyncIterator[bytes]:
    """The latest view to one page, whenever it is ready for it."""
    seen = -1
    yield b"retry: 1000\n\n"
    while not board.closed:
        if board.version > seen:
            seen = board.version
            yield f"event: view\ndata: {board.state()}\n\n".encode()
        else:
            yield b"event: beat\ndata: 0\n\n"
        await asyncio.sleep(PERIOD_S)
        try:
            async with asyncio.timeout(BEAT_S):
                await board.newer(seen)
        except TimeoutError:
            continue
