"""Whatever is sent to the table: a clear refusal or a request that is meant, and nothing in between."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.web.access import BODY_LIMIT
from tests.web.conftest import ADA, CODE, HEADERS, TOKEN, Room, question
from tests.web.shapes import anything, bodies

JSON = {"Content-Type": "application/json"}


class Desk:
    """One page for all that is sent to it; before each request the same phones have joined and the same is asked."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.room = Room()
        self._open = contextlib.AsyncExitStack()
        self._client = self.loop.run_until_complete(self._open.enter_async_context(self.room.client()))

    def _join(self) -> None:
        self.room.phones.join(TOKEN, CODE, None, address="here", players=0)
        self.room.seat(ADA, 0)

    def close(self) -> None:
        self.loop.run_until_complete(self._open.aclose())
        self.loop.close()

    def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        """Sends a request and checks: it was carried out, or refused in a sentence and nothing has changed."""
        room = self.room
        room.clock.now += 61
        for phone in room.phones.all:
            room.phones.leave(phone)
        self._join()
        room.hub.publish(question())
        before = (len(room.carried_out), room.phones.all, room.hub.latest)
        response = self.loop.run_until_complete(self._client.request(method, path, **request))
        if response.status_code != 200:
            assert 400 <= response.status_code < 500, response.text
            body = response.json()
            assert list(body) == ["error"] and body["error"].endswith("."), body
            assert len(body["error"]) < 400
            heard = tuple(replace(phone, heard_at=0.0) for phone in room.phones.all)
            was = tuple(replace(phone, heard_at=0.0) for phone in before[1])
            assert (len(room.carried_out), heard, room.hub.latest) == (before[0], was, before[2])
        return response


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    opened = Desk()
    yield opened
    opened.close()


API: dict[str, Any] = Room().app.openapi()
POSTS = sorted(path for path, about in API["paths"].items() if "post" in about)
GETS = sorted(path for path, about in API["paths"].items() if "get" in about and path != "/api/events")
fuzzed = settings(max_examples=12, deadline=None)


@pytest.mark.parametrize("path", POSTS)
@fuzzed
@given(data=st.data())
def test_any_body_is_meant_or_refused(desk: Desk, path: str, data: st.DataObject) -> None:
    body = data.draw(bodies(API, path))
    headers = data.draw(st.sampled_from([HEADERS, ADA, {}]))
    desk.send("POST", path, content=json.dumps(body).encode(), headers=headers | JSON)


@settings(fuzzed, max_examples=100)
@given(path=st.sampled_from(POSTS), content=st.binary(max_size=80))
def test_any_bytes_are_refused(desk: Desk, path: str, content: bytes) -> None:
    desk.send("POST", path, content=content, headers=HEADERS | JSON)


@settings(fuzzed, max_examples=100)
@given(
    path=st.sampled_from([*POSTS, *GETS]),
    name=st.sampled_from(
        ["Host", "Origin", "X-Phone", "Content-Type", "Content-Length", "If-None-Match", "Sec-Fetch-Site"]
    ),
    value=st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=60),
)
def test_any_header_is_taken_or_refused(desk: Desk, path: str, name: str, value: str) -> None:
    headers = [
        (b"X-Phone", TOKEN.encode()),
        (b"Content-Type", b"application/json"),
        (name.encode(), value.encode("latin-1")),
    ]
    method = "POST" if path in POSTS else "GET"
    desk.send(method, path.format(game=1, step=0, number=1), content=b"{}", headers=headers)


PLACES = ["/api/games/{}", "/api/games/1/steps/{}", "/{}", "/js/{}", "/api/{}", "/../{}"]


@settings(fuzzed, max_examples=100)
@given(what=anything, place=st.sampled_from(PLACES))
def test_no_address_leads_anywhere_it_should_not(desk: Desk, what: object, place: str) -> None:
    response = desk.send("GET", place.format(quote(str(what), safe="./")))
    assert "root:" not in response.text


HALF = BODY_LIMIT // 2 - 1


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "content",
    [b"[" * HALF + b"]" * HALF, b'{"seat":' + b"9" * HALF + b"}", b'"' + b"\\u0000" * 600 + b'"'],
    ids=["deep", "long number", "zeros"],
)
def test_deep_and_large_bodies_are_refused(desk: Desk, path: str, content: bytes) -> None:
    assert desk.send("POST", path, content=content, headers=HEADERS | JSON).status_code != 200


@pytest.mark.parametrize("path", [*POSTS, *GETS, "/", "/api/events"])
def test_nothing_else_than_what_is_described_is_answered(desk: Desk, path: str) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "GET" if path in POSTS else "POST"):
        response = desk.send(method, path.format(game=1, step=0, number=1), headers=HEADERS | JSON)
        assert response.status_code in (404, 405), (method, path)
