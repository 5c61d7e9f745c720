"""Every rule that keeps strangers and accidents away from the table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import httpx
import pytest

from companion.web import access
from companion.web.access import CodeCheck, host_allowed, new_code
from tests.web.conftest import CODE, HEADERS, Clock, Room

PAUSE = {"paused": True}


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(_run(test), 20))


async def _run(test: Callable[[], Awaitable[None]]) -> None:
    await test()


def sentence(response: httpx.Response) -> str:
    """The refusal's sentence, which every refusal must have, and nothing else."""
    body = response.json()
    assert list(body) == ["error"] and body["error"].endswith(".")
    return str(body["error"])


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8080",
        "127.0.0.1:8080",
        "[::1]:8080",
        "192.168.1.5",
        "[fe80::1]:8080",
        "olympus.local:8080",
        "OLYMPUS.LOCAL",
        "olympus.local.",
        "table.example",
    ],
)
def test_names_of_the_table_are_answered(host: str) -> None:
    assert host_allowed(host, ("table.example",))


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "local",
        "evil.example:8080",
        "localhost:port",
        "[::1",
        "localhost@evil.example",
        "a.local@evil.example:8080",
    ],
)
def test_other_names_are_not(host: str) -> None:
    assert not host_allowed(host, ("table.example",))


@pytest.mark.parametrize("path", ["/", "/api/snapshot", "/api/events", "/camera.jpg", "/openapi.json"])
def test_a_rebound_name_gets_nothing_at_all(room: Room, path: str) -> None:
    async def test() -> None:
        async with room.client("http://evil.example:8080") as client:
            response = await client.get(path)
        assert response.status_code == 403
        assert "address" in sentence(response)

    run(test)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_site_cannot_speak_for_a_visitor(room: Room, headers: dict[str, str]) -> None:
    async def test() -> None:
        async with room.client() as client:
            response = await client.post("/api/pause", json=PAUSE, headers=HEADERS | headers)
        assert response.status_code == 403
        assert "Another site" in sentence(response)
        assert room.carried_out == []

    run(test)


def test_the_own_page_may(room: Room) -> None:
    async def test() -> None:
        headers = HEADERS | {"Origin": "http://localhost:8080", "Sec-Fetch-Site": "same-origin"}
        async with room.client() as client:
            response = await client.post("/api/pause", json=PAUSE, headers=headers)
        assert response.status_code == 200
        assert len(room.carried_out) == 1

    run(test)


def test_a_right_code_is_never_counted() -> None:
    check = CodeCheck(CODE, Clock())
    for _ in range(20):
        assert check.right("a", CODE)
    assert check.wait_s("a") == 0
    assert not check.right("a", CODE + "1") and not check.right("a", "ünïcode")


def test_the_list_of_guessers_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "ADDRESSES_KEPT", 10)
    monkeypatch.setattr(access, "EVERYBODYS_WRONG_CODES_PER_MINUTE", 1000)
    check = CodeCheck(CODE, Clock())
    for number in range(50):
        for _ in range(5):
            check.right(f"10.0.0.{number}", "wrong")
    limited = [number for number in range(50) if check.wait_s(f"10.0.0.{number}") > 0]
    assert limited == list(range(40, 50))


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_only_json_is_read(room: Room, kind: str) -> None:
    async def test() -> None:
        async with room.client() as client:
            response = await client.post(
                "/api/pause", content=json.dumps(PAUSE), headers=HEADERS | {"Content-Type": kind}
            )
        assert response.status_code == 415
        assert "JSON" in sentence(response)

    run(test)


def test_large_bodies_are_refused_announced_or_not(room: Room) -> None:
    async def trickle() -> object:
        for _ in range(100):
            yield b" " * 100

    async def test() -> None:
        headers = HEADERS | {"Content-Type": "application/json"}
        async with room.client() as client:
            announced = await client.post("/api/pause", content=b" " * 5000, headers=headers)
            hidden = await client.post("/api/pause", content=trickle(), headers=headers)  # type: ignore[arg-type]
        for response in (announced, hidden):
            assert response.status_code == 413
            assert "too large" in sentence(response)

    run(test)


def test_a_body_that_never_comes_does_not_hold_the_line(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "BODY_S", 0.05)

    async def never() -> object:
        await asyncio.sleep(5)
        yield b"{}"

    async def test() -> None:
        async with room.client() as client:
            response = await client.post(
                "/api/pause",
                content=never(),  # type: ignore[arg-type]
                headers=HEADERS | {"Content-Type": "application/json"},
            )
        assert response.status_code == 408
        sentence(response)

    run(test)


@pytest.mark.parametrize("path", ["/", "/api/snapshot", "/js/main.js", "/nowhere", "/openapi.json"])
def test_every_response_carries_the_security_headers(room: Room, path: str) -> None:
    async def test() -> None:
        async with room.client() as client:
            headers = (await client.get(path)).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "cache-control" in headers

    run(test)


@pytest.mark.parametrize("path", ["join", "seat", "pass", "answer", "undo", "new", "pause"])
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_nothing_changes_by_other_methods(room: Room, path: str, method: str) -> None:
    async def test() -> None:
        async with room.client() as client:
            response = await client.request(method, f"/api/{path}", headers=HEADERS)
        assert response.status_code in (404, 405)
        sentence(response)
        assert room.carried_out == []

    run(test)


def test_a_guesser_with_many_addresses_is_stopped_too() -> None:
    clock = Clock()
    check = CodeCheck(CODE, clock)
    for number in range(60):
        assert check.wait_s(f"10.0.0.{number}") == 0
        check.right(f"10.0.0.{number}", "wrong")
    assert check.wait_s("10.0.1.1") == 60
    clock.now += 61
    assert check.wait_s("10.0.1.1") == 0


def test_codes_are_six_digits_and_differ() -> None:
    codes = {new_code() for _ in range(50)}
    assert all(len(code) == 6 and code.isdecimal() for code in codes)
    assert len(codes) > 40
