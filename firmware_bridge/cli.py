"""The command `firmware-bridge`: look at the table controller, try it out, or simulate one."""

from __future__ import annotations

import json
import math
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from .controller import Controller, ReedEvent
from .errors import BridgeError
from .link import LinkState, LinkStatus
from .monitor import as_json, as_screen, reed_name
from .ports import AUTO, STABLE_NAME, list_ports
from .protocol import REEDS
from .selftest import run_self_test
from .virtual_controller import VirtualController

app = typer.Typer(
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

# How often the screen is drawn anew; the events themselves are not delayed.
FRAME_S = 0.1


def main() -> None:
    """Run the command line; errors of the bridge become one sentence and exit status 1."""
    try:
        app()
    except BridgeError as error:
        _fail(str(error))


def _fail(sentence: str) -> None:
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
    as_json_: JsonOption = False,
) -> None:
    """Show reeds, axes and error counters live. With --json one object a line for every change."""
    news: queue.SimpleQueue[LinkStatus | tuple[ReedEvent, ...]] = queue.SimpleQueue()
    controller = Controller(port)
    controller.on_state(news.put)
    controller.on_reeds(lambda events, _: news.put(events))
    until = time.monotonic() + seconds if seconds else math.inf
    with controller:
        try:
            if as_json_:
                _follow(controller, news, until, wait, _print_json, lambda: None)
            else:
                with Live(as_screen(controller), console=Console(), auto_refresh=False) as live:
                    _follow(
                        controller, news, until, wait, lambda _: None,
                        lambda: live.update(as_screen(controller), refresh=True),
                    )  # fmt: skip
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
    news: queue.SimpleQueue[LinkStatus | tuple[ReedEvent, ...]],
    until: float,
    wait: bool,
    tell: Callable[[LinkStatus | tuple[ReedEvent, ...]], None],
    draw: Callable[[], None],
) -> None:
    while (left := until - time.monotonic()) > 0:
        try:
            item = news.get(timeout=min(left, FRAME_S))
        except queue.Empty:
            draw()
            continue
        tell(item)
        if isinstance(item, LinkStatus) and item.state is LinkState.ABSENT and not wait:
            return


def _print_json(item: LinkStatus | tuple[ReedEvent, ...]) -> None:
    if isinstance(item, LinkStatus):
        line = {"event": "state", "state": item.state.value, "reason": item.reason, "port": item.port}
        typer.echo(json.dumps(line))
        return
    for event in item:
        typer.echo(json.dumps({"event": "reed", "space": reed_name(event.index), **asdict(event)}))


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
    wait_seconds: Annotated[float, typer.Option(min=0.1, help="Time for the controller to answer.")] = 10.0,
    as_json_: JsonOption = False,
) -> None:
    """Light every LED once, let the board check itself, and say what failed."""
    console = Console(stderr=True)
    with Controller(port) as controller:
        report = run_self_test(controller, console, wait_s=wait_seconds, magnet_s=magnet_seconds)
    if as_json_:
        typer.echo(json.dumps(asdict(report)))
    else:
        for failure in report.failures:
            typer.echo(f"failed: {failure}")
        typer.echo(f"{report.tested} parts tested, {len(report.failures)} failed")
    if report.failures:
        raise typer.Exit(1)


if __name__ == "__main__":
    main()
