"""What seeing costs and how much of it is right, beside OpenCV's detector as it comes, on the same whole pictures.

Tables of about 50 prints at 2304 × 1296, one thread. Times are processor times, taken in turns with the detector's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks.beside import Beside
from benchmarks.conftest import Notes
from benchmarks.memory import measured
from benchmarks.unmarked import FRAMES, count_on_all_cores
from companion.games.above.box import CARD_BY_ID, MINI_BY_ID, TOKEN_BY_ID, Table
from companion.sensing.follow import CONFIRM_AFTER
from companion.sensing.frames import Frame, Image
from companion.sensing.markers import Marker, as_markers, dictionary
from companion.sensing.reading import Reading
from companion.sensing.sight import Sight
from tests.sensing.ladder import LADDERS, Rung, Score, rungs, score
from tests.sensing.shots import Exposure, Shot, rendered_above
from tests.sensing.table import LiveTable

PART = "sight, beside `cv2.aruco.ArucoDetector` as it comes"
FPS = 15.0
TABLES = ("oak", "cloth", "photograph")
PIECES = frozenset((*MINI_BY_ID, *TOKEN_BY_ID, *CARD_BY_ID))
# What is moved to and fro, and by how many mm.
MOVED, MOVED_MM = ("token 16", "token 23", "mini he", "mini po"), 9.0
# Pictures of one table that only differ by their noise.
NOISES = 4
QUIET_FRAMES, CONFIRMS = 120, 9
# Of a MiB.
MB = 1.048576


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(threads)


@pytest.fixture(scope="module")
def detector() -> Any:
    """OpenCV's detector with its default parameters."""
    return cv2.aruco.ArucoDetector(dictionary(), cv2.aruco.DetectorParameters())


@dataclass(slots=True)
class Filmed:
    """A table that is filmed: the pictures of what lies there, by the piece that is moved (None: none is)."""

    sight: Sight
    pictures: dict[str | None, Sequence[Image]]
    last: Reading = field(default_factory=lambda: Reading(0.0))
    at: float = 0.0

    def frame(self, moved: str | None = None) -> Frame:
        """The next frame, with noise of its own."""
        self.at += 1 / FPS
        shown = self.pictures[moved]
        return Frame(shown[round(self.at * FPS) % len(shown)], self.at, round(self.at * FPS))

    def process(self, frame: Frame) -> None:
        """Show a frame to sight."""
        self.last = self.sight.process(frame)

    def wait(self, frames: int, moved: str | None = None) -> None:
        """Let frames pass."""
        for _ in range(frames):
            self.process(self.frame(moved))


def filmed(name: str) -> Filmed:
    """A table whose pictures are made beforehand, read until it is known and quiet."""
    if name == "photograph":
        live = LiveTable()
        whole = [live.shown() for _ in range(NOISES)]
        pictures: dict[str | None, Sequence[Image]] = {None: whole}
        for piece in ("po", "26", "30"):
            live.push(piece, 24)
            pictures[piece] = [live.shown() for _ in range(NOISES)]
            live.put_back(piece)
        film = Filmed(live.sight, pictures)
    else:
        table = rendered_above(TABLES.index(name) * 3)
        shot = table.shot()
        pictures = {None: taken(shot)}
        for piece in MOVED:
            lies = table.scene.piece(piece).pose
            table.scene.put(piece, replace(lies, x=lies.x + MOVED_MM))
            pictures[piece] = taken(table.shot())
            table.scene.put(piece, lies)
        film = Filmed(Sight(shot.pose.camera), pictures)
    film.wait(30)
    return film


def taken(shot: Shot) -> list[Image]:
    """Pictures of one table."""
    return [shot.taken(Exposure(), seed) for seed in range(NOISES)]


