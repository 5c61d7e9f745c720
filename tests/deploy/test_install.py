"""The installer, on systems that only pretend: what it asks for, that it may be repeated, and that it goes back."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.installed import need

from .fake_system import INSTALL, FakeSystem

DEPLOY = INSTALL.parent


@pytest.fixture
def system(tmp_path: Path) -> FakeSystem:
    return FakeSystem.made(tmp_path)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small source tree with the real deploy folder, to be changed between two installations."""
    tree = tmp_path / "source"
    shutil.copytree(DEPLOY, tree / "deploy")
    for package in ("companion", "firmware_bridge", "calibration", "docs"):
        (tree / package).mkdir()
        (tree / package / "file").write_text("1")
    for name in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "THIRD-PARTY-NOTICES.md"):
        (tree / name).write_text(name)
    return tree


def upgrade(system: FakeSystem, source: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Installs another version."""
    (source / "companion" / "file").write_text(text)
    return system.install(script=source / "deploy" / "install.sh")


def test_a_fresh_system_gets_all_it_needs_in_this_order(system: FakeSystem, source: Path) -> None:
    ran = system.install(script=source / "deploy" / "install.sh")
    assert ran.returncode == 0, ran.stderr
    asked = system.asked()
    assert asked[0] == "apt-get update -qq"
    packages = asked[1].split()
    assert packages[:3] == ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    assert {"python3-venv", "libgl1", "libglib2.0-0", "python3-picamera2", "python3-lgpio"} <= set(packages)
    assert "python3" not in packages, "what is there is not asked for again"
    assert "avrdude" not in packages and "avrdude is not among" in ran.stderr
    assert asked[2].startswith("useradd --system --user-group --home-dir /var/lib/olympus --no-create-home")
    assert "--shell /usr/sbin/nologin olympus" in asked[2]
    assert asked[3:5] == ["usermod -aG video olympus", "usermod -aG dialout olympus"], (
        "there is no group gpio here"
    )
    venv, locked, itself = (
        line for line in asked if "venv/bin/python -m" in line or line.startswith("python3 -m")
    )
    release = "/opt/olympus/releases/1"
    assert venv == f"python3 -m venv --system-site-packages {release}/venv"
    assert locked.endswith(f"--ignore-installed --require-hashes -r {release}/source/deploy/bookworm.lock")
    assert itself.endswith(f"--no-deps {release}/source")
    assert asked[-4:-1] == [
        "systemctl daemon-reload",
        "systemctl reset-failed olympus-companion.service",
        "systemctl restart olympus-companion.service",
    ]
    assert system.current == "releases/1"
    files = system.files()
    for target, kept in {
        "etc/systemd/system/olympus-companion.service": "olympus-companion.service",
        "etc/udev/rules.d/60-olympus-table.rules": "60-olympus-table.rules",
        "etc/olympus/companion.toml": "companion.toml",
        "etc/systemd/journald.conf.d/60-olympus.conf": "journald.conf",
    }.items():
        assert files[target] == (DEPLOY / kept).read_text()
    assert files["usr/local/bin/companion"] == "-> /opt/olympus/current/venv/bin/companion"
    assert (system.root / "opt/olympus/current/deploy/install.sh").is_file(), (
        "for going back without a source tree"
    )


def test_done_twice_nothing_changes_and_nobody_is_disturbed(system: FakeSystem, source: Path) -> None:
    script = source / "deploy" / "install.sh"
    assert system.install(script=script).returncode == 0
    before = system.files()
    system.asked()
    (system.root / "available").write_text("")
    ran = system.install(script=script)
    assert ran.returncode == 0
    assert system.files() == {**before, "available": ""}
    assert not [
        line for line in system.asked() if "install" in line or "restart" in line or "usermod" in line
    ]
    assert "release 1 is this source tree already" in ran.stderr


def test_a_dry_run_says_all_and_does_nothing(system: FakeSystem) -> None:
    before = system.files()
    ran = system.install("--dry-run")
    assert ran.returncode == 0, ran.stderr
    assert system.files() == before and system.asked() == []
    for word in ("apt-get install", "useradd", "venv --system-site-packages", "systemctl restart", "udevadm"):
        assert word in ran.stderr
    said = [line for line in ran.stderr.splitlines() if "is in use" in line or "done." in line]
    assert said and all(line.startswith("install (dry run): ") for line in said), "nothing is claimed"


def test_what_the_owner_has_set_is_never_written_over(system: FakeSystem, source: Path) -> None:
    system.install(script=source / "deploy" / "install.sh")
    settings = system.root / "etc/olympus/companion.toml"
    settings.write_text('game = "olympeak"\n')
    assert upgrade(system, source, "2").returncode == 0
    assert settings.read_text() == 'game = "olympeak"\n'
    assert system.current == "releases/2"


def test_an_upgrade_keeps_the_games_as_they_were_and_three_releases(system: FakeSystem, source: Path) -> None:
    system.install(script=source / "deploy" / "install.sh")
    state = system.root / "var/lib/olympus"
    for number in range(2, 6):
        (state / "journal.db").write_text(f"games {number}")
        assert upgrade(system, source, str(number)).returncode == 0
        assert (state / f"journal.before-{number}.db").read_text() == f"games {number}"
    left = {path.name for path in (system.root / "opt/olympus/releases").iterdir()}
    assert left == {"3", "4", "5"}
    assert not (state / "journal.before-2.db").exists()
    assert os.readlink(system.root / "opt/olympus/previous") == "releases/4"


def test_a_release_that_does_not_come_up_is_taken_back_with_the_games(
    system: FakeSystem, source: Path
) -> None:
    system.install(script=source / "deploy" / "install.sh")
    games = system.root / "var/lib/olympus/journal.db"
    games.write_text("games")
    (system.root / "broken").write_text("releases/2")
    system.asked()
    ran = upgrade(system, source, "2")
    assert ran.returncode == 1
    assert "release 2 does not come up; going back to release 1" in ran.stderr
    assert "release 1 is in use again" in ran.stderr
    assert system.current == "releases/1" and games.read_text() == "games"
    assert system.asked().count("systemctl restart olympus-companion.service") == 2
    # Mended, the same number is used again and the broken one is gone.
    (system.root / "broken").unlink()
    assert upgrade(system, source, "3").returncode == 0
    assert system.current == "releases/2"


def test_games_that_the_older_release_cannot_read_are_kept_for_the_newer(
    system: FakeSystem, source: Path
) -> None:
    system.install(script=source / "deploy" / "install.sh")
    state = system.root / "var/lib/olympus"
    (state / "journal.db").write_text("games")
    upgrade(system, source, "2")
    (state / "journal.db").write_text("newer games")
    # It was killed: its last turn lies in the log beside the file.
    (state / "journal.db-wal").write_text(", one turn more")
    ran = system.install("rollback", script=system.root / "opt/olympus/current/deploy/install.sh")
    assert ran.returncode == 0, ran.stderr
    assert system.current == "releases/1"
    assert (state / "journal.db").read_text() == "games"
    assert (state / "journal.of-2.db").read_text() == "newer games, one turn more"
    assert not (state / "journal.db-wal").exists(), "it is not taken for one of the older file"
    # And forward again.
    assert system.install("rollback").returncode == 0
    assert system.current == "releases/2"


def test_there_may_be_nothing_to_go_back_to(system: FakeSystem, source: Path) -> None:
    system.install(script=source / "deploy" / "install.sh")
    ran = system.install("rollback")
    assert ran.returncode == 1 and "no release to go back to" in ran.stderr
    assert system.current == "releases/1"


@pytest.mark.parametrize("failure", ["offline", "unsound"])
def test_what_cannot_be_built_changes_nothing_that_runs(
    system: FakeSystem, source: Path, failure: str
) -> None:
    system.install(script=source / "deploy" / "install.sh")
    (system.root / failure).write_text("")
    ran = upgrade(system, source, "2")
    assert ran.returncode == 1 and "nothing was changed" in ran.stderr
    assert system.current == "releases/1"
    assert "systemctl stop olympus-companion.service" not in system.asked()
    assert not (system.root / "opt/olympus/releases/2").exists(), "no half release fills the card"
    (system.root / failure).unlink()
    assert upgrade(system, source, "2").returncode == 0
    assert system.current == "releases/2"


def test_where_there_is_no_room_for_a_release_none_is_begun(system: FakeSystem, source: Path) -> None:
    system.install(script=source / "deploy" / "install.sh")
    (system.root / "free-kb").write_text("300000")
    system.asked()
    ran = upgrade(system, source, "2")
    assert ran.returncode == 1 and "only 292 MB free and a release needs 800" in ran.stderr
    assert not [line for line in system.asked() if "pip" in line or "venv" in line]
    assert system.current == "releases/1"


@pytest.mark.parametrize("word", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_interrupted_while_it_builds_it_leaves_no_half_release(
    system: FakeSystem, source: Path, word: signal.Signals
) -> None:
    """As by Ctrl-C, or by a terminal whose network is gone; and two at a time do not get in each other's way."""
    system.install(script=source / "deploy" / "install.sh")
    (source / "companion" / "file").write_text("2")
    (system.root / "hangs").touch()
    command = system.command(script=source / "deploy" / "install.sh")
    # What the tests were started with ignored, as a script in the background ignores Ctrl-C, no shell could trap.
    kept = signal.signal(word, signal.default_int_handler)
    try:
        ran = subprocess.Popen(command, env=system.environment, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(word, kept)
    with ran:
        while not (system.root / "waiting").exists():
            assert ran.poll() is None
        second = system.install("rollback")
        assert second.returncode == 1 and "another installation is going on" in second.stderr
        ran.send_signal(word)
        (system.root / "hangs").unlink()
        ran.communicate(timeout=20)
    assert ran.returncode == 128 + word
    assert not (system.root / "opt/olympus/releases/2").exists()
    assert system.current == "releases/1"
    assert system.install(script=source / "deploy" / "install.sh").returncode == 0
    assert system.current == "releases/2"


def test_a_table_that_was_stopped_for_an_upgrade_goes_on_if_its_games_cannot_be_copied(
    system: FakeSystem, source: Path
) -> None:
    system.install(script=source / "deploy" / "install.sh")
    (system.root / "var/lib/olympus/journal.db").write_text("games")
    unit = source / "deploy/olympus-companion.service"
    before = unit.read_text()
    unit.write_text(before + "# newer\n")
    (system.root / "full").touch()
    system.asked()
    ran = upgrade(system, source, "2")
    assert ran.returncode == 1 and "release 1 stays in use" in ran.stderr
    assert system.current == "releases/1"
    assert system.asked()[-1] == "systemctl start --no-block olympus-companion.service"
    assert (system.root / "etc/systemd/system/olympus-companion.service").read_text() == before
    assert not (system.root / "var/lib/olympus/journal.before-2.db").exists(), "no half copy"


def test_a_release_is_started_by_its_own_unit_also_after_going_back(system: FakeSystem, source: Path) -> None:
    installed = system.root / "etc/systemd/system/olympus-companion.service"
    system.install(script=source / "deploy" / "install.sh")
    unit = source / "deploy/olympus-companion.service"
    first = unit.read_text()
    unit.write_text(first + "# second\n")
    assert upgrade(system, source, "2").returncode == 0
    (system.root / "broken").write_text("releases/3")
    unit.write_text(first + "# third\n")
    assert upgrade(system, source, "3").returncode == 1
    assert installed.read_text() == first + "# second\n"
    assert system.install("rollback").returncode == 0, "the release before that one is still known"
    assert system.current == "releases/1" and installed.read_text() == first
    words = [line.split()[1] for line in system.asked() if line.startswith("systemctl")]
    assert words[-4:] == ["stop", "daemon-reload", "reset-failed", "restart"]


def test_whatever_roots_umask_is_the_services_user_can_read_all_of_it(
    system: FakeSystem, source: Path
) -> None:
    (source / "companion").chmod(0o700)
    assert system.install(script=source / "deploy" / "install.sh", umask=0o077).returncode == 0
    for path in (system.root / "opt").rglob("*"):
        assert path.is_symlink() or path.stat().st_mode & 0o044 == 0o044, path
        assert not path.is_dir() or path.stat().st_mode & 0o011 == 0o011, path


def test_a_login_that_has_the_name_of_the_services_user_stays_its_owners(
    system: FakeSystem, source: Path
) -> None:
    """Whoever sets up a Pi for this may well call themselves olympus."""
    (system.root / "passwd").write_text("root\nolympus:x:1000:1000:,,,:/home/olympus:/bin/bash\n")
    ran = system.install(script=source / "deploy" / "install.sh")
    assert ran.returncode == 0 and "there is a login olympus already" in ran.stderr
    assert not [line for line in system.asked() if line.startswith("useradd")]
    assert system.install("uninstall", "--purge").returncode == 0
    assert not [line for line in system.asked() if line.startswith("userdel")]


def test_taken_away_it_leaves_games_and_settings_unless_told(system: FakeSystem, source: Path) -> None:
    fresh = system.files()
    system.install(script=source / "deploy" / "install.sh")
    (system.root / "var/lib/olympus/journal.db").write_text("games")
    assert system.install("uninstall").returncode == 0
    left = {name for name in system.files() if name not in fresh}
    assert left == {"etc/olympus/companion.toml", "var/lib/olympus/journal.db"}
    assert "systemctl disable --now olympus-companion.service" in system.asked()
    assert system.install("uninstall", "--purge").returncode == 0
    after = system.files()
    assert {name for name in after if name not in fresh} == set()
    assert "userdel olympus" in system.asked()


def test_on_a_card_that_is_not_running_nothing_is_started(tmp_path: Path, source: Path) -> None:
    system = FakeSystem.made(tmp_path, "trixie", booted=False)
    ran = system.install(script=source / "deploy" / "install.sh")
    assert ran.returncode == 0, ran.stderr
    asked = system.asked()
    assert not [line for line in asked if "systemctl" in line or "udevadm" in line]
    assert any("libglib2.0-0t64" in line for line in asked)
    assert any(line.endswith("source/deploy/trixie.lock") for line in asked)
    wanted = system.files()["etc/systemd/system/multi-user.target.wants/olympus-companion.service"]
    assert wanted == "-> /etc/systemd/system/olympus-companion.service"


@pytest.mark.parametrize(
    ("codename", "arguments", "said"),
    [
        ("bullseye", (), "this is bullseye; Raspberry Pi OS or Debian, Bookworm or Trixie, is needed"),
        ("bookworm", ("--step", "paint"), 'there is no step "paint"'),
        ("bookworm", ("--step",), "install: --step needs the name of a step"),
        ("bookworm", ("--step=",), "install: --step needs the name of a step"),
        ("bookworm", ("--root",), "install: --root needs a directory"),
        ("bookworm", ("--root", ""), "install: --root needs a directory"),
        ("bookworm", ("--root=",), "install: --root needs a directory"),
        ("bullseye", ("--step", "packages"), "this is bullseye"),
        ("bookworm", ("--step", "checked"), "the step checked needs a release, and none is built yet"),
        ("bookworm", ("--step", "switched"), "the step switched needs a release, and none is built yet"),
        (
            "bookworm",
            ("rollback", "uninstall"),
            "rollback and uninstall are two commands; give one at a time",
        ),
        ("bookworm", ("install", "--dry-run", "steps"), "install and steps are two commands"),
        ("bookworm", ("paint",), '"paint" is neither a command nor an option'),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path, codename: str, arguments: tuple[str, ...], said: str
) -> None:
    system = FakeSystem.made(tmp_path, codename)
    ran = system.install(*arguments)
    assert ran.returncode != 0 and said in ran.stderr
    assert system.asked() == []


def test_one_step_may_be_done_alone(system: FakeSystem) -> None:
    assert system.install("--step", "devices").returncode == 0
    assert [name for name in system.files() if name.startswith(("opt", "etc/udev", "etc/systemd"))] == [
        "etc/udev/rules.d/60-olympus-table.rules"
    ]


def test_every_step_is_listed_and_there_is_help() -> None:
    listed = subprocess.run(["sh", str(INSTALL), "steps"], capture_output=True, text=True, check=True).stdout
    defined = re.findall(r"^step_(\w+)\(\)", INSTALL.read_text(), re.MULTILINE)
    assert listed.split() == defined
    helped = subprocess.run(["sh", str(INSTALL), "--help"], capture_output=True, text=True, check=True).stdout
    assert "Example: sudo sh deploy/install.sh --dry-run" in helped


def test_the_scripts_are_clean() -> None:
    need("shellcheck", packages="shellcheck")
    scripts = [str(path) for path in DEPLOY.glob("*.sh")]
    ran = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
