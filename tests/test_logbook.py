"""The logbook keeps what was said, within its bounds, and never stands in the way."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from companion import logbook
from companion.logbook import FILE_BYTES, KEPT_FILES, NAME, kept_log, pages

log = logging.getLogger("companion.test")


def test_what_is_logged_stands_in_the_file_and_nothing_stays_behind(tmp_path: Path) -> None:
    programs = [logging.getLogger(name) for name in logbook.PROGRAMS]
    before = [(program.level, list(program.handlers)) for program in programs]
    with kept_log(tmp_path / "state"):
        log.info("Ada has moved.")
        logging.getLogger("uvicorn.error").error("not ours")
    assert [(program.level, list(program.handlers)) for program in programs] == before
    log.info("too late")
    text = (tmp_path / "state" / NAME).read_text(encoding="utf-8")
    assert text.endswith("INFO companion.test: Ada has moved.\n")
    assert text.count("\n") == 1


def test_it_never_grows_beyond_its_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logbook, "FILE_BYTES", 2000)
    with kept_log(tmp_path):
        for number in range(400):
            log.info("line %04d", number)
    files = pages(tmp_path)
    assert len(files) == KEPT_FILES + 1 == len(list(tmp_path.iterdir()))
    assert all(path.stat().st_size <= 2000 for path in files)
    lines = "".join(path.read_text(encoding="utf-8") for path in files).splitlines()
    numbers = [int(line[-4:]) for line in lines]
    assert numbers == list(range(numbers[0], 400)), "the newest are kept, in order"
    assert FILE_BYTES * (KEPT_FILES + 1) < 2_000_000


def test_a_full_disk_costs_lines_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with kept_log(tmp_path):
        (handler,) = [h for h in logging.getLogger("companion").handlers if hasattr(h, "baseFilename")]

        def full(text: str) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr(handler.stream, "write", full)  # type: ignore[attr-defined]
            log.info("lost")
        log.info("kept")
    assert "lost" not in (tmp_path / NAME).read_text() and "kept" in (tmp_path / NAME).read_text()
    assert capsys.readouterr().err == ""


def test_where_nothing_can_be_kept_the_table_runs_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    with kept_log(tmp_path / "file"):
        log.warning("goes on")
    assert "No log is kept in" in caplog.text
    assert pages(tmp_path / "file") == []
