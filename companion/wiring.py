"""Wiring: joins a controller on a serial port to the running table, across its reader thread."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from companion.games.above.board import SPACES
from companion.service import TableService
from companion.web.models import DeviceView
from firmware_bridge.controller import Controller, ReedEvent
from firmware_bridge.link import LinkState, LinkStatus


def join(controller: Controller, table: TableService, *, simulated: bool) -> None:
    """Reeds and link states go to the table, in its loop's thread; the latest wins."""
    loop = asyncio.get_running_loop()

    # Switches are numbered like the spaces: column by column, ring 1 to 6, the summit last.
    def reeds(_: Sequence[ReedEvent], closed: frozenset[int]) -> None:
        names = frozenset(SPACES[index] for index in closed)
        loop.call_soon_threadsafe(table.take_switches, names)

    def state(status: LinkStatus) -> None:
        loop.call_soon_threadsafe(table.controller_state, _view(status, simulated))

    controller.on_reeds(reeds)
    controller.on_state(state)
    table.controller_state(_view(controller.status, simulated))


def _view(status: LinkStatus, simulated: bool) -> DeviceView:
    ok = status.state is LinkState.READY
    return DeviceView(name="controller", ok=ok, detail="" if ok else status.reason, simulated=simulated)
