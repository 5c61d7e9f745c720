"""What the running table says of its camera, on the page and in the terminal, and that it goes on by itself."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from companion.games.above.setup import initial_position
from companion.referee.verdict import Kind
from companion.sensing.frames import CameraAbsent, CameraUnusable, Frame, Image
from companion.sensing.reading import Reading
from companion.sensing.sources.watched import WatchedCamera
from companion.service import RETRY_CAMERA_S, STANDSTILL_S, TableService
from companion.stumbles import MOST, WITHIN_S, SightFailedError, Stumbles
from companion.tables.above.kit import AboveKit
from companion.terminal import print_news
from companion.virtual.loop import VirtualTimeLoop
from companion.web.hub import Hub, Seen
from companion.web.models import DeviceView, Snapshot
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import standing

Now = Callable[[], float]


class Camera:
    """A camera that is as `state` says at a time: "" for well, or why it is absent; `notices` likewise."""

    simulated = False
    name = "camera"

    def __init__(self, now: Now) -> None:
        self.now = now
        self.opened = 0
        self.is_open = False
        self.unusable = False
        self.troubles: list[tuple[float, float, str]] = []
        self.notices: list[tuple[float, float, str]] = []
        self.still: tuple[float, float] = (0.0, 0.0)
        self._number = 0

    def _at_present(self, known: list[tuple[float, float, str]]) -> str:
        return next((text for start, end, text in known if start <= self.now() < end), "")

    @property
    def notice(self) -> str:
        return self._at_present(self.notices)

    def _check(self) -> None:
        trouble = self._at_present(self.troubles)
        if trouble:
            self.is_open = False
            raise CameraUnusable(trouble) if self.unusable else CameraAbsent(trouble)

    def open(self) -> None:
        self._check()
        self.opened += 1
        self.is_open = True

    def read(self, timeout_s: float) -> Frame:
        self._check()
        assert self.is_open, "a closed camera is read"
        self._number += 1
        frozen = self.still[0] <= self.now() < self.still[1]
        seed = 0 if frozen else self._number
        image = np.random.default_rng(seed).integers(80, 99, (72, 128, 3)).astype(np.uint8)
        return Frame(image, self.now(), self._number)

    def close(self) -> None:
        self.is_open = False


class Eyes:
    """They see hands all the time, so that the referee has nothing to say; or the `tabletop`, changed by `then` at 3 s.

    `fails`: on pictures of these times. `hands`: over the tabletop at these.
    """

    hands: tuple[float, float] = (0.0, 0.0)

    fails: tuple[float, float] = (0.0, 0.0)
    tabletop: Tabletop | None = None
    then: Callable[[Tabletop], None] | None = None

    def __init__(self) -> None:
        self.looked: list[float] = []

    def process(self, frame: Frame) -> Reading:
        self.looked.append(frame.exposed_at)
        if self.fails[0] <= frame.exposed_at < self.fails[1]:
            raise IndexError("no such corner")
        if self.tabletop is not None:
            if self.then is not None and frame.exposed_at > 3.0:
                self.then(self.tabletop)
            moving = self.hands[0] <= frame.exposed_at < self.hands[1]
            return replace(self.tabletop.reading(frame.exposed_at), moving=moving)
        return Reading(frame.exposed_at, moving=True)


class Evening:
    """A table in virtual time, and everything the page was told about its camera, with when."""

    def __init__(self, folder: Path) -> None:
        self.loop = VirtualTimeLoop(time.monotonic)
        self.camera = Camera(self.loop.time)
        self.eyes = Eyes()
        self.kept = 0
        # The switches that are closed, where there are any.
        self.closed: frozenset[str] | None = None
        # Those that are closed from some time on.
        self.later: tuple[float, frozenset[str]] | None = None
        self.hub = Hub(clock=self.loop.time)
        self.snapshots: list[tuple[float, Snapshot]] = []
        self.verdicts: list[tuple[float, Kind]] = []
        self._kit = AboveKit()
        self._book = self._kit.book(folder / "journal.db", lambda: 0.0)

    def run(self, seconds: float) -> None:
        """Raises what the table raises."""
        try:
            self.loop.run_until_complete(self._run(seconds))
        finally:
            self._book.close()
            self.loop.close()

    async def _run(self, seconds: float) -> None:
        table = TableService(
            self._kit,
            self._book.referee(2),
            WatchedCamera(self.camera),
            self.eyes,
            None,
            self.hub,
            frames_per_s=10.0,
            book=self._book,
            on_verdict=lambda verdict: self.verdicts.append((self.loop.time(), verdict.kind)),
            recording=self,
        )
        if self.closed is not None:
            table.take_switches(self.closed)
        if self.later is not None:
            self.loop.call_at(self.later[0], table.take_switches, self.later[1])
        running = asyncio.ensure_future(table.run())
        watching = asyncio.ensure_future(self._watch())
        await asyncio.wait([running], timeout=seconds)
        for task in (running, watching):
            task.cancel()
        done = await asyncio.gather(running, watching, return_exceptions=True)
        if isinstance(done[0], ExceptionGroup):
            raise done[0]

    # What keeps pictures for a report.

    def saw(self, *_: object) -> None: ...

    def asked(self, *_: object, **__: object) -> None: ...

    def broken(self, why: str) -> None: ...

    def wants_picture(self) -> bool:
        return False

    def keep_picture(self, image: Image) -> None:
        assert image.shape == (72, 128, 3)
        self.kept += 1

    def pictured(self) -> None: ...

    async def _watch(self) -> None:
        seen = Seen()
        while True:
            self.hub.news(seen)
            await self.hub.changed(seen)
            self.snapshots.append((self.loop.time(), self.hub.latest))

    def told(self) -> list[tuple[float, bool, str]]:
        """What the page was told about the camera: when, whether it is there, in which words."""
        news: list[tuple[float, bool, str]] = []
        for when, snapshot in self.snapshots:
            for device in snapshot.devices:
                if device.name == "camera" and (not news or news[-1][1:] != (device.ok, device.detail)):
                    news.append((when, device.ok, device.detail))
        return news


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    yield Evening(tmp_path)


def test_a_picture_on_which_sight_fails_is_told_and_kept_and_the_next_is_tried(evening: Evening) -> None:
    evening.eyes.fails = (3.0, 6.5)
    evening.run(12.0)
    told = evening.told()
    assert [ok for _, ok, _ in told] == [True, False, True]
    assert "cannot be made sense of (IndexError: no such corner)" in told[1][2]
    assert 3.0 <= told[1][0] < 3.5 and 6.5 <= told[2][0] <= 6.5 + RETRY_CAMERA_S + 0.5
    assert evening.kept == 2


def test_sight_that_always_fails_gives_up_so_that_the_program_is_started_anew(evening: Evening) -> None:
    evening.eyes.fails = (1.0, 1e9)
    with pytest.raises(ExceptionGroup) as failed:
        evening.run(60.0)
    (error,) = failed.value.exceptions
    assert isinstance(error, SightFailedError) and error.exit_status == 1
    assert "start again" in str(error) and isinstance(error.__cause__, IndexError)
    assert evening.kept == MOST


def test_a_stumble_now_and_then_is_no_reason_to_give_up() -> None:
    stumbles = Stumbles()
    assert not any(stumbles.too_many(now * WITHIN_S / (MOST - 1)) for now in range(50))
    assert [stumbles.too_many(1e6 + now) for now in range(MOST)] == [*[False] * (MOST - 1), True]


def test_a_missing_camera_is_waited_for_and_told(evening: Evening) -> None:
    evening.camera.troubles = [(0.0, 9.0, "USB camera is not connected; plug it in.")]
    evening.run(15.0)
    assert [(ok, text) for _, ok, text in evening.told()] == [
        (False, "USB camera is not connected; plug it in."),
        (True, ""),
    ]
    assert 9.0 <= evening.told()[-1][0] <= 9.0 + RETRY_CAMERA_S + 0.5
    held = [snapshot.verdict for when, snapshot in evening.snapshots if 1.0 < when < 9.0]
    assert all(verdict is not None and verdict.kind == "hold" for verdict in held)
    assert json.loads(evening.hub.snapshot_json())["devices"][0] == {
        "name": "camera",
        "ok": True,
        "detail": "",
        "simulated": False,
    }


def test_a_camera_pulled_out_and_plugged_in_again_goes_on_by_itself(evening: Evening) -> None:
    evening.camera.troubles = [(5.0, 12.0, "USB camera is gone; unplug it and plug it in again.")]
    evening.run(20.0)
    assert [ok for _, ok, _ in evening.told()] == [True, False, True]
    assert 5.0 <= evening.told()[1][0] <= 5.2
    assert evening.told()[2][0] <= 12.0 + RETRY_CAMERA_S + 0.5
    assert evening.camera.opened == 2
    verdict = next(s.verdict for when, s in evening.snapshots if 5.2 < when < 12.0)
    assert verdict is not None
    assert verdict.text == "USB camera is gone; unplug it and plug it in again."


def test_a_refusal_does_not_flash_up_again_on_the_way_to_the_switches(evening: Evening) -> None:
    """Zeus stood wrong before the camera went; what is known of it without a camera comes later."""
    table = evening.eyes.tabletop = Tabletop.of(initial_position(2, random.Random(4)))
    table.zeus_alpha = 0
    evening.closed = standing(table) | {space for _, space in table.tokens}
    wrong = next(f"{column}6" for column in "abcdefghijklmnop" if f"{column}6" not in evening.closed)
    evening.eyes.then = lambda table: table.minis.update(ze=wrong)
    evening.camera.troubles = [(6.0, 16.0, "USB camera is gone.")]
    evening.run(15.0)
    assert Kind.ILLEGAL in {kind for when, kind in evening.verdicts if when < 6.0}
    assert {kind for when, kind in evening.verdicts if when >= 6.0} == {Kind.HOLD}


def test_what_was_refused_before_the_camera_went_is_not_refused_again_before_it_was_seen(
    evening: Evening,
) -> None:
    """Hands put it right when the camera is back; it cannot see yet whether they have."""
    table = evening.eyes.tabletop = Tabletop.of(initial_position(2, random.Random(4)))
    table.zeus_alpha = 0
    evening.eyes.then = lambda table: table.minis.update(ze="a6")
    evening.camera.troubles = [(6.0, 9.0, "USB camera is gone.")]
    evening.eyes.hands = (9.0, 14.0)
    evening.run(18.0)
    assert Kind.ILLEGAL in {kind for when, kind in evening.verdicts if when < 6.0}
    assert {kind for when, kind in evening.verdicts if 6.0 <= when < 14.0} == {Kind.HOLD}
    assert evening.verdicts[-1][1] is Kind.ILLEGAL


def test_what_the_switches_alone_refuse_is_shown_though_the_camera_was_back_for_a_moment(
    evening: Evening,
) -> None:
    """It came back while hands were over the table, and went again before it had seen what lies there."""
    table = evening.eyes.tabletop = Tabletop.of(initial_position(2, random.Random(4)))
    table.zeus_alpha = 0
    tokens = sorted(space for _, space in table.tokens)
    evening.closed = standing(table) | set(tokens)
    evening.later = (37.0, evening.closed - set(tokens[:4]))
    evening.camera.troubles = [(6.0, 9.0, "USB camera is gone."), (13.0, 99.0, "USB camera is gone.")]
    evening.eyes.hands = (9.0, 14.0)
    evening.run(44.0)
    assert any(13.0 < when < 37.0 and kind is Kind.READY for when, kind in evening.verdicts)
    assert evening.verdicts[-1][1] is Kind.ILLEGAL


def test_what_has_just_come_to_rest_is_looked_at_twice_as_often(evening: Evening) -> None:
    """A doubt among the first looks is over sooner; then pictures come as seldom as ever."""
    evening.eyes.tabletop = Tabletop.of(initial_position(2, random.Random(4)))
    evening.eyes.hands = (2.0, 3.0)
    evening.run(5.0)
    gaps = [later - at for at, later in itertools.pairwise(evening.eyes.looked) if at >= 3.0]
    usual, soon = gaps[-1], AboveKit.fresh_looks - 1
    assert gaps == pytest.approx([usual / 2] * soon + [usual] * (len(gaps) - soon))


def test_a_frozen_picture_is_told_and_the_camera_started_anew(evening: Evening) -> None:
    evening.camera.still = (5.0, 8.5)
    evening.run(20.0)
    (_, first, _), (when, ok, text), (again, well, _) = evening.told()
    assert (first, ok, well) == (True, False, True)
    assert 8.0 <= when <= 8.5
    assert "frozen" in text
    assert again <= when + RETRY_CAMERA_S + 0.5
    assert evening.camera.opened == 2


def test_a_notice_is_shown_while_pictures_come(evening: Evening) -> None:
    evening.camera.notices = [(5.0, 9.0, "The lens stands at 1.00 dioptres.")]
    evening.run(12.0)
    told = [(ok, text) for _, ok, text in evening.told()]
    assert told == [(True, ""), (True, "The lens stands at 1.00 dioptres."), (True, "")]
    assert evening.camera.opened == 1


def test_a_source_that_never_will_work_ends_the_evening_at_once(evening: Evening) -> None:
    evening.camera.unusable = True
    evening.camera.troubles = [(0.0, 99.0, "/nope is not a folder; name one that holds pictures.")]
    with pytest.raises(ExceptionGroup) as raised:
        evening.run(15.0)
    assert raised.group_contains(CameraUnusable, match="is not a folder")


def test_one_that_worked_is_waited_for_whatever_happens_to_it(evening: Evening) -> None:
    evening.camera.unusable = True
    evening.camera.troubles = [(5.0, 9.0, "/media/stick is not a folder; name one that holds pictures.")]
    evening.run(15.0)
    assert [ok for _, ok, _ in evening.told()] == [True, False, True]


def test_the_terminal_tells_the_same() -> None:
    def snapshot(ok: bool, detail: str) -> Snapshot:
        return Snapshot(devices=(DeviceView(name="camera", ok=ok, detail=detail),))

    console = Console(width=200)
    states = [None, snapshot(True, ""), snapshot(False, "gone"), snapshot(True, ""), snapshot(True, "dim")]
    with console.capture() as capture:
        for before, now in itertools.pairwise(states):
            assert now is not None
            print_news(console, before, now)
    assert capture.get().splitlines() == ["[camera] gone", "[camera] working", "[camera] dim"]


def test_it_is_alive_while_a_camera_is_waited_for_and_not_when_its_reader_hangs(evening: Evening) -> None:
    evening.camera.troubles = [(2.0, 60.0, "USB camera is not connected; plug it in.")]
    alive: list[tuple[float, str]] = []

    class Hanging(WatchedCamera):
        """A driver that never answers again, as one that would hold the worker thread for ever."""

        def read(self, timeout_s: float) -> Frame:
            frame = super().read(timeout_s)
            if frame.exposed_at > 70.0:
                running[0].cancel()
            return frame

    running: list[asyncio.Future[None]] = []

    async def run() -> None:
        table = TableService(
            AboveKit(),
            evening._book.referee(2),
            Hanging(evening.camera),
            Eyes(),
            None,
            evening.hub,
            frames_per_s=10.0,
            book=evening._book,
        )
        running.append(asyncio.ensure_future(table.run()))
        while evening.loop.time() < 100.0:
            await asyncio.sleep(1.0)
            alive.append((evening.loop.time(), table.standstill()))
            if evening.loop.time() < 60.0:
                assert table.status.startswith("Above, 0 turns played.")
        await asyncio.gather(*running, return_exceptions=True)

    try:
        evening.loop.run_until_complete(run())
    finally:
        evening._book.close()
        evening.loop.close()
    silent = [when for when, trouble in alive if trouble]
    assert silent and 70.0 + STANDSTILL_S - 1 <= silent[0] <= 70.0 + STANDSTILL_S + 3
    assert alive[-1][1].startswith("Nothing has been read of the table for ")
