"""Every reason is one sentence that says where, what, and what to do."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
import serial

from firmware_bridge import why
from firmware_bridge.holders import Holder, holders


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            serial.SerialException(errno.EACCES, "x"),
            "no permission to use /dev/t; run `sudo usermod -aG dialout",
        ),
        (
            serial.SerialException(errno.EAGAIN, "x"),
            "another program uses /dev/t; `sudo fuser -v /dev/t` names it",
        ),
        (
            serial.SerialException(errno.EBUSY, "x"),
            "another program uses /dev/t; `sudo fuser -v /dev/t` names it",
        ),
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
        why.poor("/dev/t"),
    ):
        assert "/dev/t" in sentence
        assert sentence.endswith(".")


CAT, MODEM = Holder("cat", 312), Holder("ModemManager", 88)


def test_who_has_the_port_is_said_where_it_is_known() -> None:
    said = why.not_opened("/dev/t", serial.SerialException(errno.EAGAIN, "x"), (CAT,))
    assert said.startswith("cat (process 312) uses /dev/t too")
    assert "end it" in said
    assert "cat (process 312) and minicom (process 9) use" in why.in_use(
        "/dev/t", (CAT, Holder("minicom", 9))
    )
    assert "systemctl stop ModemManager" in why.in_use("/dev/t", (MODEM,))


@pytest.mark.parametrize("path", ["/dev/serial0", "/dev/ttyS0", "/dev/ttyAMA0"])
def test_a_console_on_the_pis_own_pins_is_named_also_at_another_speed(path: str) -> None:
    assert "a login console owns" in why.silent(path, 40, mostly_text=False)
    assert "a login console owns" in why.silent(path, 40, mostly_text=True)
    assert "says nothing" in why.silent(path, 0, mostly_text=False)


def test_other_firmware_and_silence_name_the_command_that_mends_it() -> None:
    for sentence in (why.other_protocol("/dev/t"), why.silent("/dev/t", 0, mostly_text=False)):
        assert "`firmware-bridge flash --port /dev/t`" in sentence


def test_holders_are_read_from_proc(tmp_path: Path) -> None:
    port = tmp_path / "port"
    port.touch()
    for number, comm in ((7, "cat"), (8, "other"), (9, None)):
        folder = tmp_path / str(number) / "fd"
        folder.mkdir(parents=True)
        (folder / "0").symlink_to("/dev/null")
        if comm != "other":
            (folder / "3").symlink_to(port.resolve())
        if comm is not None:
            (folder.parent / "comm").write_text(comm + "\n")
    (tmp_path / "77").mkdir()  # has just ended
    assert holders(str(port), tmp_path) == (Holder("cat", 7), Holder("a program", 9))
