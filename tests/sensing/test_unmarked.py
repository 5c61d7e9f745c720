"""In pictures without markers nothing is read; a sample of what `benchmarks/unmarked.py` goes through."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.above.box import Table
from companion.sensing.finder import find_missed, plausible
from companion.sensing.markers import Marker, detect
from companion.sensing.region import Region
from tests.sensing.prints import cells_of, corners_at, stick
from tests.sensing.unmarked import KINDS, Unmarked, unmarked

TABLE = Table()
# Pictures in which something was read before cells had to be plain all together: a shirt, nested squares, pips, and a
# code of another family. And before two cells together were: other codes and squares in a blur, whole and partly covered.
# The last ones before little of a print, and much blur, had to be as good as a print can be.
ONCE_MISREAD = (
    7,
    128,
    173,
    193,
    218,
    254,
    443,
    471,
    956,
    651,
    1224,
    1415,
    2016,
    2718,
    3312,
    4212,
    4518,
    5157,
    24258,
    24687,
    24858,
)


def read(one: Unmarked) -> list[Marker]:
    """All that would be taken for a piece of Above."""
    height, width = one.gray.shape
    found = plausible(one.gray, detect(one.gray), one.pose, TABLE, one.blur_px)
    return [*found, *find_missed(one.gray, Region(0, 0, width, height), one.pose, TABLE, found, one.blur_px)]


@pytest.mark.parametrize("seed", [*range(1, 1 + len(KINDS)), *ONCE_MISREAD[1:]])
def test_nothing_is_read(seed: int) -> None:
    assert read(unmarked(seed)) == []


def test_the_same_seed_is_the_same_picture_and_every_kind_comes() -> None:
    assert (unmarked(3).gray == unmarked(3).gray).all()
    assert {unmarked(seed, (96, 96)).kind for seed in range(len(KINDS))} == set(KINDS)


def test_a_true_print_among_them_would_be_read() -> None:
    one = unmarked(4)
    gray = one.gray.copy()
    gray[100:220, 180:300] = 120
    stick(gray, cells_of(21), corners_at((240.0, 160.0), 28.6, 30.0), 1.5)
    found = read(Unmarked(gray, one.pose, one.kind, one.blur_px))
    assert [marker.id for marker in found] == [21]
    assert np.hypot(found[0].centre[0] - 240, found[0].centre[1] - 160) < 1.0


@pytest.mark.parametrize("thick", [1, 2, 12, 90])
def test_beyond_the_table_there_is_nothing_to_find(thick: int) -> None:
    # A camera may see more than the table: a change out there once ended the evening.
    pose = unmarked(3).pose
    far = 4000
    gray = np.full((far, far), 128, np.uint8)
    reached = np.array([pose.project(np.array([x, y, 0.0])) for x in (-500, 500) for y in (-400, 400)])
    (x0, y0), (x1, y1) = reached.min(axis=0).astype(int), reached.max(axis=0).astype(int)
    for region in (
        Region(x0 - thick, y0, x0, y1),
        Region(x1, y0, x1 + thick, y1),
        Region(x0, y0 - thick, x1, y0),
        Region(x0, y1, x1, y1 + thick),
    ):
        assert find_missed(gray, region, pose, TABLE, [], 1.0) == []