@pytest.mark.parametrize("name", TABLES)
def test_nothing_changed(benchmark: Any, notes: Notes, detector: Any, name: str) -> None:
    film, times = filmed(name), Beside()

    def watch() -> None:
        for _ in range(QUIET_FRAMES):
            frame = film.frame()
            times.time_ours(film.process, frame)
            if len(times.ours) % 4 == 0:
                times.time_yardstick(detector.detectMarkers, frame.image)

    benchmark.pedantic(watch, rounds=1)
    reached = f"1/{1 / times.ratio:.0f}"
    notes.note(f"nothing changed, {name}", "1/40 of its time", reached, times.in_words, times.ratio <= 1 / 40)


@pytest.mark.parametrize("name", TABLES)
def test_one_piece_moved(benchmark: Any, notes: Notes, detector: Any, name: str) -> None:
    """The frame in which the moved piece is read in its new place; those before only tell that something moves."""
    film, times = filmed(name), Beside()
    pieces = [piece for piece in film.pictures if piece is not None]

    def move() -> None:
        for piece in (*pieces, *pieces):
            for moved in (piece, None):
                frame = read_anew(film, moved, times)
                times.time_yardstick(detector.detectMarkers, frame.image)
                film.wait(20, moved)

    benchmark.pedantic(move, rounds=1)
    reached = f"1/{1 / times.ratio:.1f}"
    notes.note(f"one piece moved, {name}", "1/6", reached, times.in_words, times.ratio <= 1 / 6)


def read_anew(film: Filmed, moved: str | None, times: Beside | None = None) -> Frame:
    """Show what has changed until it is read; that frame, and the time it took."""
    before = placed(film.last)
    for _ in range(9):
        frame = film.frame(moved)
        took = Beside()
        took.time_ours(film.process, frame)
        if not film.last.moving and placed(film.last) != before:
            if times is not None:
                times.ours += took.ours
            return frame
    raise AssertionError("what moved was not read in its new place")


def placed(reading: Reading) -> dict[int, tuple[int, int]]:
    """Where the pieces lie, to 4 mm."""
    return {
        one.marker: (round(one.xyz_mm[0] / 4), round(one.xyz_mm[1] / 4))
        for one in (*reading.minis, *reading.tokens)
    }


@pytest.mark.parametrize("name", TABLES)
def test_whole_frame_confirmed(benchmark: Any, notes: Notes, detector: Any, name: str) -> None:
    film, times = filmed(name), Beside()
    piece = next(piece for piece in film.pictures if piece is not None)

    def confirm() -> None:
        for n in range(CONFIRMS):
            moved = None if n % 2 else piece
            read_anew(film, moved)
            # After the first quiet frame, which was read; the next is the one in which everything is confirmed.
            film.wait(CONFIRM_AFTER - 2, moved)
            frame = film.frame(moved)
            times.time_ours(film.process, frame)
            times.time_yardstick(detector.detectMarkers, frame.image)
            film.wait(20, moved)

    benchmark.pedantic(confirm, rounds=1)
    reached = f"{times.ratio:.2f}"
    notes.note(f"whole frame confirmed, {name}", "0.67", reached, times.in_words, times.ratio <= 2 / 3)


# Tables on which the ladders are climbed, and the frames until the first is known, and until what changed is confirmed.
CLIMBED = (0, 1)
UNTIL_KNOWN, UNTIL_CONFIRMED = 5, CONFIRM_AFTER + 1


@dataclass(slots=True)
class Climbed:
    """What was found on one ladder, step by step."""

    default: list[Score] = field(default_factory=list)
    look: list[Score] = field(default_factory=list)
    confirmed: list[Score] = field(default_factory=list)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("ladder", LADDERS)
