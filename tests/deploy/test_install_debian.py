"""The installer in a real Debian tree, made with debootstrap: opt-in, since it takes minutes, the network and root.

OLYMPUS_TEST_DEBIAN=bookworm,trixie sudo -E .venv/bin/python -m pytest tests/deploy/test_install_debian.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RELEASES = os.environ.get("OLYMPUS_TEST_DEBIAN", "")
MIRROR = "http://deb.debian.org/debian"
PARTS = (
    "companion",
    "firmware_bridge",
    "calibration",
    "deploy",
    "docs",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "THIRD-PARTY-NOTICES.md",
)


def missing() -> str | None:
    """Why it cannot be tried here; None if it can."""
    if not RELEASES:
        return "opt-in: set OLYMPUS_TEST_DEBIAN=bookworm,trixie (needs root, debootstrap, the network and minutes)"
    if os.geteuid() != 0:
        return "only root may make a Debian tree"
    if shutil.which("debootstrap") is None:
        return "debootstrap is not installed"
    return None


pytestmark = [pytest.mark.skipif(missing() is not None, reason=missing() or ""), pytest.mark.timeout(1800)]


@pytest.fixture(params=[name for name in RELEASES.split(",") if name] or ["none"])
def debian(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A fresh tree of that release with the source tree in /src."""
    tree = tmp_path / "debian"
    command = [
        "debootstrap",
        "--variant=minbase",
        "--include=ca-certificates",
        request.param,
        str(tree),
        MIRROR,
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for part in PARTS:
        source, target = ROOT / part, tree / "src" / part
        target.parent.mkdir(exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt"):
        shutil.copy(Path("/") / name, tree / name)
    subprocess.run(["mount", "-t", "proc", "proc", str(tree / "proc")], check=True)
    try:
        yield tree
    finally:
        subprocess.run(["umount", str(tree / "proc")], check=True)


def inside(tree: Path, *command: str) -> str:
    """What a command prints in the tree, errors too; it has to succeed."""
    ran = subprocess.run(
        ["chroot", str(tree), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


def test_from_a_clean_tree_to_an_installed_table_twice_and_away_again(debian: Path) -> None:
    first = inside(debian, "sh", "/src/deploy/install.sh")
    assert "building release 1" in first
    again = inside(debian, "sh", "/src/deploy/install.sh")
    assert "release 1 is this source tree already" in again and "building" not in again
    assert "Usage" in inside(debian, "/usr/local/bin/companion", "--help")
    assert '"winner"' in inside(
        debian, "companion", "rules", "play", "above", "--players", "2", "--seed", "3"
    )
    assert set(inside(debian, "id", "-nG", "olympus").split()) >= {"olympus", "video", "dialout"}
    assert inside(debian, "stat", "-c", "%U %a", "/var/lib/olympus").split() == ["olympus", "750"]
    (debian / "src/companion/newer.py").write_text('"""A newer version."""\n')
    assert "building release 2" in inside(debian, "sh", "/src/deploy/install.sh")
    inside(debian, "sh", "/opt/olympus/current/deploy/install.sh", "rollback")
    assert os.readlink(debian / "opt/olympus/current") == "releases/1"
    inside(debian, "sh", "/src/deploy/install.sh", "uninstall", "--purge")
    assert not (debian / "opt/olympus").exists() and not (debian / "var/lib/olympus").exists()
