"""The report: everything in one page, nothing private in it, text stays text, and its size has a limit."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.cards.above import AboveCards
from calibration.check.picture import check_picture
from calibration.check.preflight import Preflight
from calibration.evidence import Evidence, Kept, folder_of, keep, load
from calibration.gate import Finding, Judgement
from calibration.profile import Measured, TableProfile, rings_profile
from calibration.report.page import MOST_BYTES, Pictures, escaped, private
from calibration.report.report import Report
from calibration.wiring_profile import SPACES, BadSwitch, LightsProfile, ReedsProfile, SwitchFault
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose
from tests.calibration.running import run
from tests.sensing.photos import camera, photo

AT = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
MEASURED = Measured(at=AT, how="by hand")
RINGS = BoardPrint({n: RingPose(n, 0.5 * n, (0.1 * n, 0.0), 0.05, 0.1) for n in range(1, 7)})
BAD = Finding(
    "wire", "3", "0", Judgement.BAD, "/dev/serial/by-id/usb-Arduino_8543 of /home/ada is loose <now>"
)


class Page(HTMLParser):
    """Tags and text of a page; every tag that is opened is closed."""

    VOID = frozenset({"meta", "img", "circle", "line"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(page)
        assert self.open == []
        self.text = " ".join(self.words)

    def handle_starttag(self, tag: str, attributes: object) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def report(**changes: object) -> Report:
    lights = LightsProfile(
        measured=MEASURED, places=(*SPACES, *(f"seat {n}" for n in range(1, 9))), dark=("c4",)
    )
    reeds = ReedsProfile(
        measured=MEASURED, spaces=SPACES, bad=(BadSwitch(space="k3", fault=SwitchFault.WEAK, trust=0.3),)
    )
    profile = TableProfile(
        name="<script>alert(1)</script>",
        rings=rings_profile(RINGS, AT, "printed lines"),
        lights=lights,
        reeds=reeds,
    )
    base = Report(profile, Preflight((BAD,), None, False), (), (AboveCards(),), AT)
    return replace(base, **changes)  # type: ignore[arg-type]


def test_everything_measured_is_told_and_text_stays_text() -> None:
    page = Page(report().html())
    assert "script" not in page.tags
    for words in ("Table <script>alert(1)</script>", "no go", "+1.00°", "k3", "weak", "16 missing", "OpenCV"):
        assert words in page.text
    assert "SIMULATED" not in page.text
    assert page.tags.count("svg") == 3


def test_nothing_private_is_in_it() -> None:
    page = report().html()
    assert "8543" not in page
    assert "ada" not in page.replace("Table", "")
    assert "/dev/serial/…" in page
    assert private("http://10.0.0.5:8080 its code: 123456 at 10.0.0.5, usb:Cam_9931") == (
        "(an address) its code: … at (an address), usb"
    )


@given(st.text(max_size=60))
def test_no_text_gets_out_of_its_place(text: str) -> None:
    assert not re.search("[<>\"']", escaped(text))


def test_the_table_is_shown_as_it_was_read() -> None:
    small = np.asarray(cv2.resize(photo("09"), (1152, 648), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    seen = check_picture(small, camera("09"))
    page = report(preflight=Preflight((BAD,), seen, True)).html()
    told = Page(page)
    assert "SIMULATED" in told.text
    assert told.tags.count("img") == 3
    pictures = re.findall(r'src="data:image/jpeg;base64,([^"]+)"', page)
    for picture in pictures:
        image = cv2.imdecode(np.frombuffer(base64.b64decode(picture), np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        assert image.shape[1] <= 1152
    # Nothing is fetched from anywhere.
    assert not re.search(r'(src|href)="(?!data:)', page)
    assert len(page) < MOST_BYTES


def test_pictures_beyond_the_limit_are_left_out_and_said() -> None:
    pictures = Pictures(left=100)
    assert "<img" in pictures.figure(b"x" * 60, "one")
    assert "two: left out" in pictures.figure(b"x" * 60, "two")
    kept = tuple(Kept("camera", f"picture {n}", b"\xff" * (MOST_BYTES // 3)) for n in range(4))
    assert len(report(kept=kept).html()) < MOST_BYTES * 1.1


def test_pictures_of_a_step_take_the_place_of_the_last_ones(tmp_path: Path) -> None:
    file = tmp_path / "my table.toml"
    image = np.full((60, 90, 3), 100, np.uint8)
    keep(file, "camera", [Evidence("corners: seen / off", image), Evidence("second", image)])
    keep(file, "rings", [Evidence("lines", image)])
    keep(file, "camera", [Evidence("corners again", image)])
    assert [(one.step, one.title) for one in load(file, ["camera", "rings", "reeds"])] == [
        ("camera", "corners again"),
        ("rings", "lines"),
    ]
    assert folder_of(file).name == "my table-pictures"


def test_the_command_writes_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.check.preflight.PICTURES_S", 0.0)
    monkeypatch.setattr("calibration.commands.report.OWNERS_CARDS", tmp_path / "none.csv")
    monkeypatch.setattr("calibration.commands.report.OWNERS_DECK", tmp_path / "none2.csv")
    for n in range(4):
        cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((36, 64, 3), 90 + n, np.uint8))
    status, out, _ = run("report", tmp_path / "t.toml", "--source", f"folder:{tmp_path}", "--json")
    assert status == 0
    assert '"go": false' in out
    page = (tmp_path / "t-report.html").read_text(encoding="utf-8")
    assert "no frame markers in view" in Page(page).text
    assert str(tmp_path) not in page
