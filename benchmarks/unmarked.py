"""Wrong ids in many pictures without markers: python -m benchmarks.unmarked --frames 10000

They are searched as a table of Above, every fourth of OlymPeak too, would be, by the detector and closely; most are
parts of a picture, at its full scale, every hundredth is whole. How much they are blurred is known, as it is from the
frame's markers.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field

import cv2
from rich.progress import Progress

from companion.games.above.box import Table
from companion.games.olympeak.box import Table as OlympeakTable
from companion.games.olympeak.deck_file import default_box
from companion.sensing.finder import find_missed, plausible
from companion.sensing.markers import Marker, as_markers, detect, dictionary
from companion.sensing.olympeak import closer
from companion.sensing.olympeak.prints import Prints
from companion.sensing.region import Region
from tests.sensing.unmarked import FULL, SMALL, Unmarked, unmarked

FRAMES, WHOLE_EVERY = 10_000, 100
# So many pictures are handed to a core at a time.
PORTION = 50


@dataclass(slots=True)
class Count:
    """Pictures looked at, whole ones among them, and ids read in them: ours, and the default detector's, by kind.

    `seeds`: of the pictures in which we read any.
    """

    frames: int = 0
    whole: int = 0
    seeds: list[int] = field(default_factory=list)
    ours: Counter[str] = field(default_factory=Counter)
    default: Counter[str] = field(default_factory=Counter)

    def add(self, other: Count) -> None:
        """Those of another count, too."""
        self.frames += other.frames
        self.whole += other.whole
        self.seeds = sorted((*self.seeds, *other.seeds))
        self.ours += other.ours
        self.default += other.default

    @property
    def in_words(self) -> str:
        """Wrong ids of both."""
        wrong, theirs = sum(self.ours.values()), sum(self.default.values())
        return f"{wrong} in {self.frames} ({self.whole} whole); default {theirs}"


class Searcher:
    """Looks for pieces of both games."""

    def __init__(self) -> None:
        self._above, self._olympeak = Table(), OlympeakTable()
        self._prints = Prints(self._olympeak, default_box())

    def read(self, one: Unmarked, both: bool) -> list[Marker]:
        """All that would be taken for a piece of Above, or of `both` games."""
        gray, pose, blur_px = one.gray, one.pose, one.blur_px
        whole = Region(0, 0, gray.shape[1], gray.shape[0])
        detected = detect(gray)
        found = plausible(gray, detected, pose, self._above, blur_px)
        found += find_missed(gray, whole, pose, self._above, found, blur_px)
        if not both:
            return found
        cards = self._prints.plausible(gray, detected, pose, blur_px)
        cards += closer.find_missed(gray, pose, self._prints, self._olympeak, cards, whole, blur_px)
        return [*found, *cards]


def count(seeds: Iterable[int]) -> Count:
    """Look at the pictures of these numbers."""
    cv2.setNumThreads(1)
    searcher, counted = Searcher(), Count()
    detector = cv2.aruco.ArucoDetector(dictionary(), cv2.aruco.DetectorParameters())
    for seed in seeds:
        whole = seed % WHOLE_EVERY == 0
        one = unmarked(seed, FULL if whole else SMALL)
        counted.frames += 1
        counted.whole += whole
        read = searcher.read(one, seed % 4 == 1)
        if read:
            counted.seeds.append(seed)
        counted.ours[one.kind] += len(read)
        corners, ids, _ = detector.detectMarkers(one.gray)
        counted.default[one.kind] += len(as_markers(corners, ids))
    return counted


def count_on_all_cores(frames: int, first: int = 0) -> Count:
    """Look at so many pictures, with a bar."""
    portions = [
        range(start, min(start + PORTION, first + frames)) for start in range(first, first + frames, PORTION)
    ]
    whole = Count()
    spawned = multiprocessing.get_context("spawn")
    with (
        ProcessPoolExecutor(os.cpu_count(), spawned) as cores,
        Progress() as progress,
    ):
        bar = progress.add_task("pictures without markers", total=frames)
        for done in as_completed([cores.submit(count, seeds) for seeds in portions]):
            whole.add(done.result())
            progress.update(bar, completed=whole.frames)
    return whole


def main() -> None:
    """Counts, and says it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=FRAMES)
    parser.add_argument("--first", type=int, default=0, help="the first picture's number")
    asked = parser.parse_args()
    counted = count_on_all_cores(asked.frames, asked.first)
    sys.stdout.write(f"wrong ids: {counted.in_words}\n")
    if counted.seeds:
        sys.stdout.write(f"  in the pictures {', '.join(map(str, counted.seeds))}\n")
    for kind in sorted(counted.default):
        sys.stdout.write(f"  {kind:<10} {counted.ours[kind]:>4} · default {counted.default[kind]:>4}\n")


if __name__ == "__main__":
    main()
