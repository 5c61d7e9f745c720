"""Programming a board: checked before, told while it goes on, greeted after; every way it fails has a name."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from firmware_bridge import flash as flashing
from firmware_bridge.cli import app
from firmware_bridge.flash import (
    AVRDUDE,
    AvrdudeMissingError,
    FlashError,
    NoBootLoaderError,
    NoHelloError,
    PortUnusableError,
    WriteFailedError,
    WrongBoardError,
    choose_board,
    flash,
)
from firmware_bridge.frames import Frame, Kind, pack_frame
from firmware_bridge.hex_file import FirmwareFile, read_firmware
from firmware_bridge.ports import PortFinder, PortInfo
from firmware_bridge.protocol import VERSION, encode
from tests.installed import need

from . import fake_avrdude as say
from .boot_loader import BootLoader
from .conftest import PATIENCE_S, QUICK_LINK, BarePort, BoardFactory, HostFactory
from .fake_avrdude import Call, FakeAvrdude
from .test_hex_file import hex_text
from .test_link import LOCKS, reader
from .wires import a_hello

MEGA = PortInfo("/dev/ttyACM0", "Arduino Mega", 0x2341, 0x0042, "A1", "Arduino Mega 2560 R3")
UNO = PortInfo("/dev/ttyACM1", "ttyACM1", 0x2341, 0x0043, "B2", None)
PRINTER = PortInfo("/dev/ttyUSB0", "Cura", 0x1A86, 0x7523, None, "board with CH340 serial chip")


@pytest.fixture
def firmware(tmp_path: Path) -> FirmwareFile:
    path = tmp_path / "t.hex"
    path.write_text(hex_text(bytes(range(16))))
    return read_firmware(path)


@pytest.fixture
def make_avrdude(tmp_path: Path) -> Iterator[Callable[..., FakeAvrdude]]:
    """Fakes whose accounts are settled after the test."""
    made: list[FakeAvrdude] = []

    def make(*calls: Call) -> FakeAvrdude:
        made.append(FakeAvrdude(tmp_path, *calls))
        return made[-1]

    yield make
    assert [line for fake in made for line in fake.settle()] == []


def probe(path: str, says: str = say.READY + say.SIGNATURE, exit_status: int = 0) -> Call:
    return Call((*AVRDUDE, "-P", path, "-n"), says, exit_status)


def write(path: str, firmware: FirmwareFile, says: str, exit_status: int = 0) -> Call:
    return Call((*AVRDUDE, "-P", path, "-U", f"flash:w:{firmware.path}:i"), says, exit_status)


def run(path: str, firmware: FirmwareFile, fake: FakeAvrdude, **options: float) -> list[tuple[str, float]]:
    """Programs; what was told meanwhile."""
    told: list[tuple[str, float]] = []
    flash(
        path, firmware, lambda step, done: told.append((step, done)),
        avrdude=str(fake.path), hello_s=options.get("hello_s", PATIENCE_S),
        silent_s=options.get("silent_s", PATIENCE_S), timing=QUICK_LINK,
    )  # fmt: skip
    return told


# Choosing the board -------------------------------------------------------------------------------------


def finder(port: str, *ports: PortInfo) -> PortFinder:
    return PortFinder(port, lister=lambda: ports, exists={each.device for each in ports}.__contains__)


def test_the_only_mega_is_taken_and_a_named_one_too() -> None:
    assert choose_board("auto", finder("auto", MEGA, UNO)) == ("/dev/ttyACM0", MEGA)
    assert choose_board("/dev/ttyUSB0", finder("/dev/ttyUSB0", MEGA, PRINTER)) == ("/dev/ttyUSB0", PRINTER)


def test_of_several_boards_none_is_taken_unasked() -> None:
    with pytest.raises(PortUnusableError, match=r"several boards .*/dev/ttyACM0, /dev/ttyUSB0.*--port"):
        choose_board("auto", finder("auto", MEGA, PRINTER))


def test_another_board_is_refused_by_its_usb_id() -> None:
    with pytest.raises(WrongBoardError, match=r"is an Arduino Uno \(USB 2341:0043\), no Arduino Mega 2560"):
        choose_board("/dev/ttyACM1", finder("/dev/ttyACM1", MEGA, UNO))
    with pytest.raises(PortUnusableError, match="no table controller is plugged in"):
        choose_board("auto", finder("auto", UNO))


# Programming --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("signature", [say.SIGNATURE, say.SIGNATURE_6, say.SIGNATURE_8])
def test_a_board_is_checked_written_verified_and_greeted(
    make_board: BoardFactory,
    make_avrdude: Callable[..., FakeAvrdude],
    firmware: FirmwareFile,
    signature: str,
) -> None:
    board = make_board()
    fake = make_avrdude(
        probe(board.path, say.READY + signature),
        write(board.path, firmware, say.READY + signature + say.WRITTEN + say.VERIFIED),
    )
    told = run(board.path, firmware, fake)
    steps = list(dict.fromkeys(step for step, _ in told))
    assert steps == ["checking the board", "verifying", "waiting for its hello"] or steps == [
        "checking the board", "writing", "verifying", "waiting for its hello",
    ]  # fmt: skip
    assert told[-1] == ("waiting for its hello", 1.0)
    assert ("verifying", 1.0) in told


def test_the_bar_is_followed_as_it_grows() -> None:
    said = say.READY + say.SIGNATURE + say.WRITTEN
    seen = [flashing._how_far(said[:end]) for end in range(0, len(said), 3)]
    assert seen == sorted(seen, key=lambda each: (each[0] != "writing", each[1]))
    assert seen[0] == ("writing", 0.0)
    half_written = said[: said.index(say.BAR) + len(say.BAR) // 2]
    assert flashing._how_far(half_written) == ("writing", 0.5)
    assert flashing._how_far(said) == ("verifying", 1.0)


@pytest.mark.parametrize(
    ("says", "exit_status", "error", "said"),
    [
        (say.READY + say.WRONG_CHIP, 1, WrongBoardError, "has signature 1e950f, an ATmega2560 has 1e9801"),
        (say.READY, 0, WrongBoardError, "has signature unknown"),
        (say.NO_SYNC, 1, NoBootLoaderError, "answers as the boot loader of an Arduino Mega 2560"),
        ("avrdude: ser_open(): can't open device: Permission denied\n", 1, PortUnusableError, "dialout"),
        (
            "avrdude OS error: cannot open port: Device or resource busy\n",
            1,
            PortUnusableError,
            "another program",
        ),
        (
            "avrdude OS error: cannot open port /dev/x: No such file\n",
            1,
            PortUnusableError,
            "has gone; connect",
        ),
        ("avrdude error: moon in the way\n", 1, WriteFailedError, r"gave up at .*\(avrdude error: moon"),
        ("", 3, WriteFailedError, r"gave up at .*\(no reason\)"),
    ],
)
def test_what_is_wrong_before_anything_is_written_has_a_name(
    bare_port: BarePort,
    make_avrdude: Callable[..., FakeAvrdude],
    firmware: FirmwareFile,
    says: str,
    exit_status: int,
    error: type[FlashError],
    said: str,
) -> None:
    fake = make_avrdude(probe(bare_port.path, says, exit_status))
    with pytest.raises(error, match=said):
        run(bare_port.path, firmware, fake)


@pytest.mark.parametrize(
    ("says", "exit_status", "said"),
    [
        (say.WRITTEN + say.MISMATCH, 1, "is not what was written; run the command again"),
        (say.WRITTEN[:230] + say.NO_SYNC, 1, "stopped answering in the middle; its boot loader is unharmed"),
        (say.WRITTEN, 0, "did not confirm what it wrote"),
    ],
)
def test_what_goes_wrong_while_it_is_written_has_a_name(
    bare_port: BarePort,
    make_avrdude: Callable[..., FakeAvrdude],
    firmware: FirmwareFile,
    says: str,
    exit_status: int,
    said: str,
) -> None:
    fake = make_avrdude(probe(bare_port.path), write(bare_port.path, firmware, says, exit_status))
    with pytest.raises(WriteFailedError, match=said):
        run(bare_port.path, firmware, fake)


def test_an_avrdude_that_hangs_is_ended(
    bare_port: BarePort, make_avrdude: Callable[..., FakeAvrdude], firmware: FirmwareFile
) -> None:
    fake = make_avrdude(Call(probe(bare_port.path).arguments, "avrdude: trying\n", hangs=True))
    with pytest.raises(NoBootLoaderError, match="has said nothing for 1 s and was ended"):
        run(bare_port.path, firmware, fake, silent_s=1.0)


def test_without_avrdude_the_package_is_named(bare_port: BarePort, firmware: FirmwareFile) -> None:
    with pytest.raises(AvrdudeMissingError, match=r"sudo apt-get install -y avrdude"):
        flash(bare_port.path, firmware, lambda *_: None, avrdude="no-such-avrdude")


def test_a_port_in_use_is_left_alone_and_its_holder_named(
    make_board: BoardFactory,
    make_host: HostFactory,
    make_avrdude: Callable[..., FakeAvrdude],
    firmware: FirmwareFile,
) -> None:
    board = make_board()
    fake = make_avrdude()
    with reader(LOCKS, board.path) as other, pytest.raises(PortUnusableError, match=f"process {other.pid}"):
        run(board.path, firmware, fake)
    make_host(board.path).wait_ready(PATIENCE_S)
    with pytest.raises(PortUnusableError, match="another program uses"):
        run(board.path, firmware, fake)


@pytest.mark.parametrize("talks", [False, True])
def test_a_board_that_does_not_greet_afterwards_is_told(
    bare_port: BarePort, make_avrdude: Callable[..., FakeAvrdude], firmware: FirmwareFile, talks: bool
) -> None:
    written = write(bare_port.path, firmware, say.READY + say.SIGNATURE + say.WRITTEN + say.VERIFIED)
    fake = make_avrdude(probe(bare_port.path), written)
    other = pack_frame(Frame(Kind.LOOSE, 0, 0, 0, encode(a_hello(version=VERSION + 1))))

    expected = (
        f"speaks protocol {VERSION + 1} .* leave --hex out" if talks else "was written, but .*says nothing"
    )
    done = threading.Event()

    def talk() -> None:
        while talks and not done.wait(0.02):
            bare_port.write(b"\x00" + other)

    voice = threading.Thread(target=talk)
    voice.start()
    try:
        with pytest.raises(NoHelloError, match=expected):
            run(bare_port.path, firmware, fake, hello_s=1.0)
    finally:
        done.set()
        voice.join()


def test_the_fake_can_fail(tmp_path: Path, bare_port: BarePort, firmware: FirmwareFile) -> None:
    fake = FakeAvrdude(tmp_path, Call(("-v",)), Call(("-n",)))
    with pytest.raises(WriteFailedError):
        run(bare_port.path, firmware, fake)
    assert len(fake.settle()) == 2
    assert fake.settle()[0].startswith("unexpected: -c wiring")
    assert fake.settle()[1] == "never came: -n"


# The command --------------------------------------------------------------------------------------------


def test_the_command_programs_and_says_so(
    make_board: BoardFactory,
    make_avrdude: Callable[..., FakeAvrdude],
    firmware: FirmwareFile,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = make_board()
    calls = probe(board.path), write(board.path, firmware, say.SIGNATURE + say.WRITTEN + say.VERIFIED)
    make_avrdude(*calls, *calls)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    command = ["flash", "--port", board.path, "--hex", str(firmware.path)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "16 bytes written to" in done.stdout and "greets as virtual" in done.stdout
    done = CliRunner().invoke(app, [*command, "--json"])
    assert json.loads(done.stdout)["protocol"] == VERSION


# A real avrdude -----------------------------------------------------------------------------------------


@pytest.fixture
def real_avrdude() -> None:
    need("avrdude", packages="avrdude")


@pytest.mark.usefixtures("real_avrdude")
def test_a_real_avrdude_programs_a_boot_loader(tmp_path: Path) -> None:
    image = bytes(n * 7 % 256 for n in range(1000))
    path = tmp_path / "real.hex"
    path.write_text(hex_text(image))
    told: list[str] = []
    with BootLoader() as mega:
        hello = flash(mega.path, read_firmware(path), lambda step, _: told.append(step), timing=QUICK_LINK)
        assert hello.version == VERSION
        assert mega.flash[: len(image)] == image
    assert list(dict.fromkeys(told)) == [
        "checking the board",
        "writing",
        "verifying",
        "waiting for its hello",
    ]


@pytest.mark.usefixtures("real_avrdude")
@pytest.mark.parametrize(
    ("signature", "forgetful", "error"),
    [(b"\x1e\x95\x0f", False, WrongBoardError), (b"\x1e\x98\x01", True, WriteFailedError)],
    ids=["another chip", "worn flash"],
)
def test_a_real_avrdudes_complaints_are_understood(
    signature: bytes, forgetful: bool, error: type[FlashError], firmware: FirmwareFile
) -> None:
    with BootLoader(signature=signature, forgetful=forgetful) as mega, pytest.raises(error):
        flash(mega.path, firmware, lambda *_: None, timing=QUICK_LINK)
