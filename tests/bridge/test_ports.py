"""Which ports are tried, and how a board is found again under another number."""

from __future__ import annotations

import pytest

from firmware_bridge.ports import STABLE_NAME, PortFinder, PortInfo, board_of, list_ports

MEGA = PortInfo("/dev/ttyACM0", "Arduino Mega 2560", 0x2341, 0x0042, "A1", "Arduino Mega 2560 R3")
SAME_MEGA_LATER = PortInfo("/dev/ttyACM1", "Arduino Mega 2560", 0x2341, 0x0042, "A1", "Arduino Mega 2560 R3")
OTHER_MEGA = PortInfo("/dev/ttyACM0", "Arduino Mega 2560", 0x2341, 0x0042, "B2", "Arduino Mega 2560 R3")
CONSOLE = PortInfo("/dev/ttyS0", "n/a")


def finder(port: str, ports: list[PortInfo], files: set[str]) -> PortFinder:
    return PortFinder(port, lister=lambda: ports, exists=files.__contains__)


def test_auto_prefers_the_stable_name() -> None:
    assert finder("auto", [MEGA, CONSOLE], {STABLE_NAME}).candidates() == (STABLE_NAME,)


def test_auto_tries_every_likely_board_and_no_console() -> None:
    found = finder("auto", [MEGA, SAME_MEGA_LATER, CONSOLE], set())
    assert found.candidates() == ("/dev/ttyACM0", "/dev/ttyACM1")
    assert finder("auto", [CONSOLE], set()).candidates() == ()
    assert "no table controller is plugged in" in found.missing


def test_a_path_is_taken_as_it_is() -> None:
    assert finder("/dev/ttyS0", [CONSOLE], {"/dev/ttyS0"}).candidates() == ("/dev/ttyS0",)
    assert finder("/dev/ttyS9", [MEGA], set()).candidates() == ()


def test_a_board_that_answered_is_found_under_its_new_number() -> None:
    ports, files = [MEGA], {"/dev/ttyACM0"}
    found = finder("/dev/ttyACM0", ports, files)
    found.confirm("/dev/ttyACM0")
    ports[:] = [SAME_MEGA_LATER]
    files.clear()
    assert found.candidates() == ("/dev/ttyACM1",)
    ports[:] = [PortInfo("/dev/ttyACM2", "another", 0x2341, 0x0042, "B2", "Arduino Mega 2560 R3")]
    assert found.candidates() == ()


@pytest.mark.parametrize(
    ("vendor", "product", "board"),
    [
        (0x2341, 0x0042, "Arduino Mega 2560 R3"),
        (0x1A86, 0x7523, "board with CH340 serial chip"),
        (0x1A86, 0x55D4, "board with CH340 serial chip"),
        (0x2341, 0x0043, None),  # an Uno
        (None, None, None),
    ],
)
def test_boards_by_usb_id(vendor: int | None, product: int | None, board: str | None) -> None:
    assert board_of(vendor, product) == board


def test_this_computers_ports_can_be_listed() -> None:
    ports = list_ports()
    assert [port.board is None for port in ports] == sorted(port.board is None for port in ports)
