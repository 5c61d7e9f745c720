"""One browser in an event loop of its own, and what a test may open in it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import FastAPI
from playwright.async_api import Browser, ConsoleMessage, Page, Playwright, async_playwright

from tests.web.conftest import serving

T = TypeVar("T")

# A test that takes longer has got stuck.
TEST_S = 60.0
# An element that does not appear within this is missing, however busy the machine is.
WAIT_MS = 15_000
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


class House:
    """The browser of a whole run. Its loop lives in a thread, so that other tests may have loops of their own."""

    def __init__(self, chromium: str) -> None:
        self._chromium = chromium
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="browser", daemon=True)
        self._thread.start()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None

    @property
    def browser(self) -> Browser:
        """The browser, which `start` has opened."""
        assert self._browser is not None
        return self._browser

    def start(self) -> None:
        """Opens the browser."""
        self.run(self._start())

    async def _start(self) -> None:
        self._playwright = await async_playwright().start()
        self._browser = await self._playwright.chromium.launch(
            executable_path=self._chromium,
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
        )

    def run(self, coroutine: Coroutine[Any, Any, T], within_s: float = TEST_S) -> T:
        """Runs a coroutine in the browser's loop and waits for it."""
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(coroutine, within_s), self._loop).result()

    def close(self) -> None:
        """Ends browser, loop and thread."""
        self.run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _close(self) -> None:
        if self._browser is not None:
            await self._browser.close()
        if self._playwright is not None:
            await self._playwright.stop()


class Screen:
    """What one test has open: pages, each a phone of its own, and served applications."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._open = contextlib.AsyncExitStack()
        self.troubles: list[str] = []
        # Parts of messages that a page may log: a refused request is an error to the browser.
        self.expects: list[str] = []

    @property
    def browser(self) -> Browser:
        """The browser, for what `open` cannot do."""
        return self._house.browser

    async def serve(self, app: FastAPI) -> str:
        """Serves `app` until the test is over; its address."""
        port = await self._open.enter_async_context(serving(app))
        return f"http://127.0.0.1:{port}"

    async def keep(self, thing: contextlib.AbstractAsyncContextManager[T]) -> T:
        """Enters something that is left after the test, before what was opened earlier."""
        return await self._open.enter_async_context(thing)

    async def open(self, address: str | None, **phone: Any) -> Page:
        """Opens a page at `address` (None: a blank one) as a phone of its own. `phone`: as `Browser.new_context`."""
        context = await self.browser.new_context(**{"viewport": DESK, "reduced_motion": "reduce", **phone})
        self._open.push_async_callback(context.close)
        context.set_default_timeout(WAIT_MS)
        page = await context.new_page()
        self.listen(page)
        if address is not None:
            await page.goto(address)
        return page

    def listen(self, page: Page) -> None:
        """From now on what the page complains of fails the test."""
        page.on("pageerror", lambda error: self._complain(str(error)))
        page.on("console", self._said)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._complain(message.text)

    def _complain(self, text: str) -> None:
        if not any(part in text for part in self.expects):
            self.troubles.append(text)

    async def close(self) -> None:
        """Closes all, the latest first."""
        await self._open.aclose()
