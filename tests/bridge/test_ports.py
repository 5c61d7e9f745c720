"""Which ports are tried, and how a board is found again under another number."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.ports import STABLE_NAME, PortFinder, PortInfo, board_of, list_ports, stable_names

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


def test_another_device_under_the_boards_old_number_is_left_alone() -> None:
    ports = [MEGA]
    found = finder("/dev/ttyACM0", ports, {"/dev/ttyACM0", "/dev/ttyACM1"})
    found.confirm("/dev/ttyACM0")
    ports[:] = [OTHER_MEGA, SAME_MEGA_LATER]
    assert found.candidates() == ("/dev/ttyACM1",)
    ports[:] = [MEGA, PortInfo("/dev/ttyACM1", "another", 0x2341, 0x0042, "B2", "Arduino Mega 2560 R3")]
    assert found.candidates() == ("/dev/ttyACM0",)
    ports[:] = [OTHER_MEGA]  # the known one is nowhere: whoever named the path may have changed the board
    assert found.candidates() == ("/dev/ttyACM0",)


def test_auto_tries_the_board_that_answered_before_first() -> None:
    ports = [OTHER_MEGA, SAME_MEGA_LATER]
    found = finder("auto", ports, set())
    assert found.candidates() == ("/dev/ttyACM0", "/dev/ttyACM1")
    found.confirm("/dev/ttyACM1")
    assert found.candidates() == ("/dev/ttyACM1", "/dev/ttyACM0")


def test_the_systems_own_stable_names_are_used(tmp_path: Path) -> None:
    device, folder = tmp_path / "ttyACM0", tmp_path / "by-id"
    device.touch()
    folder.mkdir()
    link = folder / "usb-Arduino_Mega-if00"
    link.symlink_to(device)
    assert stable_names(folder) == {str(device.resolve()): str(link)}
    assert stable_names(tmp_path / "none") == {}
    port = PortInfo(str(device), "Mega", 0x2341, 0x0042, "A1", "Arduino Mega 2560 R3", str(link))
    found = finder("auto", [port], set())
    assert found.candidates() == (str(link),)
    found.confirm(str(link))
    assert found.port_at(str(link)) == port


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
