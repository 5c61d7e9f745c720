"""Where phones in the room find the page: names, addresses, and the host's link for the terminal."""

from __future__ import annotations

import contextlib
import io
import ipaddress
import socket

import segno

# Nobody lives there (RFC 5737); asking for the way to it names our own address, and sends nothing.
SOMEWHERE = ("192.0.2.1", 9)
EVERYWHERE = ("0.0.0.0", "::")


def page_addresses(host: str, port: int) -> tuple[str, ...]:
    """The addresses at which others reach a page served at `host`, the surest first; none if only this machine does.

    A bare address comes before the `.local` name, which some phones cannot find.
    """
    if host not in EVERYWHERE:
        with contextlib.suppress(ValueError):
            if ipaddress.ip_address(host).is_loopback:
                return ()
        return () if host == "localhost" else (address_of(host, port),)
    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(SOMEWHERE)
        found.append(str(probe.getsockname()[0]))
    name = socket.gethostname().partition(".")[0]
    if name and name != "localhost":
        found.append(f"{name}.local")
    return tuple(address_of(each, port) for each in found)


def address_of(host: str, port: int) -> str:
    """The address of a page as a browser takes it."""
    shown = "127.0.0.1" if host in EVERYWHERE else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def qr_for_terminal(address: str) -> str:
    """A QR code of half blocks, for a terminal."""
    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(out=drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")
