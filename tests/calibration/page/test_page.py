"""The page: the latest view and picture for everybody, keys only for those with the code."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping

import cv2
import httpx
import numpy as np
import pytest
from fastapi import FastAPI

from calibration.form import Field, Form
from calibration.page.app import create_page
from calibration.page.board import NoticeBoard
from calibration.session import Key, Phase, View
from calibration.step import Advice
from companion.sensing.frames import Frame
from tests.calibration.scripted import outcome

CODE = "314159"
HEADERS = {"X-Table-Code": CODE}


class Room:
    """A page with somebody behind it who takes the keys in `offered`."""

    def __init__(self) -> None:
        self.offered: set[Key] = set()
        self.pressed: list[Key] = []
        self.answers: list[tuple[int, object]] = []
        self.board = NoticeBoard(self._press, self._answer)
        self.app: FastAPI = create_page(self.board, CODE, clock=lambda: 0.0)

    def _press(self, key: Key) -> bool:
        if key not in self.offered:
            return False
        self.pressed.append(key)
        return True

    def _answer(self, number: int, values: Mapping[str, str] | None) -> bool:
        self.answers.append((number, values))
        return number == 3

    def ask(self, what: Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]) -> httpx.Response:
        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client:
                return await what(client)

        return asyncio.run(asked())


def test_the_view_is_shown_as_it_is() -> None:
    room = Room()
    advice = Advice("ring 3: turn 2.1° clockwise", 0.5, ("2 of 6",), ((255, 150, 0),) * 105)
    room.board.show(
        View(Phase.MEASURING, "rings", "Laying", 1, 2, "Do", advice, keys=(Key.ENOUGH,), simulated=True)
    )
    said = room.ask(lambda client: client.get("/api/state")).json()
    assert (said["phase"], said["step"], said["simulated"]) == ("measuring", "rings", True)
    assert said["advice"]["text"] == "ring 3: turn 2.1° clockwise"
    assert said["advice"]["lights"] == ["#ff9600"] * 97
    assert said["keys"] == [{"key": "enough", "words": "that is enough"}]
    room.board.show(View(Phase.JUDGED, outcome=outcome(False)))
    said = room.ask(lambda client: client.get("/api/state")).json()
    assert said["findings"][0]["advice"] == "tilt it"
    assert said["advice"] is None


def test_the_picture_has_the_drawing_in_it() -> None:
    room = Room()
    assert room.ask(lambda client: client.get("/api/picture")).status_code == 404

    def draw(image: np.ndarray) -> np.ndarray:
        return np.full_like(image, 200)

    frame = Frame(np.zeros((90, 160, 3), np.uint8), 1.0, 7)
    room.board.show(View(Phase.MEASURING, advice=Advice("x", draw=draw)), frame)
    answer = room.ask(lambda client: client.get("/api/picture"))
    assert answer.headers["content-type"] == "image/jpeg"
    image = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (90, 160, 3)
    assert abs(int(image.mean()) - 200) < 4
    assert room.ask(lambda client: client.get("/api/state")).json()["picture"] == 7


def test_a_key_needs_the_code_and_must_be_offered() -> None:
    room = Room()
    room.offered = {Key.KEEP}
    keep = {"key": "keep"}
    assert room.ask(lambda client: client.post("/api/press", json=keep)).status_code == 401
    wrong = {"X-Table-Code": "000000"}
    assert room.ask(lambda client: client.post("/api/press", json=keep, headers=wrong)).status_code == 401
    answer = room.ask(lambda client: client.post("/api/press", json={"key": "back"}, headers=HEADERS))
    assert answer.status_code == 409
    assert "look at the page again" in answer.json()["error"]
    assert (
        room.ask(lambda client: client.post("/api/press", json={"key": "jump"}, headers=HEADERS)).status_code
        == 422
    )
    assert room.pressed == []
    assert room.ask(lambda client: client.post("/api/press", json=keep, headers=HEADERS)).json() == {
        "taken": True
    }
    assert room.pressed == [Key.KEEP]


def test_a_form_is_shown_and_answered_by_those_with_the_code() -> None:
    room = Room()
    form = Form(3, "Hera, <b>set 1", (Field("ring", "the ring", "3", ("3", "4")),))
    room.board.show(View(Phase.MEASURING, advice=Advice("?", form=form)))
    said = room.ask(lambda client: client.get("/api/state")).json()["advice"]["form"]
    assert (said["number"], said["title"], said["fields"][0]["choices"]) == (3, "Hera, <b>set 1", ["3", "4"])
    right = {"number": 3, "values": {"ring": "4"}}

    def post(body: object, headers: dict[str, str] | None = None) -> int:
        return room.ask(
            lambda client: client.post("/api/answer", json=body, headers=headers or {})
        ).status_code

    assert post(right) == 401
    assert post({"number": 3, "values": {"ring": "4" * 201}}, HEADERS) == 422
    assert room.answers == []
    assert post(right, HEADERS) == 200
    assert post({"number": 2}, HEADERS) == 409
    assert room.answers == [(3, {"ring": "4"}), (2, None)]


def test_other_sites_may_not_press() -> None:
    room = Room()
    room.offered = {Key.KEEP}
    foreign = {**HEADERS, "Origin": "http://evil.example"}
    assert (
        room.ask(lambda client: client.post("/api/press", json={"key": "keep"}, headers=foreign)).status_code
        == 403
    )
    assert room.pressed == []


def test_the_page_itself_is_served() -> None:
    room = Room()
    for path, kind in (("/", "text/html"), ("/page.js", "javascript"), ("/style.css", "text/css")):
        answer = room.ask(lambda client, path=path: client.get(path))  # type: ignore[misc]
        assert answer.status_code == 200
        assert kind in answer.headers["content-type"]
        assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_the_stream_brings_the_latest_and_ends_with_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.page.app.PERIOD_S", 0.001)
    room = Room()

    async def listen() -> list[str]:
        events: list[str] = []
        room.board.show(View(Phase.INTRO, "one"))

        async def act() -> None:
            for name in ("two", "three"):
                await asyncio.sleep(0.03)
                room.board.show(View(Phase.INTRO, name))
            await asyncio.sleep(0.03)
            room.board.close()

        from calibration.page.app import _stream

        acting = asyncio.create_task(act())
        async for chunk in _stream(room.board):
            text = chunk.decode()
            if text.startswith("event: view"):
                events.append(json.loads(text.partition("data: ")[2])["step"])
        await acting
        return events

    assert asyncio.run(listen()) == ["one", "two", "three"]
