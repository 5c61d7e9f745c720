"""Sentences for people: why there is no controller, and what to do about it."""

from __future__ import annotations

import errno
import os

import serial

from .protocol import VERSION


def not_opened(path: str, error: Exception) -> str:
    """The port could not be opened."""
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return f"no permission to use {path}; run `sudo usermod -aG dialout $USER` and log in again."
    if number in (errno.EBUSY, errno.EAGAIN):
        return f"another program uses {path}; close it (`fuser {path}` names it)."
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return f"{path} has gone; connect the table controller's USB cable."
    return f"{path} cannot be opened as a serial port ({error}); name the table controller's port."


def failed(path: str, error: Exception) -> str:
    """The port failed while it was in use."""
    if isinstance(error, serial.SerialTimeoutException):
        return f"the board at {path} takes no more data; unplug it and plug it in again."
    if not os.path.exists(path):
        return f"{path} was unplugged; connect the table controller's USB cable."
    return f"{path} failed ({error}); check the USB cable, and that no other program reads the port."


def other_protocol(path: str) -> str:
    """The board answers in another version of the protocol."""
    return (
        f"the board at {path} carries firmware for another protocol than this program (version {VERSION}); "
        "program it with the firmware that came with this program."
    )


def silent(path: str, rubbish_bytes: int, *, mostly_text: bool) -> str:
    """Nothing that could be understood has arrived."""
    if mostly_text:
        return (
            f"what arrives at {path} is text, not the table controller: a login console or another "
            "program's firmware uses this port; disable the console or name another port."
        )
    if rubbish_bytes:
        return (
            f"what arrives at {path} is not readable; check the cable, and that the board carries the table "
            "controller's firmware."
        )
    return (
        f"the board at {path} says nothing; press its reset button, and check that it carries the table "
        "controller's firmware."
    )


def deaf(path: str) -> str:
    """The board talks and does not answer."""
    return f"the board at {path} talks but does not answer; check the cable and press its reset button."
