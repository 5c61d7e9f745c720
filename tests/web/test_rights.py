"""Who may ask for what: watchers, seats and the host, request by request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from companion.referee.verdict import Choice, Kind, Verdict
from companion.web.hub import Answer, Undo
from companion.web.models import HistoryLine, Snapshot, VerdictView
from tests.web.conftest import ADA, BEN, CODE, HEADERS, TOKEN, Room, question


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await test()

    asyncio.run(asyncio.wait_for(whole(), 20))


def sentence(response: httpx.Response) -> str:
    body = response.json()
    assert list(body) == ["error"] and body["error"].endswith(".")
    return str(body["error"])


def played(turns: int = 3) -> Snapshot:
    """Ada, at seat 0, is asked; Ben, at seat 1, has played last."""
    line = HistoryLine(turn=turns, seat=1, name="Ben", text="Hera to c2.")
    return question(turns).model_copy(update={"history": (line,)})


HOSTS = [
    ("correct", {"what": "mini", "place": "c2", "shown": "he", "said": "ar"}),
    ("rule", {"seat": 0, "question": "?"}),
    ("start", {"seat": 0}),
    ("resume", {"game": 1}),
    ("abandon", {"game": 1}),
    ("new", {"players": 2}),
    ("lights", {"night": "day"}),
    ("press", {"button": "yes"}),
    ("stop", {"stopped": False}),
    ("free", {"seat": 0}),
    ("pass", {"phone": "?"}),
    ("invite", {}),
    ("practice/seat", {"seat": 1, "taken": True}),
]
SEATS = [("undo", {"turn": 3}), ("pause", {"paused": True}), ("sound", {"silent": True})]
AT_PRACTICE = [
    ("practice/put", {"piece": "mini ze", "x": 0, "y": 0}),
    ("practice/turn", {"piece": "card ze 1"}),
    ("practice/private", {"seat": 0}),
    ("practice/predict", {"seat": 0, "first": "red", "second": "blue"}),
]
JOINED = [("answer", {"key": "l6", "question": "?"}), ("seat", {"seat": 1}), ("leave", {}), ("preflight", {})]
ALL = {"here", "join", "stop"} | {path for path, _ in HOSTS + SEATS + JOINED + AT_PRACTICE}


def bodies(room: Room, body: dict[str, Any]) -> dict[str, Any]:
    """The body with what only the running table knows."""
    verdict = room.hub.latest.verdict
    assert verdict is not None
    filled = {"question": verdict.question, "phone": room.phones.all[-1].id}
    return {key: filled[key] if value == "?" else value for key, value in body.items()}


def test_every_request_is_in_this_test(room: Room) -> None:
    paths = room.app.openapi()["paths"]
    assert {path for path, about in paths.items() if "post" in about} == {f"/api/{name}" for name in ALL}


@pytest.mark.parametrize(("path", "body"), HOSTS + SEATS + JOINED + AT_PRACTICE)
def test_who_has_not_joined_only_looks_on(room: Room, path: str, body: dict[str, Any]) -> None:
    async def test() -> None:
        room.hub.publish(played())
        before = room.phones.all
        async with room.client() as client:
            for headers in ({}, {"X-Phone": ""}, {"X-Phone": CODE}, {"X-Phone": TOKEN[:-1]}, ADA):
                response = await client.post(f"/api/{path}", json=bodies(room, body), headers=headers)
                assert response.status_code == 401
                assert "join" in sentence(response)
        assert room.carried_out == [] and room.phones.all == before

    run(test)


@pytest.mark.parametrize(("path", "body"), HOSTS)
def test_a_seat_may_not_do_what_is_the_hosts(room: Room, path: str, body: dict[str, Any]) -> None:
    async def test() -> None:
        room.hub.publish(played())
        room.seat(ADA, 0)
        async with room.client() as client:
            refused = await client.post(f"/api/{path}", json=bodies(room, body), headers=ADA)
            assert refused.status_code == 403 and "host" in sentence(refused)
            assert room.carried_out == []
            response = await client.post(f"/api/{path}", json=bodies(room, body), headers=HEADERS)
        assert response.status_code == (404 if path.startswith("practice") else 200), response.text

    run(test)


@pytest.mark.parametrize(("path", "body"), [each for each in SEATS if each[0] != "undo"])
def test_any_seat_may_pause_and_silence(room: Room, path: str, body: dict[str, Any]) -> None:
    async def test() -> None:
        room.hub.publish(played())
        room.seat(ADA, 0)
        async with room.client() as client:
            response = await client.post(f"/api/{path}", json=body, headers=ADA)
        assert response.status_code == 200 and len(room.carried_out) == 1

    run(test)


def test_a_seat_answers_only_its_own_question_and_the_host_any(room: Room) -> None:
    async def test() -> None:
        room.hub.publish(played())
        room.seat(ADA, 0)
        room.seat(BEN, 1)
        body = bodies(room, {"key": "n4", "question": "?"})
        async with room.client() as client:
            others = await client.post("/api/answer", json=body, headers=BEN)
            assert others.status_code == 403 and "Ada" in sentence(others)
            assert room.carried_out == []
            for headers in (ADA, HEADERS):
                assert (await client.post("/api/answer", json=body, headers=headers)).status_code == 200
        assert room.carried_out == [Answer("n4")] * 2

    run(test)


def test_what_is_nobodys_own_question_is_the_hosts_or_without_one_any_seats(room: Room) -> None:
    verdict = Verdict(Kind.SETUP, 0, "Who begins?", choices=(Choice("0", "Ada"), Choice("1", "Ben")))

    async def test() -> None:
        room.hub.publish(played().model_copy(update={"verdict": VerdictView.of(verdict, 0)}))
        assert room.hub.latest.asks is None
        room.seat(ADA, 0)
        room.seat(BEN, 1)
        body = bodies(room, {"key": "1", "question": "?"})
        async with room.client() as client:
            refused = await client.post("/api/answer", json=body, headers=BEN)
            assert refused.status_code == 403 and "host" in sentence(refused)
            assert (await client.post("/api/leave", json={}, headers=HEADERS)).status_code == 200
            assert (await client.post("/api/answer", json=body, headers=BEN)).status_code == 200
        assert room.carried_out == [Answer("1")]

    run(test)


def test_a_seat_takes_back_its_own_last_turn_and_no_other(room: Room) -> None:
    async def test() -> None:
        room.hub.publish(played())
        room.seat(ADA, 0)
        room.seat(BEN, 1)
        async with room.client() as client:
            for headers, turns in ((ADA, 1), (BEN, 2)):
                body = {"turn": 3, "turns": turns}
                refused = await client.post("/api/undo", json=body, headers=headers)
                assert refused.status_code == 403 and "own last turn" in sentence(refused)
            assert (await client.post("/api/undo", json={"turn": 3}, headers=BEN)).status_code == 200
        assert room.carried_out == [Undo(1)]

    run(test)
