"""Serving: addresses that cannot be had are said in one sentence; the end is the caller's."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import time

import httpx
import pytest

from companion.errors import CompanionError
from companion.web.server import AddressTaken, bind, serve
from tests.web.conftest import Room, serving


def test_a_busy_port_is_named_and_another_proposed(room: Room) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(AddressTaken) as caught:
            asyncio.run(serve(room.app, "127.0.0.1", port))
    text = str(caught.value)
    assert f"Port {port} on 127.0.0.1 is in use" in text and f"--port {port + 1}" in text
    assert isinstance(caught.value, CompanionError)
    assert "\n" not in text


@pytest.mark.parametrize("host", ["203.0.113.9", "no.such.host.invalid"])
def test_an_address_this_machine_does_not_have(host: str) -> None:
    with pytest.raises(AddressTaken, match=r"--host 127\.0\.0\.1"):
        bind(host, 0)


def test_a_port_that_does_not_exist() -> None:
    with pytest.raises(AddressTaken, match="--port 8080"):
        bind("127.0.0.1", 70000)


def test_the_page_is_served_and_the_port_free_again_at_once(room: Room) -> None:
    async def test() -> int:
        async with serving(room.app) as port:
            async with httpx.AsyncClient() as client:
                response = await client.get(f"http://127.0.0.1:{port}/")
            assert response.status_code == 200
            assert "<title>" in response.text
            assert "server" not in response.headers
        return port

    bind("127.0.0.1", asyncio.run(test())).close()


def test_signals_stay_with_the_caller(room: Room) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)

    async def test() -> None:
        async with serving(room.app) as port:
            async with httpx.AsyncClient() as client:
                await client.get(f"http://127.0.0.1:{port}/api/snapshot")
            assert (signal.getsignal(signal.SIGTERM)) == before[1]

    asyncio.run(test())
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_cancelling_before_the_first_request_ends_it(room: Room) -> None:
    async def test() -> None:
        task = asyncio.create_task(serve(room.app, "127.0.0.1", 0))
        await asyncio.sleep(0.05)
        began = time.monotonic()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()
        assert time.monotonic() - began < 1.8
        assert room.hub.closed

    asyncio.run(test())
