"""Running `calibrate` as its owner does: arguments in, status, output and errors out."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from calibration.cli import main


def run(*arguments: str | Path) -> tuple[int, str, str]:
    """Exit status, standard output, and standard error with its white space evened out."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
    return status, out.getvalue(), " ".join(err.getvalue().split())
