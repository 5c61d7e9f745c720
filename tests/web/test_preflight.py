"""The preflight's request: for who has joined, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from companion.web.app import create_app
from companion.web.preflight import PreflightView
from tests.web.conftest import ADA, HEADERS, Room


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await test()

    asyncio.run(asyncio.wait_for(whole(), 20))


def test_only_one_examines_at_a_time_and_who_only_looks_on_does_not(room: Room) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow() -> PreflightView:
        begun.set()
        await go_on.wait()
        return PreflightView(go=True, findings=(), measured=())

    room.app = create_app(room.hub, room.phones, preflight=slow)

    async def test() -> None:
        async with room.client() as client:
            assert (await client.post("/api/preflight", json={}, headers=ADA)).status_code == 401
            first = asyncio.create_task(client.post("/api/preflight", json={}, headers=HEADERS))
            await begun.wait()
            second = await client.post("/api/preflight", json={}, headers=HEADERS)
            assert second.status_code == 409 and "already" in second.json()["error"]
            go_on.set()
            assert (await first).json() == {"go": True, "findings": [], "measured": []}

    run(test)
