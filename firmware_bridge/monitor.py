"""What `firmware-bridge monitor` shows: link, reeds, lights, axes and error counters of a live controller."""

from __future__ import annotations

import dataclasses

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .controller import Controller
from .link import LinkState
from .protocol import REEDS, AxisStatus, Capability

COLUMNS, RINGS = 16, 6
_STATE_COLOURS = {LinkState.READY: "green", LinkState.CONNECTING: "yellow", LinkState.ABSENT: "red"}


def reed_name(index: int) -> str:
    """The space above a switch: column by column, ring 1 to 6, the summit last."""
    if index == REEDS - 1:
        return "top"
    return f"{chr(ord('a') + index // RINGS)}{index % RINGS + 1}"


def as_json(controller: Controller) -> dict[str, object]:
    """The controller's state as plain data."""
    identity, status = controller.identity, controller.status
    return {
        "state": status.state.value,
        "reason": status.reason,
        "port": status.port,
        "firmware": identity.firmware if identity else None,
        "simulated": bool(identity and identity.capabilities & Capability.SIMULATED),
        "boot_count": identity.boot_count if identity else None,
        "closed": [reed_name(index) for index in sorted(controller.snapshot or ())],
        "axes": [_axis(axis) for _, axis in sorted(controller.axes.items())],
        "counters": dataclasses.asdict(controller.counters),
    }


def _axis(axis: AxisStatus) -> dict[str, object]:
    return {
        "axis": axis.axis,
        "state": axis.state.name.lower(),
        "knowledge": axis.knowledge.name.lower(),
        "fault": axis.fault.name.lower(),
        "position_mm": axis.position_um / 1000,
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
    return Group(head, "", _reeds(controller.snapshot), "", _axes(controller), _counters(controller))


def _reeds(closed: frozenset[int] | None) -> RenderableType:
    if closed is None:
        return Text("reeds: nothing heard yet")
    lines = ["    " + " ".join(chr(ord("a") + column) for column in range(COLUMNS))]
    for ring in range(RINGS):
        marks = ("●" if column * RINGS + ring in closed else "·" for column in range(COLUMNS))
        lines.append(f"  {ring + 1} " + " ".join(marks))
    lines.append("top " + ("●" if REEDS - 1 in closed else "·"))
    return Text("\n".join(lines))


def _axes(controller: Controller) -> RenderableType:
    table = Table("axis", "state", "position", "mm", "fault", title=None, box=None, pad_edge=False)
    for _, axis in sorted(controller.axes.items()):
        table.add_row(
            str(axis.axis),
            axis.state.name.lower(),
            axis.knowledge.name.lower(),
            f"{axis.position_um / 1000:.1f}",
            axis.fault.name.lower(),
        )
    return table if controller.axes else Text("axes: none reported")


def _counters(controller: Controller) -> RenderableType:
    counts = dataclasses.asdict(controller.counters)
    return Text("\n" + "   ".join(f"{name.replace('_', ' ')} {value}" for name, value in counts.items()))
