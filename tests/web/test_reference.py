"""The API's reference: everything is in it, every link leads somewhere, and nothing needs another site."""

from __future__ import annotations

import asyncio
import re
from html.parser import HTMLParser

from companion.web.reference import reference_page
from tests.web.conftest import Room


class Balance(HTMLParser):
    """Every element that is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_all_requests_and_models_are_in_the_reference() -> None:
    api = Room().app.openapi()
    page = reference_page(api)
    for path in api["paths"]:
        assert f"<code>{path}</code>" in page
    links = set(re.findall(r'href="#(\w+)"', page))
    assert links and links <= set(re.findall(r'<section id="(\w+)"', page))
    assert "Answer the question that the table asks now" in page
    assert not re.search(r"<script|style=|https?://", page)
    balance = Balance()
    balance.feed(page)
    assert balance.open == []


def test_what_a_description_says_is_text_and_not_markup() -> None:
    nasty = "<script>alert('x')</script>"
    about = {"description": nasty, "responses": {"200": {"content": {"text/plain": {}}}}}
    api = {"paths": {"/api/x": {"get": about}}, "components": {"schemas": {"X": {"description": nasty}}}}
    assert "<script>" not in reference_page(api)


def test_the_reference_is_served_under_the_same_policy() -> None:
    room = Room()

    async def test() -> None:
        async with room.client() as client:
            page = await client.get("/api")
        assert page.status_code == 200 and "text/html" in page.headers["content-type"]
        assert "unsafe" not in page.headers["content-security-policy"]

    asyncio.run(test())
