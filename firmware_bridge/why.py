"""Sentences for people: why there is no controller, and what to do about it."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence

import serial

from .holders import Holder
from .protocol import VERSION

# The serial port on a Pi's pins, where its system puts a login console.
_OWN_UART = re.compile(r"/dev/(serial\d|ttyS\d|ttyAMA\d)$")


def not_opened(path: str, error: Exception, others: Sequence[Holder] = ()) -> str:
    """The port could not be opened. `others`: who else is known to hold it."""
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return f"no permission to use {path}; run `sudo usermod -aG dialout $USER` and log in again."
    if number in (errno.EBUSY, errno.EAGAIN):
        if others:
            return f"{in_use(path, others)} Or name another port."
        return f"another program uses {path}; `sudo fuser -v {path}` names it: end it, or name another port."
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return f"{path} has gone; connect the table controller's USB cable."
    return f"{path} cannot be opened as a serial port ({error}); name the table controller's port."


def in_use(path: str, others: Sequence[Holder]) -> str:
    """Somebody else has the port open."""
    who = " and ".join(str(holder) for holder in others)
    one = len(others) == 1
    stop = (
        "`sudo systemctl stop ModemManager`"
        if _is_modem_manager(others)
        else "end " + ("it" if one else "them")
    )
    return f"{who} {'uses' if one else 'use'} {path} too, and takes away what the board says: {stop}."


def _is_modem_manager(others: Sequence[Holder]) -> bool:
    return any(holder.name == "ModemManager" for holder in others)


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
        f"run `firmware-bridge flash --port {path}` to give it the firmware that came with this program."
    )


def silent(path: str, rubbish_bytes: int, *, mostly_text: bool) -> str:
    """Nothing that could be understood has arrived."""
    own = _OWN_UART.match(path)
    if own and rubbish_bytes:
        # At another speed its text does not look like text.
        return (
            f"a login console owns {path}, the serial port on the Pi's own pins; run `sudo raspi-config`, "
            "Interface Options, Serial Port, no login shell; or name the port of the board's USB cable."
        )
    if mostly_text:
        return (
            f"what arrives at {path} is text, not the table controller: a login console or another "
            "program's firmware uses this port; disable the console or name another port."
        )
    if rubbish_bytes:
        return (
            f"what arrives at {path} is not readable; check the cable, and that the board carries the table "
            f"controller's firmware (`firmware-bridge flash --port {path}`)."
        )
    return (
        f"the board at {path} says nothing; press its reset button, and check that it carries the table "
        f"controller's firmware (`firmware-bridge flash --port {path}`)."
    )


def deaf(path: str) -> str:
    """The board talks and does not answer."""
    return f"the board at {path} talks but does not answer; check the cable and press its reset button."


def poor(path: str) -> str:
    """The link holds, but much has to be said twice."""
    return (
        f"much of what is sent over {path} is lost and repeated; use a short USB cable, and keep it away from "
        "the motors' wires."
    )
