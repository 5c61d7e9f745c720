"""Every reason is one sentence that says where, what, and what to do."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
import serial

from firmware_bridge import why


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            serial.SerialException(errno.EACCES, "x"),
            "no permission to use /dev/t; run `sudo usermod -aG dialout",
        ),
        (serial.SerialException(errno.EAGAIN, "x"), "another program uses /dev/t; close it"),
        (serial.SerialException(errno.EBUSY, "x"), "another program uses /dev/t; close it"),
        (serial.SerialException(errno.ENOENT, "x"), "/dev/t has gone; connect"),
        (OSError(errno.EISDIR, "is a directory"), "/dev/t cannot be opened as a serial port"),
        (ValueError("baud"), "/dev/t cannot be opened as a serial port (baud)"),
    ],
)
def test_not_opened(error: Exception, sentence: str) -> None:
    assert why.not_opened("/dev/t", error).startswith(sentence)


def test_failed(tmp_path: Path) -> None:
    gone, there = str(tmp_path / "gone"), str(tmp_path)
    assert why.failed(gone, OSError(errno.EIO, "x")).endswith("connect the table controller's USB cable.")
    assert "no other program reads" in why.failed(there, serial.SerialException("readiness"))
    assert "takes no more data" in why.failed(there, serial.SerialTimeoutException("Write timeout"))


def test_every_reason_ends_a_sentence() -> None:
    for sentence in (
        why.silent("/dev/t", 0, mostly_text=False),
        why.silent("/dev/t", 9, mostly_text=False),
        why.silent("/dev/t", 9, mostly_text=True),
        why.deaf("/dev/t"),
        why.other_protocol("/dev/t"),
    ):
        assert "/dev/t" in sentence
        assert sentence.endswith(".")
