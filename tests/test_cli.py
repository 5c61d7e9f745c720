"""The command line loads what a command needs when it runs, not before."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("cv2", "numpy", "pydantic", "fastapi", "uvicorn", "sqlite3")


def test_help_loads_neither_vision_nor_web() -> None:
    program = f"import sys, companion.cli; print(*sorted(sys.modules.keys() & {set(HEAVY)!r}))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == []
