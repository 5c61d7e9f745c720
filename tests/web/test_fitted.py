"""The page's requests about lights, lamps and motors: only by whom they may come from, and only what is meant."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from companion.web.fitted import Lights, NightView, PanelView, PressButton, Sound, Stop, StopView
from companion.web.hub import Command
from companion.web.models import Snapshot
from tests.web.conftest import HEADERS, Room

ASKED = [
    ("stop", {"stopped": True}, Stop(True)),
    ("stop", {"stopped": False}, Stop(False)),
    ("lights", {"night": "night"}, Lights("night", None)),
    ("lights", {"test": True}, Lights(None, True)),
    ("lights", {}, Lights()),
    ("sound", {"silent": True}, Sound(True)),
    ("press", {"button": "yes"}, PressButton("yes")),
]


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await test()

    asyncio.run(asyncio.wait_for(whole(), 20))


@pytest.mark.parametrize(("path", "body", "command"), ASKED)
def test_the_hosts_requests_reach_the_table(
    room: Room, path: str, body: dict[str, Any], command: Command
) -> None:
    async def test() -> None:
        async with room.client() as client:
            answer = await client.post(f"/api/{path}", json=body, headers=HEADERS)
        assert answer.status_code == 200, answer.text
        assert answer.json() == {"text": "Done."}
        assert room.carried_out == [command]

    run(test)


@pytest.mark.parametrize(("path", "body", "command"), ASKED)
def test_anybody_may_stop_the_motors_and_nothing_else(
    room: Room, path: str, body: dict[str, Any], command: Command
) -> None:
    async def test() -> None:
        async with room.client() as client:
            answer = await client.post(f"/api/{path}", json=body)
        if command == Stop(True):
            assert answer.status_code == 200 and room.carried_out == [command]
        else:
            assert answer.status_code == 401 and room.carried_out == []

    run(test)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("stop", {}),
        ("stop", {"stopped": True, "now": 1}),
        ("lights", {"night": "dusk"}),
        ("sound", {"silent": "maybe so"}),
        ("press", {"button": "doorbell"}),
    ],
)
def test_what_is_not_meant_is_refused(room: Room, path: str, body: dict[str, Any]) -> None:
    async def test() -> None:
        async with room.client() as client:
            answer = await client.post(f"/api/{path}", json=body, headers=HEADERS)
        assert answer.status_code == 422
        assert answer.json()["error"].endswith(".")
        assert room.carried_out == []

    run(test)


def test_the_tables_refusal_is_told(room: Room) -> None:
    async def test() -> None:
        room.refuse_with = "The emergency button is still pressed."
        async with room.client() as client:
            answer = await client.post("/api/stop", json={"stopped": False}, headers=HEADERS)
        assert (answer.status_code, answer.json()["error"]) == (409, room.refuse_with)

    run(test)


def test_the_snapshot_shows_what_is_fitted_and_nothing_else(room: Room) -> None:
    bare = Snapshot().model_dump()
    assert (bare["stop"], bare["night"], bare["panel"]) == (None, None, None)
    fitted = Snapshot(
        stop=StopView(on=True, by="button", held=True),
        night=NightView(mode="night", dark=True),
        panel=PanelView(
            lamps={"green": "steady"}, buttons={"yes": "Ada is done"}, silent=False, pressable=True
        ),
    )
    assert Snapshot.model_validate_json(fitted.model_dump_json()) == fitted
