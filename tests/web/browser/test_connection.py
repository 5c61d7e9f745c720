"""Sleep, a lost line and a restarted table: the page is current within a second, and says so while it is not."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from playwright.async_api import Page, expect

from companion.web.server import bind, serve
from tests.web.browser.house import PHONE, Screen
from tests.web.conftest import CODE, TOKEN, Room, question

CURRENT_MS = 1000
# What a browser does when a phone is put away and taken out again: timers stand still, then it says so.
ASLEEP = """() => { Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    document.dispatchEvent(new Event("visibilitychange")); }"""
AWAKE = """() => { Object.defineProperty(document, "hidden", { configurable: true, get: () => false });
    document.dispatchEvent(new Event("visibilitychange")); }"""


@contextlib.asynccontextmanager
async def at_port(room: Room, port: int = 0) -> AsyncIterator[int]:
    """The page on a port, given up at once on leaving."""
    listener = bind("127.0.0.1", port)
    taken: int = listener.getsockname()[1]
    task = asyncio.create_task(serve(room.app, "127.0.0.1", taken, listener=listener))
    try:
        yield taken
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def opened(screen: Screen, address: str) -> Page:
    page = await screen.open(None, viewport=PHONE)
    await page.clock.install()
    await page.add_init_script(f"localStorage.setItem('olympus-phone', '{TOKEN}')")
    await page.goto(address)
    await expect(page.locator("#room-text")).to_have_text("This phone is the host’s.")
    return page


class Radio:
    """What lies between phone and table: a line that may fall silent without a word, as that of a sleeping phone does."""

    def __init__(self, table: int) -> None:
        self._table = table
        self._lines: list[Line] = []

    @contextlib.asynccontextmanager
    async def on(self) -> AsyncIterator[str]:
        """The address on this side of it."""
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        finally:
            server.close()
            for line in self._lines:
                line.close()

    def fall_silent(self) -> None:
        """Nothing goes over the lines of events and over one that waits for its next use; new ones work.

        The others the table has closed before the phone fell asleep, since nobody used them.
        """
        idle = [line for line in self._lines if not line.tells and not line.silent]
        for line in self._lines:
            if line.tells or line is idle[-1]:
                line.fall_silent()
            else:
                line.close()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._lines.append(Line(reader, writer, *await asyncio.open_connection("127.0.0.1", self._table)))


class Line:
    """A connection through the radio. `tells`: its last request was for events."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        far_reader: asyncio.StreamReader,
        far_writer: asyncio.StreamWriter,
    ) -> None:
        self.tells = self.silent = False
        self._ends = (writer, far_writer)
        self._ways = [
            asyncio.create_task(self._pass_on(reader, far_writer)),
            asyncio.create_task(self._pass_on(far_reader, writer)),
        ]

    async def _pass_on(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await source.read(65536):
                if data.startswith((b"GET ", b"POST ")):
                    self.tells = data.startswith(b"GET /api/events")
                sink.write(data)
                await sink.drain()
        sink.close()

    def fall_silent(self) -> None:
        self.silent = True
        for way in self._ways:
            way.cancel()

    def close(self) -> None:
        for way in self._ways:
            way.cancel()
        for end in self._ends:
            end.close()


async def test_a_sleeping_phone_is_current_as_soon_as_it_wakes(screen: Screen) -> None:
    room = Room()
    room.hub.publish(question(text="Before?"))
    radio = Radio(await screen.keep(at_port(room)))
    page = await opened(screen, await screen.keep(radio.on()))
    await expect(page.locator("#verdict-text")).to_have_text("Before?")
    await page.evaluate(ASLEEP)
    radio.fall_silent()
    room.hub.publish(question(turn=9, text="After?"))
    await page.clock.fast_forward(3_600_000)
    await expect(page.locator("#verdict-text")).to_have_text("Before?")
    await page.evaluate(AWAKE)
    # What is an hour old is not shown as if it were not, not even for this moment.
    await expect(page.locator("#verdict-text")).to_have_text("After?", timeout=CURRENT_MS)
    await expect(page.locator("body")).not_to_have_class("stale")


async def test_a_line_that_is_silent_is_told_and_replaced(screen: Screen) -> None:
    room = Room()
    room.hub.publish(question(text="Before?"))
    radio = Radio(await screen.keep(at_port(room)))
    page = await opened(screen, await screen.keep(radio.on()))
    radio.fall_silent()
    room.hub.publish(question(turn=9, text="After?"))
    await page.clock.fast_forward(4_000)
    await expect(page.locator("#lost")).to_be_hidden()
    await page.clock.fast_forward(2_000)
    await expect(page.locator("#verdict-text")).to_have_text("After?", timeout=CURRENT_MS)
    # A clock that is set back is no reason to believe an old picture.
    await page.clock.set_fixed_time("2001-01-01T00:00:00")
    radio.fall_silent()
    room.hub.publish(question(turn=10, text="And then?"))
    await page.clock.run_for(1_000)
    await expect(page.locator("#verdict-text")).to_have_text("And then?", timeout=CURRENT_MS)


async def test_a_table_that_restarts_is_back_by_itself_and_the_page_says_so_meanwhile(screen: Screen) -> None:
    screen.expects += ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET"]
    room = Room()
    room.hub.publish(question(text="Before?"))
    async with at_port(room) as port:
        page = await opened(screen, f"http://127.0.0.1:{port}/")
        await page.clock.resume()
    await expect(page.locator("#lost")).to_contain_text("Connection lost")
    await expect(page.locator("body")).to_have_class("stale")
    # Another process: its versions begin anew, and it knows the phones from its file.
    again = Room(known=room.phones.all)
    again.hub.publish(question(turn=2, text="After?"))
    async with at_port(again, port):
        await expect(page.locator("#verdict-text")).to_have_text("After?")
        await expect(page.locator("#lost")).to_be_hidden()
        await expect(page.locator("#room-text")).to_have_text("This phone is the host’s.")
        await page.context.close()


async def test_two_phones_show_the_same_whoever_asked(screen: Screen) -> None:
    room = Room()
    room.hub.publish(question())
    await screen.keep(room.client())
    address = await screen.serve(room.app)
    phones = [await screen.open(f"{address}/#host={CODE}", viewport=PHONE) for _ in range(2)]
    for turn in (4, 5):
        room.hub.publish(question(turn=turn, text=f"Question {turn}?"))
        for phone in phones:
            await expect(phone.locator("#verdict-text")).to_have_text(f"Question {turn}?", timeout=CURRENT_MS)
