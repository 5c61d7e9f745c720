"""What benchmarks note is printed in one table when all have run, as the readme has it."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

import cv2
import pytest

# Everything is measured on one thread; libraries read this when they are imported.
for _library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_library, "1")

HEAD = ("", "wanted", "reached", "beside it, or in figures")
# Of one core more than this was at work when the run began: whoever reads the figures should know.
QUIET_LOAD = 0.5


@dataclass(frozen=True, slots=True)
class Result:
    """One row: of which part, what was measured, what was wanted, what was reached, beside what, and whether it does."""

    part: str
    what: str
    wanted: str
    reached: str
    beside: str
    met: bool


class Results:
    """The rows of this run, in the order they were measured."""

    def __init__(self) -> None:
        self.load = os.getloadavg()[0]
        self.rows: list[Result] = []

    def table(self) -> list[str]:
        """Lines of Markdown that are as easily read in a terminal."""
        rows: list[tuple[str, str, str, str]] = []
        part = ""
        for one in self.rows:
            if one.part != part:
                part = one.part
                rows.append((f"**{part}**", "", "", ""))
            rows.append(
                (one.what, one.wanted, one.reached if one.met else f"{one.reached}: MISSED", one.beside)
            )
        widths = [max(len(row[n]) for row in (HEAD, *rows)) for n in range(len(HEAD))]
        return [
            _line(HEAD, widths),
            _line(tuple("-" * width for width in widths), widths),
            *(_line(row, widths) for row in rows),
        ]

    def where(self) -> str:
        """With what and on what machine, as a sentence."""
        busy = "" if self.load < QUIET_LOAD else f", beside other work (load {self.load:.1f})"
        return (
            f"Measured with Python {platform.python_version()} and OpenCV {cv2.__version__} on one core of "
            f"{_processor()}{busy}."
        )


@dataclass(frozen=True, slots=True)
class Notes:
    """Takes down the results of one part."""

    part: str
    results: Results

    def note(self, what: str, wanted: str, reached: str, beside: str = "", met: bool = True) -> None:
        """Keep one for the table; a benchmark that misses what is wanted has failed."""
        self.results.rows.append(Result(self.part, what, wanted, reached, beside, met))
        assert met, f"{what}: wanted {wanted}, reached {reached}"


_RESULTS = pytest.StashKey[Results]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_RESULTS] = Results()


@pytest.fixture
def notes(request: pytest.FixtureRequest) -> Notes:
    """Where a benchmark notes what it measured, under its module's PART."""
    return Notes(request.module.PART, request.config.stash[_RESULTS])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    results = terminalreporter.config.stash[_RESULTS]
    if results.rows:
        for line in ("", results.where(), "", *results.table(), ""):
            terminalreporter.write_line(line)


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"


def _processor() -> str:
    """The processor, or the whole computer where that says more (a Raspberry Pi)."""
    found = {"model name": platform.processor() or platform.machine()}
    described = Path("/proc/cpuinfo")
    for line in described.read_text().splitlines() if described.exists() else ():
        key, _, value = line.partition(":")
        if key.strip() in ("Model", "model name"):
            found[key.strip()] = value.strip()
    return found.get("Model", found["model name"])
