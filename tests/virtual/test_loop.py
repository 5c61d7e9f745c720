"""Virtual time goes on, however little of it is asked for."""

from __future__ import annotations

import asyncio
import math
import time

import pytest

from companion.virtual.loop import VirtualTimeLoop


@pytest.mark.parametrize("start", [0.0, 82.0, 3600.0, 86_400.0])
@pytest.mark.parametrize("rest", [1e-12, 1e-10, 9e-10, 2e-9, 1e-3])
def test_who_sleeps_until_a_moment_gets_there_though_every_look_gives_the_wire_something_to_do(
    start: float, rest: float
) -> None:
    loop = VirtualTimeLoop(time.monotonic)
    owed = 0

    def is_busy() -> bool:
        nonlocal owed
        owed = max(owed - 1, 0)
        return owed > 0

    async def wait() -> int:
        nonlocal owed
        await asyncio.sleep(start)
        until = max(loop.time() + rest, math.nextafter(loop.time(), math.inf))
        rounds = 0
        while (now := loop.time()) < until and rounds < 10:
            owed = 3
            await asyncio.sleep(until - now)
            rounds += 1
        return rounds

    loop.add_hold("the wire", is_busy)
    try:
        assert loop.run_until_complete(wait()) <= 2
    finally:
        loop.close()
