"""Drives axes and waits until they have arrived, with the live picture all the while."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import aclosing
from types import TracebackType

from calibration.bench import Bench
from calibration.step import Advice, StepError
from companion.sensing.frames import Frame
from firmware_bridge.controller import Controller
from firmware_bridge.errors import LinkAbsentError, LinkBusyError
from firmware_bridge.protocol import AxisFault, AxisState, AxisStatus, ErrorReport, Message

# The longest way takes a quarter of a minute, homing a little more.
ARRIVES_S = 60.0
SPEED_MM_S = 50.0
AT_REST = (AxisState.OFF, AxisState.FAILED)


class Drive:
    """A context manager; leaves no axis moving. `say`: what is said while something moves, with the picture."""

    def __init__(self, bench: Bench, say: Callable[[Frame], Advice]) -> None:
        self._bench = bench
        self._say = say
        self._controller: Controller = bench.controller
        self._lock = threading.Lock()
        self._under_way: set[int] = set()
        self._arrived: dict[int, AxisStatus] = {}
        self._refused = ""

    def __enter__(self) -> Drive:
        self._forget = self._controller.on_message(self._hear)
        if self._controller.emergency:
            raise StepError("The emergency stop is on: turn the button out, release it, and begin again.")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._forget()
        with contextlib.suppress(LinkAbsentError, LinkBusyError):
            self._controller.stop_axis()

    async def home(self, axis: int) -> AxisStatus:
        """Let one axis find its end; how that ended."""
        return (await self._go({axis}, lambda: self._controller.home_axis(axis)))[axis]

    async def move(self, targets_mm: Mapping[int, float]) -> None:
        """Move axes to places, all at once. Raises StepError where one does not arrive."""

        def send() -> None:
            for axis, target in targets_mm.items():
                self._controller.move_axis(axis, target, speed_mm_s=SPEED_MM_S)

        for axis, status in (await self._go(targets_mm, send)).items():
            if status.fault is not AxisFault.NONE:
                raise StepError(
                    f"Axis {axis} has stopped on its way ({status.fault.name.lower().replace('_', ' ')}); look after "
                    "it and begin again."
                )

    async def _go(self, axes: Collection[int], send: Callable[[], None]) -> dict[int, AxisStatus]:
        with self._lock:
            self._under_way, self._arrived, self._refused = set(), {}, ""
        try:
            send()
        except (LinkAbsentError, LinkBusyError) as error:
            raise StepError(f"The controller does not answer: {error}") from None
        began: float | None = None
        async with aclosing(self._bench.frames()) as frames:
            async for frame in frames:
                self._bench.say(self._say(frame), frame)
                began = frame.exposed_at if began is None else began
                with self._lock:
                    arrived, refused = dict(self._arrived), self._refused
                if refused:
                    raise StepError(f"The controller refuses to move: {refused}.")
                if self._controller.emergency:
                    raise StepError(
                        "The emergency stop was pressed: release it and begin again when all is well."
                    )
                if set(axes) <= set(arrived):
                    return {axis: arrived[axis] for axis in axes}
                if not self._controller.ready:
                    raise StepError(f"The controller is gone: {self._controller.status.reason}")
                if frame.exposed_at - began > ARRIVES_S:
                    late = sorted(set(axes) - set(arrived))
                    raise StepError(
                        f"Axis {late[0]} does not arrive within {ARRIVES_S:g} s; look what blocks it."
                    )
        raise StepError("The lanes were not driven to the end; begin again.")

    def _hear(self, message: Message) -> None:
        """In the link's thread."""
        with self._lock:
            if isinstance(message, AxisStatus):
                if message.state not in AT_REST:
                    self._under_way.add(message.axis)
                    self._arrived.pop(message.axis, None)
                elif message.axis in self._under_way:
                    self._arrived[message.axis] = message
            elif isinstance(message, ErrorReport):
                self._refused = message.text
