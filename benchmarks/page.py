"""What pages cost the table: python benchmarks/page.py

Real pictures of a game are read again and again, 15 a second, by the running service. Measured is the time from the
arrival of a picture of the table at rest until the referee has weighed it, the lights are told and the page has its
snapshot; alternately with nobody looking, with eight phones (each with the camera's view), and with eight phones and
one that has stopped reading. The phones are another process, as they are in a room.
"""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from companion.referee.journal import Journal
from companion.sensing.frames import Frame
from companion.service import TableService
from companion.tables.above.book import AboveBook
from companion.tables.above.kit import AboveKit
from companion.tables.kit import AnyReading, Company
from companion.web.app import create_app
from companion.web.hub import Hub
from companion.web.phones import Phones
from companion.web.server import bind, serve

CLIENTS = 8
FPS = 15.0
BLOCK_S = 8.0
ROUNDS = 5
PICTURES = 30
APART_S = 1.1
# So often each is shown: the table comes to rest, and is read and ruled on.
EACH = 8
HEAD = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def pictures() -> list[Frame]:
    """A game of Above as the camera sees it, a second and a bit apart."""
    now = 0.0
    table = AboveKit().simulate(Company(2, 7, lambda: now, lambda: ((120, 120, 120),) * 105))
    table.camera.open()
    taken = []
    for _ in range(PICTURES):
        until = now + APART_S
        while now < until:
            now += 1 / 30
            table.look()
            table.people.step(now)
        taken.append(table.camera.read(1.0))
    return taken


class Replayed:
    """A camera that shows the same pictures over and over, at its rate."""

    simulated = True
    name = "replayed"
    notice = ""

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = frames
        self._number = 0
        self.arrived = 0.0

    def open(self) -> None: ...

    def close(self) -> None: ...

    def read(self, timeout_s: float) -> Frame:
        frame = self._frames[self._number // EACH % len(self._frames)]
        self._number += 1
        self.arrived = time.perf_counter()
        return Frame(frame.image, time.monotonic(), self._number)


class Timed(TableService):
    """The service, which notes how long each picture takes until everybody is told."""

    camera: Replayed
    taken_s: list[float]

    def take_reading(self, reading: AnyReading) -> None:
        super().take_reading(reading)
        if reading.moving:
            return
        self.taken_s.append(time.perf_counter() - self.camera.arrived)


async def phone(port: int, *, stalled: bool) -> None:
    """A phone with the page open: reads the stream, and each picture of the camera as it comes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    writer.write(HEAD % b"/api/events")
    if stalled:
        await asyncio.sleep(3600)
    camera_reader, camera_writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    while line := await reader.readline():
        if line == b"event: picture\n":
            camera_writer.write(HEAD % b"/camera.jpg")
            head = await camera_reader.readuntil(b"\r\n\r\n")
            length = next(
                int(each.split(b":")[1]) for each in head.split(b"\r\n") if b"length" in each.lower()
            )
            await camera_reader.readexactly(length)


async def phones(port: int, stalled: int) -> None:
    """Eight phones, and so many that no longer read."""
    lines = [phone(port, stalled=False) for _ in range(CLIENTS)]
    await asyncio.gather(*lines, *(phone(port, stalled=True) for _ in range(stalled)))


async def measure(folder: Path) -> None:
    """Plays the blocks in turn and prints what they took."""
    frames = await asyncio.to_thread(pictures)
    camera, kit, hub = Replayed(frames), AboveKit(), Hub()
    book = AboveBook(Journal(folder / "journal.db", time.time))
    table = Timed(kit, book.referee(2), camera, kit.eyes(), None, hub, frames_per_s=FPS, book=book)
    table.camera, table.taken_s = camera, []
    app = create_app(hub, Phones("000000", clock=time.time, ticks=time.monotonic))
    listener = bind("127.0.0.1", 0)
    port = listener.getsockname()[1]
    tasks = [
        asyncio.create_task(serve(app, "127.0.0.1", port, listener=listener)),
        asyncio.create_task(table.run()),
    ]
    blocks: dict[str, list[str]] = {"nobody looks": [], "8 phones": ["0"], "8 phones, 1 stalled": ["1"]}
    taken: dict[str, list[float]] = {name: [] for name in blocks}
    await asyncio.sleep(BLOCK_S / 2)
    for _ in range(ROUNDS):
        for name, arguments in blocks.items():
            client = None
            if arguments:
                client = await asyncio.create_subprocess_exec(sys.executable, __file__, str(port), *arguments)
                await asyncio.sleep(2.0)
            table.taken_s = taken[name]
            await asyncio.sleep(BLOCK_S)
            table.taken_s = []
            if client is not None:
                client.kill()
                await client.wait()
                await asyncio.sleep(0.5)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    book.close()
    alone = statistics.median(taken["nobody looks"])
    for name, each in taken.items():
        middle, late = statistics.median(each), statistics.quantiles(each, n=20)[-1]
        more = 100 * (middle / alone - 1)
        sys.stdout.write(
            f"{name}: picture → lights and page told, median {1000 * middle:.1f} ms ({more:+.0f} %), "
            f"p95 {1000 * late:.1f} ms, {len(each)} pictures\n"
        )


def main() -> None:
    """The benchmark, or with a port the phones that look at it."""
    with contextlib.suppress(KeyboardInterrupt, ConnectionError):
        if len(sys.argv) > 1:
            asyncio.run(phones(int(sys.argv[1]), int(sys.argv[2])))
            return
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    main()
