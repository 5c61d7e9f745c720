"""Pictures that are black, frozen, or of another size are noticed, told, and mended by starting anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from companion.sensing.frames import CameraAbsent, Film, Frame, Image, thinned
from companion.sensing.sources import watched
from companion.sensing.sources.watched import FROZEN_S, SETTLE_S, WatchedCamera
from tests.sensing.sources.drivers import HEIGHT, WIDTH, picture, pictures

FPS = 10.0


class Reel:
    """A camera that shows what it is given, ten pictures a second; opening it goes on with the next reel."""

    simulated = False
    name = "camera"
    notice = ""

    def __init__(self, *reels: Iterable[Image | Film]) -> None:
        self._reels: Iterator[Iterable[Image | Film]] = iter(reels)
        self._pictures: Iterator[Image | Film] = iter(())
        self.number = 0

    def open(self) -> None:
        self._pictures = iter(next(self._reels))

    def read(self, timeout_s: float) -> Frame:
        self.number += 1
        return Frame(next(self._pictures), self.number / FPS, self.number)

    def close(self) -> None:
        self._pictures = iter(())


def watch(*reels: Iterable[Image | Film], **known: tuple[int, int]) -> WatchedCamera:
    camera = WatchedCamera(Reel(*reels), **known)
    camera.open()
    return camera


class Undeveloped:
    """A picture that is only to be glanced at."""

    size = (WIDTH, HEIGHT)

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def developed(self) -> Image:
        raise AssertionError("nobody looks at the whole")

    def thinned(self) -> Image:
        return thinned(picture(90, seed=self._seed))


def black(times: int) -> list[Image]:
    return [picture(0, seed=n) // 3 for n in range(times)]


def test_good_pictures_pass_and_nothing_is_said() -> None:
    camera = watch(pictures())
    numbers = [camera.read(1.0).number for _ in range(50)]
    assert numbers == list(range(2, 52)), "one picture to know the level by, then each"
    assert camera.notice == ""


def test_a_picture_that_has_yet_to_be_developed_is_not_for_this() -> None:
    camera = watch([Undeveloped(n % 9) for n in range(20)], [Undeveloped(3)] * 60)
    numbers = [camera.read(1.0).number for _ in range(19)]
    assert numbers == list(range(2, 21))
    camera.open()
    with pytest.raises(CameraAbsent, match="same picture"):
        while True:
            camera.read(1.0)


def test_black_first_pictures_are_waited_for() -> None:
    camera = watch([*black(8), *[picture(90, seed=n) for n in range(5)]])
    assert camera.read(1.0).image.mean() > 80
    assert camera.notice == ""


def test_a_camera_that_stays_black_is_used_with_a_warning_and_gets_well_by_itself() -> None:
    camera = watch([*black(60), *[picture(90, seed=n) for n in range(5)]])
    frame = camera.read(1.0)
    assert frame.exposed_at <= SETTLE_S + 0.2
    assert camera.notice == ("The picture of the camera is black: take its cap off, or give the table light.")
    while frame.image.mean() < 80:
        frame = camera.read(1.0)
    camera.read(1.0)
    assert camera.notice == ""


def test_a_frozen_camera_that_is_opened_anew_and_still_hands_out_the_old_picture_shows_nothing() -> None:
    old = picture(90, seed=1)
    fresh = [picture(90, seed=n) for n in (2, 3, 4)]
    camera = watch([old] * 60, [old] * 60, [old] * 5 + fresh)
    with pytest.raises(CameraAbsent):
        while True:
            camera.read(1.0)
    camera.open()
    with pytest.raises(CameraAbsent):
        camera.read(1.0)
    # A driver that is well again may still have the old one in its queue.
    camera.open()
    shown = camera.read(1.0).image
    assert any(np.array_equal(shown, new) for new in fresh)


def test_lights_out_in_the_middle_of_a_game_is_told() -> None:
    camera = watch([*[picture(90, seed=n) for n in range(5)], *black(3)])
    for _ in range(5):
        camera.read(1.0)
    assert "is black" in camera.notice


def test_an_exposure_that_rises_is_waited_for_and_one_that_never_settles_is_not() -> None:
    rising = [picture(level, seed=level) for level in (10, 30, 60, 85, 90, 91)]
    assert watch(rising).read(1.0).image.mean() > 85
    hunting = watch(picture(60 + 40 * (n % 2), seed=n) for n in range(200))
    frame = hunting.read(1.0)
    assert SETTLE_S <= frame.exposed_at <= SETTLE_S + 0.3
    assert hunting.notice == "The exposure of the camera does not settle; it is used as it is."
    hunting.read(1.0)
    assert hunting.notice


def test_in_a_world_where_time_stands_still_nobody_waits_for_ever() -> None:
    class Still(Reel):
        def read(self, timeout_s: float) -> Frame:
            return Frame(super().read(timeout_s).image, 5.0, self.number)

    camera = WatchedCamera(Still(black(500)))
    camera.open()
    assert camera.read(1.0).image.max() <= 1


def frozen(times: int) -> list[Image]:
    return [picture(90)] * times


def test_a_frozen_picture_is_noticed_and_started_anew() -> None:
    camera = watch([*[picture(90, seed=n) for n in range(20)], *frozen(100)], pictures())
    with pytest.raises(CameraAbsent, match=r"Camera has shown the very same picture for 3 s: it is frozen"):
        for _ in range(100):
            frame = camera.read(1.0)
    assert frame.exposed_at <= 2.0 + FROZEN_S + 0.2
    camera.open()
    for _ in range(50):
        camera.read(1.0)


def test_a_picture_that_repeats_for_a_moment_is_not_frozen() -> None:
    # In dim rooms some cameras hand every picture out twice.
    camera = watch(picture(90, seed=n // 4) for n in range(200))
    for _ in range(150):
        camera.read(1.0)
    assert camera.notice == ""


@pytest.mark.parametrize("level", [0, 255])
def test_a_black_or_burnt_out_picture_is_not_called_frozen(level: int) -> None:
    camera = watch([np.full((HEIGHT, WIDTH, 3), level, np.uint8)] * 200)
    for _ in range(60):
        camera.read(1.0)


def test_single_pictures_of_another_size_are_passed_over() -> None:
    def mixed() -> Iterator[Image]:
        for n in range(200):
            yield picture(90, (32, 18) if n % 7 == 3 else (WIDTH, HEIGHT), seed=n)

    camera = watch(mixed())
    sizes = {camera.read(1.0).image.shape for _ in range(100)}
    assert sizes == {(HEIGHT, WIDTH, 3)}


def test_a_camera_that_changes_its_size_is_started_anew() -> None:
    small = [picture(90, (32, 18), seed=n) for n in range(100)]
    camera = watch([*[picture(90, seed=n) for n in range(10)], *small], small)
    with pytest.raises(CameraAbsent, match=r"changed its pictures from 64 × 36 to 32 × 18"):
        for _ in range(30):
            camera.read(1.0)
    camera.open()
    assert camera.read(1.0).image.shape == (18, 32, 3)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"asked": (64, 36)}, ""),
        ({"asked": (32, 18)}, ""),
        ({"asked": (128, 72)}, "gives 64 × 36 instead of 128 × 72: small markers may not be read"),
    ],
)
def test_a_smaller_size_than_asked_for_is_never_taken_silently(
    known: dict[str, tuple[int, int]], said: str
) -> None:
    camera = watch(pictures(), **known)
    camera.read(1.0)
    assert said in camera.notice
    assert bool(camera.notice) is bool(said)


def test_what_the_camera_itself_has_to_say_is_passed_on() -> None:
    camera = watch(pictures(), asked=(128, 72))
    Reel.notice = "The lens has moved."
    try:
        camera.read(1.0)
        assert camera.notice.startswith("The lens has moved. The camera gives")
    finally:
        Reel.notice = ""


def test_thresholds_leave_room() -> None:
    assert watched.BLACK_LEVEL < 10
    assert watched.FROZEN_S >= 2
