"""The doctor on computers made up of files: what is well, what is not, and that each trouble says what to do."""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from companion.cli import app
from companion.doctor.check import Check, Computer, State, run
from companion.doctor.computer import (
    SUPPLY,
    check_computer,
    check_disk,
    check_heat,
    check_power,
    check_service,
)
from companion.doctor.fitted import check_camera, check_controller, check_pins
from companion.doctor.programs import check_cv2, check_picamera, check_programs
from companion.doctor.table import check_asides, check_journal, check_page, check_profile
from companion.settings import Settings
from companion.signals.pins.chips import Chip
from companion.signals.pins.ports import PinError
from firmware_bridge.ports import STABLE_NAME, PortFinder, PortInfo
from tests.referee.keeping import journal_at, play_some

PROFILE = Path(__file__).parents[1] / "data" / "profile" / "v1.toml"
BOARD = PortInfo("/dev/ttyACM0", "Mega", 0x2341, 0x42, "7", "Arduino Mega 2560 R3")


def computer(root: Path, said: str | None = None, **files: str) -> Computer:
    """A computer with these files ("__" stands for a slash), on which every program says `said`."""
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("XX", ":")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Computer(root, lambda command: said)


def test_what_is_well_needs_nothing_and_everything_else_something() -> None:
    Check("a", State.OK, "fine")
    Check("a", State.BAD, "broken", "mend it")
    with pytest.raises(ValueError, match="what is well needs nothing"):
        Check("a", State.OK, "fine", "mend it")
    with pytest.raises(ValueError, match="a: "):
        Check("a", State.WARN, "so so")


@pytest.mark.parametrize(
    ("bits", "state"),
    [
        ("0x0", State.OK),
        ("0x1", State.BAD),
        ("0x50005", State.BAD),
        ("0x50000", State.WARN),
        ("0x10000", State.WARN),
        ("0x8", State.WARN),
        ("0x20000", State.OK),
        ("nonsense", State.OK),
    ],
)
def test_power_is_told_by_the_firmware(tmp_path: Path, bits: str, state: State) -> None:
    assert check_power(computer(tmp_path, f"throttled={bits}\n")).state is state


def test_power_is_told_by_the_kernel_where_the_firmware_is_not_to_be_asked(tmp_path: Path) -> None:
    name = "sys__devices__platform__soc__socXXfirmware__get_throttled"
    check = check_power(computer(tmp_path, None, **{name: "50005\n"}))
    assert (check.state, check.todo) == (State.BAD, SUPPLY)
    alarm = {"sys__class__hwmon__hwmon1__name": "rpi_volt", "sys__class__hwmon__hwmon1__in0_lcrit_alarm": "1"}
    assert check_power(computer(tmp_path / "other", None, **alarm)).state is State.BAD
    assert check_power(computer(tmp_path / "none")).text == "this computer does not tell"


@pytest.mark.parametrize(
    ("milli", "state"), [("45100", State.OK), ("74000", State.WARN), ("81200", State.BAD), ("?", State.OK)]
)
def test_heat(tmp_path: Path, milli: str, state: State) -> None:
    assert check_heat(computer(tmp_path, None, sys__class__thermal__thermal_zone0__temp=milli)).state is state


@pytest.mark.parametrize(
    ("free", "state"), [(50 * 10**6, State.BAD), (200 * 10**6, State.WARN), (10**10, State.OK)]
)
def test_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, state: State) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": free}))
    assert check_disk(computer(tmp_path), tmp_path / "not" / "yet").state is state


def test_a_read_only_place_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    check = check_disk(computer(tmp_path), tmp_path)
    assert check.state is State.WARN and str(tmp_path) in check.text


def test_games_that_are_gone_with_the_power_are_told_before_they_are(tmp_path: Path) -> None:
    """As with the overlay of a read-only card, where nobody has mounted a place for the games."""
    games, stick = tmp_path / "games", tmp_path / "a stick"
    games.mkdir()
    stick.mkdir()
    told = "overlayroot / overlay rw 0 0\nsysfs /sys sysfs rw 0 0\nrubbish\n"
    named = str(stick).replace(" ", "\\040")
    pi = computer(tmp_path / "pi", proc__self__mounts=f"{told}/dev/sda1 {named} ext4 rw 0 0\n")
    check = check_disk(pi, games)
    assert (
        check.state is State.WARN and "in the memory (overlay)" in check.text and "raspi-config" in check.todo
    )
    assert check_disk(pi, stick).state is State.OK
    covered = computer(tmp_path / "pi", proc__self__mounts=f"{told}tmpfs {named} tmpfs rw 0 0\n")
    assert "(tmpfs)" in check_disk(covered, stick / "journal").text


