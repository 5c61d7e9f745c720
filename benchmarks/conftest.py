"""Rates that benchmarks note are printed as one table, with their ratio to the first; other figures line by line."""

from __future__ import annotations

import pytest

_RATES = pytest.StashKey[dict[str, float]]()
_FIGURES = pytest.StashKey[dict[str, str]]()


@pytest.fixture
def rates(request: pytest.FixtureRequest) -> dict[str, float]:
    """What was measured in this run: name to things done a second. The first one noted is the yardstick."""
    return request.config.stash.setdefault(_RATES, {})


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> dict[str, str]:
    """Figures measured in this run: what, and how much in words."""
    return request.config.stash.setdefault(_FIGURES, {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _print_rates(terminalreporter)
    figures = terminalreporter.config.stash.get(_FIGURES, {})
    if figures:
        terminalreporter.write_line("")
    for name, figure in figures.items():
        terminalreporter.write_line(f"{name:<58} {figure}")


def _print_rates(terminalreporter: pytest.TerminalReporter) -> None:
    rates = terminalreporter.config.stash.get(_RATES, {})
    if not rates:
        return
    yardstick = next(iter(rates.values()))
    terminalreporter.write_line("")
    terminalreporter.write_line(f"{'on one core':<46}{'a second':>10}{'ratio':>8}")
    for name, rate in rates.items():
        terminalreporter.write_line(f"{name:<46}{rate:>10.0f}{rate / yardstick:>8.2f}")
