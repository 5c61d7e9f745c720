"""Days at one table while everything goes wrong: python benchmarks/endurance.py [above|olympeak] [HOURS] [SEED]

The readings are true (what sight makes of pictures is soaked by `companion soak`); everything after them is real.
An hour takes two minutes of computing. Exit status 1 if anything wrong was announced, anything lost, or memory grew.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).parent.parent))

from companion.soak.endurance import endure
from companion.soak.readings.watching import watch_by_readings
from companion.tables.catalogue import kit_for


def main(game: str = "above", hours: str = "24", seed: str = "1") -> int:
    """Plays, prints the report as JSON, and says whether it is flawless."""
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(f"{hours} hours", total=float(hours))
        report = endure(
            kit_for(game),
            2,
            int(seed),
            float(hours),
            watch=watch_by_readings,
            progress=lambda passed: progress.update(bar, completed=passed),
        )
    for text in (*report.soak.incidents, *report.left):
        sys.stderr.write(f"{text}\n")
    sys.stdout.write(f"{json.dumps(report.as_json())}\n")
    return 0 if report.is_flawless else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
