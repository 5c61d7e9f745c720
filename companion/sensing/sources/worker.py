"""A worker thread that takes pictures from a driver, so that a driver that hangs holds up nobody else.

`read` of a driver can block for ever when the cable is pulled. Then this thread hangs, not the caller, and may be
left behind. Meanwhile it keeps emptying the driver's queue: whoever asks gets a picture taken after he asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from companion.messages import say
from companion.sensing.frames import CameraAbsent, Clock, Image
from companion.sensing.sources.setting import Setting, TellsSetting

# A driver's own time of exposure is believed if it is no older than this.
OLDEST_S = 2.0
# Pictures in a row that cannot be decoded, after which the device counts as gone.
MOST_UNREADABLE = 30
# How long a worker is given to end, and how long a device that hangs is given to let go.
END_S = 1.0
ABORT_S = 3.0


@dataclass(frozen=True, eq=False, slots=True)
class Shot:
    """A picture (h, w, 3) uint8 BGR and how many seconds ago it was exposed, if the driver says so."""

    image: Image
    age_s: float | None = None


class Device(Protocol):
    """A camera's driver, opened. All but `abort` are called in one thread, and each may block for ever."""

    @property
    def notice(self) -> str:
        """What people should know although pictures come; "" for nothing."""

    def grab(self) -> bool:
        """Wait for the next picture and keep it, not yet decoded. False: the device is gone."""

    def retrieve(self) -> Shot | None:
        """Decode the picture grabbed last; None if it is damaged."""

    def release(self) -> None:
        """Let go of the device."""

    def abort(self) -> None:
        """Called in another thread when one of the others hangs: let go by force, where the driver allows that."""


class Worker:
    """Opens a device and takes its pictures, in a thread of its own. `connect` raises CameraAbsent."""

    def __init__(self, connect: Callable[[], Device], clock: Clock) -> None:
        self._connect = connect
        self._clock = clock
        self._change = threading.Condition()
        self._device: Device | None = None
        self._running = False
        # Who waits for a picture: the number of his question, 0 for nobody.
        self._wanted = 0
        self._asked = 0
        self._stopped = False
        self._ended = False
        self._taken: tuple[Image, float] | None = None
        self._error: CameraAbsent | None = None
        self._thread = threading.Thread(target=self._work, name="camera", daemon=True)
        self._thread.start()

    @property
    def notice(self) -> str:
        """What the device has to say."""
        return self._device.notice if self._device is not None else ""

    @property
    def setting(self) -> Setting:
        """How the device is set, as far as it tells."""
        return self._device.setting if isinstance(self._device, TellsSetting) else Setting()

    def wait_running(self, timeout_s: float) -> bool:
        """Wait for the device's first picture. False: it ended before, or none came within `timeout_s`.

        Raises CameraAbsent if the device cannot be opened.
        """
        with self._change:
            self._change.wait_for(lambda: self._running or self._ended, timeout_s)
            if self._error is not None:
                raise self._error
            return self._running and not self._ended

    @property
    def ended(self) -> bool:
        """Has the device ended?"""
        return self._ended

    def next(self, timeout_s: float) -> tuple[Image, float] | None:
        """A picture grabbed from now on, with its time of exposure.

        None: the device ended (`ended`), or no picture came within `timeout_s`. Raises CameraAbsent if the driver
        failed.
        """
        with self._change:
            self._asked += 1
            self._wanted = self._asked
            self._change.wait_for(lambda: self._taken is not None or self._ended, timeout_s)
            taken, self._taken = self._taken, None
            self._wanted = 0
            if taken is None and self._error is not None:
                raise self._error
            return taken

    def stop(self) -> None:
        """Let the worker end. One that hangs in its driver is left behind after the device was told to let go."""
        self._stopped = True
        self._thread.join(END_S)
        if self._thread.is_alive() and self._device is not None:
            # The abort may hang as well.
            last = threading.Thread(target=self._device.abort, name="camera abort", daemon=True)
            last.start()
            last.join(ABORT_S)

    def _work(self) -> None:
        try:
            self._device = self._connect()
            try:
                self._take_pictures(self._device)
            finally:
                self._device.release()
        except CameraAbsent as error:
            self._error = error
        except Exception as error:  # noqa: BLE001  (top of the thread: what a driver throws is its own affair)
            self._error = CameraAbsent(say("camera.driver_failed", why=f"{type(error).__name__}: {error}"))
        finally:
            with self._change:
                self._ended = True
                self._change.notify_all()

    def _take_pictures(self, device: Device) -> None:
        unreadable = 0
        while not self._stopped:
            if not device.grab():
                return
            now = self._clock()
            if not self._running:
                with self._change:
                    self._running = True
                    self._change.notify_all()
            asked = self._wanted
            if not asked:
                continue
            shot = device.retrieve()
            if shot is None:
                unreadable += 1
                if unreadable >= MOST_UNREADABLE:
                    return
                continue
            unreadable = 0
            age = shot.age_s if shot.age_s is not None and 0 <= shot.age_s <= OLDEST_S else 0.0
            with self._change:
                # Who asked may have given up meanwhile; the next one wants a newer picture.
                if self._wanted == asked:
                    self._taken = (shot.image, now - age)
                    self._change.notify_all()
