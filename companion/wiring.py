"""Wiring: joins a controller on a serial port to the running table, across its reader thread."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from calibration.wiring_profile import LANES, LightsProfile, ReedsProfile, ScoreboardProfile
from companion.fittings import Fittings
from companion.games.above.board import SPACES
from companion.games.olympeak.cards import CONTENDERS
from companion.games.olympeak.names import cube_name
from companion.messages import say
from companion.service import Lamps, TableService
from companion.signals.emergency import Emergency
from companion.signals.lights import BUDGET_MA
from companion.signals.night import Night
from companion.signals.pins.panel import Panel
from companion.signals.pins.plan import Part
from companion.signals.scoreboard import AxisMood, AxisReport, Scoreboard
from companion.signals.speech.voice import Voice
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


def join(
    controller: Controller,
    table: TableService,
    *,
    simulated: bool,
    reeds: bool = True,
    wired: ReedsProfile | None = None,
) -> None:
    """Reeds, where there are any, and link states go to the table, in its loop's thread; the latest wins.

    `wired`: which switch lies where, and which are not to be believed, if somebody has measured it.
    """
    loop = asyncio.get_running_loop()
    distrusted = frozenset() if wired is None else wired.distrusted

    def felt(_: Sequence[ReedEvent], closed: frozenset[int]) -> None:
        # As drawn, switches are numbered like the spaces: column by column, ring 1 to 6, the summit last.
        names = frozenset(SPACES[index] for index in closed) if wired is None else wired.closed(closed)
        loop.call_soon_threadsafe(table.take_switches, names, distrusted)

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
    scoreboard: ScoreboardProfile | None = None,
    voice: Voice | None = None,
) -> Fittings:
    """The fittings of a table. `motors`: its controller moves the cubes; `simulated`: it is a simulated one.

    `scoreboard`: its lanes, if somebody has measured them.
    """
    drive = None if controller is None else Motors(controller, scoreboard)
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
        voice=voice,
    )


class _Strip:
    """The strip as it is wired: what is to shine at a place is sent to the position that shines there."""

    def __init__(self, controller: Controller, lights: LightsProfile) -> None:
        self._controller = controller
        self._lights = lights

    def set_leds(self, pixels: Sequence[tuple[int, int, int]]) -> None:
        self._controller.set_leds(self._lights.sent(pixels))


def strip_of(controller: Controller | None, lights: LightsProfile | None) -> Lamps | None:
    """What shows the table's lights, by place; `lights`: which position shines where, if somebody has measured it."""
    return controller if controller is None or lights is None else _Strip(controller, lights)


class Motors:
    """The controller's axes as the scoreboard drives them, and the brakes of the emergency stop.

    Lanes are numbered as in ON_AXES. `scoreboard`: which axis drives which lane and how, if somebody has measured it.
    """

    def __init__(self, controller: Controller, scoreboard: ScoreboardProfile | None = None) -> None:
        self._controller = controller
        self._lanes = {
            number: lane
            for number, name in enumerate(LANES)
            if scoreboard is not None and (lane := scoreboard.lane_of(name)) is not None
        }
        taken = {lane.axis for lane in self._lanes.values()}
        # A lane that nobody has measured is driven as drawn, unless that axis drives another one.
        self._axes = {number: lane.axis for number, lane in self._lanes.items()} | {
            number: number
            for number in range(len(LANES))
            if number not in self._lanes and number not in taken
        }
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
        axes = self._controller.axes
        return {
            lane: _report(axes[axis], stopped) for lane, axis in sorted(self._axes.items()) if axis in axes
        }

    def home(self, lane: int) -> None:
        self._command(lambda: self._controller.home_axis(self._axes[lane]))

    def move(self, lane: int, target_mm: float) -> None:
        measured = self._lanes.get(lane)
        asked = target_mm if measured is None else measured.asked_mm(target_mm)
        self._command(lambda: self._controller.move_axis(self._axes[lane], asked))

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
