"""The preflight on the page: is everything fit to play with? In numbers, each with its limit and what to do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI, HTTPException
from pydantic import BaseModel, ConfigDict

from companion.messages import say
from companion.web.language import Words
from companion.web.rights import Joined


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FindingView(_View):
    """One thing that was looked at. `judgement`: `good`, `doubtful`, `bad` or `not fitted`."""

    what: Words
    seen: Words
    limit: Words
    judgement: str
    advice: Words


class MeasuredView(_View):
    """A part of the table that was measured by `calibrate`: `at` in seconds since 1970, None for never."""

    part: str
    at: float | None


class PreflightView(_View):
    """`go`: may be played? `measured`: what the table profile knows."""

    go: bool
    findings: tuple[FindingView, ...]
    measured: tuple[MeasuredView, ...]


class PreflightAsk(_View):
    """Look at everything now."""


# Looks at the running table for a few seconds.
Preflight = Callable[[], Awaitable[PreflightView]]


def add_preflight(
    app: FastAPI, preflight: Preflight | None, responses: dict[int | str, dict[str, Any]]
) -> None:
    """The request for a preflight; one at a time, for it takes pictures and time."""
    one = asyncio.Lock()

    @app.post("/api/preflight", responses=responses)
    async def look(body: PreflightAsk, phone: Joined) -> PreflightView:
        """Look at camera, light, rings, wire and switches of the running table. Takes some seconds."""
        if preflight is None:
            raise HTTPException(404, say("web.no_preflight"))
        if one.locked():
            raise HTTPException(409, say("web.examined_already"))
        async with one:
            return await preflight()
