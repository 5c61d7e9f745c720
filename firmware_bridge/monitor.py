"""What `firmware-bridge monitor` shows: link, reeds, lights, axes and error counters of a live controller."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .controller import Controller
from .link import LinkState
from .names import COLUMNS, RINGS, axis_name, axis_trouble, led_name, reed_name
from .protocol import LEDS, REEDS, AxisStatus, Capability
from .wire import Pixel

_STATE_COLOURS = {LinkState.READY: "green", LinkState.CONNECTING: "yellow", LinkState.ABSENT: "red"}
# The light under a closed switch, while the monitor is the one that says what to show.
ECHO: Pixel = (0, 60, 60)
DARK: Pixel = (0, 0, 0)


def echo(closed: frozenset[int]) -> list[Pixel]:
    """The picture in which the space above every closed switch is lit: switch and light are tried in one go."""
    return [ECHO if index in closed else DARK for index in range(LEDS)]


def as_json(controller: Controller) -> dict[str, object]:
    """The controller's state as plain data."""
    identity, status = controller.identity, controller.status
    return {
        "state": status.state.value,
        "reason": status.reason,
        "trouble": status.trouble,
        "port": status.port,
        "firmware": identity.firmware if identity else None,
        "simulated": bool(identity and identity.capabilities & Capability.SIMULATED),
        "boot_count": identity.boot_count if identity else None,
        "closed": [reed_name(index) for index in sorted(controller.snapshot or ())],
        "leds": {
            led_name(index): "{:02x}{:02x}{:02x}".format(*pixel)
            for index, pixel in enumerate(controller.lit or ())
            if pixel != DARK
        },
        "axes": [axis_json(axis) for _, axis in sorted(controller.axes.items())],
        "emergency": controller.emergency,
        "counters": dataclasses.asdict(controller.counters),
    }


def axis_json(axis: AxisStatus) -> dict[str, object]:
    """An axis as plain data, places in mm."""
    return {
        "axis": axis.axis,
        "state": axis.state.name.lower(),
        "knowledge": axis.knowledge.name.lower(),
        "fault": axis.fault.name.lower(),
        "position_mm": axis.position_um / 1000,
        "target_mm": axis.target_um / 1000,
    }


def as_screen(controller: Controller) -> RenderableType:
    """The controller's state for a terminal."""
    status, identity = controller.status, controller.identity
    head = Text.assemble(
        (f" {status.state.value} ", f"reverse {_STATE_COLOURS[status.state]}"), " ", status.reason
    )
    if identity is not None:
        simulated = "  SIMULATED" if identity.capabilities & Capability.SIMULATED else ""
        head.append(
            f"\nfirmware {identity.firmware}, start {identity.boot_count} "
            f"({identity.reset_cause.name.lower().replace('_', ' ')}){simulated}"
        )
    if status.trouble:
        head.append(f"\n{status.trouble}", "yellow")
    if controller.emergency:
        head.append("\nEMERGENCY STOP: all motors are off", "bold white on red")
    maps = Table.grid(padding=(0, 4))
    maps.add_row(_reeds(controller.snapshot), _leds(controller.lit))
    return Group(head, "", maps, "", _axes(controller), _counters(controller))


def _map(title: str, mark: Callable[[int], tuple[str, str]]) -> Text:
    """The mountain unrolled, ring 6 on top under the summit: `mark` gives a sign and its style for a place."""
    text = Text(f"{title}\n")
    text.append("top ").append(*mark(REEDS - 1)).append("\n")
    for ring in reversed(range(RINGS)):
        text.append(f"  {ring + 1} ")
        for column in range(COLUMNS):
            text.append(*mark(column * RINGS + ring)).append(" ")
        text.append("\n")
    text.append("    " + " ".join(chr(ord("a") + column) for column in range(COLUMNS)))
    return text


def _reeds(closed: frozenset[int] | None) -> RenderableType:
    if closed is None:
        return Text("reeds: nothing heard yet")
    return _map(f"reeds: {len(closed)} closed", lambda index: ("●", "") if index in closed else ("·", "dim"))


def _leds(lit: tuple[Pixel, ...] | None) -> RenderableType:
    if lit is None:
        return Text("LEDs: nothing shown yet")

    def mark(index: int) -> tuple[str, str]:
        red, green, blue = lit[index]
        # LEDs are far brighter than their numbers look on a screen.
        return (
            ("■", f"rgb({min(255, 3 * red)},{min(255, 3 * green)},{min(255, 3 * blue)})")
            if any(lit[index])
            else ("·", "dim")
        )

    text = _map(f"LEDs: {sum(map(any, lit))} lit", mark)
    text.append("\nseats ")
    for index in range(REEDS, LEDS):
        text.append(*mark(index)).append(" ")
    return text


def _axes(controller: Controller) -> RenderableType:
    table = Table("axis", "state", "position", "mm", "to", "trouble", title=None, box=None, pad_edge=False)
    for _, axis in sorted(controller.axes.items()):
        table.add_row(
            axis_name(axis.axis),
            axis.state.name.lower(),
            axis.knowledge.name.lower(),
            f"{axis.position_um / 1000:.1f}",
            f"{axis.target_um / 1000:.1f}",
            axis_trouble(axis),
        )
    return table if controller.axes else Text("axes: none reported")


def _counters(controller: Controller) -> RenderableType:
    counts = dataclasses.asdict(controller.counters)
    return Text("\n" + "   ".join(f"{name.replace('_', ' ')} {value}" for name, value in counts.items()))