@pytest.mark.parametrize(
    ("said", "state", "text"),
    [
        (None, State.OK, "is not installed here"),
        ("LoadState=not-found\n", State.OK, "is not installed here"),
        (
            "LoadState=loaded\nActiveState=active\nNRestarts=0\nStatusText=Above, 3 turns.\n",
            State.OK,
            "Above, 3",
        ),
        ("LoadState=loaded\nActiveState=active\nNRestarts=7\n", State.WARN, "7 times"),
        ("LoadState=loaded\nActiveState=failed\nNRestarts=0\n", State.BAD, "does not run (failed)"),
    ],
)
def test_the_service(tmp_path: Path, said: str | None, state: State, text: str) -> None:
    check = check_service(computer(tmp_path, said))
    assert check.state is state and text in check.text


def test_two_packages_that_write_over_each_other_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, system = tmp_path / "venv", tmp_path / "system"
    for folder in (here, system):
        (folder / "cv2").mkdir(parents=True)
    lies = {"opencv-python": here, "opencv-contrib-python": here, "opencv": system}
    monkeypatch.setattr("companion.doctor.programs._lies_in", lambda name, folder: lies[name] == folder)
    path = [str(here), str(system)]
    check = check_cv2({"cv2": ["opencv-python", "opencv-contrib-python"]}, path)
    assert check.state is State.BAD
    assert check.todo.startswith("pip uninstall opencv-contrib-python opencv-python")
    check = check_cv2({"cv2": ["opencv-python", "opencv"]}, path)
    assert check.state is State.OK and f"hides another copy in {system}" in check.text
    assert check_cv2({}, path).state is State.BAD


def test_this_very_environment_has_one_opencv() -> None:
    checks = check_programs(Computer(Path("/nowhere"), run))
    assert {check.state for check in checks} == {State.OK}
    assert "opencv-python" in checks[-1].text and "numpy" in checks[-1].text


@pytest.mark.parametrize(
    ("said", "wanted", "machine", "state"),
    [
        ("0.3.30\n", True, "aarch64", State.OK),
        (None, False, "aarch64", State.OK),
        (None, True, "aarch64", State.WARN),
        (None, True, "x86_64", State.BAD),
    ],
)
def test_the_pi_s_camera_library(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: str | None,
    wanted: bool,
    machine: str,
    state: State,
) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert check_picamera(computer(tmp_path, said), wanted).state is state


def test_the_camera_of_each_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = computer(tmp_path / "empty")
    assert check_camera(empty, "simulated").text.startswith("SIMULATED")
    assert check_camera(empty, f"folder:{tmp_path}").state is State.OK
    assert check_camera(empty, "video:nowhere.mp4").state is State.BAD
    assert "ribbon cable" in check_camera(empty, "picamera").todo
    pi = computer(
        tmp_path / "pi",
        None,
        **{
            "sys__class__video4linux__v4l-subdev0__name": "imx708_wide",
            "sys__class__video4linux__v4l-subdev1__name": "dw9807 10-000c",
        },
    )
    assert check_camera(pi, "picamera").text.startswith("imx708_wide on")
    check = check_camera(empty, "usb:no such camera")
    assert (check.state is State.BAD and "no such camera" in check.text) or "No USB camera" in check.text
    node = tmp_path / "video0"
    node.write_text("")
    monkeypatch.setattr("companion.doctor.fitted.find_camera", lambda name: str(node))
    assert check_camera(empty, "usb").state is State.OK
    monkeypatch.setattr("companion.doctor.fitted.find_camera", lambda name: str(tmp_path / "gone"))
    assert "usermod -aG video" in check_camera(empty, "usb").todo


def finder(*ports: PortInfo, here: Sequence[str] = ()) -> type[PortFinder]:
    """Finds these ports; these paths exist."""

    class Found(PortFinder):
        def __init__(self, port: str) -> None:
            super().__init__(port, lister=lambda: ports, exists=lambda path: path in here)

    return Found


def test_the_controller() -> None:
    def yes(path: str) -> bool:
        return True

    assert check_controller("none").state is State.OK
    assert check_controller("simulated").text.startswith("SIMULATED")
    assert check_controller("auto", finder(), yes).state is State.BAD
    assert "there is no /dev/ttyX" in check_controller("/dev/ttyX", finder(), yes).text
    unnamed = check_controller("auto", finder(BOARD), yes)
    assert unnamed.state is State.WARN and "--step devices" in unnamed.todo
    named = finder(BOARD, here=[STABLE_NAME])
    assert check_controller("auto", named, yes).text == STABLE_NAME
    denied = check_controller("auto", named, lambda path: False)
    assert denied.state is State.BAD and "usermod -aG dialout" in denied.todo


