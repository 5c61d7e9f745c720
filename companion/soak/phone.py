"""A phone that looks at the table: its stream of events, read by turns fast and slowly, left and opened again."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from companion.web.events import EventStream
from companion.web.hub import Hub

# A phone stays for so long, and is away for so long (s).
STAYS_S = (1.0, 60.0)
AWAY_S = (0.0, 5.0)
# Seconds until a phone has taken what it was sent; the last one sleeps in a pocket.
TAKES_S = (0.0, 0.0, 0.0, 1.0, 20.0)


async def phone(hub: Hub, seed: str, address: str) -> None:
    """Looks until it is cancelled."""
    rng = random.Random(f"{seed} {address}")
    while True:
        until = rng.uniform(*STAYS_S)

        async def leave(until: float = until) -> dict[str, Any]:
            await asyncio.sleep(until)
            return {"type": "http.disconnect"}

        async def take(_: object) -> None:
            await asyncio.sleep(rng.choice(TAKES_S))

        await EventStream(hub, address)({"type": "http"}, leave, take)
        await asyncio.sleep(rng.uniform(*AWAY_S))
