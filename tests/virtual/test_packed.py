"""A packed picture is the picture, wherever it is cut."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.virtual.packed import READY, TILE_PX, Packed


def picture(seed: int, width: int = 700, height: int = 410) -> np.ndarray:
    rng = np.random.default_rng(seed)
    rough = rng.integers(0, 256, (height // 8, width // 8, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


@pytest.mark.parametrize("packed_at", [0, 6, 12])
def test_parts_are_put_in_and_cut_out_as_of_an_array(packed_at: int) -> None:
    plain = picture(packed_at)
    packed, rng = Packed(plain.copy()), np.random.default_rng(packed_at)
    for step in range(12):
        if step == packed_at:
            packed.pack()
        left, top = (int(v) for v in rng.integers(0, (690, 400)))
        right, bottom = int(rng.integers(left + 1, 701)), int(rng.integers(top + 1, 411))
        part = picture(100 + step)[: bottom - top, : right - left]
        plain[top:bottom, left:right] = part
        packed.put((left, top), part)
        left, top = (int(v) for v in rng.integers(0, (690, 400)))
        right, bottom = int(rng.integers(left + 1, 701)), int(rng.integers(top + 1, 411))
        assert np.array_equal(packed.cut((left, top, right, bottom)), plain[top:bottom, left:right])
    assert np.array_equal(packed.cut((0, 0, 700, 410)), plain)


def test_what_is_cut_out_is_the_callers_own() -> None:
    packed = Packed(picture(1))
    box = (100, 90, 300, 200)
    packed.cut(box)[:] = 0
    assert np.array_equal(packed.cut(box), picture(1)[90:200, 100:300])
    packed.pack()
    packed.cut(box)[:] = 0
    assert np.array_equal(packed.cut(box), picture(1)[90:200, 100:300])


def test_it_keeps_few_tiles_ready_however_much_is_looked_at() -> None:
    # As rough as wood.
    plain = (picture(2, 1152, 648) // 16 + 90).astype(np.uint8)
    packed = Packed(plain)
    packed.pack()
    packed.cut((0, 0, 1152, 648))
    assert packed.nbytes < plain.nbytes / 2 + READY * TILE_PX[0] * TILE_PX[1] * 3
