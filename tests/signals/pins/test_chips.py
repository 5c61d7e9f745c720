"""The header is found by its label, whatever number its chip has today."""

from __future__ import annotations

import errno
import struct
from pathlib import Path

import pytest

from companion.signals.pins.chips import Chip, Ioctl, header_chip, user_of_line
from companion.signals.pins.ports import NoPinsError, PinsDeniedError


def kernel(chips: dict[str, str | int], users: dict[int, str] | None = None) -> Ioctl:
    """A kernel with chips by device name: a label, or the error that opening it gives."""

    def ask(path: Path, request: int, structure: bytes) -> bytes:
        found = chips.get(path.name, errno.ENOENT)
        if isinstance(found, int):
            raise OSError(found, "cannot")
        if request == 0x8044B401:
            assert len(structure) == 68
            return struct.pack("32s32sI", path.name.encode(), found.encode(), 54)
        assert request == 0xC048B402 and len(structure) == 72
        (line,) = struct.unpack_from("I", structure)
        user = (users or {}).get(line)
        return struct.pack("II32s32s", line, user is not None, b"GPIO17", (user or "").encode())

    return ask


def devices(folder: Path, *names: str) -> list[Path]:
    for name in names:
        (folder / name).touch()
    return [folder / name for name in names]


@pytest.mark.parametrize(
    ("chips", "expected"),
    [
        ({"gpiochip0": "pinctrl-bcm2835"}, Chip(0, "pinctrl-bcm2835")),
        ({"gpiochip0": "pinctrl-bcm2711", "gpiochip1": "raspberrypi-exp-gpio"}, Chip(0, "pinctrl-bcm2711")),
        # A Pi 5 with Linux up to 6.6.45, and since.
        ({"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip4": "pinctrl-rp1"}, Chip(4, "pinctrl-rp1")),
        ({"gpiochip0": "pinctrl-rp1", "gpiochip10": "gpio-brcmstb@107d508500"}, Chip(0, "pinctrl-rp1")),
        ({"gpiochip0": errno.EACCES, "gpiochip11": "pinctrl-rp1"}, Chip(11, "pinctrl-rp1")),
    ],
)
def test_the_header_is_found_by_its_label(
    tmp_path: Path, chips: dict[str, str | int], expected: Chip
) -> None:
    assert header_chip(devices(tmp_path, *chips), kernel(chips)) == expected


def test_a_link_kept_for_old_programs_is_the_chip_it_leads_to(tmp_path: Path) -> None:
    (real,) = devices(tmp_path, "gpiochip0")
    link = tmp_path / "gpiochip4"
    link.symlink_to(real)
    assert header_chip([link], kernel({"gpiochip4": "pinctrl-rp1"})) == Chip(0, "pinctrl-rp1")


def test_what_is_no_pi_and_what_may_not_be_used_is_told_apart(tmp_path: Path) -> None:
    with pytest.raises(NoPinsError, match="has no pins"):
        header_chip([], kernel({}))
    with pytest.raises(NoPinsError, match=r"gpiochip0 is INT34C5:00"):
        header_chip(devices(tmp_path, "gpiochip0"), kernel({"gpiochip0": "INT34C5:00"}))
    with pytest.raises(PinsDeniedError, match=r"usermod -aG gpio"):
        header_chip(devices(tmp_path, "gpiochip0"), kernel({"gpiochip0": errno.EACCES}))
    with pytest.raises(NoPinsError, match="none could be asked"):
        header_chip(devices(tmp_path, "gpiochip0"), kernel({"gpiochip0": errno.EIO}))


def test_the_user_of_a_line_is_named_as_the_kernel_knows_it() -> None:
    ask = kernel({"gpiochip0": "pinctrl-rp1"}, {17: "spi0 CS0", 18: ""})
    assert user_of_line(0, 17, ask) == "spi0 CS0"
    assert user_of_line(0, 18, ask) == "the kernel"
    assert user_of_line(0, 22, ask) == ""
    assert user_of_line(7, 22, ask) == ""


def test_this_computers_chips_can_be_asked_for() -> None:
    """On a Pi it is found, elsewhere it is said that there is none; nothing else may happen."""
    try:
        assert header_chip().label.startswith("pinctrl-")
    except (NoPinsError, PinsDeniedError) as error:
        assert str(error).endswith(".")
