"""A program of its own for a test: prints all that a table at which everything goes wrong heard, told and lit.

python -m tests.table.told_by 2 0.002        whose chance, for how many hours of each game
"""

from __future__ import annotations

import sys
import warnings

from companion.service import TableService
from companion.soak import endurance, trouble
from companion.soak.endurance import endure
from companion.soak.game import _Game
from companion.soak.readings.watching import watch_by_readings
from companion.tables.catalogue import kit_for
from companion.virtual.arm import BRISK


def main(seed: str, hours: str) -> None:
    """Plays and prints, moment by moment."""
    trouble.EVERY_S, trouble.LASTS_S = (1.0, 4.0), (0.5, 3.0)
    endurance.TURNS, endurance.LEISURELY = (2, 3), BRISK
    # One of two programs reads its pictures in a thread.
    endurance.THREADED = 2
    verdict, lit, switches = _Game._on_verdict, _Game._led_sent, TableService.take_switches

    def on_verdict(self: _Game, said: object) -> None:
        sys.stdout.write(f"{self.loop.time()!r} {said}\n".replace(self.simulation.controller.path, "port"))
        verdict(self, said)  # type: ignore[arg-type]

    def led_sent(self: _Game, pixels: object, at: float) -> None:
        sys.stdout.write(f"{at!r} {pixels}\n")
        lit(self, pixels, at)

    def take_switches(
        self: TableService, closed: frozenset[str], distrusted: frozenset[str] = frozenset()
    ) -> None:
        sys.stdout.write(f"{sorted(closed)}\n")
        switches(self, closed, distrusted)

    _Game._on_verdict, _Game._led_sent = on_verdict, led_sent  # type: ignore[method-assign,assignment]
    TableService.take_switches = take_switches  # type: ignore[method-assign]
    for game in ("above", "olympeak"):
        report = endure(kit_for(game), 2, int(seed), float(hours), watch=watch_by_readings)
        sys.stdout.write(f"{report.runs} {sorted(report.troubles.items())} {report.soak}\n")


if __name__ == "__main__":
    warnings.simplefilter("error")
    main(*sys.argv[1:])
