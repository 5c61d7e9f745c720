"""A camera whose pictures are watched: black, frozen, of another size, or with an exposure that never settles."""

from __future__ import annotations

import numpy as np

from companion.messages import say
from companion.sensing.frames import STRIDE, CameraAbsent, Film, Frame, FrameSource, Image
from companion.sensing.sources.setting import Setting, setting_of

# One pixel in so many is looked at, a multiple of STRIDE.
_STEP = 2 * STRIDE
# Below this mean level a picture is black, above this one it is burnt out: such ones may well be all alike.
BLACK_LEVEL = 4.0
WHITE_LEVEL = 251.0
# No sensor gives the same bytes twice; a camera that does so for this long hands out an old picture.
FROZEN_S = 3.0
# After opening the exposure is given this long, and so many pictures, to find its level, within this share.
SETTLE_S = 3.0
SETTLE_PICTURES = 60
STEADY_SHARE = 0.04
# Pictures of another size than before, for this long: the camera has changed its mind.
OTHER_SIZE_S = 1.0


class WatchedCamera:
    """Passes the pictures of a camera on, and says what is wrong with them.

    `asked`: the size (w, h) in pixels it was told to give, None if it was not told.
    """

    def __init__(self, camera: FrameSource, asked: tuple[int, int] | None = None) -> None:
        self._camera = camera
        self._asked = asked
        self._size: tuple[int, int] | None = None
        self._sample: Image | None = None
        self._level = -1.0
        # Since when the bytes have been the same, and the size another.
        self._same_since = 0.0
        # The picture that the camera had frozen in.
        self._frozen: Image | None = None
        self._other_since: float | None = None
        self._opened_at: float | None = None
        self._settled = False
        self._trouble = ""

    @property
    def name(self) -> str:
        """The camera's name."""
        return self._camera.name

    @property
    def simulated(self) -> bool:
        """Is the camera simulated?"""
        return self._camera.simulated

    @property
    def notice(self) -> str:
        """What people should know although pictures come."""
        return " ".join(text for text in (self._trouble, self._camera.notice, self._size_notice()) if text)

    @property
    def setting(self) -> Setting:
        """How the camera is set."""
        return setting_of(self._camera)

    def open(self) -> None:
        """Open the camera; raises what it raises."""
        self._camera.open()
        self._size = self._sample = self._opened_at = self._other_since = None
        self._level, self._settled, self._trouble = -1.0, False, ""

    def read(self, timeout_s: float) -> Frame:
        """The next picture that is fit to be read.

        Raises CameraAbsent as the camera does, and for a frozen picture and one that has changed its size: opening
        the camera again mends that. The first pictures are waited for until the exposure has settled.
        """
        skipped = 0
        while True:
            frame = self._camera.read(timeout_s)
            if self._is_fit(frame, skipped):
                return frame
            skipped += 1

    def _is_fit(self, frame: Frame, skipped: int) -> bool:
        if self._size is not None and frame.size != self._size:
            return self._is_of_size(frame, frame.size, skipped)
        self._size, self._other_since = frame.size, None
        sample = _sample_of(frame.picture)
        level = float(sample.mean())
        before, self._sample = self._sample, sample
        dark = level < BLACK_LEVEL
        if before is None or not np.array_equal(before, sample):
            self._same_since = frame.exposed_at
        for_long = frame.exposed_at - self._same_since >= FROZEN_S
        if self._frozen is not None:
            # Opened anew: a driver may still hold the old picture, which is no news of the table.
            if np.array_equal(self._frozen, sample):
                if for_long or skipped >= SETTLE_PICTURES:
                    raise self._is_frozen()
                return False
            self._frozen = None
        if for_long and not dark and level < WHITE_LEVEL:
            self._frozen = sample
            raise self._is_frozen()
        steady = abs(level - self._level) <= STEADY_SHARE * max(level, 1.0)
        self._level = level
        if self._opened_at is None:
            self._opened_at = frame.exposed_at
        if not self._settled:
            if dark or not steady:
                if frame.exposed_at - self._opened_at < SETTLE_S and skipped < SETTLE_PICTURES:
                    return False
                # The game does not wait for a camera that never makes up its mind.
                self._trouble = say("camera.unsettled", camera=self.name)
            self._settled = True
        if dark:
            self._trouble = say("camera.black", camera=self.name)
        elif steady:
            self._trouble = ""
        return True

    def _is_frozen(self) -> CameraAbsent:
        return CameraAbsent(say("camera.frozen", camera=self.name, seconds=f"{FROZEN_S:g}"))

    def _is_of_size(self, frame: Frame, size: tuple[int, int], skipped: int) -> bool:
        """A picture of another size than the others: a slip of the driver, or its new habit?"""
        if self._other_since is None:
            self._other_since = frame.exposed_at
        assert self._size is not None
        if frame.exposed_at - self._other_since >= OTHER_SIZE_S or skipped >= SETTLE_PICTURES:
            raise CameraAbsent(
                say("camera.changed_size", camera=self.name, size=_times(self._size), other=_times(size))
            )
        return False

    def _size_notice(self) -> str:
        if self._size is None:
            return ""
        if self._asked is not None and self._size[0] < self._asked[0]:
            return say(
                "camera.too_small", camera=self.name, size=_times(self._size), other=_times(self._asked)
            )
        return ""

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.close()


def _sample_of(picture: Image | Film) -> Image:
    """A few pixels of a picture; of one that has yet to be developed the green of them, without developing it."""
    if not isinstance(picture, np.ndarray):
        picture, step = picture.thinned(), _STEP // STRIDE
    else:
        step = _STEP
    return np.ascontiguousarray(picture[step // 2 :: step, step // 2 :: step])


def _times(size: tuple[int, int]) -> str:
    return f"{size[0]} × {size[1]}"
