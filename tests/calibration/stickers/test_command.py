"""`calibrate stickers` as it is typed."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from tests.calibration.running import run


def pages(file: Path) -> list[tuple[int, int]]:
    with pypdfium2.PdfDocument(file) as document:
        return [
            (round(w * 25.4 / 72), round(h * 25.4 / 72)) for w, h in (page.get_size() for page in document)
        ]


def test_the_pdf_is_named_after_its_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, _ = run("stickers", "--game", "above")
    assert status == 0
    assert "minis" in out
    assert "deck" not in out
    assert "at 100 %" in out
    sizes = pages(tmp_path / "stickers-A4.pdf")
    assert sizes[:-1] == [(210, 297)] * (len(sizes) - 1)
    assert sizes[-1] == (297, 210)


def test_only_what_is_asked_for_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "sub" / "sheet.pdf"
    status, out, _ = run("stickers", file, "--only", "charuco", "--paper", "Letter")
    assert (status, pages(file)) == (0, [(279, 216)])
    assert "7 × 5 squares of 38 mm" in out
    status, out, _ = run("stickers", file, "--only", "pucks")
    assert (status, pages(file)) == (0, [(210, 297)])
    assert "charuco" not in out


def test_what_does_not_fit_on_labels_is_said(tmp_path: Path) -> None:
    _, out, _ = run("stickers", tmp_path / "l.pdf", "--paper", "L7636", "--only", "frame", "--only", "tokens")
    assert "4 of them too large for the labels: on plain paper" in " ".join(out.split())


def test_mistakes_are_one_sentence(tmp_path: Path) -> None:
    for arguments, said in (
        (("--paper", "A3"), "no paper called 'A3'"),
        (("--game", "chess"), "no game 'chess'"),
        (("--only", "dice"), "no stickers called 'dice'"),
    ):
        status, out, err = run("stickers", tmp_path / "x.pdf", *arguments)
        assert (status, out) == (1, "")
        assert said in err
    # What may be written is what the help offers, all of it.
    _, _, err = run("stickers", tmp_path / "x.pdf", "--only", "dice")
    offered = " ".join(err.split()).rpartition("there are ")[2].rstrip(".").split(", ")
    _, shown, _ = run("stickers", "--help")
    assert "charuco" in offered
    assert all(name in shown for name in offered)
    blocked = tmp_path / "file"
    blocked.write_text("")
    status, _, err = run("stickers", blocked / "x.pdf", "--only", "pucks")
    assert status == 1
    assert "cannot be written" in err
