"""The page in a real browser: what people see at once, and what their clicks ask of the table."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import Browser, Error, Page, async_playwright, expect

from companion.web.app import create_app
from companion.web.hub import Abandon, Command, Correct, NewGame, Resume, Rule, StartHere, Undo
from tests.referee.tabletop import Tabletop
from tests.room import Room
from tests.web.conftest import CODE, serving

OLD = Path(__file__).parents[1] / "data" / "journal" / "v1.db"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: apt install chromium")


class Screen:
    """A page of a running table in a browser; what is asked of the table is carried out and noted."""

    def __init__(self, room: Room, browser: Browser, port: int) -> None:
        self.room = room
        self.asked: asyncio.Queue[Command] = asyncio.Queue()
        self.troubles: list[str] = []
        self._browser = browser
        self._port = port

    async def open(self, where: str = "") -> Page:
        page = await self._browser.new_page(viewport={"width": 1280, "height": 900})
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on(
            "console",
            lambda said: self.troubles.append(said.text) if said.type in ("error", "warning") else None,
        )
        page.set_default_timeout(15_000)
        await page.goto(f"http://127.0.0.1:{self._port}/#code={CODE}{where}")
        return page

    async def serve(self) -> None:
        while True:
            request = await self.room.hub.next_request()
            self.room.table.serve(request)
            self.asked.put_nowait(request.command)

    async def until_asked(self) -> Command:
        async with asyncio.timeout(15):
            return await self.asked.get()


@contextlib.asynccontextmanager
async def screen(folder: Path) -> AsyncIterator[Screen]:
    """The open game of an old journal is offered, and Zeus stands elsewhere on the table."""
    shutil.copy(OLD, folder / "j.db")
    room = Room(folder)
    room.open()
    app = create_app(room.hub, CODE)
    with contextlib.closing(room.archive), contextlib.closing(room.book):
        async with serving(app) as port, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            shown = Screen(room, browser, port)
            serving_requests = asyncio.create_task(shown.serve())
            try:
                yield shown
            finally:
                serving_requests.cancel()
                await browser.close()
            assert shown.troubles == []


def run(folder: Path, test: Callable[[Screen], Awaitable[None]]) -> None:
    async def running() -> None:
        async with screen(folder) as shown:
            await test(shown)

    try:
        asyncio.run(asyncio.wait_for(running(), 100))
    except Error as error:
        if "Executable doesn't exist" in str(error):
            pytest.skip("the browser cannot be started here")
        raise


def lay(shown: Screen, **elsewhere: str | None) -> Tabletop:
    """The position of the open game lies there, but for these miniatures."""
    position = shown.room.table.referee.position  # type: ignore[attr-defined]
    top = Tabletop.of(position)
    top.minis.update(elsewhere)
    shown.room.look(top, 5)
    return top


def test_the_page_shows_the_table_before_any_event_has_come(tmp_path: Path) -> None:
    async def test(shown: Screen) -> None:
        lay(shown)
        page = await shown._browser.new_page()
        await page.route("**/api/events", lambda route: route.abort())
        await page.goto(f"http://127.0.0.1:{shown._port}/")
        await expect(page.locator("#verdict-text")).to_contain_text("Eve: choose a Powered card")
        await expect(page.locator(".mini")).to_have_count(8)
        await page.close()

    run(tmp_path, test)


def test_an_open_game_is_offered_with_its_picture(tmp_path: Path) -> None:
    async def test(shown: Screen) -> None:
        lay(shown, ze="d6")
        page = await shown.open()
        await expect(page.locator("#offer-text")).to_contain_text("Eve, Finn")
        await expect(page.locator("#offer-picture .mini")).to_have_count(8)
        await expect(page.locator("#todo")).to_contain_text("Put Zeus on f1: it stands on d6.")
        await page.locator("#offer").get_by_role("button", name="New game").click()
        await page.locator("dialog").get_by_role("button", name="Begin").click()
        assert await shown.until_asked() == NewGame(2, ("Eve", "Finn"), ())
        await expect(page.locator("#offer-title")).to_have_text("A game was set aside")
        await page.get_by_role("button", name="Go on with it").click()
        assert await shown.until_asked() == Resume(4)
        await page.get_by_role("button", name="Give it up").click()
        await page.locator("dialog").get_by_role("button", name="Give it up").click()
        assert await shown.until_asked() == Abandon(4)
        await expect(page.locator("#offer")).to_be_hidden()

    run(tmp_path, test)


def test_what_is_wrong_is_ruled_on_corrected_and_taken_back(tmp_path: Path) -> None:
    async def test(shown: Screen) -> None:
        lay(shown)
        lay(shown, ze="d6")
        page = await shown.open()
        await expect(page.locator("#verdict-word")).to_have_text("Not allowed")
        # Whoever points at a piece has something to say about it.
        await page.locator("#mountain .mini[data-space=d6]").click()
        await expect(page.get_by_label("Misread as").locator("option:checked")).to_have_text("Zeus, d6")
        await page.get_by_label("It is").select_option("he")
        await page.get_by_role("button", name="Correct it").click()
        assert await shown.until_asked() == Correct("mini", "d6", "ze", "he")
        await page.get_by_role("button", name="That is not right").click()
        await page.get_by_label("Misread as").select_option(label="Hera, d6")
        await page.get_by_label("It is").select_option("ze")
        await page.get_by_role("button", name="Correct it").click()
        assert await shown.until_asked() == Correct("mini", "d6", "he", "ze")
        lay(shown, ze="d6")
        await page.get_by_role("button", name="Play on from here").click()
        await page.locator("dialog").get_by_label("Finn").check()
        await page.locator("dialog").get_by_role("button", name="Play on from here").click()
        assert await shown.until_asked() == Rule(1)
        await expect(page.locator("#history li").first).to_contain_text("played on from what lay there")
        await page.get_by_role("button", name="Back to before this turn").nth(2).click()
        await page.locator("dialog").get_by_role("button", name="Take back a turn").click()
        assert await shown.until_asked() == Undo(3)
        await expect(page.locator("#verdict-text")).to_contain_text("last 3 turns are taken back")

    run(tmp_path, test)


def test_a_game_is_begun_from_what_lies_there(tmp_path: Path) -> None:
    async def test(shown: Screen) -> None:
        position = shown.room.table.referee.position  # type: ignore[attr-defined]
        shown.room.table.new_game(2, ("Ada", "Ben"))
        top = Tabletop.of(position)
        top.minis["ze"] = None
        shown.room.look(top)
        page = await shown.open()
        for seat, said in ((0, "Zeus is not on the board"), (1, "The game begins from this position")):
            await page.get_by_role("button", name="Start from what lies here").click()
            await page.locator("dialog").get_by_label(("Ada", "Ben")[seat]).check()
            await page.locator("dialog").get_by_role("button", name="Start from what lies here").click()
            assert await shown.until_asked() == StartHere(seat)
            await expect(page.locator("#reply")).to_contain_text(said)
            shown.room.look(Tabletop.of(position))
        await expect(page.locator("#verdict-seat")).to_have_text("Ben")
        shown.troubles = [each for each in shown.troubles if "409" not in each]

    run(tmp_path, test)


def test_every_kept_game_is_replayed_step_by_step(tmp_path: Path) -> None:
    async def test(shown: Screen) -> None:
        lay(shown)
        page = await shown.open()
        await page.get_by_role("link", name="Kept games").click()
        await expect(page.locator("#games li")).to_have_count(4)
        await (
            page.locator("#games li", has_text="Ada, Ben, Chloe")
            .first.get_by_role("link", name="Look")
            .click()
        )
        await expect(page.locator("#columns .contender")).to_have_count(3)
        await page.get_by_role("link", name="Kept games").click()
        await page.locator("#games li", has_text="Eve, Finn").get_by_role("link", name="Look").click()
        await expect(page.locator("#replay-text")).to_contain_text("The game begins: Eve and Finn.")
        await expect(page.locator("#verdict")).to_be_hidden()
        for _ in range(5):
            await page.get_by_role("button", name="One step on").click()
        await expect(page.locator("#replay-kind")).to_have_text("Not allowed")
        await expect(page.locator("#replay-when")).to_contain_text("Step 5 of 8")
        await page.locator("#replay-steps button").nth(2).click()
        await expect(page.locator("#mountain .mini[data-space=k1]")).to_have_count(1)
        assert page.url.endswith("#journal/4/2")
        await page.get_by_role("button", name="Play", exact=True).click()
        await expect(page.locator("#replay-when")).to_contain_text("Step 3 of 8", timeout=10_000)
        await page.get_by_role("button", name="Stop").click()
        await page.get_by_role("button", name="To the end").click()
        await expect(page.get_by_role("button", name="One step on")).to_be_disabled()
        # The table has gone on meanwhile, and nothing of that disturbs the replay.
        lay(shown, ze="d6")
        await expect(page.locator("#replay-when")).to_contain_text("Step 8 of 8")
        await page.get_by_role("link", name="Back to the table").click()
        await expect(page.locator("#verdict-word")).to_have_text("Not allowed")
        assert shown.asked.empty()

    run(tmp_path, test)
