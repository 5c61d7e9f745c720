"""The bench: what a step works with. Pictures, lights, the clock, and somebody who listens to its advice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from calibration.profile import TableProfile
from calibration.step import Advice, Part, Pixel
from companion.sensing.frames import CameraAbsent, CameraUnusable, Frame, FrameSource

T = TypeVar("T")

FRAME_TIMEOUT_S = 3.0
RETRY_S = 2.0
DARK: tuple[Pixel, ...] = ((0, 0, 0),) * 105


class Lamps(Protocol):
    """What shows lights: takes the colours of all LEDs and returns at once."""

    def set_leds(self, pixels: tuple[Pixel, ...]) -> None: ...


class Bench:
    """One table to be calibrated. All methods are called in the event loop's thread.

    `listen` hears every advice, with the picture it was given on. `obey`: a simulated owner, who does what he is
    advised.
    """

    def __init__(
        self,
        profile: TableProfile,
        *,
        camera: FrameSource | None = None,
        lamps: Lamps | None = None,
        listen: Callable[[Advice, Frame | None], None] = lambda advice, frame: None,
        obey: Callable[[Advice], None] | None = None,
    ) -> None:
        self.profile = profile
        self.enough = asyncio.Event()
        # What people answered to forms: the form's number and a value for each field; None: it was put aside.
        self.answers: asyncio.Queue[tuple[int, dict[str, str] | None]] = asyncio.Queue()
        self._camera = camera
        self._lamps = lamps
        self._listen = listen
        self._obey = obey
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="vision")
        self._opened = False

    @property
    def parts(self) -> frozenset[Part]:
        """What is fitted."""
        fitted = {Part.CAMERA} if self._camera is not None else set()
        if self._lamps is not None:
            fitted.add(Part.LIGHTS)
        return frozenset(fitted)

    @property
    def simulated(self) -> bool:
        """Is the table a simulated one?"""
        return self._camera is not None and self._camera.simulated

    @property
    def camera(self) -> FrameSource | None:
        """The camera, if one is fitted."""
        return self._camera

    def say(self, advice: Advice, frame: Frame | None = None) -> None:
        """Tell everybody what to do now; the lights follow."""
        if advice.lights is not None and self._lamps is not None:
            self._lamps.set_leds(advice.lights)
        self._listen(advice, frame)
        if self._obey is not None:
            self._obey(advice)

    async def work(self, function: Callable[..., T], *arguments: object) -> T:
        """Run something that takes long in the vision thread."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, lambda: function(*arguments))

    async def frames(self) -> AsyncIterator[Frame]:
        """Picture after picture, the latest each time; a camera that is gone is said, and waited for.

        Ends when somebody says it is enough. Raises CameraUnusable for a camera that will never come.
        """
        camera = self._camera
        if camera is None:
            raise CameraUnusable("No camera is fitted; name one with --source, as picamera or usb.")
        while not self.enough.is_set():
            try:
                if not self._opened:
                    await self.work(camera.open)
                    self._opened = True
                frame = await self.work(camera.read, FRAME_TIMEOUT_S)
            except CameraUnusable:
                raise
            except CameraAbsent as error:
                self._opened = False
                await self.work(camera.close)
                self.say(Advice(str(error)))
                await asyncio.sleep(RETRY_S)
                continue
            yield frame

    async def close(self) -> None:
        """Put the lights out and let go of the camera."""
        if self._lamps is not None:
            self._lamps.set_leds(DARK)
        if self._camera is not None:
            await self.work(self._camera.close)
        self._worker.shutdown(wait=False)
