"""A step, a camera and people for the tests of a session: they do what the test wrote down."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

import numpy as np

from calibration.bench import Bench
from calibration.course import Course
from calibration.gate import Finding, Judgement
from calibration.profile import TableProfile
from calibration.session import Key, Phase, Session, View
from calibration.step import Advice, Outcome, Part, Pixel
from companion.sensing.frames import CameraAbsent, Frame

GOOD = Finding("spread of tilt", "9°", "5° or more")
BAD = Finding("spread of tilt", "1°", "5° or more", Judgement.BAD, "tilt it")


def outcome(passed: bool = True, name: str = "kept") -> Outcome:
    """An outcome that puts `name` into the profile."""

    def keep(profile: TableProfile) -> TableProfile:
        return profile.model_copy(update={"name": f"{profile.name} {name}".strip()})

    return Outcome(f"measured {name}", (GOOD if passed else BAD,), keep, {"value": 1})


class ScriptedCamera:
    """Gives pictures whose brightness counts up; `script` holds what `read` and `open` raise, in order."""

    simulated = True
    name = "scripted camera"
    notice = ""

    def __init__(self, *script: CameraAbsent | None) -> None:
        self._script = list(script)
        self.opened = 0
        self.closed = 0
        self.number = 0

    def open(self) -> None:
        self.opened += 1

    def read(self, timeout_s: float) -> Frame:
        trouble = self._script.pop(0) if self._script else None
        if trouble is not None:
            raise trouble
        self.number += 1
        return Frame(np.full((48, 64, 3), self.number % 200, np.uint8), 0.2 * self.number, self.number)

    def close(self) -> None:
        self.closed += 1


class Lamps:
    """Remembers every picture of the lights."""

    def __init__(self) -> None:
        self.shown: list[tuple[Pixel, ...]] = []

    def set_leds(self, pixels: tuple[Pixel, ...]) -> None:
        self.shown.append(pixels)


class ScriptedStep:
    """Looks at pictures until it was advised `looks` times; then comes to the next of its results."""

    title = "A step"
    instructions = "Do this."

    def __init__(
        self,
        name: str = "step",
        results: tuple[Outcome | Exception, ...] = (),
        looks: int = 1,
        needs: frozenset[Part] = frozenset({Part.CAMERA}),
        at: datetime | None = None,
    ) -> None:
        self.name = name
        self.needs = needs
        self.begun = 0
        self.cancelled = 0
        self._results = list(results or (outcome(name=name),))
        self._looks = looks
        self.at = at

    def measured_at(self, profile: TableProfile) -> datetime | None:
        return self.at

    async def measure(self, bench: Bench) -> Outcome:
        self.begun += 1
        result = self._results[min(self.begun, len(self._results)) - 1]
        seen = 0
        try:
            async for frame in bench.frames():
                seen += 1
                bench.say(Advice(f"look {seen}", seen / self._looks, lights=((seen, 0, 0),) * 105), frame)
                if seen >= self._looks:
                    break
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if isinstance(result, Exception):
            raise result
        return result


class Played:
    """A session played to its end; `views` are all that were shown, `saved` the profiles kept."""

    def __init__(
        self,
        steps: list[ScriptedStep] | Course,
        press: Callable[[View], Key | None] | None = None,
        camera: ScriptedCamera | None = None,
        lamps: Lamps | None = None,
    ) -> None:
        self.views: list[View] = []
        self.saved: list[str] = []
        self.camera = camera or ScriptedCamera()
        self._press = press

        def bench(listen: Callable[[Advice, Frame | None], None]) -> Bench:
            return Bench(TableProfile(name=""), camera=self.camera, lamps=lamps, listen=listen)

        async def play() -> bool:
            self.session = Session(
                steps,
                bench,
                show=self._shown,
                save=lambda bench: self.saved.append(bench.profile.name),
                unattended=press is None,
            )
            async with asyncio.timeout(20):
                return await self.session.run()

        self.complete = asyncio.run(play())

    def _shown(self, view: View, frame: Frame | None) -> None:
        self.views.append(view)
        key = None if self._press is None else self._press(view)
        if key is not None:
            # As a person does: after the view has been drawn.
            asyncio.get_running_loop().call_soon(self.session.press, key)

    @property
    def story(self) -> list[str]:
        """Step and phase, each change once."""
        told: list[str] = []
        for view in self.views:
            line = f"{view.name} {view.phase.value}".strip()
            if not told or told[-1] != line:
                told.append(line)
        return told


def pressing(*keys: tuple[Phase, Key]) -> Callable[[View], Key | None]:
    """People who press these keys, each when its phase is first shown after the key before."""
    left = list(keys)
    last: list[tuple[str, Phase] | None] = [None]

    def press(view: View) -> Key | None:
        if not left or view.phase is not left[0][0]:
            return None
        if view.phase is Phase.MEASURING and view.advice is None:
            return None
        last[0] = (view.name, view.phase)
        return left.pop(0)[1]

    return press
