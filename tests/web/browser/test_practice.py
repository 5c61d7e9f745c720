"""The practice table in the browser: seats are taken over, pieces dragged, cards tapped, and all of it by keyboard."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from playwright.async_api import Locator, Page, expect

from tests.web.browser.house import Screen
from tests.web.conftest import CODE
from tests.web.practising import PracticeRoom


@contextlib.asynccontextmanager
async def running(room: PracticeRoom) -> AsyncIterator[None]:
    task = asyncio.create_task(room.go_on())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def seated(screen: Screen, room: PracticeRoom) -> Page:
    await screen.keep(running(room))
    page = await screen.open(f"{await screen.serve(room.app)}/#host={CODE}")
    await page.get_by_role("button", name=f"Play for {('Ada', 'Ben')[room.seat]}").click()
    await expect(page.locator(".tabletop .piece")).to_have_count(48)
    return page


async def middle(piece: Locator) -> tuple[float, float]:
    box = await piece.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def drag(page: Page, piece: Locator, east_mm: float, north_mm: float) -> None:
    """Drags a piece by so much of the table."""
    x, y = await middle(piece)
    scale: float = await page.locator(".tabletop").evaluate("(table) => table.getScreenCTM().a")
    await page.mouse.move(x, y)
    await page.mouse.down()
    for share in (0.3, 0.7, 1.0):
        await page.mouse.move(x + share * east_mm * scale, y - share * north_mm * scale)
    await page.mouse.up()


async def until(true: Callable[[], bool], within_s: float = 15.0) -> None:
    for _ in range(int(within_s / 0.05)):
        if true():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it never came about")


async def test_a_piece_goes_where_it_is_dragged(screen: Screen) -> None:
    room = PracticeRoom()
    page = await seated(screen, room)
    start = room.scene.piece("mini ze").pose
    x, y, _ = room.scene.printed_centre("top")
    await drag(page, page.locator('.piece[data-name="mini ze"]'), x - start.x, y - start.y)
    await until(lambda: room.scene.holding().get("top") == ("mini ze",))
    await expect(page.locator('.piece[data-name="mini ze"]')).to_have_attribute(
        "aria-label", "Zeus on the summit"
    )
    await expect(page.locator(".tabletop .ghost")).to_have_count(0)


async def test_a_card_is_turned_by_a_tap_and_by_the_keyboard(screen: Screen) -> None:
    room = PracticeRoom()
    page = await seated(screen, room)
    card = page.locator('.piece[data-name="card he 1"]')
    await page.mouse.click(*await middle(card))
    await until(lambda: not room.scene.piece("card he 1").powered)
    await expect(card).to_have_attribute("aria-label", "Hera, spent")
    await card.focus()
    await page.keyboard.press("Enter")
    await until(lambda: room.scene.piece("card he 1").powered)


async def test_a_miniature_is_moved_without_a_pointer(screen: Screen) -> None:
    room = PracticeRoom()
    page = await seated(screen, room)
    await page.locator('.piece[data-name="mini at"]').focus()
    await page.keyboard.press("Enter")
    await page.get_by_label("Move to").select_option("c4")
    await page.get_by_role("button", name="Move", exact=True).click()
    await until(lambda: room.scene.holding().get("c4", ())[-1:] == ("mini at",))


async def test_a_seat_is_given_back_and_play_goes_on(screen: Screen) -> None:
    room = PracticeRoom()
    page = await seated(screen, room)
    await page.get_by_role("button", name="Give").click()
    await expect(page.locator("#practice-table")).to_be_hidden()
    await until(lambda: room.table.people.tally.turns > 0)


async def test_the_table_is_scrolled_on_a_small_phone(screen: Screen) -> None:
    room = PracticeRoom()
    await screen.keep(running(room))
    page = await screen.open(
        f"{await screen.serve(room.app)}/#host={CODE}", viewport={"width": 320, "height": 640}, has_touch=True
    )
    await page.get_by_role("button", name="Play for").first.click()
    table = page.locator("#practice-table")
    await expect(table).to_be_visible()
    assert await table.evaluate("(box) => box.scrollWidth > box.clientWidth")
    assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
