"""The simulated camera: frame source whose pictures come from the scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from companion.sensing.frames import CameraAbsent, Film, Frame, Image
from companion.virtual.faults import Fault
from companion.virtual.optics import Optics
from companion.virtual.picture import Look, Picture
from companion.virtual.scene import Scene


class Filmed(Protocol):
    """What a camera needs of a table: its lens, and what is out of order."""

    @property
    def optics(self) -> Optics: ...

    @property
    def faults(self) -> frozenset[Fault]: ...


class TableCamera:
    """Frames of any simulated table at `fps`; `now` gives the time in seconds, `draw` the picture of now.

    `read` draws the scene as of now and returns at once, unless a `wait` is given (seconds to let pass;
    the real clock's sleep when shown to people): then it keeps to the frame rate. `before` is called with
    the time before each picture, so that the world can be brought up to it.
    """

    simulated = True
    name = "simulated camera"
    notice = ""

    def __init__(
        self,
        scene: Filmed,
        draw: Callable[[], Image | Film],
        now: Callable[[], float],
        *,
        fps: float = 15.0,
        wait: Callable[[float], None] | None = None,
        before: Callable[[float], None] | None = None,
    ) -> None:
        self.fps = fps
        self._scene = scene
        self._now = now
        self._wait = wait
        self._before = before
        self._draw = draw
        self._opened = False
        self._number = 0
        self._due = 0.0
        # What the driver hands out again and again, while it does.
        self._stale: Image | Film | None = None

    @property
    def period_s(self) -> float:
        """Seconds between two frames."""
        return 1.0 / self.fps

    def open(self) -> None:
        """Start delivering; CameraAbsent while unplugged."""
        self._check()
        self._opened = True
        self._due = self._now()

    def close(self) -> None:
        """Stop delivering; harmless when closed already."""
        self._opened = False

    def read(self, timeout_s: float) -> Frame:
        """The picture of this moment; CameraAbsent when unplugged, closed, or not due within `timeout_s`."""
        self._check()
        if not self._opened:
            raise CameraAbsent("The simulated camera is closed; open it before reading.")
        if self._wait is not None:
            ahead = self._due - self._now()
            if ahead > timeout_s:
                self._wait(timeout_s)
                raise CameraAbsent(f"The simulated camera gave no picture within {timeout_s:g} s; try again.")
            if ahead > 0:
                self._wait(ahead)
            self._due = max(self._due, self._now() - self.period_s) + self.period_s
        moment = self._now()
        if self._before is not None:
            self._before(moment)
        self._number += 1
        return Frame(self._picture(), moment, self._number)

    def _check(self) -> None:
        if Fault.CAMERA_GONE in self._scene.faults:
            self._opened = False
            raise CameraAbsent("The simulated camera is unplugged; plug it in again (fault camera_gone).")

    def _picture(self) -> Image | Film:
        faults = self._scene.faults
        if Fault.FRAME_STALE in faults:
            if self._stale is None:
                self._stale = self._draw()
            return self._stale
        self._stale = None
        if Fault.FRAME_BLACK in faults:
            width, height = self._scene.optics.size
            return np.zeros((height, width, 3), dtype=np.uint8)
        return self._draw()


class VirtualCamera(TableCamera):
    """The camera over a simulated table of Above."""

    def __init__(
        self,
        scene: Scene,
        now: Callable[[], float],
        *,
        look: Look | None = None,
        fps: float = 15.0,
        wait: Callable[[float], None] | None = None,
        before: Callable[[float], None] | None = None,
    ) -> None:
        picture = Picture(look, scene.table)
        super().__init__(
            scene, lambda: picture.expose(scene.snapshot()), now, fps=fps, wait=wait, before=before
        )
