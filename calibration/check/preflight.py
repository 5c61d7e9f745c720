"""The preflight itself: looks at camera and controller for a few seconds and tells what it found."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from calibration.check.limits import judge_frames, judge_lens, judge_picture
from calibration.check.picture import PictureCheck, check_picture
from calibration.check.wire import WireWatch
from calibration.gate import Finding, Judgement, not_fitted, passes
from calibration.profile import LensMismatch, TableProfile
from companion.games.above.box import Table
from companion.messages import say, words_of
from companion.sensing.frames import CameraAbsent, Frame, FrameSource
from companion.sensing.geometry import Camera
from companion.sensing.sources.setting import setting_of
from firmware_bridge.controller import Controller

# Pictures are taken for so long, at least so many; then the wire is watched until so much has passed in all.
PICTURES_S, PICTURES = 3.0, 4
WIRE_S = 5.0
FRAME_TIMEOUT_S = 3.0
CONNECT_S = 4.0
LOOK_S = 0.01
DARK = ((0, 0, 0),) * 105


@dataclass(frozen=True, eq=False, slots=True)
class Preflight:
    """What was found, in the order in which it is told; `picture`: what it was read from, if there was one."""

    findings: tuple[Finding, ...]
    picture: PictureCheck | None
    simulated: bool

    @property
    def go(self) -> bool:
        """May be played?"""
        return passes(self.findings)


@dataclass(frozen=True, eq=False, slots=True)
class Preflights:
    """How a preflight is made. `clock` in seconds; `say` hears how far it is (0 to 1) and what is done."""

    profile: TableProfile
    camera: FrameSource | None
    controller: Controller | None
    clock: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    say: Callable[[float, str], None] = lambda share, what: None
    table: Table | None = None

    async def run(self) -> Preflight:
        """Look at everything. Never raises for a device that is missing: that is a finding."""
        began = self.clock()
        watch = await self._begin_wire()
        seen, found = await self._look()
        if watch is None:
            found.append(not_fitted(say("check.controller"), say("check.name_controller")))
        else:
            found += await self._end_wire(watch, began)
        self.say(1.0, "done")
        return Preflight(tuple(found), seen, self.camera is not None and self.camera.simulated)

    # -- the camera

    async def _look(self) -> tuple[PictureCheck | None, list[Finding]]:
        camera = self.camera
        if camera is None:
            return None, [not_fitted(say("check.camera"), say("check.name_source"))]
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1, thread_name_prefix="check") as worker:
            try:
                frames, levels = await loop.run_in_executor(worker, self._pictures, camera)
            except CameraAbsent as error:
                return None, [
                    Finding(
                        say("check.camera"),
                        say("check.no_picture"),
                        say("check.pictures"),
                        Judgement.BAD,
                        words_of(error),
                    )
                ]
            finally:
                await loop.run_in_executor(worker, camera.close)
            frame = frames[-1]
            size = (frame.image.shape[1], frame.image.shape[0])
            self.say(0.5, "looking at the picture")
            lens = judge_lens(self.profile, size, setting_of(camera))
            seen = await loop.run_in_executor(
                worker, lambda: check_picture(frame.image, self._lens(size), self.table)
            )
        notice = camera.notice
        first = Finding(
            say("check.camera"),
            f"{size[0]} × {size[1]}",
            say("check.pictures"),
            Judgement.DOUBTFUL if notice else Judgement.GOOD,
            notice,
        )
        stamps = [one.exposed_at for one in frames]
        return seen, [first, *judge_frames(stamps, levels), lens, *judge_picture(seen, self.profile)]

    def _pictures(self, camera: FrameSource) -> tuple[list[Frame], list[float]]:
        """Frames in a row, of which only the last keeps its picture's place in memory, and their mean grey levels."""
        camera.open()
        frames: list[Frame] = []
        levels: list[float] = []
        began = self.clock()
        while len(frames) < PICTURES or self.clock() - began < PICTURES_S:
            frame = camera.read(FRAME_TIMEOUT_S)
            if frames:
                last = frames[-1]
                frames[-1] = Frame(last.image[:1, :1], last.exposed_at, last.number)
            frames.append(frame)
            levels.append(float(frame.image[::8, ::8].mean()))
        return frames, levels

    def _lens(self, size: tuple[int, int]) -> Camera | None:
        """The measured lens, if it can be used for pictures of this size."""
        if self.profile.camera is None:
            return None
        try:
            return self.profile.camera.lens_for(size)[0]
        except LensMismatch:
            return None

    # -- the controller

    async def _begin_wire(self) -> WireWatch | None:
        controller = self.controller
        if controller is None:
            return None
        until = self.clock() + CONNECT_S
        while not controller.ready and self.clock() < until:
            self.say(0.05, "waiting for the controller")
            await self.sleep(LOOK_S)
        watch = WireWatch(controller)
        watch.ask()
        return watch

    async def _end_wire(self, watch: WireWatch, began: float) -> list[Finding]:
        controller = watch.controller
        answered: float | None = None
        if controller.ready:
            asked = self.clock()
            lit = controller.lit or DARK
            # One light hardly anybody sees, and dark again.
            controller.set_leds(((1, 1, 1), *lit[1:]))
            while self.clock() - asked < 1.0:
                if controller.leds_acknowledged:
                    answered = self.clock() - asked
                    break
                await self.sleep(LOOK_S / 5)
            controller.set_leds(DARK)
        while controller.ready and self.clock() - began < WIRE_S:
            self.say(min(0.95, 0.6 + 0.4 * (self.clock() - began) / WIRE_S), "watching the switches")
            await self.sleep(LOOK_S * 5)
        return watch.findings(answered)
