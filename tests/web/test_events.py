"""The event stream over a real port: at once, newest only, for everybody, and quickly ended."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from companion.web import events as events_module
from companion.web.models import HistoryLine, Snapshot
from tests.web.conftest import Room, question, serving

Event = tuple[str, Any]


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(_run(test), 30))


async def _run(test: Callable[[], Awaitable[None]]) -> None:
    await test()


@pytest.fixture
def live() -> Room:
    """A room whose hub runs by the true clock, as the stream does."""
    room = Room()
    room.clock = time.monotonic  # type: ignore[assignment]
    room.__post_init__()
    return room


class Page:
    """An open page: reads the stream as a browser does."""

    def __init__(self, reader: asyncio.StreamReader, head: str) -> None:
        self._reader = reader
        self.head = head

    async def event(self) -> Event:
        """The next event with its data."""
        name = ""
        while True:
            line = (await self._reader.readline()).decode()
            if not line:
                raise EOFError
            if line.startswith("event: "):
                name = line[7:].strip()
            elif line.startswith("data: "):
                return name, json.loads(line[6:])

    async def next_of(self, name: str, within: float = 3.0) -> Any:
        """The data of the next event of this name."""
        async with asyncio.timeout(within):
            while True:
                found, data = await self.event()
                if found == name:
                    return data


@contextlib.asynccontextmanager
async def page(port: int, address: str = "127.0.0.1") -> AsyncIterator[Page]:
    """A page open on the device with this address."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20, local_addr=(address, 0))
    try:
        writer.write(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        yield Page(reader, head)
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


def test_a_new_page_has_everything_at_once(live: Room) -> None:
    async def test() -> None:
        live.hub.publish(question())
        live.hub.publish_lights([(0, 150, 20)] * 105)
        live.hub.publish_picture(lambda: b"")
        async with serving(live.app) as port:
            began = time.monotonic()
            async with page(port) as phone:
                assert "200 OK" in phone.head and "text/event-stream" in phone.head
                name, data = await phone.event()
                assert time.monotonic() - began < 1.8
                assert name == "snapshot"
                assert Snapshot.model_validate(data) == live.hub.latest
                assert await phone.event() == ("picture", 1)

    run(test)


def test_changes_arrive_quickly_and_lights_by_themselves(live: Room) -> None:
    async def test() -> None:
        async with serving(live.app) as port, page(port) as phone:
            await phone.next_of("snapshot")
            await asyncio.sleep(0.3)
            began = time.monotonic()
            live.hub.publish(question(turn=7))
            assert (await phone.next_of("snapshot"))["turn"] == 7
            assert time.monotonic() - began < 1.5
            live.hub.publish_lights([(255, 0, 0)])
            assert await phone.next_of("lights") == ["ff0000"]

    run(test)


def test_at_most_ten_a_second_and_the_last_one_counts(live: Room) -> None:
    async def test() -> None:
        async with serving(live.app) as port, page(port) as phone:
            turns = []

            async def read() -> None:
                while True:
                    turns.append((await phone.next_of("snapshot"))["turn"])

            reading = asyncio.create_task(read())
            for turn in range(1, 101):
                live.hub.publish(question(turn=turn))
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.4)
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            assert turns[-1] == 100
            assert 3 <= len(turns) <= 20  # some hundred publications in one to two seconds
            assert turns == sorted(turns)

    run(test)


def test_a_quiet_line_gives_signs_of_life(live: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_module, "BEAT_S", 0.2)

    async def test() -> None:
        async with serving(live.app) as port, page(port) as phone:
            await phone.next_of("snapshot")
            for _ in range(3):
                assert await phone.event() == ("beat", 0)

    run(test)


def test_a_page_that_comes_back_sees_now_and_no_backlog(live: Room) -> None:
    async def test() -> None:
        async with serving(live.app) as port:
            async with page(port) as phone:
                await phone.next_of("snapshot")
            for turn in range(50):
                live.hub.publish(question(turn=turn))
                await asyncio.sleep(0)
            began = time.monotonic()
            async with page(port) as phone:
                assert (await phone.event())[1]["turn"] == 49
                assert time.monotonic() - began < 1.8

    run(test)


def stalled(port: int) -> socket.socket:
    """A client that asks for the stream and never reads it."""
    phone = socket.socket()
    phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    phone.connect(("127.0.0.1", port))
    phone.send(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    return phone


def big(turn: int) -> Snapshot:
    line = HistoryLine(turn=1, seat=0, name="Ada", text="x" * 200_000)
    return question(turn=turn).model_copy(update={"history": (line,)})


def test_a_stalled_page_costs_the_others_nothing(live: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_module, "PERIOD_S", 0.01)

    async def test() -> None:
        async with serving(live.app) as port:
            sleepers = [stalled(port) for _ in range(4)]
            try:
                async with page(port) as phone:
                    await phone.next_of("snapshot")
                    for turn in range(1, 60):
                        live.hub.publish(big(turn))
                        while (await phone.next_of("snapshot"))["turn"] < turn:
                            pass
                    assert live.hub.readers == 5
            finally:
                began = time.monotonic()
                for sleeper in sleepers:
                    sleeper.close()
        assert time.monotonic() - began < 1.8

    run(test)


def test_the_end_is_quick_even_with_stalled_and_open_pages(live: Room) -> None:
    async def test() -> None:
        live.hub.publish(big(1))
        async with contextlib.AsyncExitStack() as ending:
            port = await ending.enter_async_context(serving(live.app))
            sleeper = stalled(port)
            async with page(port) as phone:
                await phone.next_of("snapshot")
                for turn in range(2, 20):  # fills whatever lies between here and the one who does not read
                    live.hub.publish(big(turn))
                    await phone.next_of("snapshot")
                began = time.monotonic()
                await ending.aclose()
                assert time.monotonic() - began < 1.8
                async with asyncio.timeout(1.0):
                    await _until_end(phone)
        sleeper.close()
        assert live.hub.readers == 0

    run(test)


async def _until_end(phone: Page) -> None:
    with contextlib.suppress(EOFError):
        while True:
            await phone.event()


def test_pages_that_left_are_forgotten_and_their_number_is_bounded(
    live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.app.STREAM_LIMIT", 2)

    async def test() -> None:
        async with serving(live.app) as port:
            async with page(port) as one, page(port) as two:
                await one.next_of("snapshot")
                await two.next_of("snapshot")
                async with page(port) as three:
                    assert "503" in three.head
            for _ in range(200):
                if not live.hub.readers:
                    break
                await asyncio.sleep(0.01)
            async with page(port) as again:
                assert "200 OK" in again.head

    run(test)


def test_one_device_does_not_take_all_the_places(live: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.app.STREAMS_PER_ADDRESS", 2)

    async def test() -> None:
        async with serving(live.app) as port, page(port) as one, page(port) as two:
            await one.next_of("snapshot")
            await two.next_of("snapshot")
            async with page(port) as three:
                assert "503" in three.head
            async with page(port, "127.0.0.2") as phone:
                assert "200 OK" in phone.head
                await phone.next_of("snapshot")
                assert live.hub.audience == {"127.0.0.1": 2, "127.0.0.2": 1}
        assert not live.hub.audience

    run(test)
