"""The simulated chip as a Python object: builds its program when needed, starts it, and steers it.

The program links with simavr, which is GPL-3: a tool for tests, which lives here and is in no package.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import shutil
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import TracebackType

from firmware_bridge.limits import STEPS_PER_MM
from firmware_bridge.protocol import LEDS, REEDS
from firmware_bridge.wire import BitSet, Pixel, Pixels

HERE = Path(__file__).parent
FIRMWARE = Path(__file__).parents[3] / "firmware_bridge" / "firmware"
IMAGE = FIRMWARE / "olympus-mega2560.hex"
CHIP_HZ = 16_000_000
PACKAGES = "gcc libsimavr-dev libelf-dev"


class ChipError(Exception):
    """The simulated chip cannot be had, or has refused a command."""


class Endstop(IntEnum):
    """How an endstop behaves."""

    FINE = 0
    MISSING = 1
    STUCK = 2
    INVERTED = 3


@dataclass(frozen=True, slots=True)
class Carriage:
    """What really is at the far end of an axis: place in mm, pulses so far, what was wrong with them."""

    place_mm: float
    steps: int
    powered: bool
    faults: int
    shortest_period: int


@dataclass(frozen=True, slots=True)
class Strip:
    """What the LEDs have received: whole pictures, faults of timing, the longest pause in cycles."""

    frames: int
    faults: int
    longest_pause: int
    pixels: tuple[Pixel, ...]


def missing() -> str | None:
    """Why there is no simulated chip, with the command that helps; None if there is one."""
    headers = ("/usr/include/simavr/sim_avr.h", "/usr/include/libelf.h")
    if not all(map(os.path.exists, headers)) or not (shutil.which("cc") and shutil.which("make")):
        return f"no simulated chip: run `apt install make {PACKAGES}`"
    return None


def build() -> Path:
    """The program, built unless these very sources have been built before."""
    if reason := missing():
        raise ChipError(reason)
    sources = [*sorted(HERE.glob("*.[ch]")), HERE / "Makefile", FIRMWARE / "chip" / "pins.h"]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    program = HERE / "build" / digest / "chip"
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=program.parent) as folder:
            run = subprocess.run(
                ["make", "-s", "-C", str(HERE), f"OUT={folder}"], capture_output=True, text=True, check=False
            )
            if run.returncode:
                raise ChipError(f"the simulated chip does not compile:\n{run.stderr}")
            os.replace(Path(folder) / "chip", program)  # several test processes may build at once
    return program


class Chip:
    """One chip. Time stands still but for `advance` and `exchange`, and between `run` and `hold`.

    A context manager, or `start` and `close`. Methods may be called from any thread. Times are seconds of the
    chip's own clock.
    """

    def __init__(self, image: Path = IMAGE) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [str(build()), str(image)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.path = self._read()

    def __enter__(self) -> Chip:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program; its port is gone. Safe to call twice."""
        with self._lock, contextlib.suppress(BrokenPipeError):
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
        self._process.wait(10)

    def _read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ChipError(f"the simulated chip has ended (status {self._process.wait(10)})")
        return line.rstrip("\n")

    def command(self, line: str) -> list[str]:
        """Gives one command, returns the words of its answer."""
        with self._lock:
            assert self._process.stdin is not None
            self._process.stdin.write(line + "\n")
            verdict, *words = self._read().split(" ")
        if verdict != "ok":
            raise ChipError(f"{line[:60]}: {' '.join(words)}")
        return words

    # Time ----------------------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        """The chip's clock."""
        return int(self.command("state")[0]) / CHIP_HZ

    def run(self) -> None:
        """From now on time passes by itself, as fast as in reality."""
        self.command("run")

    def hold(self) -> None:
        """Time stands still."""
        self.command("hold")

    def advance(self, seconds: float) -> float:
        """So much time passes at once; the port is served meanwhile. Returns the chip's clock."""
        return int(self.command(f"advance {round(seconds * 1e6)}")[0]) / CHIP_HZ

    def exchange(self, seconds: float, data: bytes = b"") -> bytes:
        """Puts bytes on the wire past the port, lets time pass, returns what the chip has sent by then."""
        words = self.command(f"exchange {round(seconds * 1e6)} {data.hex()}")
        return bytes.fromhex(words[0]) if words else b""

    def is_quiet(self, seconds: float) -> bool:
        """Nothing has been on the wire, either way, for so long, and nothing waits in the port."""
        return self.command(f"quiet {round(seconds * 1e6)}") == ["1"]

    @property
    def awake_for(self) -> float:
        """For how long the processor has been awake since the beginning."""
        now, *_, slept = self.command("state")
        return (int(now) - int(slept)) / CHIP_HZ

    @property
    def silent_for(self) -> float:
        """How long ago the chip has heard the last byte of a host; infinite if it never has."""
        now, heard, *_ = map(int, self.command("state"))
        return (now - heard) / CHIP_HZ if heard else math.inf

    @property
    def overruns(self) -> int:
        """Bytes that the receiver has lost."""
        return int(self.command("state")[2])

    # The table around it ---------------------------------------------------------------------------------

    def set_reeds(self, closed: frozenset[int], *, jitter_s: float = 0.0) -> None:
        """These switches are closed from now on, or from some moment within `jitter_s`."""
        self.command(f"reeds {BitSet(REEDS).pack(closed).hex()} {round(jitter_s * 1e6)}")

    @property
    def reeds_set_at(self) -> float | None:
        """Real monotonic time at which the last change of the switches happened; None: not yet."""
        nanoseconds = int(self.command("state")[3])
        return nanoseconds / 1e9 if nanoseconds else None

    @property
    def strip(self) -> Strip:
        """The LEDs."""
        frames, faults, pause, pixels = self.command("leds")
        colours = bytes.fromhex(pixels)
        return Strip(int(frames), int(faults), int(pause), Pixels(LEDS).unpack(colours))

    @property
    def leds(self) -> tuple[Pixel, ...]:
        """The colours shown."""
        return self.strip.pixels

    @property
    def carriages(self) -> tuple[Carriage, ...]:
        """The axes' far ends."""
        return tuple(
            Carriage(place / STEPS_PER_MM, steps, bool(powered), faults, period)
            for place, steps, powered, faults, period in (
                map(int, word.split(",")) for word in self.command("axes")
            )
        )

    def push(self, axis: int, place_mm: float) -> None:
        """Somebody pushes a carriage."""
        self.command(f"push {axis} {round(place_mm * STEPS_PER_MM)}")

    def set_endstop(self, axis: int, kind: Endstop) -> None:
        """An endstop breaks, or is mended."""
        self.command(f"endstop {axis} {int(kind)}")

    def disturb_endstop(self, axis: int, seconds: float) -> None:
        """Something makes an endstop look pressed."""
        self.command(f"disturb {axis} {round(seconds * 1e6)}")

    def turn_diodes(self, columns: bool) -> None:
        """The diodes were soldered the other way round: columns are to be driven."""
        self.command(f"diodes {int(columns)}")

    def connect_lines(self, line: int, other: int) -> None:
        """Two lines of the matrix touch (0…5 rows, 6…21 columns); a line with itself: touches ground."""
        self.command(f"connect {line} {other}")

    def disconnect_lines(self) -> None:
        """Nothing touches any more."""
        self.command("disconnect")

    def set_button(self, *, closed: bool) -> None:
        """The emergency button's loop."""
        self.command(f"button {int(closed)}")

    # Resets ----------------------------------------------------------------------------------------------

    def set_boot(self, seconds: float, *, on_open: bool) -> None:
        """From now on a reset is followed by a boot loader of so long; opening the port resets."""
        self.command(f"boot {round(seconds * 1e6)} {int(on_open)}")

    def reset(self, flags: int = 2) -> None:
        """The reset button; `flags` as the chip's register has them, 0 as a boot loader leaves them."""
        self.command(f"reset {flags}")

    def hang(self) -> None:
        """The program stops where it is, until the next reset."""
        self.command("hang")

    def pulse(self, port: str, bit: int, cycles: int) -> None:
        """Raises a pin for so many cycles, as if the firmware did."""
        self.command(f"pulse {port} {bit} {cycles}")
