"""Days at one table while everything goes wrong: python benchmarks/endurance.py [GAME] [HOURS] [SEED] [--pictures]

The readings are true; everything after them is real. With `--pictures` sight reads rendered pictures, which takes
far longer. Exit status 1 if anything wrong was announced, anything was lost or left behind, or memory grew.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).parent.parent))

from companion.memory import be_frugal
from companion.soak.endurance import EnduranceReport, endure
from companion.soak.game import watch_by_sight
from companion.soak.readings.watching import watch_by_readings
from companion.tables.catalogue import kit_for


def main(game: str = "above", hours: str = "24", seed: str = "1", pictures: str = "") -> int:
    """Plays, prints the report as JSON, and says whether it is flawless."""
    # As the running table does, before there is any thread.
    be_frugal()
    told = looks = 0
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(f"{hours} hours", total=float(hours))

        def step(report: EnduranceReport) -> None:
            nonlocal told, looks
            progress.update(bar, completed=report.hours)
            incidents = [*report.soak.incidents, *report.left, *report.soak.tasks_left]
            for text in incidents[told:]:
                progress.console.print(text, markup=False)
            told = len(incidents)
            if len(report.memory_bytes) > looks:
                looks = len(report.memory_bytes)
                progress.console.print(
                    f"{report.hours:.2f} h: {report.runs} starts, {report.soak.turns} turns, {report.lost} lost, "
                    f"{told} incidents, {report.growth_bytes / 1e6:+.1f} MB"
                )

        report = endure(
            kit_for(game),
            2,
            int(seed),
            float(hours),
            watch=watch_by_sight if pictures == "--pictures" else watch_by_readings,
            progress=step,
        )
    sys.stdout.write(f"{json.dumps(report.as_json())}\n")
    return 0 if report.is_flawless else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