def test_recall_on_a_ladder(benchmark: Any, notes: Notes, detector: Any, ladder: str) -> None:
    """A first look at each rung, and the whole confirmed after something that is no piece was laid down beside."""
    climbed = Climbed()

    def climb() -> None:
        for seed in CLIMBED:
            for rung in rungs(rendered_above(seed), seed, (ladder,)):
                climb_one(rung, detector, climbed)

    benchmark.pedantic(climb, rounds=1)
    default, look, confirmed = (
        sum(each, Score(0, 0, 0)) for each in (climbed.default, climbed.look, climbed.confirmed)
    )
    of = default.of
    never_below = all(
        ours.found >= theirs.found
        for found in (climbed.look, climbed.confirmed)
        for ours, theirs in zip(found, climbed.default, strict=True)
    )
    wrong = look.wrong + confirmed.wrong
    beside = f"wrong ids {wrong}, the default's {default.wrong}"
    notes.note(
        f"prints found, {ladder}: at once · confirmed",
        f"above {default.found / of:.1%}",
        f"{look.found / of:.1%} · {confirmed.found / of:.1%}",
        f"of {of}; {'on no step' if never_below else 'SOMEWHERE'} fewer; {beside}",
        look.found > default.found and confirmed.found > default.found and never_below and wrong == 0,
    )


def climb_one(rung: Rung, detector: Any, climbed: Climbed) -> None:
    """One rung, as it is filmed: what is seen at first, and what is known when all has been confirmed."""
    corners, ids, _ = detector.detectMarkers(rung.image)
    sight, shot = Sight(rung.shot.pose.camera), rung.shot
    climbed.default.append(score(shot, as_markers(corners, ids), PIECES))
    pictures = [rung.image] * UNTIL_KNOWN + [with_coin(rung.image, shot)] * UNTIL_CONFIRMED
    readings = [sight.process(Frame(image, n / FPS, n)) for n, image in enumerate(pictures)]
    climbed.look.append(score(shot, read_in(readings[UNTIL_KNOWN - 1]), PIECES))
    climbed.confirmed.append(score(shot, read_in(readings[-1]), PIECES))


def read_in(reading: Reading) -> list[Marker]:
    """The prints a reading knows."""
    pieces = (*reading.minis, *reading.tokens, *reading.cards)
    return [Marker(one.marker, np.array(one.corners_px, np.float32)) for one in pieces if one.corners_px]


def with_coin(image: Image, shot: Shot) -> Image:
    """The same picture with a dark coin on the bare table, as far from every print as can be."""
    height, width = image.shape[:2]
    table = Table()
    board_mm = table.board.ring_radii(1)[1] + 10
    bare = [
        (x, y, 0.0) for x in range(-360, 361, 20) for y in range(-200, 201, 20) if math.hypot(x, y) > board_mm
    ]
    seen = [at for at in shot.pose.project(bare) if 60 < at[0] < width - 60 and 60 < at[1] < height - 60]
    frame = shot.pose.project([(x, y, 0.0) for _, x, y in table.frame_centres_mm])
    prints = np.concatenate([[one.centre for one in shot.prints], frame])
    x, y = max(seen, key=lambda at: float(np.hypot(*(prints - at).T).min()))
    shown = image.copy()
    cv2.circle(shown, (round(float(x)), round(float(y))), 26, (20, 30, 40), -1)
    return shown


@pytest.mark.timeout(7200)
def test_pictures_without_markers(benchmark: Any, notes: Notes) -> None:
    counted = benchmark.pedantic(count_on_all_cores, args=(FRAMES,), rounds=1)
    wrong, theirs = sum(counted.ours.values()), sum(counted.default.values())
    beside = f"{counted.whole} of them whole; the default's {theirs}"
    notes.note(
        "wrong ids in pictures without markers",
        "0 in 10 000",
        f"{wrong} in {counted.frames}",
        beside,
        wrong == 0,
    )


@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", ["above", "olympeak"])
def test_resident_memory(benchmark: Any, notes: Notes, game: str) -> None:
    low, middle, high = benchmark.pedantic(measured, args=(game,), rounds=1)
    reached, beside = f"{middle * MB:.0f} MB", f"{low * MB:.0f} to {high * MB:.0f} MB within half a minute"
    notes.note(f"resident, `play {game}`, two pages open", "under 180 MB", reached, beside, middle * MB < 180)
