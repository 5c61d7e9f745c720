"""How phones join, keep their seat, and pass things on; and that no secret ever leaves."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from companion.web.phone_file import read_phones, write_phones
from companion.web.phones import FORGOTTEN_S, PHONES_LIMIT, Phone, Phones, Unwelcome
from tests.web.conftest import ADA, BEN, CODE, HEADERS, TOKEN, Clock, Room, question


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await test()

    asyncio.run(asyncio.wait_for(whole(), 20))


def table(known: tuple[Phone, ...] = (), clock: Clock | None = None) -> Phones:
    clock = clock or Clock()
    return Phones(CODE, clock=clock, ticks=clock, known=known)


def join(phones: Phones, token: str, code: str, seat: int | None = None, address: str = "here") -> Phone:
    return phones.join(token.ljust(30, "-"), code, seat, address=address, players=4)


def why(refused: pytest.ExceptionInfo[Unwelcome]) -> tuple[int, str]:
    return refused.value.status, str(refused.value)


def test_the_hosts_code_makes_a_host_and_the_invitation_gives_a_seat() -> None:
    phones = table()
    assert not phones.has_host
    host = join(phones, "h", CODE)
    assert host.host and host.seat is None and phones.has_host
    ada = join(phones, "a", phones.invitation, 2)
    assert not ada.host and ada.seat == 2
    assert [(each.seat, each.host) for each in phones.views()] == [(None, True), (2, False)]
    # Who scans once more is the same phone.
    assert join(phones, "a", phones.invitation, 3).id == ada.id
    assert join(phones, "h", CODE, 0) == phones.by_id(host.id)
    assert len(phones.all) == 2


@pytest.mark.parametrize(
    ("token", "code", "seat", "status", "words"),
    [
        ("b", "000000", 1, 401, "not the table's code"),
        ("b", "", 1, 401, "not the table's code"),
        ("b", "ünïcode", 1, 401, "not the table's code"),
        ("b", "invitation", None, 409, "Say which seat"),
        ("b", "invitation", 4, 409, "no such seat"),
        ("b", "invitation", 0, 409, "Another phone has that seat"),
        ("b", CODE, 0, 409, "Another phone has that seat"),
        ("a space", CODE, 1, 401, "token"),
        ("ä", CODE, 1, 401, "token"),
    ],
)
def test_who_may_not_join_is_told_why(
    token: str, code: str, seat: int | None, status: int, words: str
) -> None:
    phones = table()
    join(phones, "a", phones.invitation, 0)
    before = phones.all
    with pytest.raises(Unwelcome) as refused:
        join(phones, token, phones.invitation if code == "invitation" else code, seat)
    assert why(refused)[0] == status and words in why(refused)[1]
    assert phones.all == before


@pytest.mark.parametrize("token", [None, "", "short", "x" * 65, "x" * 30 + "\n"])
def test_a_token_must_be_long_and_plain(token: str | None) -> None:
    phones = table()
    with pytest.raises(Unwelcome):
        phones.join(token, CODE, None, address="here", players=2)
    assert phones.known(token) is None


def test_guessing_is_stopped_after_five_and_allowed_again_after_a_minute() -> None:
    clock = Clock()
    phones = table(clock=clock)
    for _ in range(5):
        with pytest.raises(Unwelcome):
            join(phones, "a", "111111", 0, "192.168.1.66")
    with pytest.raises(Unwelcome) as refused:
        join(phones, "a", phones.invitation, 0, "192.168.1.66")
    assert why(refused)[0] == 429 and 0 < refused.value.wait_s <= 60
    # One guesser does not lock the room out.
    assert join(phones, "b", phones.invitation, 1).seat == 1
    clock.now += 61
    assert join(phones, "a", phones.invitation, 0, "192.168.1.66").seat == 0


def test_a_seat_is_freed_by_the_host_and_an_old_invitation_is_worth_nothing() -> None:
    phones = table()
    old = phones.invitation
    ada = join(phones, "a", old, 0)
    phones.invite_anew()
    assert phones.invitation != old and phones.by_id(ada.id) is not None
    with pytest.raises(Unwelcome):
        join(phones, "b", old, 1)
    phones.free(0)
    assert phones.all == ()
    assert phones.known("a".ljust(30, "-")) is None
    with pytest.raises(Unwelcome, match="free already"):
        phones.free(0)


def test_freeing_the_hosts_seat_leaves_the_host() -> None:
    phones = table()
    host = join(phones, "h", CODE, 1)
    phones.free(1)
    left = phones.by_id(host.id)
    assert left is not None and left.host and left.seat is None


def test_the_hosts_rights_are_passed_on_once() -> None:
    phones = table()
    host, ada = join(phones, "h", CODE), join(phones, "a", phones.invitation, 0)
    for nobody in ("", host.id, "ffffffff"):
        with pytest.raises(Unwelcome, match="not here any more"):
            phones.pass_on(host, nobody)
    phones.pass_on(host, ada.id)
    assert [(each.seat, each.host) for each in phones.all] == [(None, False), (0, True)]


def test_the_evening_ends_and_a_seat_of_last_week_is_free() -> None:
    clock = Clock()
    phones = table(clock=clock)
    ada = join(phones, "a", phones.invitation, 0)
    clock.now += FORGOTTEN_S - 1
    assert phones.known("a".ljust(30, "-")) is not None
    clock.now += FORGOTTEN_S + 1
    assert phones.known("a".ljust(30, "-")) is None
    assert join(phones, "b", phones.invitation, 0).seat == 0
    assert phones.by_id(ada.id) is None
    assert table((ada,), clock).all == ()


def test_of_too_many_phones_the_most_silent_goes() -> None:
    clock = Clock()
    phones = table(clock=clock)
    for number in range(PHONES_LIMIT + 3):
        clock.now += 1
        join(phones, f"h{number}", CODE)
    assert len(phones.all) == PHONES_LIMIT
    assert phones.known("h0".ljust(30, "-")) is None and phones.known("h3".ljust(30, "-")) is not None


def test_a_phone_keeps_its_seat_over_reload_and_restart(room: Room, tmp_path: Path) -> None:
    path = tmp_path / "kept" / "phones.json"

    async def test() -> None:
        room.hub.publish(question())
        async with room.client() as client:
            joined = await client.post(
                "/api/join", json={"code": room.phones.invitation, "seat": 1}, headers=BEN
            )
            assert joined.status_code == 200
            here = await client.post("/api/here", json={}, headers=BEN)
            assert (here.json()["seat"], here.json()["id"]) == (1, joined.json()["id"])
        (kept,) = room.kept
        write_phones(path, kept)

    run(test)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "ben-phone" not in path.read_text() and TOKEN not in path.read_text()
    again = table(read_phones(path), room.clock)
    ben = again.known(BEN["X-Phone"])
    assert ben is not None and ben.seat == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "{}",
        '[{"id": "x"}]',
        '[{"digest": "d", "id": "i", "seat": 9, "host": false, "heard_at": 1}]',
        "[1]",
    ],
)
def test_a_damaged_file_only_means_joining_again(tmp_path: Path, text: str) -> None:
    path = tmp_path / "phones.json"
    assert read_phones(path) == ()
    path.write_text(text)
    assert read_phones(path) == ()


def test_a_file_that_cannot_be_written_is_only_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    write_phones(tmp_path / "file" / "phones.json", ())
    assert "join again" in caplog.text


def test_phones_come_and_go_on_the_page_of_everybody(room: Room) -> None:
    async def test() -> None:
        room.hub.publish(question())
        async with room.client() as client:

            async def post(path: str, body: dict[str, Any], headers: dict[str, str]) -> Any:
                answer = await client.post(f"/api/{path}", json=body, headers=headers)
                assert answer.status_code == 200, answer.text
                return answer.json()

            async def shown() -> list[tuple[int | None, bool]]:
                phones = (await client.get("/api/snapshot")).json()["phones"]
                return [(phone["seat"], phone["host"]) for phone in phones]

            assert await shown() == [(None, True)]
            assert (await post("here", {}, {}))["id"] == ""
            invitation = await post("invite", {}, HEADERS)
            ada = await post("join", {"code": invitation["code"], "seat": 0}, ADA)
            assert await shown() == [(None, True), (0, False)]
            await post("seat", {"seat": 1}, ADA)
            await post("pass", {"phone": ada["id"]}, HEADERS)
            assert await shown() == [(None, False), (1, True)]
            assert (await post("here", {}, HEADERS))["host"] is False
            await post("leave", {}, HEADERS)
            assert await shown() == [(1, True)]
            renewed = await post("invite", {"renew": True}, ADA)
            assert renewed["code"] != invitation["code"]

    run(test)


def test_the_invitation_leads_to_where_phones_reach_the_page(room: Room) -> None:
    async def test() -> None:
        async with room.client() as client:
            first = (await client.post("/api/invite", json={}, headers=HEADERS)).json()
            room.hub.addresses = ("http://192.168.1.5:8080", "http://table.local:8080")
            second = (await client.post("/api/invite", json={}, headers=HEADERS)).json()
        code = first["code"]
        assert [link["address"] for link in first["links"]] == [f"http://localhost:8080/#join={code}"]
        assert [link["address"] for link in second["links"]] == [
            f"http://192.168.1.5:8080/#join={code}",
            f"http://table.local:8080/#join={code}",
        ]

    run(test)


def test_no_secret_is_in_any_answer_but_the_hosts_own(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> str:
        room.hub.publish(question())
        said = []
        async with room.client() as client:
            for headers in ({}, HEADERS, ADA):
                for path in ("/", "/api/snapshot", "/openapi.json", "/api/games"):
                    said.append((await client.get(path, headers=headers)).text)
                body = {"code": room.phones.invitation, "seat": 0}
                for path, asked in (("join", body), ("here", {}), ("seat", {"seat": 9}), ("leave", {})):
                    said.append((await client.post(f"/api/{path}", json=asked, headers=headers)).text)
                said.append((await client.post("/api/join", json={"code": CODE}, headers=HEADERS)).text)
        return "\n".join(said)

    answers: list[str] = []

    async def whole() -> None:
        answers.append(await test())

    run(whole)
    digests = [phone.digest for phone in room.phones.all]
    secrets = [CODE, room.phones.invitation, TOKEN, ADA["X-Phone"], *digests]
    assert digests
    for secret in secrets:
        assert secret not in answers[0] and secret not in caplog.text


def test_the_qr_code_is_the_address(room: Room) -> None:
    """Drawn as a picture, a QR reader finds the address in it."""
    import cv2
    import numpy as np

    async def test() -> None:
        async with room.client() as client:
            link = (await client.post("/api/invite", json={}, headers=HEADERS)).json()["links"][0]
        size, scale, quiet = link["size"], 4, 4
        picture = np.full(((size + 2 * quiet) * scale,) * 2, 255, np.uint8)
        for stroke in link["path"].split("z")[:-1]:
            x, rest = stroke.removeprefix("M").split(" ")
            y, run_length = rest.split("h")[0], rest.split("h")[1].removesuffix("v1")
            left, top = (int(x) + quiet) * scale, (int(y) + quiet) * scale
            picture[top : top + scale, left : left + int(run_length) * scale] = 0
        found, _, _ = cv2.QRCodeDetectorAruco().detectAndDecode(picture)
        assert found == link["address"]

    run(test)


def test_the_file_holds_what_is_needed_and_no_more(tmp_path: Path) -> None:
    phones = table()
    join(phones, "a", phones.invitation, 0)
    write_phones(tmp_path / "phones.json", phones.all)
    (entry,) = json.loads((tmp_path / "phones.json").read_text())
    assert set(entry) == {"digest", "id", "seat", "host", "heard_at"}


@pytest.mark.parametrize("jump_s", [14 * 24 * 3600.0, -6 * 3600.0, 6 * 3600.0])
def test_a_clock_that_is_set_in_mid_evening_sends_nobody_home(jump_s: float) -> None:
    """A Pi that was off for two weeks begins where it was, until the network tells it what day it is."""
    wall, ticks = Clock(), Clock()
    phones = Phones(CODE, clock=wall, ticks=ticks)
    ada = join(phones, "a", CODE, 0)
    wall.now += jump_s + 60.0
    ticks.now += 60.0
    ben = join(phones, "b", phones.invitation, 1)
    with pytest.raises(Unwelcome):
        phones.sit(ben, 0, players=2)
    known = phones.known("a".ljust(30, "-"))
    assert known is not None and (known.id, known.seat, known.host) == (ada.id, 0, True)
    # What is kept goes by the clock as it is now; and an evening still ends.
    assert known.heard_at == wall.now
    for clock in (wall, ticks):
        clock.now += FORGOTTEN_S + 1
    assert phones.known("a".ljust(30, "-")) is None
