"""What benchmarks note is printed in tables when all have run: rates, figures, and targets with what was reached."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

import pytest

# Everything is measured on one thread; libraries read this when they are imported.
for _library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_library, "1")

_RATES = pytest.StashKey[dict[str, float]]()
_FIGURES = pytest.StashKey[dict[str, str]]()


@dataclass(frozen=True, slots=True)
class Target:
    """Something wanted: what, how much of it, what was reached, and whether that does."""

    what: str
    wanted: str
    reached: str
    met: bool


@dataclass(slots=True)
class Targets:
    """The targets of this run, in the order they were measured."""

    measured: list[Target] = field(default_factory=list)

    def note(self, what: str, wanted: str, reached: str, met: bool) -> None:
        """Keep one for the table; a benchmark that misses its target has failed."""
        self.measured.append(Target(what, wanted, reached, met))
        assert met, f"{what}: wanted {wanted}, reached {reached}"


_TARGETS = pytest.StashKey[Targets]()


@pytest.fixture
def rates(request: pytest.FixtureRequest) -> dict[str, float]:
    """What was measured in this run: name to things done a second. The first one noted is the yardstick."""
    return request.config.stash.setdefault(_RATES, {})


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> dict[str, str]:
    """Figures measured in this run: what, and how much in words."""
    return request.config.stash.setdefault(_FIGURES, {})


@pytest.fixture
def targets(request: pytest.FixtureRequest) -> Targets:
    """Targets measured in this run."""
    return request.config.stash.setdefault(_TARGETS, Targets())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _print_rates(terminalreporter)
    figures = terminalreporter.config.stash.get(_FIGURES, {})
    if figures:
        terminalreporter.write_line("")
    for name, figure in figures.items():
        terminalreporter.write_line(f"{name:<58} {figure}")
    _print_targets(terminalreporter)


def _print_rates(terminalreporter: pytest.TerminalReporter) -> None:
    rates = terminalreporter.config.stash.get(_RATES, {})
    if not rates:
        return
    yardstick = next(iter(rates.values()))
    terminalreporter.write_line("")
    terminalreporter.write_line(f"{'on one core':<46}{'a second':>10}{'ratio':>8}")
    for name, rate in rates.items():
        terminalreporter.write_line(f"{name:<46}{rate:>10.0f}{rate / yardstick:>8.2f}")


def _print_targets(terminalreporter: pytest.TerminalReporter) -> None:
    measured = terminalreporter.config.stash.get(_TARGETS, Targets()).measured
    if not measured:
        return
    terminalreporter.write_line("")
    terminalreporter.write_line(f"{'sight, one thread, 2304 × 1296':<46}{'wanted':<22}{'reached':<44}")
    for one in measured:
        mark = "" if one.met else "  MISSED"
        terminalreporter.write_line(f"{one.what:<46}{one.wanted:<22}{one.reached}{mark}")
