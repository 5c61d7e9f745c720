"""Latest wins, and nothing new is no news."""

from __future__ import annotations

import asyncio
import weakref

from companion.referee.verdict import Choice, Kind, Mark, Todo, Verdict
from companion.web.hub import Hub, Seen
from companion.web.models import Snapshot, VerdictView, hex_colours
from tests.web.conftest import Clock, question


def test_the_version_grows_with_what_is_new_and_only_then() -> None:
    hub = Hub()
    assert hub.publish(question(turn=1)) == 1
    assert hub.publish(question(turn=1)) == 1
    assert hub.publish(question(turn=2)) == 2
    assert hub.publish(question(turn=1).model_copy(update={"version": 99})) == 3


def test_a_reader_gets_the_newest_once() -> None:
    hub, seen = Hub(), Seen()
    for turn in range(10):
        hub.publish(question(turn=turn))
    [(name, data)] = [event for event in hub.news(seen) if event[0] == "snapshot"]
    assert Snapshot.model_validate_json(data).turn == 9
    assert name == "snapshot"
    assert hub.news(seen) == []


def test_lights_alone_travel_alone() -> None:
    hub, seen = Hub(), Seen()
    hub.publish(question())
    hub.news(seen)
    hub.publish_lights([(1, 2, 255)])
    assert hub.news(seen) == [("lights", b'["0102ff"]')]
    hub.publish_lights([(1, 2, 255)])
    assert hub.news(seen) == []
    assert hub.latest.lights == ("0102ff",)
    assert Snapshot.model_validate_json(hub.snapshot_json()) == hub.latest


def test_lights_inside_a_snapshot_are_the_lights() -> None:
    hub, seen = Hub(), Seen()
    hub.publish(question().model_copy(update={"lights": ("00ff00",)}))
    assert hub.latest.lights == ("00ff00",)
    hub.publish(question(turn=9))
    assert hub.latest.lights == ("00ff00",)
    assert [name for name, _ in hub.news(seen)] == ["snapshot"]


def test_of_a_picture_that_was_made_only_the_file_is_kept() -> None:
    class Large:
        def as_jpeg(self) -> bytes:
            return b"jpeg"

    hub, large = Hub(clock=Clock()), Large()
    kept = weakref.ref(large)
    hub.publish_picture(large.as_jpeg)
    del large

    async def look() -> None:
        assert kept() is not None
        for _ in range(2):
            assert await hub.picture() == (1, b"jpeg")
            assert kept() is None

    asyncio.run(look())


def test_pictures_are_announced_no_faster_than_they_are_drawn() -> None:
    clock = Clock()
    hub, seen = Hub(clock=clock), Seen()
    hub.news(seen)
    announced = []
    for _ in range(30):
        hub.publish_picture(lambda: b"")
        announced += [data for name, data in hub.news(seen) if name == "picture"]
        clock.now += 0.1
    assert 7 <= len(announced) <= 8
    clock.now += 1
    assert hub.news(seen) == [("picture", str(len(announced) + 1).encode())]


def test_waiting_ends_with_news_and_with_the_end() -> None:
    async def test() -> None:
        hub, seen = Hub(), Seen()
        hub.news(seen)
        waiting = asyncio.create_task(hub.changed(seen))
        await asyncio.sleep(0)
        assert not waiting.done()
        hub.publish(question())
        await asyncio.wait_for(waiting, 1)
        hub.news(seen)
        waiting = asyncio.create_task(hub.changed(seen))
        await asyncio.sleep(0)
        hub.close()
        await asyncio.wait_for(waiting, 1)
        assert hub.closed

    asyncio.run(test())


def test_the_view_of_a_verdict_says_what_the_verdict_says() -> None:
    verdict = Verdict(
        Kind.ILLEGAL,
        seat=1,
        text="Hera may not step back.",
        rule="A6",
        todo=(Todo("Put Hera back.", "c4"),),
        marks=(("c3", Mark.WRONG), ("c4", Mark.RETURN)),
        actions=("activate he",),
    )
    view = VerdictView.of(verdict, turn=5).model_dump()
    assert view == {
        "kind": "illegal",
        "seat": 1,
        "text": "Hera may not step back.",
        "rule": "A6",
        "todo": ({"text": "Put Hera back.", "space": "c4"},),
        "marks": ({"space": "c3", "mark": "wrong"}, {"space": "c4", "mark": "return"}),
        "actions": ("activate he",),
        "choices": (),
        "winners": (),
        "question": view["question"],
    }
    assert view["question"]


def test_questions_are_told_apart_by_what_they_ask_and_when() -> None:
    def asked(text: str, turn: int) -> str:
        verdict = Verdict(Kind.QUESTION, 0, text, choices=(Choice("yes", "Yes"),))
        return VerdictView.of(verdict, turn).question

    assert asked("a", 1) == asked("a", 1) != ""
    assert len({asked("a", 1), asked("a", 2), asked("b", 1)}) == 3


def test_colours_as_the_page_reads_them() -> None:
    assert hex_colours([(0, 10, 255), (255, 255, 255)]) == ("000aff", "ffffff")
