"""Which language a phone is answered in, and that everything it is told comes in it."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest

from companion.messages import say
from companion.web.app import create_app
from companion.web.hub import Hub, Seen
from companion.web.language import LANGUAGE, language_of, page_words, page_words_address
from companion.web.models import Snapshot, VerdictView
from companion.web.phones import Phones

VERDICT = VerdictView(kind="ready", seat=0, text=say("above.choose_card", name="Ada"))
FRENCH = "Ada\u00a0: choisissez une carte Active, retournez-la et déplacez sa divinité."


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({}, "en"),
        ({"accept-language": "fr-CH, fr;q=0.9, en;q=0.8"}, "fr"),
        ({"accept-language": "de-DE,de;q=0.9,he;q=0.5,en;q=0.4"}, "he"),
        ({"accept-language": "iw"}, "he"),
        ({"accept-language": "en;q=0.3, fr;q=0.7"}, "fr"),
        ({"accept-language": "fr;q=0, en"}, "en"),
        ({"accept-language": "de"}, "en"),
        ({"accept-language": "fr;q=oops"}, "en"),
        ({"accept-language": "\u0000;;,,q=" * 50}, "en"),
        ({"accept-language": "fr", "cookie": "a=b; language=he"}, "he"),
        ({"accept-language": "fr", "cookie": "language=xx"}, "fr"),
        ({"accept-language": "fr", "cookie": "=;\u0001;;"}, "fr"),
    ],
)
def test_the_chosen_language_counts_before_the_browser_s(headers: dict[str, str], language: str) -> None:
    assert language_of(headers) == language


def _client(hub: Hub) -> httpx.AsyncClient:
    app = create_app(hub, Phones("123456", clock=lambda: 0.0, ticks=lambda: 0.0))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")


async def _get(hub: Hub, path: str, language: str) -> httpx.Response:
    async with _client(hub) as client:
        return await client.get(path, headers={"Accept-Language": language})


def test_the_snapshot_comes_in_the_phone_s_language() -> None:
    async def ask() -> None:
        hub = Hub()
        hub.publish(Snapshot(verdict=VERDICT))
        said = {
            language: (await _get(hub, "/api/snapshot", language)).json()["verdict"]["text"]
            for language in ("en", "fr", "he", "en")
        }
        assert said["en"] == VERDICT.text
        assert said["fr"] == FRENCH
        assert said["he"].startswith("\u2068Ada\u2069: בחרו קלף טעון")
        # Nothing of it stays behind.
        assert LANGUAGE.get() == "en"

    asyncio.run(ask())


def test_the_page_is_painted_in_the_phone_s_language_and_direction() -> None:
    async def ask() -> None:
        hub = Hub()
        hub.publish(Snapshot(verdict=VERDICT))
        page = (await _get(hub, "/", "he")).text
        assert '<html lang="he" dir="rtl">' in page
        assert page_words_address("he") in page
        assert "בחרו קלף טעון" in page
        assert "בעזרת JavaScript" in page
        assert '<html lang="fr" dir="ltr">' in (await _get(hub, "/", "fr")).text

    asyncio.run(ask())


def test_the_page_s_words_may_be_kept_for_good_since_their_address_changes_with_them() -> None:
    async def ask() -> None:
        answer = await _get(Hub(), f"/{page_words_address('fr')}", "en")
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert answer.json()["strings"]["kind.illegal"] == "Pas permis"
        assert page_words_address("fr") != page_words_address("he")
        assert (await _get(Hub(), "/messages/xx.json", "en")).status_code == 404

    asyncio.run(ask())


def test_refusals_come_in_the_phone_s_language() -> None:
    async def ask() -> None:
        assert (
            (await _get(Hub(), "/api/record", "fr"))
            .json()["error"]
            .startswith("Il n’y a pas encore de partie")
        )
        assert "אין כאן" in (await _get(Hub(), "/nowhere", "he")).json()["error"]
        async with _client(Hub()) as client:
            answer = await client.post(
                "/api/pause",
                json={"paused": True},
                headers={"Cookie": "language=fr", "Origin": "http://elsewhere"},
            )
            assert answer.status_code == 403
            assert answer.json()["error"].startswith("Un autre site")
            answer = await client.post("/api/pause", json={"paused": True}, headers={"Cookie": "language=fr"})
            assert answer.status_code == 401
            assert answer.json()["error"].startswith("Pour agir, ce téléphone")

    asyncio.run(ask())


def test_a_reader_is_given_the_news_in_its_language() -> None:
    hub = Hub()
    hub.publish(Snapshot(verdict=VERDICT))
    before = LANGUAGE.set("fr")
    try:
        news = dict(hub.news(Seen()))
    finally:
        LANGUAGE.reset(before)
    assert json.loads(news["snapshot"])["verdict"]["text"] == FRENCH
    assert json.loads(dict(hub.news(Seen()))["snapshot"])["verdict"]["text"] == VERDICT.text


def test_every_piece_has_its_name_on_the_page() -> None:
    strings = json.loads(page_words("en"))["strings"]
    assert (strings["deity.ze"], strings["contender.blue"]) == ("Zeus", "Blue")
