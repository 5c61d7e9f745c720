"""Wiring: joins a controller on a serial port to the running table, across its reader thread."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from companion.fittings import Fittings
from companion.games.above.board import SPACES
from companion.games.olympeak.cards import CONTENDERS
from companion.games.olympeak.names import cube_name
from companion.messages import say
from companion.service import TableService
from companion.signals.emergency import Emergency
from companion.signals.lights import BUDGET_MA
from companion.signals.night import Night
from companion.signals.pins.panel import Panel
from companion.signals.pins.plan import Part
from companion.signals.scoreboard import AxisMood, AxisReport, Scoreboard
from companion.web.models import DeviceView
from firmware_bridge.controller import Controller, ReedEvent
from firmware_bridge.errors import LinkAbsentError, LinkBusyError
from firmware_bridge.link import LinkState, LinkStatus
from firmware_bridge.names import axis_trouble
from firmware_bridge.protocol import (
    AxisFault,
    AxisState,
    AxisStatus,
    EmergencyState,
    ErrorReport,
    Knowledge,
    Message,
    StopSource,
)


def join(controller: Controller, table: TableService, *, simulated: bool, reeds: bool = True) -> None:
    """Reeds, where there are any, and link states go to the table, in its loop's thread; the latest wins."""
    loop = asyncio.get_running_loop()

    # Switches are numbered like the spaces: column by column, ring 1 to 6, the summit last.
    def felt(_: Sequence[ReedEvent], closed: frozenset[int]) -> None:
        names = frozenset(SPACES[index] for index in closed)
        loop.call_soon_threadsafe(table.take_switches, names)

    def state(status: LinkStatus) -> None:
        loop.call_soon_threadsafe(table.controller_state, _view(status, simulated))

    def stopped(message: Message) -> None:
        if isinstance(message, EmergencyState):
            by_button = message.source is StopSource.BUTTON
            loop.call_soon_threadsafe(lambda: table.motors_stopped(message.stopped, by_button=by_button))

    if reeds:
        controller.on_reeds(felt)
    controller.on_state(state)
    controller.on_message(stopped)
    table.controller_state(_view(controller.status, simulated))
    if controller.emergency:
        table.motors_stopped(True, by_button=controller.emergency_source is StopSource.BUTTON)


# What stands on the controller's axes, in their order.
ON_AXES = (*(cube_name(contender) for contender in CONTENDERS), say("olympeak.round_marker"))


def fit(
    controller: Controller | None,
    *,
    motors: bool,
    simulated: bool,
    panel: Panel | None = None,
    night: Night | None = None,
    budget_ma: float = BUDGET_MA,
) -> Fittings:
    """The fittings of a table. `motors`: its controller moves the cubes; `simulated`: it is a simulated one."""
    drive = None if controller is None else Motors(controller)
    moves = motors and drive is not None
    stops = moves or (panel is not None and Part.EMERGENCY in panel.plan.numbers)
    return Fittings(
        emergency=Emergency(drive) if stops else None,
        scoreboard=Scoreboard(drive, ON_AXES) if moves and drive is not None else None,
        panel=panel,
        night=night if controller is not None or panel is not None else None,
        strip=controller,
        budget_ma=budget_ma,
        simulated=simulated,
    )


class Motors:
    """The controller's axes as the scoreboard drives them, and the brakes of the emergency stop."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self._asked = False
        controller.on_message(self._hear)

    def reports(self) -> dict[int, AxisReport]:
        if not self._controller.ready:
            self._asked = False
            return {}
        if not self._asked:
            # Their states are told when they change; what they are now has to be asked for once.
            self._asked = True
            self._command(self._controller.query_axis)
        stopped = self._controller.emergency
        return {axis: _report(status, stopped) for axis, status in self._controller.axes.items()}

    def home(self, axis: int) -> None:
        self._command(lambda: self._controller.home_axis(axis))

    def move(self, axis: int, target_mm: float) -> None:
        self._command(lambda: self._controller.move_axis(axis, target_mm))

    def stop(self) -> None:
        self._command(self._controller.emergency_stop)

    def release(self) -> None:
        self._command(self._controller.emergency_release)

    def _hear(self, message: Message) -> None:
        """In the link's thread. An axis at rest says nothing when it forgets its place, nor when it is refused."""
        if isinstance(message, EmergencyState | ErrorReport):
            self._asked = False

    def _command(self, command: Callable[[], None]) -> None:
        # A cable pulled this very moment: the link says so by itself, and the carriages are asked again after.
        with contextlib.suppress(LinkAbsentError, LinkBusyError):
            command()


def _report(status: AxisStatus, stopped: bool) -> AxisReport:
    if stopped:
        return AxisReport(AxisMood.STOPPED)
    if status.fault is AxisFault.EMERGENCY_STOPPED:
        return AxisReport(AxisMood.LOST)  # and released since
    if status.state is AxisState.FAILED:
        return AxisReport(AxisMood.FAILED, axis_trouble(status))
    if status.state is not AxisState.OFF:
        return AxisReport(AxisMood.BUSY)
    known = status.knowledge is not Knowledge.UNKNOWN
    return AxisReport(AxisMood.READY if known else AxisMood.LOST)


def _view(status: LinkStatus, simulated: bool) -> DeviceView:
    ok = status.state is LinkState.READY
    detail = status.trouble if ok else status.reason
    return DeviceView(name="controller", ok=ok, detail=detail, simulated=simulated)
