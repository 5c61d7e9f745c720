"""The package an owner installs: built here, installed into an environment of its own, and used from there.

Its dependencies are lent by this environment, so that no network is needed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("companion", "firmware_bridge", "calibration")
DEVELOPERS = {".pyc", ".o"}


@dataclass(frozen=True)
class Built:
    """The wheel, the source archive, and the folder of an environment in which the wheel is installed."""

    wheel: Path
    source: Path
    environment: Path

    def run(self, command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
        """Runs a program of the environment, away from the source tree."""
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "OLYMPUS"))}
        program = self.environment / "bin" / command[0]
        return subprocess.run(
            [str(program), *command[1:]], cwd=folder, env=clean, capture_output=True, text=True, check=False
        )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("dist")
    _checked([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], ROOT)
    wheel, source = next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))
    environment = folder / "venv"
    venv.create(environment, symlinks=True)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    _checked([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], folder)
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    lent = environment / "lib" / version / "site-packages" / "lent.pth"
    lent.write_text(f"{sysconfig.get_path('platlib')}\n", encoding="utf-8")
    return Built(wheel, source, environment)


def _checked(command: Sequence[str], folder: Path) -> None:
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def shipped() -> set[str]:
    """All that belongs to the packages in the source tree."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *PACKAGES],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        return {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
    return {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in DEVELOPERS
    }


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(built: Built) -> None:
    names = set(zipfile.ZipFile(built.wheel).namelist())
    about = {name for name in names if name.split("/")[0].endswith(".dist-info")}
    assert names - about == shipped()
    assert {Path(name).name for name in about} >= {"LICENSE", "THIRD-PARTY-NOTICES.md", "entry_points.txt"}


def test_the_source_archive_is_enough_to_install_check_and_read(built: Built) -> None:
    with tarfile.open(built.source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    top = {"README.md", "LICENSE", "CHANGELOG.md", "Makefile", "pyproject.toml", "requirements.lock"}
    assert names >= {*top, *shipped(), "deploy/setup.sh", "docs/one-move.md", "tests/conftest.py"}
    assert [name for name in names if Path(name).suffix in DEVELOPERS] == []


@pytest.mark.parametrize("program", ["companion", "firmware-bridge"])
def test_the_programs_start(built: Built, tmp_path: Path, program: str) -> None:
    ran = built.run([program, "--help"], tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Usage" in ran.stdout


INSIDE = """
import json, companion, calibration, firmware_bridge
from importlib.metadata import version
from companion.web.app import STATIC
from calibration.page.app import STATIC as CALIBRATION
from companion.games.olympeak.deck_file import default_box
from firmware_bridge.flash import PREBUILT
from firmware_bridge.hex_file import read_firmware
index = (STATIC / "index.html").read_text()
print(json.dumps({
    "from": [module.__file__ for module in (companion, calibration, firmware_bridge)],
    "version": version("olympus-companion"),
    "page": index.lstrip()[:15].lower(),
    "scripts": len(list(STATIC.glob("js/*.js"))),
    "calibration page": (CALIBRATION / "index.html").is_file(),
    "cards": len(default_box().deck.cards),
    "firmware bytes": read_firmware(PREBUILT).size,
}))
"""


def test_pages_cards_and_firmware_come_along(built: Built, tmp_path: Path) -> None:
    ran = built.run(["python", "-c", INSIDE], tmp_path)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    site = str(built.environment / "lib")
    assert all(place.startswith(site) for place in found.pop("from"))
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert found.pop("version") == about["project"]["version"]
    assert found.pop("page") == "<!doctype html>"
    assert found.pop("scripts") == len(list((ROOT / "companion/web/static/js").glob("*.js")))
    assert found.pop("firmware bytes") > 10_000
    assert found == {"calibration page": True, "cards": 105 + 15}
