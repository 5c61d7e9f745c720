"""What is installed at run time exists for the Raspberry Pi: pure Python, or a wheel for 64-bit ARM.

The list of packages with compiled parts was looked up; a package that is new in the lock fails here until
somebody has looked it up as well.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Wheels for Linux on aarch64 for CPython 3.11 and 3.13 (or abi3) are on the package index.
COMPILED = {"fonttools", "numpy", "opencv-python", "pillow", "pydantic-core"}
PURE = {
    "annotated-doc",
    "annotated-types",
    "anyio",
    "click",
    "cobs",
    "colorama",
    "colorzero",
    "defusedxml",
    "fastapi",
    "fpdf2",
    "gpiozero",
    "h11",
    "idna",
    "markdown-it-py",
    "mdurl",
    "opentelemetry-api",
    "pydantic",
    "pydantic-settings",
    "pygments",
    "pyserial",
    "python-dotenv",
    "rich",
    "segno",
    "setuptools",
    "shellingham",
    "starlette",
    "tomlkit",
    "typer",
    "typing-extensions",
    "typing-inspection",
    "uvicorn",
}


# What is installed on each release of Raspberry Pi OS, and the NumPy its picamera2 was built with.
RELEASES = {"deploy/bookworm.lock": "1.", "deploy/trixie.lock": "2.2."}


def locked(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return {
        match[1]: match[0] for match in re.finditer(r"^([a-z0-9][a-z0-9._-]*)==[^\\]*", text, re.MULTILINE)
    }


def test_every_run_time_package_is_known_to_run_on_a_pi() -> None:
    assert set(locked("requirements.lock")) - COMPILED - PURE == set()


def test_the_checks_run_on_what_is_shipped() -> None:
    shipped, tested = locked("requirements.lock"), locked("requirements-dev.lock")
    assert {name for name in shipped if tested.get(name) != shipped[name]} == set()


def test_every_locked_package_has_its_hashes() -> None:
    for name in ("requirements.lock", "requirements-dev.lock", "requirements-bench.lock", *RELEASES):
        text = (ROOT / name).read_text(encoding="utf-8")
        blocks = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
        assert blocks
        assert [block.split("==")[0] for block in blocks if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("name", RELEASES)
def test_a_raspberry_pi_s_lock_differs_only_in_what_picamera2_needs(name: str) -> None:
    usual, here = locked("requirements.lock"), locked(name)
    assert set(here) == set(usual)
    changed = {package for package in here if here[package].split()[0] != usual[package].split()[0]}
    assert changed <= {"numpy", "opencv-python"}
    assert here["numpy"].removeprefix("numpy==").startswith(RELEASES[name])
