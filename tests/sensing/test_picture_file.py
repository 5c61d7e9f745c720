"""Picture files: whole ones are read, cut ones refused, however the decoder takes them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing.picture_file import PictureUnreadable, is_whole, load_picture

GRAIN = np.random.default_rng(6).integers(0, 255, (40, 60, 3), dtype=np.uint8)
THUMBNAIL = cv2.imencode(".jpg", GRAIN[:8, :8])[1].tobytes()


def packed(suffix: str, *options: int) -> bytes:
    return cv2.imencode(suffix, GRAIN, list(options))[1].tobytes()


def with_thumbnail(jpeg: bytes) -> bytes:
    """A JPEG as cameras write it: a small picture, with an end of its own, before the large one."""
    segment = b"\xff\xe1" + (len(THUMBNAIL) + 2).to_bytes(2, "big") + THUMBNAIL
    return jpeg[:2] + segment + jpeg[2:]


FILES = {
    "JPEG": packed(".jpg"),
    "progressive JPEG": packed(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
    "JPEG with restarts": packed(".jpg", cv2.IMWRITE_JPEG_RST_INTERVAL, 2),
    "JPEG with a thumbnail": with_thumbnail(packed(".jpg")),
    "PNG": packed(".png"),
}


@pytest.mark.parametrize("kind", FILES)
@given(data=st.data())
def test_a_cut_file_is_not_whole_wherever_it_is_cut(kind: str, data: st.DataObject) -> None:
    whole = FILES[kind]
    # From the signature on; a PNG's last four bytes are a check sum of nothing.
    kept = data.draw(st.integers(4, len(whole) - (5 if kind == "PNG" else 1)))
    assert not is_whole(whole[:kept])


@pytest.mark.parametrize("kind", FILES)
def test_a_whole_file_is_read_also_with_something_behind_it(tmp_path: Path, kind: str) -> None:
    for behind in (b"", bytes(64), b"a film"):
        (tmp_path / "a.jpg").write_bytes(FILES[kind] + behind)
        assert load_picture(tmp_path / "a.jpg").shape == GRAIN.shape


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.95])
def test_a_cut_file_is_refused_by_name(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], kind: str, share: float
) -> None:
    (tmp_path / "cut.jpg").write_bytes(FILES[kind][: int(len(FILES[kind]) * share)])
    with pytest.raises(PictureUnreadable, match=r"cut\.jpg"):
        load_picture(tmp_path / "cut.jpg")
    assert capfd.readouterr().err == ""


@given(st.binary(max_size=60))
def test_any_bytes_are_judged(data: bytes) -> None:
    for start in (b"", b"\xff\xd8", b"\xff\xd8\xff\xe1\x00\x00", b"\x89PNG"):
        assert is_whole(start + data) in (True, False)
