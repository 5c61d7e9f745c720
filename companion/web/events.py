"""Server-sent events: the latest state to each open page, never a backlog."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from companion.web.hub import Hub, Seen

# At most ten a second; what happens in between is gathered into the next one.
PERIOD_S = 0.1
# A sign of life when nothing changes, so that a page notices within seconds that the line is dead.
BEAT_S = 2.0
STREAM_LIMIT = 64
# A browser opens six at most; more from one address would only take the others' places.
STREAMS_PER_ADDRESS = 8


class EventStream(Response):
    """The stream of one page: everything at once, then what is newest whenever it is ready to read on.

    `address`: whose page it is, for the count of open streams.
    """

    media_type = "text/event-stream"

    def __init__(self, hub: Hub, address: str = "") -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._hub = hub
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run until the page leaves or the hub closes."""
        audience = self._hub.audience
        audience[self._address] += 1
        pump = asyncio.create_task(self._pump(send))
        leaves = asyncio.create_task(_disconnect(receive))
        try:
            await asyncio.wait({pump, leaves}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            audience[self._address] -= 1
            if not audience[self._address]:
                del audience[self._address]
            pump.cancel()
            leaves.cancel()
            await asyncio.gather(pump, leaves, return_exceptions=True)

    async def _pump(self, send: Send) -> None:
        seen = Seen()
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await send(_body(b"retry: 1000\n\n"))
        while not self._hub.closed:
            events = self._hub.news(seen) or [("beat", b"0")]
            chunk = b"".join(b"event: %s\ndata: %s\n\n" % (name.encode(), data) for name, data in events)
            await send(_body(chunk))
            await asyncio.sleep(PERIOD_S)
            try:
                async with asyncio.timeout(BEAT_S - PERIOD_S):
                    await self._hub.changed(seen)
            except TimeoutError:
                continue
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _body(data: bytes) -> dict[str, Any]:
    return {"type": "http.response.body", "body": data, "more_body": True}


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
