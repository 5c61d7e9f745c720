"""The preflight of a running table: `calibrate check`, by the pictures and the wire that the game goes by anyway."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from calibration.check.limits import judge_frames, judge_lens, judge_picture
from calibration.check.picture import check_picture
from calibration.check.wire import WireWatch
from calibration.gate import Finding, Judgement, not_fitted, passes
from calibration.profile import TableProfile
from companion.lens import lens_in_use
from companion.messages import say
from companion.sensing.frames import Frame, FrameSource, Image
from companion.sensing.sources.setting import setting_of
from companion.web.preflight import FindingView, MeasuredView, PreflightView
from firmware_bridge.controller import Controller

# So many pictures in a row, or as many as come within so long.
PICTURES = 8
PICTURES_S = 6.0


class Watched(Protocol):
    """The running table: shows every frame it takes to `onlooker`, in the event loop's thread."""

    onlooker: Callable[[Frame], None] | None


class RunningPreflight:
    """Looks at a table while it runs, through the lens as sight uses it. `camera`: None where none is fitted."""

    def __init__(
        self,
        table: Watched,
        profile: TableProfile,
        camera: FrameSource | None,
        controller: Controller | None,
    ) -> None:
        self._table = table
        self._profile = profile
        self._camera = camera
        self._controller = controller

    async def run(self) -> PreflightView:
        """Everything that was found. What is missing or cannot be seen is a finding, never an error."""
        watch = None
        if self._controller is not None:
            watch = WireWatch(self._controller)
            watch.ask()
        found = await self._look()
        if watch is None:
            found.append(not_fitted(say("check.controller")))
        else:
            # The game's own lights have been answered all the while: only a link that is down leaves this open.
            found += [each for each in watch.findings(0.0) if each.what != say("check.lights_answer")]
        return PreflightView(
            go=passes(found),
            findings=tuple(FindingView(**each.as_json()) for each in found),
            measured=tuple(_measured(self._profile)),
        )

    async def _look(self) -> list[Finding]:
        camera = self._camera
        if camera is None:
            return [not_fitted(say("check.camera"))]
        stamps, levels, image = await self._pictures()
        if image is None:
            why = camera.notice or say("check.see_camera")
            return [
                Finding(
                    say("check.camera"),
                    say("check.no_picture"),
                    say("check.pictures"),
                    Judgement.BAD,
                    why,
                )
            ]
        size = (image.shape[1], image.shape[0])
        notice = camera.notice
        mood = Judgement.DOUBTFUL if notice else Judgement.GOOD
        setting, measured = setting_of(camera), self._profile.camera
        lens = judge_lens(self._profile, size, setting)
        used = None if measured is None else lens_in_use(measured, size, setting).camera
        seen = await asyncio.to_thread(check_picture, image, used)
        return [
            Finding(say("check.camera"), f"{size[0]} × {size[1]}", say("check.pictures"), mood, notice),
            *judge_frames(stamps, levels),
            lens,
            *judge_picture(seen, self._profile),
        ]

    async def _pictures(self) -> tuple[list[float], list[float], Image | None]:
        """When pictures were taken, how bright they were, and the last of them."""
        stamps: list[float] = []
        levels: list[float] = []
        last: list[Image] = []
        enough = asyncio.Event()

        def take(frame: Frame) -> None:
            stamps.append(frame.exposed_at)
            levels.append(float(frame.image[::8, ::8].mean()))
            # The frame goes on to be read and is let go of: this one is kept.
            last[:] = [frame.image.copy()]
            if len(stamps) >= PICTURES:
                enough.set()

        self._table.onlooker = take
        try:
            async with asyncio.timeout(PICTURES_S):
                await enough.wait()
        except TimeoutError:
            pass  # what came is judged, and nothing is a finding too
        finally:
            self._table.onlooker = None
        return stamps, levels, last[0] if last else None


def _measured(profile: TableProfile) -> list[MeasuredView]:
    parts = (
        ("lens", profile.camera),
        ("rings", profile.rings),
        ("switches", profile.reeds),
        ("lights", profile.lights),
        ("scoreboard", profile.scoreboard),
    )
    return [
        MeasuredView(part=name, at=None if part is None else part.measured.at.timestamp())
        for name, part in parts
    ]
