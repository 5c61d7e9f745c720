"""What the tests of the page share: a table that answers, clients, and the page on a real port."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field

import httpx
import pytest
from fastapi import FastAPI

from companion.referee.verdict import Choice, Kind, Verdict
from companion.web.app import create_app
from companion.web.hub import Command, Hub
from companion.web.models import BoardView, PlayerView, Snapshot, VerdictView
from companion.web.phones import Phone, Phones
from companion.web.server import bind, serve

CODE = "271828"
# What the browser of the host's phone, and those of two seats, made up.
TOKEN = "host-phone-token-0123456789"
HEADERS = {"X-Phone": TOKEN}
ADA, BEN = {"X-Phone": "ada-phone-token-0123456789"}, {"X-Phone": "ben-phone-token-0123456789"}


@dataclass
class Clock:
    """A clock that the test moves."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Room:
    """A page, its hub, and a table that does what it is asked or refuses with `refuse_with`.

    The phone with `TOKEN` is the host's. `known`: who had joined before this table was switched on.
    """

    clock: Clock = field(default_factory=Clock)
    hub: Hub = field(init=False)
    app: FastAPI = field(init=False)
    phones: Phones = field(init=False)
    kept: list[Iterable[Phone]] = field(default_factory=list)
    carried_out: list[Command] = field(default_factory=list)
    refuse_with: str = ""
    known: tuple[Phone, ...] = ()

    def __post_init__(self) -> None:
        self.hub = Hub(clock=self.clock)
        self.phones = Phones(CODE, clock=self.clock, ticks=self.clock, known=self.known)
        self.app = create_app(self.hub, self.phones, allowed_hosts=("table.example",), keep=self.kept.append)
        if not self.known:
            self.phones.join(TOKEN, CODE, None, address="here", players=0)

    def seat(self, headers: dict[str, str], seat: int) -> None:
        """A phone joins at this seat."""
        self.phones.join(headers["X-Phone"], self.phones.invitation, seat, address="here", players=6)

    async def _table(self) -> None:
        while True:
            request = await self.hub.next_request()
            if self.refuse_with:
                request.refuse(self.refuse_with)
            else:
                self.carried_out.append(request.command)
                request.accept("Done.")

    @contextlib.asynccontextmanager
    async def client(
        self, base_url: str = "http://localhost:8080", address: str = "192.168.1.20"
    ) -> AsyncIterator[httpx.AsyncClient]:
        """A client in the room, with the table running."""
        table = asyncio.create_task(self._table())
        transport = httpx.ASGITransport(self.app, client=(address, 5000))
        try:
            async with httpx.AsyncClient(transport=transport, base_url=base_url) as client:
                yield client
        finally:
            table.cancel()
            await asyncio.gather(table, return_exceptions=True)


@pytest.fixture
def room() -> Room:
    return Room()


def question(turn: int = 3, text: str = "Which Gate?") -> Snapshot:
    """A snapshot in which the table asks something."""
    verdict = Verdict(
        Kind.QUESTION, seat=0, text=text, choices=(Choice("l6", "By l6"), Choice("n4", "By n4"))
    )
    return Snapshot(
        players=(PlayerView(seat=0, name="Ada"), PlayerView(seat=1, name="Ben")),
        board=BoardView(minis={"ze": "a1"}),
        verdict=VerdictView.of(verdict, turn),
        turn=turn,
    )


@contextlib.asynccontextmanager
async def serving(app: FastAPI) -> AsyncIterator[int]:
    """The page on a free port of this machine; ended on leaving."""
    listener = bind("127.0.0.1", 0)
    port: int = listener.getsockname()[1]
    task = asyncio.create_task(serve(app, "127.0.0.1", port, listener=listener))
    try:
        yield port
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