def test_the_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing() -> Chip:
        raise PinError("This computer has no pins.")

    def header() -> Chip:
        return Chip(0, "pinctrl-rp1")

    assert check_pins("none", nothing).state is State.OK
    assert check_pins("simulated", nothing).text.startswith("SIMULATED")
    assert check_pins("green=99", header).state is State.BAD
    assert "no pins" in check_pins("reference", nothing).text
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "apt install python3-lgpio" in check_pins("reference", header).todo
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    assert "green 17" in check_pins("reference", header).text


def test_what_was_measured_and_when(tmp_path: Path) -> None:
    measured = datetime(2026, 5, 1, 18, 30, tzinfo=UTC)
    fresh, profile = check_profile(PROFILE, measured + timedelta(days=20), simulated=False)
    assert (fresh.state, profile.name) == (State.OK, "kitchen") and "20 days ago, its rings not" in fresh.text
    old, _ = check_profile(PROFILE, measured + timedelta(days=200), simulated=False)
    assert old.state is State.WARN and "calibrate camera" in old.todo
    assert check_profile(None, measured, simulated=True)[0].state is State.OK
    assert check_profile(None, measured, simulated=False)[0].state is State.WARN
    assert check_profile(tmp_path / "none.toml", measured, simulated=False)[0].state is State.BAD
    (tmp_path / "empty.toml").write_text("version = 2\n")
    assert check_profile(tmp_path / "empty.toml", measured, simulated=False)[0].todo == "calibrate camera"


def test_the_games(tmp_path: Path) -> None:
    assert check_journal(tmp_path / "j.db").text.startswith("none yet")
    play_some(journal_at(tmp_path / "j.db"), 1)
    assert check_journal(tmp_path / "j.db").text.startswith("1 in")
    (tmp_path / "broken.db").write_bytes(b"no database at all" * 100)
    assert check_journal(tmp_path / "broken.db").state is State.BAD


def test_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.doctor.table.page_addresses", lambda host, port: ("http://10.0.0.7:1",))
    check, address = check_page(Settings(host="0.0.0.0", port=1))
    assert (check.state, address) == (State.OK, "http://10.0.0.7:1")
    assert "not running" in check.text
    monkeypatch.undo()
    check, address = check_page(Settings(port=1))
    assert (check.state, address) == (State.WARN, None)
    # The page answers at the address it was given, and at no other.
    with socket.socket() as page:
        page.bind(("127.0.0.7", 0))
        page.listen()
        port = page.getsockname()[1]
        assert "is running" in check_page(Settings(host="127.0.0.7", port=port))[0].text
        assert "not running" in check_page(Settings(host="127.0.0.8", port=port))[0].text


def test_a_program_that_is_not_there_says_nothing(tmp_path: Path) -> None:
    assert run(["olympus-no-such-program"]) is None
    assert run(["false"]) is None
    assert run(["echo", "well"]) == "well\n"
    assert [check.topic for check in check_computer(computer(tmp_path), tmp_path)] == [
        "power",
        "temperature",
        "disk",
        "service",
    ]


def test_the_command_is_for_people_and_for_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["doctor", "--json"])
    assert told.exit_code == 0, told.output
    found = json.loads(told.output)
    topics = [check["topic"] for check in found["checks"]]
    assert len(topics) == len(set(topics)) == 15
    assert all(bool(check["todo"]) == (check["state"] != "ok") for check in found["checks"])
    (tmp_path / "companion.toml").write_text('camra = "usb"\n')
    shown = CliRunner().invoke(app, ["doctor", "--no-qr"])
    assert shown.exit_code == 1
    assert "bad" in shown.output and "camra" in shown.output


def test_a_long_path_is_told_to_its_end_in_a_narrow_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / ("x" * 60 + "-here")
    place.mkdir()
    monkeypatch.setenv("COLUMNS", "80")
    settings = tmp_path / "c.toml"
    settings.write_text(f'journal = "{place / "j.db"}"\n')
    ran = CliRunner().invoke(app, ["doctor", "--no-qr", "--config", str(settings)])
    assert "…" not in ran.output
    told = "".join(line.split("│")[3].strip() for line in ran.output.splitlines() if line.count("│") == 5)
    assert str(place) in told


def test_journals_that_were_set_aside_are_named_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    assert check_asides(path) == [] and check_asides(tmp_path / "nowhere" / "journal.db") == []
    for name in (
        "journal.newer-2026-12-01.db",
        "journal.damaged-2026-11-30.db",
        "journal.damaged-2026-11-30.db-wal",
    ):
        (tmp_path / name).touch()
    damaged, newer = check_asides(path)
    assert {damaged.state, newer.state} == {State.WARN}
    assert "journal.damaged-2026-11-30.db was damaged" in damaged.text and "companion bundle" in damaged.todo
    assert "newer companion" in newer.text and "journal list --journal" in newer.todo
