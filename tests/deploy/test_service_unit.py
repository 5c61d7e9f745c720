"""The unit: hardened, watched, never given up; and the program behaves as the unit takes for granted."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.errors import CONFIGURATION, CompanionError
from companion.notify import SIGNS
from companion.service import FRAME_TIMEOUT_S, STANDSTILL_S

UNIT = Path(__file__).parents[2] / "deploy" / "olympus-companion.service"
INSTALL = UNIT.parent / "install.sh"
# The program, which names every file that it opens for writing.
RUN = """
import os, sys
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
def watch(event, about):
    if event == "open" and isinstance(about[0], str):
        if set(str(about[1] or "")) & set("wax+") or (about[2] or 0) & WRITING:
            sys.stderr.write(f"WRITES {os.path.abspath(about[0])}\\n")
    elif event in ("os.mkdir", "os.rename", "sqlite3.connect"):
        sys.stderr.write(f"WRITES {about[0]}\\n")
sys.addaudithook(watch)
sys.argv[0] = "companion"
from companion.cli import main
main()
"""
EXPOSED_AT_MOST = 2.5

# What keeps the exposure low, where there is no systemd to measure it: setting by setting.
HARDENED = {
    "CapabilityBoundingSet": "",
    "DevicePolicy": "closed",
    "IPAddressDeny": "any",
    "LockPersonality": "yes",
    "MemoryDenyWriteExecute": "yes",
    "NoNewPrivileges": "yes",
    "PrivateTmp": "yes",
    "ProtectClock": "yes",
    "ProtectControlGroups": "yes",
    "ProtectHome": "yes",
    "ProtectHostname": "yes",
    "ProtectKernelLogs": "yes",
    "ProtectKernelModules": "yes",
    "ProtectKernelTunables": "yes",
    "ProtectProc": "invisible",
    "ProtectSystem": "strict",
    "RemoveIPC": "yes",
    "RestrictNamespaces": "yes",
    "RestrictRealtime": "yes",
    "RestrictSUIDSGID": "yes",
    "SystemCallArchitectures": "native",
    "User": "olympus",
}


def settings() -> dict[str, list[str]]:
    """Every setting of the unit, with all its values."""
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line and line[0] not in "#[":
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize(("name", "value"), HARDENED.items())
def test_it_may_do_little(name: str, value: str) -> None:
    assert settings().get(name) == [value]


def test_systemd_finds_it_little_exposed() -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd here to measure it; its settings are checked one by one")
    ran = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNIT)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "Overall exposure level" not in ran.stdout:
        pytest.skip(f"this systemd cannot measure a file: {ran.stderr.strip()}")
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", ran.stdout)
    assert found is not None and float(found[1]) <= EXPOSED_AT_MOST, ran.stdout


def test_it_reaches_the_devices_of_a_table_and_no_others() -> None:
    devices = {line.split()[0] for line in settings()["DeviceAllow"]}
    assert devices >= {"char-video4linux", "char-ttyACM", "char-ttyUSB", "char-gpiochip"}
    assert not {"block-*", "char-*", "/dev/mem"} & devices


@pytest.mark.parametrize(
    ("device", "group"),
    [
        ("char-video4linux", "video"),
        ("char-ttyACM", "dialout"),
        ("char-gpiochip", "gpio"),
        ("char-alsa", "audio"),
    ],
)
def test_what_the_settings_can_ask_for_is_let_in_by_unit_and_group_alike(device: str, group: str) -> None:
    """Camera, controller, pins, and the loudspeaker of `speech`: either without the other opens nothing."""
    assert f"{device} rw" in settings()["DeviceAllow"]
    wanted = re.search(r'^GROUPS_WANTED="(.*)"$', INSTALL.read_text(encoding="utf-8"), re.MULTILINE)
    assert wanted is not None and group in wanted[1].split()


def test_it_is_never_given_up_but_for_settings_that_a_person_has_to_mend() -> None:
    unit = settings()
    assert unit["StartLimitIntervalSec"] == ["0"]
    assert unit["Restart"] == ["always"] and int(unit["RestartSec"][0]) >= 1
    assert unit["RestartPreventExitStatus"] == [str(CONFIGURATION)]
    assert CompanionError.exit_status not in (0, CONFIGURATION)


def test_a_slow_picture_is_not_taken_for_a_standstill() -> None:
    unit = settings()
    assert unit["Type"] == ["notify"] and unit["NotifyAccess"] == ["main"]
    watchdog = float(unit["WatchdogSec"][0])
    assert STANDSTILL_S > 4 * FRAME_TIMEOUT_S
    # Two signs of life may be lost, and the table still has been heard of.
    assert watchdog / SIGNS + STANDSTILL_S <= watchdog + 1


def started(tmp_path: Path, *options: str, **environment: str) -> subprocess.Popen[str]:
    """The command of the unit, with a settings file of its own."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("OLYMPUS_")}
    return subprocess.Popen(
        [sys.executable, "-c", RUN, "play", *options],
        cwd=tmp_path,
        env={**clean, "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_it_starts_without_any_device_waits_and_stops_when_told(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    state = tmp_path / "state"
    (tmp_path / "table.toml").write_text(
        f'camera = "usb:no such camera"\ncontroller = "{tmp_path}/no-board"\nport = {port}\njournal = "{state}/j.db"\n'
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        address = f"@olympus-unit-{os.getpid()}"
        ear.bind(f"\0{address[1:]}")
        ear.settimeout(60)
        process = started(tmp_path, "--config", "table.toml", NOTIFY_SOCKET=address, WATCHDOG_USEC="600000")
        with process:
            said = [
                dict(line.split("=", 1) for line in ear.recv(4096).decode().splitlines()) for _ in range(3)
            ]
            process.send_signal(signal.SIGTERM)
            output, _ = process.communicate(timeout=30)
    assert said[0]["READY"] == "1"
    assert said[2]["WATCHDOG"] == "1", "waiting for a device is being alive"
    assert said[2]["STATUS"].startswith("Above, 0 turns played. ")
    assert "no such camera" in said[2]["STATUS"] or "No USB camera" in said[2]["STATUS"]
    assert process.returncode == 0
    assert "Traceback" not in output
    # On a read-only system only the folder of the games is writable.
    written = {line.removeprefix("WRITES ") for line in output.splitlines() if line.startswith("WRITES ")}
    kept = {path for path in written if path.startswith(str(tmp_path / "state"))}
    assert {Path(path).name for path in kept} >= {"companion.log", "table-code", "sitting-1.jsonl.gz"}
    assert {path for path in written - kept if not path.startswith(("/dev/", "file:"))} == set()


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('camra = "usb"', 'Did you mean "camera"?'),
        ("pins = { green = 999 }", "999"),
        ('camera = "folder:nowhere"', "nowhere"),
        ('game = "chess"', "chess"),
        ('profile = "nowhere.toml"', "nowhere.toml"),
        ('cards = "nowhere.csv"', "nowhere.csv"),
    ],
)
def test_settings_that_cannot_be_used_end_with_the_status_that_is_not_restarted(
    setting: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from companion.cli import main

    (tmp_path / "table.toml").write_text(f'journal = "j.db"\nport = {_free_port()}\n{setting}\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["companion", "play", "--config", "table.toml"])
    began = time.monotonic()
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == CONFIGURATION
    assert said in capsys.readouterr().err
    assert time.monotonic() - began < 20


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
