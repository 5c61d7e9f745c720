"""Tests that need a program which Python's packages do not bring."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest


def do_without(reason: str) -> NoReturn:
    """Skip with the reason; where changes are judged (`CI` is set) everything is installed, and the test fails."""
    if os.environ.get("CI", "").lower() in ("true", "1"):
        pytest.fail(f"CI must not skip this: {reason}", pytrace=False)
    pytest.skip(reason)


def need(*programs: str, packages: str) -> None:
    """Do without the test unless all the programs are installed; `packages` are Debian's that bring them."""
    lacking = [program for program in programs if shutil.which(program) is None]
    if lacking:
        do_without(f"no {' and no '.join(lacking)} here: run `apt install {packages}`")
