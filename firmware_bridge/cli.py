"""The command `firmware-bridge`: look at the table controller, try it out, or simulate one."""

from __future__ import annotations

import contextlib
import json
import math
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.live import Live
from rich.progress import Progress as RichProgress
from rich.progress import TaskID

from .controller import Controller, ReedEvent
from .errors import BridgeError, LinkAbsentError, LinkBusyError
from .flash import PREBUILT, choose_board
from .flash import flash as program
from .hex_file import read_firmware
from .link import LinkState, LinkStatus
from .monitor import as_json, as_screen, axis_json, echo
from .names import reed_name
from .ports import AUTO, STABLE_NAME, list_ports
from .protocol import REEDS, AxisStatus, Capability, EmergencyState, ErrorReport, Message
from .selftest import dark_names, run_self_test
from .virtual_controller import VirtualController

app = typer.Typer(
    rich_markup_mode="markdown",
    help="The table controller: its port, its reeds and lights, its errors; and a virtual one to try.",
    epilog="Try it without a board: run `firmware-bridge virtual` in one terminal and "
    "`firmware-bridge monitor --port PATH` with the path it prints in another.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

PortOption = Annotated[
    str,
    typer.Option(help=f"Path of the serial port; `auto` takes {STABLE_NAME}, else the first board found."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]

# How often the screen is drawn anew; the events themselves are not delayed. Axes are asked for that often.
FRAME_S = 0.1
ASK_AXES_S = 0.5

News = LinkStatus | tuple[ReedEvent, ...] | Message


def main() -> None:
    """Run the command line; errors of the bridge become one sentence and exit status 1."""
    try:
        app()
    except BridgeError as error:
        _fail(str(error))


def _fail(sentence: str) -> NoReturn:
    typer.echo(sentence[:1].upper() + sentence[1:], err=True)
    raise SystemExit(1)


@app.command(epilog="Example: firmware-bridge ports --json")
def ports(as_json_: JsonOption = False) -> None:
    """List the serial ports and which of them may be the table controller."""
    found = list_ports()
    if as_json_:
        typer.echo(json.dumps([asdict(port) for port in found]))
        return
    if not found:
        typer.echo("No serial port found: connect the table controller's USB cable.")
    for port in found:
        ids = (
            f"{port.vendor:04x}:{port.product:04x}"
            if port.vendor is not None and port.product is not None
            else "-"
        )
        typer.echo(f"{port.device:20} {ids:10} {port.board or 'no known board'} ({port.description})")


@app.command(epilog="Example: firmware-bridge monitor --port /dev/ttyACM0 --seconds 10 --json")
def monitor(
    port: PortOption = AUTO,
    seconds: Annotated[
        float, typer.Option(min=0.0, help="Stop after so many seconds; 0: until Ctrl-C.")
    ] = 0.0,
    wait: Annotated[
        bool, typer.Option(help="Wait for a controller that is absent instead of ending.")
    ] = False,
    lights: Annotated[
        bool, typer.Option(help="Light the space above every closed switch; otherwise leave the LEDs alone.")
    ] = True,
    as_json_: JsonOption = False,
) -> None:
    """Show reeds, LEDs, axes and error counters live. With --json one object a line for every change."""
    news: queue.SimpleQueue[News] = queue.SimpleQueue()
    controller = Controller(port)
    controller.on_state(news.put)
    controller.on_message(news.put)
    controller.on_reeds(lambda events, _: news.put(events))
    if lights:
        controller.on_reeds(lambda _, closed: controller.set_leds(echo(closed)))
    until = time.monotonic() + seconds if seconds else math.inf
    with controller:
        try:
            if as_json_:
                _follow(controller, news, until, wait, _Printer(), lambda: None)
            else:
                screen = Console()
                with Live(as_screen(controller), console=screen, auto_refresh=False) as live:
                    _follow(
                        controller, news, until, wait, lambda _: None,
                        lambda: live.update(as_screen(controller), refresh=True),
                    )  # fmt: skip
                if not screen.is_terminal:
                    screen.line()  # Rich ends the last picture so only on a terminal
        except KeyboardInterrupt:
            pass
        if as_json_:
            typer.echo(json.dumps({"event": "end", **as_json(controller)}))
        ended_absent = controller.status.state is not LinkState.READY and not wait
        reason = controller.status.reason
    if ended_absent:
        _fail(reason)


def _follow(
    controller: Controller,
    news: queue.SimpleQueue[News],
    until: float,
    wait: bool,
    tell: Callable[[News], None],
    draw: Callable[[], None],
) -> None:
    ask_at = drawn_at = -math.inf
    while (now := time.monotonic()) < until:
        if now >= ask_at and controller.ready and _has_axes(controller):
            # Their states are told when they change; where they are meanwhile has to be asked for.
            ask_at = now + ASK_AXES_S
            with contextlib.suppress(LinkAbsentError, LinkBusyError):
                controller.query_axis()
        if now >= drawn_at + FRAME_S:
            drawn_at = now
            draw()
        try:
            item = news.get(timeout=min(until - now, FRAME_S))
        except queue.Empty:
            continue
        tell(item)
        if isinstance(item, LinkStatus) and item.state is LinkState.ABSENT and not wait:
            return
    draw()


def _has_axes(controller: Controller) -> bool:
    return controller.identity is not None and Capability.AXES in controller.identity.capabilities


class _Printer:
    """Prints news as JSON, one object a line; an axis only when something about it has changed."""

    def __init__(self) -> None:
        self._axes: dict[int, AxisStatus] = {}

    def __call__(self, item: News) -> None:
        for line in self._lines(item):
            typer.echo(json.dumps(line))

    def _lines(self, item: News) -> Iterator[dict[str, object]]:
        match item:
            case LinkStatus():
                yield {
                    "event": "state",
                    "state": item.state.value,
                    "reason": item.reason,
                    "trouble": item.trouble,
                    "port": item.port,
                }
            case tuple():
                for event in item:
                    yield {"event": "reed", "space": reed_name(event.index), **asdict(event)}
            case AxisStatus():
                if self._axes.get(item.axis) != item:
                    self._axes[item.axis] = item
                    yield {"event": "axis", **axis_json(item)}
            case EmergencyState():
                yield {"event": "emergency", "stopped": item.stopped, "source": item.source.name.lower()}
            case ErrorReport():
                yield {"event": "error", "code": item.code.name.lower(), "text": item.text}


@app.command(epilog="Example: firmware-bridge virtual --seconds 60")
def virtual(
    seconds: Annotated[
        float, typer.Option(min=0.0, help="Stop after so many seconds; 0: until Ctrl-C.")
    ] = 0.0,
    still: Annotated[bool, typer.Option(help="Leave the switches alone instead of moving a magnet.")] = False,
) -> None:
    """Simulate a table controller on a pseudo-terminal and print its path."""
    until = time.monotonic() + seconds if seconds else math.inf
    pause = threading.Event()
    with VirtualController() as board:
        typer.echo(board.path)
        try:
            step = 0
            while (left := until - time.monotonic()) > 0:
                pause.wait(min(left, 1.0))
                step += 1
                if not still:
                    board.set_reeds(frozenset({step % REEDS}))
        except KeyboardInterrupt:
            pass


@app.command(epilog="Example: firmware-bridge selftest --port /dev/ttyACM0 --magnet-seconds 120")
def selftest(
    port: PortOption = AUTO,
    magnet_seconds: Annotated[
        float, typer.Option(min=0.0, help="Time to pass a magnet over every space; 0: leave the reeds out.")
    ] = 0.0,
    axes: Annotated[
        bool, typer.Option(help="Move every axis to both ends of its lane. Keep hands away.")
    ] = True,
    pace_ms: Annotated[int, typer.Option(min=0, max=5000, help="How long each LED is lit.")] = 60,
    ask: Annotated[
        bool | None,
        typer.Option(
            "--ask/--no-ask",
            help="Ask which LEDs stayed dark. Default: where the command is typed by a person.",
            show_default=False,
        ),
    ] = None,
    wait_seconds: Annotated[float, typer.Option(min=0.1, help="Time for the controller to answer.")] = 10.0,
    as_json_: JsonOption = False,
) -> None:
    """Walk every LED, reed and axis, let the board check itself, and say what failed.

    Take the pieces off the board first. A light can only be seen by you: name those that stayed dark at the end.
    """
    console = Console(stderr=True)
    asks = (sys.stdin.isatty() and not as_json_) if ask is None else ask
    with Controller(port) as controller:
        report = run_self_test(
            controller,
            console,
            wait_s=wait_seconds,
            magnet_s=magnet_seconds,
            pace_s=pace_ms / 1000,
            axes=axes,
            ask_dark=(lambda: _ask_dark(console)) if asks else tuple,
        )
    if as_json_:
        typer.echo(json.dumps(asdict(report)))
    else:
        for failure in report.failures:
            typer.echo(f"failed: {failure}")
        typer.echo(f"{report.tested} parts tested, {len(report.failures)} failed")
    if report.failures:
        raise typer.Exit(1)


def _ask_dark(console: Console) -> list[str]:
    """Ask until every word names a light; an end of what is typed says that none is dark."""
    while True:
        try:
            said = console.input("Which LEDs stayed dark? As: c4, top, seat 3. None: Return. ")
        except EOFError:
            return []
        known, unknown = dark_names(said)
        if not unknown:
            return known
        console.print(
            f"There is no LED {unknown[0]}; spaces are a1 to p6 and top, seats 1 to 8.", markup=False
        )


@app.command(epilog="Example: firmware-bridge flash --port /dev/ttyACM0")
def flash(
    port: PortOption = AUTO,
    hex_: Annotated[
        Path | None,
        typer.Option("--hex", help="Another firmware file (Intel HEX) than the one that came along."),
    ] = None,
    as_json_: JsonOption = False,
) -> None:
    """Program an Arduino Mega 2560 with the table controller's firmware, through avrdude.

    The board is checked first, and greeted afterwards. Whatever uses the port has to be ended before.
    """
    firmware = read_firmware(hex_ or PREBUILT)
    path, board = choose_board(port)
    console = Console(stderr=True)
    if board is not None and board.board:
        console.print(f"{path}: {board.board}", markup=False, highlight=False)
    try:
        with RichProgress(console=console, transient=True) as bars:
            tasks: dict[str, TaskID] = {}

            def show(step: str, done: float) -> None:
                if step not in tasks:
                    for earlier in tasks.values():
                        bars.update(earlier, completed=1.0)
                    tasks[step] = bars.add_task(step, total=1.0)
                bars.update(tasks[step], completed=done)

            hello = program(path, firmware, show)
    except KeyboardInterrupt:
        _fail("interrupted: the board's firmware may be incomplete; run the command again.")
    said = {
        "port": path,
        "firmware": hello.firmware,
        "bytes": firmware.size,
        "protocol": hello.version,
        "table_hash": f"{hello.table_hash:08x}",
    }
    if as_json_:
        typer.echo(json.dumps(said))
    else:
        typer.echo(
            f"{firmware.size} bytes written to {path} and verified; the board greets as {hello.firmware}, protocol "
            f"{hello.version} ({hello.table_hash:08x})."
        )


if __name__ == "__main__":
    main()
