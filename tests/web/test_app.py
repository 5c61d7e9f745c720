"""What may be looked at, what may be asked, and what is answered."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from companion.web import hub as hub_module
from companion.web.archive import GameView, NotKept, ReplayView, StepView
from companion.web.hub import (
    Abandon,
    Answer,
    Correct,
    Hub,
    NewGame,
    Pause,
    Resume,
    Rule,
    StartHere,
    TableBusy,
    Undo,
)
from companion.web.models import Snapshot
from tests.web.conftest import CODE, HEADERS, Room, question


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(_run(test), 20))


async def _run(test: Callable[[], Awaitable[None]]) -> None:
    await test()


def test_the_snapshot_is_what_was_published(room: Room) -> None:
    async def test() -> None:
        room.hub.publish(question())
        room.hub.publish_lights([(255, 0, 16)] * 105)
        async with room.client() as client:
            response = await client.get("/api/snapshot")
        assert response.headers["cache-control"] == "no-store"
        shown = Snapshot.model_validate(response.json())
        assert shown == room.hub.latest
        assert shown.version > 0 and shown.lights == ("ff0010",) * 105
        assert CODE not in response.text

    run(test)


def test_the_page_comes_with_the_table_as_it_is(room: Room) -> None:
    async def test() -> None:
        nasty = "<script>\"Ada\" & 'Ben'</script>"
        room.hub.publish(question(text=nasty))
        async with room.client() as client:
            for path in ("/", "/index.html"):
                response = await client.get(path)
                assert response.headers["cache-control"] == "no-store"
                page = response.text
                assert nasty not in page and html.escape(nasty) in page
                found = re.search(r'<meta name="table" content="([^"]*)">', page)
                assert found is not None
                assert Snapshot.model_validate_json(html.unescape(found[1])) == room.hub.latest
                assert f'<p id="verdict-text">{html.escape(nasty)}</p>' in page
            assert (await client.head("/")).status_code == 200

    run(test)


def test_an_answer_reaches_the_table(room: Room) -> None:
    async def test() -> None:
        room.hub.publish(question())
        async with room.client() as client:
            asked = (await client.get("/api/snapshot")).json()["verdict"]["question"]
            body = {"key": "n4", "question": asked}
            response = await client.post("/api/answer", json=body, headers=HEADERS)
        assert (response.status_code, response.json()) == (200, {"text": "Done."})
        assert room.carried_out == [Answer("n4")]

    run(test)


def test_a_late_answer_does_not_meet_the_next_question(room: Room) -> None:
    async def test() -> None:
        room.hub.publish(question(turn=3))
        async with room.client() as client:
            old = (await client.get("/api/snapshot")).json()["verdict"]["question"]
            room.hub.publish(question(turn=4))
            late = await client.post("/api/answer", json={"key": "n4", "question": old}, headers=HEADERS)
            current = room.hub.latest.verdict
            assert current is not None
            body = {"key": "z9", "question": current.question}
            unknown = await client.post("/api/answer", json=body, headers=HEADERS)
        assert late.status_code == unknown.status_code == 409
        assert "settled" in late.json()["error"] and "buttons" in unknown.json()["error"]
        assert room.carried_out == []

    run(test)


def test_a_ruling_meets_only_what_it_was_made_on(room: Room) -> None:
    async def test() -> None:
        room.hub.publish(question(turn=3))
        async with room.client() as client:
            seen = (await client.get("/api/snapshot")).json()["verdict"]["question"]
            first = await client.post("/api/rule", json={"seat": 1, "question": seen}, headers=HEADERS)
            room.hub.publish(question(turn=4))
            late = await client.post("/api/rule", json={"seat": 1, "question": seen}, headers=HEADERS)
        assert (first.status_code, late.status_code) == (200, 409)
        assert "changed meanwhile" in late.json()["error"]
        assert room.carried_out == [Rule(1)]

    run(test)


def test_several_turns_are_asked_back_at_once(room: Room) -> None:
    async def test() -> None:
        room.hub.publish(question(turn=7))
        async with room.client() as client:
            response = await client.post("/api/undo", json={"turn": 7, "turns": 4}, headers=HEADERS)
        assert response.status_code == 200
        assert room.carried_out == [Undo(4)]

    run(test)


class Kept:
    """An archive of one game with two steps."""

    view = GameView(
        id=3,
        game="above",
        players=("Ada", "Ben"),
        begun_at=0.0,
        status="open",
        turns=1,
        text="Ben is to move.",
    )

    def games(self) -> tuple[GameView, ...]:
        return (self.view,)

    def replay(self, game: int) -> ReplayView:
        if game != 3:
            raise NotKept(f"The journal holds no game number {game}.")
        steps = [StepView(number=n, at=0.0, kind="turn", turn=n, text=f"step {n}") for n in range(2)]
        return ReplayView(game=self.view, steps=tuple(steps))

    def step(self, game: int, number: int) -> Snapshot:
        self.replay(game)
        if number > 1:
            raise NotKept("Game 3 has the steps 0 to 1.")
        return question(turn=number)

    def record(self, game: int) -> str:
        self.replay(game)
        return '{"game":"above"}\n'


def test_the_games_that_are_kept_can_be_looked_at_without_the_code(room: Room) -> None:
    async def test() -> None:
        async with room.client() as client:
            none = await client.get("/api/games")
            assert none.status_code == 404 and "No journal" in none.json()["error"]
            room.hub.archive = Kept()
            (game,) = (await client.get("/api/games")).json()
            assert (game["id"], game["status"], game["text"]) == (3, "open", "Ben is to move.")
            replay = (await client.get("/api/games/3")).json()
            assert [step["text"] for step in replay["steps"]] == ["step 0", "step 1"]
            assert (await client.get("/api/games/3/steps/1")).json()["turn"] == 1
            record = await client.get("/api/games/3/record")
            assert record.text == '{"game":"above"}\n'
            assert record.headers["content-disposition"] == 'attachment; filename="game-3.jsonl"'

    run(test)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/games/4", 404),
        ("/api/games/3/steps/2", 404),
        ("/api/games/4/record", 404),
        ("/api/games/none", 422),
        ("/api/games/0", 422),
        ("/api/games/3/steps/-1", 422),
        ("/api/games/99999999999999999999", 422),
    ],
)
def test_a_game_that_is_not_kept_is_said_plainly(room: Room, path: str, status: int) -> None:
    async def test() -> None:
        room.hub.archive = Kept()
        async with room.client() as client:
            response = await client.get(path)
        assert response.status_code == status
        assert list(response.json()) == ["error"] and response.json()["error"].endswith(".")

    run(test)


def test_two_phones_taking_back_at_once_take_back_one_turn(room: Room) -> None:
    async def test() -> None:
        room.hub.publish(question(turn=3))
        async with room.client() as client:
            first = await client.post("/api/undo", json={"turn": 3}, headers=HEADERS)
            room.hub.publish(question(turn=2))
            second = await client.post("/api/undo", json={"turn": 3}, headers=HEADERS)
        assert (first.status_code, second.status_code) == (200, 409)
        assert room.carried_out == [Undo()]

    run(test)


@pytest.mark.parametrize(
    ("path", "body", "command"),
    [
        ("new", {"players": 2}, NewGame(2)),
        ("new", {"players": 2, "ages": [1, 0]}, NewGame(2, (), (1, 0))),
        ("new", {"players": 4, "names": ["A", "B", "C", "Δ "]}, NewGame(4, ("A", "B", "C", "Δ"))),
        ("pause", {"paused": True}, Pause(True)),
        ("pause", {"paused": False}, Pause(False)),
        ("start", {"seat": 1}, StartHere(1)),
        ("resume", {"game": 7}, Resume(7)),
        ("abandon", {"game": 7}, Abandon(7)),
        (
            "correct",
            {"what": "mini", "place": "c2", "shown": "he", "said": "ar"},
            Correct("mini", "c2", "he", "ar"),
        ),
        (
            "correct",
            {"what": "card", "place": "column red", "shown": "p001", "said": "p010"},
            Correct("card", "column red", "p001", "p010"),
        ),
    ],
)
def test_other_requests_reach_the_table(room: Room, path: str, body: dict[str, Any], command: object) -> None:
    async def test() -> None:
        async with room.client() as client:
            response = await client.post(f"/api/{path}", json=body, headers=HEADERS)
        assert response.status_code == 200
        assert room.carried_out == [command]

    run(test)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("new", {"players": 3}),
        ("new", {"players": 2, "names": ["A"]}),
        ("new", {"players": 2, "names": ["A", ""]}),
        ("new", {"players": 2, "names": ["A", "A"]}),
        ("new", {"players": 2, "names": ["A", "B" * 25]}),
        ("new", {"players": 2, "names": ["A", "B\u202e"]}),
        ("new", {"players": 2, "names": ["A", "B"], "file": "x"}),
        ("new", {"players": 2, "ages": [1, 1]}),
        ("new", {"players": 2, "ages": [0]}),
        ("new", {"players": 7}),
        ("pause", {}),
        ("pause", {"paused": "perhaps"}),
        ("undo", {"turn": -1}),
        ("undo", {"turn": 10**9}),
        ("answer", {"key": "", "question": "x"}),
        ("answer", {"key": "k" * 401, "question": "x"}),
        ("answer", [1]),
        ("join", "please"),
        ("undo", {"turn": 1, "turns": 0}),
        ("correct", {"what": "hat", "place": "c2", "shown": "he", "said": "ar"}),
        ("correct", {"what": "mini", "place": "", "shown": "he", "said": "ar"}),
        ("correct", {"what": "mini", "place": "c" * 21, "shown": "he", "said": "ar"}),
        ("rule", {"seat": 0}),
        ("rule", {"seat": 6, "question": "x"}),
        ("start", {"seat": -1}),
        ("resume", {"game": 0}),
        ("abandon", {"game": 2**60}),
    ],
)
def test_bad_requests_are_refused_in_a_sentence(room: Room, path: str, body: Any) -> None:
    async def test() -> None:
        async with room.client() as client:
            response = await client.post(f"/api/{path}", json=body, headers=HEADERS)
        assert response.status_code == 422
        assert list(response.json()) == ["error"]
        assert response.json()["error"].endswith(".")
        assert room.carried_out == []

    run(test)


def test_broken_json_is_refused_in_a_sentence(room: Room) -> None:
    async def test() -> None:
        async with room.client() as client:
            response = await client.post(
                "/api/pause", content=b"{", headers=HEADERS | {"Content-Type": "application/json"}
            )
        assert response.status_code == 422
        assert "not understood" in response.json()["error"]

    run(test)


def test_the_tables_refusal_is_passed_on_in_its_words(room: Room) -> None:
    async def test() -> None:
        room.refuse_with = "No turn has been completed yet."
        async with room.client() as client:
            response = await client.post("/api/undo", json={"turn": 0}, headers=HEADERS)
        assert response.status_code == 409
        assert response.json() == {"error": "No turn has been completed yet."}

    run(test)


def test_a_table_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "ANSWER_S", 0.05)

    async def test() -> None:
        hub = Hub()
        with pytest.raises(TableBusy, match="nothing was changed"):
            await hub.ask(Undo())
        # What nobody waits for any more is not carried out later.
        assert hub.take_request() is None

    run(test)


def test_requests_do_not_pile_up() -> None:
    async def test() -> None:
        hub = Hub()
        asks = [asyncio.create_task(hub.ask(Pause(True))) for _ in range(hub_module.QUEUE_LIMIT + 3)]
        await asyncio.sleep(0)
        refused = [ask for ask in asks if ask.done()]
        assert len(refused) == 3
        assert all(isinstance(ask.exception(), TableBusy) for ask in refused)
        while request := hub.take_request():
            request.accept("Done.")
        outcomes = await asyncio.gather(*asks, return_exceptions=True)
        assert sum(not isinstance(outcome, TableBusy) for outcome in outcomes) == hub_module.QUEUE_LIMIT

    run(test)


def test_the_picture_is_drawn_only_for_those_who_look(room: Room) -> None:
    drawn: list[int] = []

    def picture(number: int) -> Callable[[], bytes]:
        def make() -> bytes:
            drawn.append(number)
            return b"jpeg %d" % number

        return make

    async def test() -> None:
        async with room.client() as client:
            missing = await client.get("/camera.jpg")
            assert missing.status_code == 404 and "picture" in missing.json()["error"]
            for number in range(5):
                room.hub.publish_picture(picture(number))
            assert drawn == []
            first = await client.get("/camera.jpg")
            assert (first.content, first.headers["content-type"]) == (b"jpeg 4", "image/jpeg")
            again = await client.get("/camera.jpg", headers={"If-None-Match": first.headers["etag"]})
            assert again.status_code == 304 and again.content == b""
            room.hub.publish_picture(picture(5))
            for _ in range(8):  # eight phones, one drawing
                await client.get("/camera.jpg")
            assert drawn == [4]
            room.clock.now += 0.5
            responses = await asyncio.gather(*(client.get("/camera.jpg") for _ in range(8)))
            assert {response.content for response in responses} == {b"jpeg 5"}
            assert drawn == [4, 5]

    run(test)


def test_the_record_can_be_downloaded(room: Room) -> None:
    async def test() -> None:
        async with room.client() as client:
            none = await client.get("/api/record")
            room.hub.record = lambda: '{"game":"above"}\n'
            response = await client.get("/api/record")
        assert none.status_code == 404 and "start one" in none.json()["error"]
        assert response.text == '{"game":"above"}\n'
        assert response.headers["content-disposition"] == 'attachment; filename="above-record.jsonl"'

    run(test)


@pytest.mark.parametrize(
    "path", ["/nowhere", "/api/nowhere", "/js/nowhere.js", "/../app.py", "/js/%2e%2e/%2e%2e/app.py", "/docs"]
)
def test_what_is_not_there_is_said_plainly(room: Room, path: str) -> None:
    async def test() -> None:
        async with room.client() as client:
            response = await client.get(path)
        assert response.status_code == 404
        assert list(response.json()) == ["error"]

    run(test)


def test_the_openapi_page_lists_every_request(room: Room) -> None:
    async def test() -> None:
        async with room.client() as client:
            paths = (await client.get("/openapi.json")).json()["paths"]
        assert {"/api/snapshot", "/api/events", "/camera.jpg", "/api/record", "/api/answer"} <= set(paths)
        changing = {path for path, methods in paths.items() if "post" in methods}
        assert changing and all(paths[path]["post"]["security"] for path in changing)
        assert all(list(methods) in (["get"], ["post"]) for methods in paths.values())
        for about in (about for methods in paths.values() for about in methods.values()):
            (kind, answer), *_ = about["responses"]["200"]["content"].items()
            assert kind != "application/json" or answer["schema"], about

    run(test)
