"""The page's own files: packed where that helps, never sent twice, and nothing else of this machine."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable

import httpx
import pytest

from companion.web.app import STATIC
from companion.web.files import pack
from tests.web.conftest import Room, question


def run(test: Callable[[httpx.AsyncClient], Awaitable[None]], room: Room) -> None:
    async def whole() -> None:
        async with room.client() as client:
            await test(client)

    asyncio.run(asyncio.wait_for(whole(), 20))


@pytest.mark.parametrize("name", ["style.css", "js/main.js", "manifest.webmanifest", "icon-192.png", "sw.js"])
def test_a_file_is_what_lies_in_the_folder_packed_or_not(room: Room, name: str) -> None:
    plain = (STATIC / name).read_bytes()

    async def test(client: httpx.AsyncClient) -> None:
        packed = await client.get(f"/{name}", headers={"Accept-Encoding": "br, gzip;q=0.8"})
        unpacked = await client.get(f"/{name}", headers={"Accept-Encoding": "identity"})
        assert packed.content == unpacked.content == plain
        assert "content-encoding" not in unpacked.headers
        worth = len(plain) > 512 and not name.endswith(".png")
        assert (packed.headers.get("content-encoding") == "gzip") is worth
        assert packed.headers["vary"] == "Accept-Encoding"
        for answer, takes in ((packed, "gzip"), (unpacked, "identity")):
            again = await client.get(
                f"/{name}", headers={"Accept-Encoding": takes, "If-None-Match": answer.headers["etag"]}
            )
            assert (again.status_code, again.content) == (304, b"")
        # Somebody who has it packed is not told that the other one is the same.
        other = {"Accept-Encoding": "identity", "If-None-Match": packed.headers["etag"]}
        assert (await client.get(f"/{name}", headers=other)).status_code == (200 if worth else 304)
        assert (await client.head(f"/{name}")).headers["content-length"]

    run(test, room)


@pytest.mark.parametrize(
    "name", ["../app.py", "js", "js/", "js/../../app.py", "%2e%2e/app.py", "/etc/passwd", "js/none.js", "."]
)
def test_nothing_else_is_served(room: Room, name: str) -> None:
    async def test(client: httpx.AsyncClient) -> None:
        answer = await client.get(f"/{name}")
        assert answer.status_code in (200, 404)
        if answer.status_code == 200:  # "." is the page itself
            assert name == "." and "<!doctype html>" in answer.text
        else:
            assert list(answer.json()) == ["error"]

    run(test, room)


def test_the_page_itself_is_packed_and_never_kept(room: Room) -> None:
    room.hub.publish(question())

    async def test(client: httpx.AsyncClient) -> None:
        answer = await client.get("/", headers={"Accept-Encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip" and "Which Gate?" in answer.text
        assert answer.headers["cache-control"] == "no-store"

    run(test, room)


def test_what_is_packed_is_the_same_every_time() -> None:
    first, second = pack(b"x" * 2000, "text/css"), pack(b"x" * 2000, "text/css")
    assert first == second and first.packed is not None
    assert gzip.decompress(first.packed) == first.plain
    assert pack(b"x" * 2000, "image/png").packed is None and pack(b"x", "text/css").packed is None
