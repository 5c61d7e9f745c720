"""Joining the table: the requests by which a phone becomes the host's or gets a seat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

import segno
from fastapi import FastAPI, Request

from companion.messages import say
from companion.web.asks import (
    FreeAsk,
    HereAsk,
    Invitation,
    InviteAsk,
    JoinAsk,
    LinkView,
    Me,
    PassAsk,
    SeatAsk,
)
from companion.web.hub import Hub
from companion.web.phones import Phone, Phones
from companion.web.rights import Anybody, Host, Joined, Token

# Keeps who has joined, for after a power cut.
Keep = Callable[[Iterable[Phone]], None]


def add_joining(
    app: FastAPI, hub: Hub, phones: Phones, responses: dict[int | str, dict[str, Any]], keep: Keep
) -> None:
    """The requests of phones that come and go. `keep` is called in a worker thread after each change."""
    remember = _Memory(phones, keep).write
    phones.changed = lambda: hub.publish_phones(phones.views())
    hub.publish_phones(phones.views())

    def players() -> int:
        return len(hub.latest.players)

    @app.post("/api/here", responses=responses)
    async def here(body: HereAsk, phone: Anybody) -> Me:
        """Who this phone is: asked when a page opens."""
        return _me(phone, say("web.nobody"))

    @app.post("/api/join", responses=responses)
    async def join(body: JoinAsk, request: Request, token: Token = None) -> Me:
        """Become the host's phone by the host's code, or that of a seat by the invitation's."""
        address = request.client.host if request.client else ""
        phone = phones.join(token, body.code, body.seat, address=address, players=players())
        await remember()
        return _me(phone, say("web.joined"))

    @app.post("/api/seat", responses=responses)
    async def seat(body: SeatAsk, phone: Joined) -> Me:
        """Take another free seat, or none."""
        phone = phones.sit(phone, body.seat, players=players())
        await remember()
        return _me(phone, say("web.seat_yours" if body.seat is not None else "web.seat_none"))

    @app.post("/api/leave", responses=responses)
    async def leave(body: HereAsk, phone: Joined) -> Me:
        """Give up the seat and the host's rights."""
        phones.leave(phone)
        await remember()
        return _me(None, say("web.looks_on"))

    @app.post("/api/free", responses=responses)
    async def free(body: FreeAsk, phone: Host) -> Me:
        """Take a seat from the phone that has it, for another."""
        phones.free(body.seat)
        await remember()
        return _me(phones.by_id(phone.id), say("web.seat_free"))

    @app.post("/api/pass", responses=responses)
    async def pass_on(body: PassAsk, phone: Host) -> Me:
        """Pass the host's rights on to another phone."""
        phones.pass_on(phone, body.phone)
        await remember()
        return _me(phones.by_id(phone.id), say("web.passed_on"))

    @app.post("/api/invite", responses=responses)
    async def invite(body: InviteAsk, request: Request, phone: Host) -> Invitation:
        """The invitation that the host's screen shows; `renew`: another one, and the old is no longer good."""
        if body.renew:
            phones.invite_anew()
        places = hub.addresses or (str(request.base_url).rstrip("/"),)
        return Invitation(
            code=phones.invitation, links=tuple(_link(place, phones.invitation) for place in places)
        )


class _Memory:
    """One write at a time, each of the latest state."""

    def __init__(self, phones: Phones, keep: Keep) -> None:
        self._phones = phones
        self._keep = keep
        self._lock = asyncio.Lock()

    async def write(self) -> None:
        async with self._lock:
            await asyncio.to_thread(self._keep, self._phones.all)


def _me(phone: Phone | None, text: str) -> Me:
    if phone is None:
        return Me(text=text)
    return Me(id=phone.id, seat=phone.seat, host=phone.host, text=text)


def _link(place: str, code: str) -> LinkView:
    address = f"{place}/#join={code}"
    matrix = segno.make(address, error="m", micro=False).matrix
    # One stroke a run of dark modules, a module high.
    strokes = []
    for y, row in enumerate(matrix):
        x = 0
        while x < len(row):
            run = next((at for at in range(x, len(row)) if not row[at]), len(row)) - x
            if run:
                strokes.append(f"M{x} {y}h{run}v1h-{run}z")
            x += max(run, 1)
    return LinkView(address=address, size=len(matrix), path="".join(strokes))
