"""The practice table in the browser: seats are taken over, pieces dragged, cards tapped, and all of it by keyboard."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from functools import partial

import cv2
import numpy as np
from playwright.async_api import Locator, Page, expect

from companion.games.olympeak.position import Phase
from tests.web.browser.hall import Hall
from tests.web.browser.house import Screen
from tests.web.conftest import CODE
from tests.web.practising import CardRoom, PracticeRoom, Practising


@contextlib.asynccontextmanager
async def running(room: Practising) -> AsyncIterator[None]:
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


async def test_cards_are_played_from_the_hand_by_dragging_and_by_choosing(screen: Screen) -> None:
    room = CardRoom()
    await screen.keep(running(room))
    page = await screen.open(f"{await screen.serve(room.app)}/#host={CODE}")
    await page.get_by_role("button", name="Play for Ada").click()
    hand = page.locator("#practice-hands .in-hand")
    await expect(hand).to_have_count(len(room.match.secrets.hands[0]))
    await expect(page.locator("#practice-hands p")).to_contain_text("Predicted:")
    # Dragged from the hand to the place before Ada.
    card = hand.first
    name = await card.get_attribute("data-name")
    zone = page.locator(".tabletop .area.zone").first
    await card.scroll_into_view_if_needed()
    await page.mouse.move(*await middle(card))
    await page.mouse.down()
    await page.mouse.move(*await middle(zone), steps=4)
    await page.mouse.up()
    await until(lambda: room.match.state.phase is not Phase.REVEAL or room.match.state.turn > 1, 30)
    assert name in room.match.state.revealed
    # And once it is Ada's turn, laid under a contender by choosing where.
    await until(lambda: room.match.state.seat == 0 and bool(room.match.state.targets(name or "")), 30)
    target = room.match.state.targets(name or "")[0]
    await page.locator(f'.tabletop .piece[data-name="{name}"]').focus()
    await page.keyboard.press("Enter")
    await page.get_by_label("Move to").select_option(label=target.capitalize())
    await page.get_by_role("button", name="Move", exact=True).click()
    await until(lambda: any(each.card == name for each in room.match.state.placed), 30)


async def test_a_ruling_is_looked_at_again_with_its_picture(hall: Hall) -> None:
    room = await hall.begin()
    hall.lay()
    hall.lay(ze="d6")
    _, jpeg = cv2.imencode(".jpg", np.full((90, 160, 3), 90, dtype=np.uint8))
    room.table.keep_still(jpeg.tobytes())
    page = await hall.open()
    await page.get_by_role("button", name="What was seen").click()
    dialog = page.locator("dialog")
    await expect(dialog.locator(".evidence li").filter(has_text="d6: Zeus seen in")).to_have_count(1)
    await until_shown(dialog.locator("img.still"))


async def until_shown(picture: Locator) -> None:
    await expect(picture).to_have_js_property("complete", True)
    assert await picture.evaluate("(img) => img.naturalWidth") == 160


async def test_each_card_goes_before_the_seat_whose_hand_it_is_from(screen: Screen) -> None:
    room = CardRoom()
    for seat in (0, 1):
        room.simulated.practice.take(seat, True)
    await screen.keep(running(room))
    page = await screen.open(f"{await screen.serve(room.app)}/#host={CODE}")
    for seat, name in ((1, "Ben"), (0, "Ada")):
        card = page.get_by_label(f"{name}’s hand").locator(".in-hand").first
        await card.focus()
        await page.keyboard.press("Enter")
        await page.get_by_role("button", name="Move", exact=True).click()
        await until(partial(lies_before, room, seat))


def lies_before(room: CardRoom, seat: int) -> bool:
    view = room.simulated.practice.view()
    zone = next(area for area in view.areas if area.seat == seat)
    cards = [each for each in view.things if each.kind == "play" and not each.held]
    return any(abs(card.x - zone.x) + abs(card.y - zone.y) < 20 for card in cards)
