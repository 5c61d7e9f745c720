"""Resident memory of the running service on the simulated table, with two pages open: python benchmarks/memory.py above

Prints the smallest, middle and largest of the samples of the last half minute, in MiB, from /proc.
"""

from __future__ import annotations

import contextlib
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

PORT = 8973
SECONDS = 75.0
SAMPLED_S = 30.0
PROGRAM = "from companion.cli import main; main()"


def look(path: str, stop: threading.Event) -> None:
    """A phone that looks at the page."""
    while not stop.is_set():
        with (
            contextlib.suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}", timeout=10) as answer,
        ):
            while not stop.is_set() and answer.readline():
                pass
        stop.wait(0.5)


def resident_mib(pid: int) -> float:
    """Resident memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ProcessLookupError(f"process {pid} has ended")


def measured(game: str) -> tuple[float, float, float]:
    """Plays and samples: smallest, middle and largest, MiB."""
    stop = threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        options = ["--port", str(PORT), "--journal", f"{folder}/journal.db", "--seed", "4", "--new"]
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "play", game, *options], stdout=subprocess.DEVNULL
        )
        try:
            for path in ("/camera.jpg", "/camera.jpg", "/api/events", "/api/events"):
                threading.Thread(target=look, args=(path, stop), daemon=True).start()
            samples, end = [], time.monotonic() + SECONDS
            while (left := end - time.monotonic()) > 0:
                time.sleep(0.5)
                if left < SAMPLED_S:
                    samples.append(resident_mib(process.pid))
        finally:
            stop.set()
            process.send_signal(signal.SIGINT)
            process.wait(20)
    return min(samples), statistics.median(samples), max(samples)


def main(game: str) -> None:
    """Says it."""
    low, middle, high = measured(game)
    sys.stdout.write(f"{game}: resident {low:.0f} to {high:.0f} MiB, median {middle:.0f} MiB\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "above")
