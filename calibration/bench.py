"""The bench: what a step works with. Pictures, the controller, the clock, and somebody who listens to its advice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from calibration.profile import TableProfile
from calibration.step import Advice, Part, Pixel, StepError
from companion.sensing.frames import CameraAbsent, CameraUnusable, Frame, FrameSource
from firmware_bridge.controller import Controller
from firmware_bridge.protocol import Capability

T = TypeVar("T")

FRAME_TIMEOUT_S = 3.0
RETRY_S = 2.0
# With nobody there a camera that is gone is tried so often, and waited for without end by people.
UNATTENDED_TRIES = 10
CAPABILITIES = {Part.REEDS: Capability.REEDS, Part.AXES: Capability.AXES}
DARK: tuple[Pixel, ...] = ((0, 0, 0),) * 105
# Without a camera a step looks at the switches so often.
MOMENT_S = 0.1
# Lights are asked for again and again whether they shine, for so long; then nobody is there who lights them.
LIT_LOOK_S = 0.004
LIT_WITHIN_S = 3.0


class Lamps(Protocol):
    """What shows lights: takes the colours of all LEDs and returns at once."""

    def set_leds(self, pixels: tuple[Pixel, ...]) -> None: ...


class Bench:
    """One table to be calibrated. All methods are called in the event loop's thread.

    `lamps`: what lights, if it is not the `controller`. `listen` hears every advice, with the picture it was given on.
    `obey`: a simulated owner, who does what he is advised. `clock`: seconds, the one that frames are stamped by.
    """

    def __init__(
        self,
        profile: TableProfile,
        *,
        camera: FrameSource | None = None,
        lamps: Lamps | None = None,
        controller: Controller | None = None,
        listen: Callable[[Advice, Frame | None], None] = lambda advice, frame: None,
        obey: Callable[[Advice], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.profile = profile
        self.enough = asyncio.Event()
        # Nobody is there to be asked, unless a simulated owner is.
        self.unattended = False
        # What people answered to forms: the form's number and a value for each field; None: it was put aside.
        self.answers: asyncio.Queue[tuple[int, dict[str, str] | None]] = asyncio.Queue()
        self._camera = camera
        self._lamps = controller if lamps is None else lamps
        self._controller = controller
        self._clock = clock
        self._sleep = sleep
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
        if self._controller is not None:
            hello = self._controller.identity
            # One that has not answered yet may have everything.
            fitted |= {
                part for part, has in CAPABILITIES.items() if hello is None or has in hello.capabilities
            }
            if hello is not None and Capability.LEDS not in hello.capabilities:
                fitted.discard(Part.LIGHTS)
        return frozenset(fitted)

    @property
    def somebody(self) -> bool:
        """Is there somebody who answers questions?"""
        return not self.unattended or self._obey is not None

    @property
    def simulated(self) -> bool:
        """Is the table a simulated one?"""
        if self._camera is not None:
            return self._camera.simulated
        hello = None if self._controller is None else self._controller.identity
        return hello is not None and Capability.SIMULATED in hello.capabilities

    @property
    def camera(self) -> FrameSource | None:
        """The camera, if one is fitted."""
        return self._camera

    @property
    def controller(self) -> Controller:
        """The controller, connected. Raises StepError where there is none, or it does not answer."""
        if self._controller is None:
            raise StepError("No controller is fitted; name its port with --controller, as auto.")
        if not self._controller.ready:
            raise StepError(f"The controller does not answer: {self._controller.status.reason}")
        return self._controller

    def now(self) -> float:
        """Seconds of the clock that frames are stamped by."""
        return self._clock()

    def say(self, advice: Advice, frame: Frame | None = None) -> None:
        """Tell everybody what to do now; the lights follow."""
        if advice.lights is not None and self._lamps is not None:
            lights = self.profile.lights
            self._lamps.set_leds(advice.lights if lights is None else lights.sent(advice.lights))
        self._listen(advice, frame)
        if self._obey is not None:
            self._obey(advice)

    async def shine(self, strip: tuple[Pixel, ...]) -> float:
        """Show these colours, by position on the strip as it is wired; gives the time since when they shine.

        Raises StepError if nobody lights them.
        """
        controller = self.controller
        controller.set_leds(strip)
        for _ in range(round(LIT_WITHIN_S / LIT_LOOK_S)):
            if controller.leds_acknowledged:
                return self._clock()
            await asyncio.sleep(LIT_LOOK_S)
        raise StepError(f"The controller does not show its lights: {controller.status.reason}")

    async def work(self, function: Callable[..., T], *arguments: object) -> T:
        """Run something that takes long in the vision thread."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, lambda: function(*arguments))

    async def frames(self) -> AsyncGenerator[Frame, None]:
        """Picture after picture, the latest each time; a camera that is gone is said, and waited for.

        Ends when somebody says it is enough. Raises CameraUnusable for a camera that will never come.
        """
        camera = self._camera
        if camera is None:
            raise CameraUnusable("No camera is fitted; name one with --source, as picamera or usb.")
        missed = 0
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
                missed += 1
                if self.unattended and missed >= UNATTENDED_TRIES:
                    # Nobody is there who could plug it in.
                    raise StepError(str(error)) from None
                await asyncio.sleep(RETRY_S)
                continue
            missed = 0
            yield frame

    async def moments(self) -> AsyncGenerator[tuple[float, Frame | None], None]:
        """Moment after moment with the picture taken then, as `frames`; without a camera every MOMENT_S, without one."""
        if self._camera is not None:
            async for frame in self.frames():
                yield frame.exposed_at, frame
            return
        while not self.enough.is_set():
            await self._sleep(MOMENT_S)
            yield self._clock(), None

    async def close(self) -> None:
        """Put the lights out and let go of the camera."""
        if self._lamps is not None:
            self._lamps.set_leds(DARK)
        if self._camera is not None:
            await self.work(self._camera.close)
        self._worker.shutdown(wait=False)
