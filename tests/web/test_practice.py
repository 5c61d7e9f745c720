"""The practice table's requests: only with the code, only what hands can do, and never at a real table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx
import pytest

from companion.web.practice import PracticeView
from tests.web.conftest import ADA, BEN, HEADERS, Room
from tests.web.practising import CardRoom, PracticeRoom, Practising


@asynccontextmanager
async def client_of(room: Practising) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(room.app, client=("192.168.1.20", 5000))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8080") as client:
        yield client


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await test()

    asyncio.run(asyncio.wait_for(whole(), 20))


def test_a_seat_is_taken_over_and_its_piece_goes_where_it_is_put() -> None:
    room = PracticeRoom()

    async def test() -> None:
        async with client_of(room) as client:
            seat = {"seat": room.seat, "taken": True}
            answer = await client.post("/api/practice/seat", json=seat, headers=HEADERS)
            assert answer.status_code == 200, answer.text
            x, y, _ = room.scene.printed_centre("h6")
            put = {"piece": "mini ze", "x": x, "y": y}
            answer = await client.post("/api/practice/put", json=put, headers=HEADERS)
            assert answer.status_code == 200, answer.text
            turned = room.scene.piece("card po 1").powered
            await client.post("/api/practice/turn", json={"piece": "card po 1"}, headers=HEADERS)
            room.pass_time(8)
            view = PracticeView.model_validate((await client.get("/api/practice")).json())
        assert view.seats == (room.seat,)
        zeus = next(thing for thing in view.things if thing.name == "mini ze")
        assert room.scene.space_at(zeus.x, zeus.y) == "h6"
        assert room.scene.piece("card po 1").powered is not turned
        assert len(view.things) == 8 + 24 + 16 and len(view.rings) == 6

    run(test)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("put", {"piece": "mini ze", "x": 0, "y": 0}, 409),  # nobody has taken a seat
        ("seat", {"seat": 4, "taken": True}, 409),
        ("seat", {"seat": 9, "taken": True}, 422),
        ("put", {"piece": "mini ze", "x": 1e9, "y": 0}, 422),
        ("put", {"piece": "mini ze", "x": "nan", "y": 0}, 422),
        ("put", {"piece": "", "x": 0, "y": 0}, 422),
        ("turn", {"piece": "../../etc/passwd" * 9}, 422),
        ("turn", {}, 422),
    ],
)
def test_what_cannot_be_done_is_refused_and_moves_nothing(
    path: str, body: dict[str, object], status: int
) -> None:
    room = PracticeRoom()
    before = [piece.pose for piece in room.scene.pieces()]

    async def test() -> None:
        async with client_of(room) as client:
            answer = await client.post(f"/api/practice/{path}", json=body, headers=HEADERS)
        assert answer.status_code == status, answer.text
        assert answer.json()["error"]
        assert [piece.pose for piece in room.scene.pieces()] == before

    run(test)


def test_who_has_no_code_takes_no_seat() -> None:
    room = PracticeRoom()

    async def test() -> None:
        async with client_of(room) as client:
            answer = await client.post("/api/practice/seat", json={"seat": 0, "taken": True})
        assert answer.status_code == 401

    run(test)


def test_the_pieces_of_a_real_table_are_moved_by_hand(room: Room) -> None:
    async def test() -> None:
        async with room.client() as client:
            assert (await client.get("/api/practice")).status_code == 404
            seat = {"seat": 0, "taken": True}
            answer = await client.post("/api/practice/seat", json=seat, headers=HEADERS)
        assert answer.status_code == 404
        assert "by hand" in answer.json()["error"]

    run(test)


def seated_cards(room: CardRoom) -> None:
    """Ada and Ben have joined, and both play at the table themselves."""
    for headers, seat in ((ADA, 0), (BEN, 1)):
        room.phones.join(headers["X-Phone"], room.phones.invitation, seat, address="there", players=3)
        room.simulated.practice.take(seat, True)


def test_a_hand_of_cards_is_shown_to_nobody_but_its_player() -> None:
    room = CardRoom(players=3)
    seated_cards(room)

    async def test() -> None:
        async with client_of(room) as client:

            async def look(seat: int, headers: dict[str, str]) -> httpx.Response:
                return await client.post("/api/practice/private", json={"seat": seat}, headers=headers)

            mine = await look(0, ADA)
            assert [card["id"] for card in mine.json()["cards"]] == sorted(room.match.secrets.hands[0])
            for seat, headers in ((0, BEN), (1, ADA), (0, HEADERS), (1, HEADERS)):
                refused = await look(seat, headers)
                assert refused.status_code == 403 and "cards" not in refused.json()
            # Nobody plays the third seat but the simulated people.
            assert (await look(2, HEADERS)).status_code == 409
            theirs = {"piece": room.match.secrets.hands[1][0], "x": 0, "y": 0}
            stolen = await client.post("/api/practice/put", json=theirs, headers=ADA)
            assert stolen.status_code == 409
            tiles = {"seat": 1, "first": "red", "second": "blue"}
            assert (await client.post("/api/practice/predict", json=tiles, headers=ADA)).status_code == 403

    run(test)


def test_nothing_hidden_is_in_the_view_of_the_table() -> None:
    room = CardRoom(players=3)
    seated_cards(room)
    card = room.match.secrets.hands[0][0]
    room.simulated.practice.put(card, *room.match.scene.table.reveal_centres_mm[0], frozenset((0,)))
    seen = []
    for _ in range(12):
        room.pass_time(0.3)
        view = room.simulated.practice.view()
        seen.append(view)
        hidden = {each for hand in room.match.secrets.hands for each in hand}
        hidden -= {
            thing.what for thing in room.match.scene.things("card") if thing.face_up and thing.layer < 90
        }
        told = json.dumps(view.model_dump(mode="json"))
        assert not [each for each in hidden if f'"{each}"' in told]
    assert any(thing.name == "down 0" for view in seen for thing in view.things), "the card lies face down"
