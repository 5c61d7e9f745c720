"""Wiring: joins a controller on a serial port to the running table, across its reader thread."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from companion.games.above.board import SPACES
from companion.service import TableService
from companion.signals.scoreboard import AxisMood
from companion.web.models import DeviceView
from firmware_bridge.controller import Controller, ReedEvent
from firmware_bridge.errors import LinkAbsentError, LinkBusyError
from firmware_bridge.link import LinkState, LinkStatus
from firmware_bridge.protocol import AxisState, AxisStatus, Knowledge


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


class Motors:
    """The controller's axes as the scoreboard drives them."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self._asked = False

    def moods(self) -> dict[int, AxisMood]:
        if not self._controller.ready:
            self._asked = False
            return {}
        if not self._asked:
            # Their states are told when they change; what they are now has to be asked for once.
            self._asked = True
            self._command(self._controller.query_axis)
        return {axis: _mood(status) for axis, status in self._controller.axes.items()}

    def home(self, axis: int) -> None:
        self._command(lambda: self._controller.home_axis(axis))

    def move(self, axis: int, target_mm: float) -> None:
        self._command(lambda: self._controller.move_axis(axis, target_mm))

    def _command(self, command: Callable[[], None]) -> None:
        # A cable pulled this very moment: the link says so by itself, and the carriages are asked again after.
        with contextlib.suppress(LinkAbsentError, LinkBusyError):
            command()


def _mood(status: AxisStatus) -> AxisMood:
    if status.state is AxisState.FAILED:
        return AxisMood.FAILED
    if status.state is not AxisState.OFF:
        return AxisMood.BUSY
    return AxisMood.LOST if status.knowledge is Knowledge.UNKNOWN else AxisMood.READY


def _view(status: LinkStatus, simulated: bool) -> DeviceView:
    ok = status.state is LinkState.READY
    detail = status.trouble if ok else status.reason
    return DeviceView(name="controller", ok=ok, detail=detail, simulated=simulated)
