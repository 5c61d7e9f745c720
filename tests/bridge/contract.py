"""What the contract suite needs of a back end: a port, and hands on the board where there are any."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.virtual_controller import VirtualController
from firmware_bridge.wire import Pixel

from .simavr.board import ChipBoard
from .simavr.chip import missing

PORT_VARIABLE = "OLYMPUS_CONTROLLER"


@dataclass(frozen=True, slots=True)
class Bench:
    """One board under test. What a back end cannot do is None; tests that need it skip and say so."""

    name: str
    port: str
    set_reeds: Callable[[frozenset[int]], None] | None
    shown: Callable[[], tuple[Pixel, ...]] | None
    reset: Callable[[], None] | None
    close: Callable[[], None]


def virtual_bench() -> Bench:
    """The virtual controller."""
    board = VirtualController()
    board.start()
    return Bench("virtual", board.path, board.set_reeds, lambda: board.leds, board.reset, board.close)


def chip_bench() -> Bench | str:
    """The firmware in a simulated chip, at the pace of a real one."""
    if reason := missing():
        return reason
    board = ChipBoard()
    board.chip.push(0, -170.0)  # homing is tested elsewhere in virtual time; here it need not take long
    board.chip.push(4, -15.0)
    board.start()
    return Bench("chip", board.path, board.set_reeds, lambda: board.leds, board.chip.reset, board.close)


def real_bench() -> Bench | str:
    """The board at the port named in the environment, or why there is none."""
    port = os.environ.get(PORT_VARIABLE)
    if not port:
        return f"no real controller: name its port in {PORT_VARIABLE}"
    return Bench("real", port, None, None, None, lambda: None)


BACK_ENDS: dict[str, Callable[[], Bench | str]] = {
    "virtual": virtual_bench,
    "chip": chip_bench,
    "real": real_bench,
}
