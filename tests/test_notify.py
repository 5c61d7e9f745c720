"""What systemd is told: read from a socket as systemd has one."""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.notify import SIGNS, STATUS_S, Manager, report
from companion.virtual.loop import VirtualTimeLoop


@contextmanager
def listening(address: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        ear.setblocking(False)
        yield ear


def heard(ear: socket.socket) -> list[dict[str, str]]:
    said: list[dict[str, str]] = []
    while True:
        try:
            text = ear.recv(4096).decode()
        except BlockingIOError:
            return said
        said.append(dict(line.split("=", 1) for line in text.splitlines()))


def told_while(alive: list[str], watchdog_s: float | None, seconds: float) -> list[dict[str, str]]:
    """All messages of so many (virtual) seconds; `alive` is asked once a sign, its last word stays."""
    address = f"@olympus-test-{os.getpid()}"
    loop = VirtualTimeLoop(lambda: 0.0)

    async def running() -> None:
        def is_alive() -> str:
            return alive.pop(0) if len(alive) > 1 else alive[0]

        task = asyncio.create_task(report(Manager(address, watchdog_s), is_alive, lambda: "Above\ngoes on"))
        await asyncio.sleep(seconds)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    with listening(address) as ear:
        try:
            loop.run_until_complete(running())
        finally:
            loop.close()
        return heard(ear)


def test_ready_once_then_signs_of_life_in_time_then_stopping() -> None:
    said = told_while([""], 30.0, 60.5)
    assert said[0] == {"READY": "1", "STATUS": "Above goes on"}
    assert said[-1] == {"STOPPING": "1"}
    assert said[1:-1] == [{"WATCHDOG": "1", "STATUS": "Above goes on"}] * 7
    assert 60 / (30 / SIGNS) + 1 == 7


def test_what_stands_still_gives_no_sign_of_life(caplog: pytest.LogCaptureFixture) -> None:
    said = told_while(["", "The camera hangs."], 30.0, 45.0)
    assert [message.get("WATCHDOG") for message in said[1:-1]] == ["1", None, None, None, None]
    assert said[2]["STATUS"] == "The camera hangs."
    assert caplog.text.count("The camera hangs.") == 1


def test_what_moves_again_is_alive_again() -> None:
    said = told_while(["", "The camera hangs.", ""], 30.0, 25.0)
    assert [message.get("WATCHDOG") for message in said[1:-1]] == ["1", None, "1"]


def test_without_a_watchdog_only_the_status_is_told() -> None:
    said = told_while([""], None, 2.5 * STATUS_S)
    assert said[1:-1] == [{"STATUS": "Above goes on"}] * 3


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, Manager()),
        ({"NOTIFY_SOCKET": "relative"}, Manager()),
        ({"NOTIFY_SOCKET": "/run/n"}, Manager("/run/n")),
        ({"NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": "30000000"}, Manager("@n", 30.0)),
        ({"NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"}, Manager("@n", 30.0)),
        ({"NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"}, Manager("@n")),
        ({"NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": "soon"}, Manager("@n")),
        ({"NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": "0"}, Manager("@n")),
    ],
)
def test_who_asks_is_found_in_the_environment(environment: dict[str, str], expected: Manager) -> None:
    assert Manager.found(environment, pid=7) == expected


def test_a_socket_in_the_file_system_is_used_too() -> None:
    with tempfile.TemporaryDirectory() as folder, listening(f"{folder}/n") as ear:
        assert Manager(f"{folder}/n").tell(READY="1")
        assert heard(ear) == [{"READY": "1"}]


def test_nobody_listening_is_no_trouble(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    assert not Manager().tell(READY="1")
    assert not caplog.records
    assert not Manager(str(tmp_path / "nobody")).tell(READY="1")
    assert "systemd cannot be told" in caplog.text
