"""A strict stand-in for avrdude: it answers only the calls it was told of, in their order, and keeps accounts."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

# What avrdude 7.1 was heard to say (Debian 12), and the places where 6.3 and 8.0 differ.
READY = "\navrdude: AVR device initialized and ready to accept instructions\n"
SIGNATURE = "avrdude: device signature = 0x1e9801 (probably m2560)\n"
SIGNATURE_6 = "avrdude: Device signature = 0x1e9801 (probably m2560)\n"
SIGNATURE_8 = "Device signature = 1E 98 01 (ATmega2560)\n"
BAR = "##################################################"
WRITTEN = (
    "avrdude: reading input file t.hex for flash\n         with 16 bytes in 1 section within [0, 0xf]\n"
    "avrdude: writing 16 bytes flash ...\n\n"
    f"Writing | {BAR} | 100% 0.01s\n\navrdude: 16 bytes of flash written\n"
    f"avrdude: verifying flash memory against t.hex\n\nReading | {BAR} | 100% 0.06s\n\n"
)
VERIFIED = "avrdude: 16 bytes of flash verified\n\navrdude done.  Thank you.\n\n"
WRONG_CHIP = (
    "avrdude: device signature = 0x1e950f (probably m328p)\n"
    "avrdude error: expected signature for ATmega2560 is 1E 98 01\n"
    "        double check chip or use -F to override this check\n\navrdude done.  Thank you.\n\n"
)
NO_SYNC = (
    "avrdude error: timeout\navrdude error: timeout communicating with programmer\n"
    "avrdude error: unable to open programmer wiring on port /dev/pts/1\n\navrdude done.  Thank you.\n\n"
)
MISMATCH = (
    "avrdude warning: verification mismatch\n        device 0x01 != input 0x00 at addr 0x0000 (error)\n"
    "avrdude error: verification mismatch\n\navrdude done.  Thank you.\n\n"
)


@dataclass(frozen=True, slots=True)
class Call:
    """One expected call: its arguments, what is said, how it ends; `hangs`: it never does."""

    arguments: tuple[str, ...]
    says: str = ""
    exit_status: int = 0
    hangs: bool = False


class FakeAvrdude:
    """An executable in `folder` that expects these calls. `settle` says what is wrong with how it was used."""

    def __init__(self, folder: Path, *calls: Call) -> None:
        self.path = folder / "avrdude"
        self._plan, self._heard = folder / "plan.json", folder / "heard.json"
        self._calls = calls
        self._plan.write_text(json.dumps([asdict(call) for call in calls]))
        self._heard.write_text("[]")
        self.path.write_text(
            f"#!{sys.executable}\n" + _PROGRAM.format(plan=str(self._plan), heard=str(self._heard))
        )
        self.path.chmod(0o755)

    def settle(self) -> list[str]:
        """Every call that was not expected, and every one that was expected and did not come."""
        heard = [tuple(call) for call in json.loads(self._heard.read_text())]
        wanted = [call.arguments for call in self._calls]
        strange = [
            f"unexpected: {' '.join(call)}" for n, call in enumerate(heard) if wanted[n : n + 1] != [call]
        ]
        return strange + [f"never came: {' '.join(call)}" for call in wanted[len(heard) :]]


_PROGRAM = """
import json, sys, threading
heard = json.load(open({heard!r}))
plan = json.load(open({plan!r}))
heard.append(sys.argv[1:])
json.dump(heard, open({heard!r}, "w"))
if len(heard) > len(plan) or plan[len(heard) - 1]["arguments"] != sys.argv[1:]:
    sys.exit("fake avrdude: this call was not expected")
call = plan[len(heard) - 1]
sys.stderr.write(call["says"])
sys.stderr.flush()
if call["hangs"]:
    threading.Event().wait()
sys.exit(call["exit_status"])
"""
