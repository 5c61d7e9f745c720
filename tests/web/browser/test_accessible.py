"""Every view for everybody: no serious finding of axe, dark or light; nothing sticks out at 320 px; keys reach it all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Page, expect

from companion.web.fitted import NightView, PanelView, StopView
from tests.web.browser.hall import Hall
from tests.web.browser.house import Screen
from tests.web.browser.test_practice import running
from tests.web.conftest import CODE, Room, question
from tests.web.practising import PracticeRoom

# Only what is wrong comes back, not the whole page.
RUN = """(options) => axe.run(document, options).then(({violations}) => violations.map(({id, impact, nodes}) =>
    ({id, impact, where: nodes.map(({target}) => target.join(" ")), why: nodes[0].failureSummary})))"""
NARROW = {"width": 320, "height": 640}
WIDE = {"width": 1920, "height": 1080}
STICKS_OUT = """() => [...document.querySelectorAll("body *")]
    .filter((node) => node.getClientRects().length && node.getBoundingClientRect().right > innerWidth + 1
        && !node.closest("svg, #practice-table, .unseen"))
    .map((node) => node.tagName + "#" + node.id + "." + node.className)"""


async def look(page: Page, view: str) -> None:
    """What is wrong with a view, on a narrow phone and on a television, is said."""
    for size in (NARROW, WIDE):
        await page.set_viewport_size(size)  # type: ignore[arg-type]
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (view, size)
        assert await page.evaluate(STICKS_OUT) == [], (view, size)
    assert await findings(page) == [], view
    # By day only colours differ, and only they are looked at again.
    await page.emulate_media(color_scheme="light")
    assert await findings(page, "color-contrast") == [], (view, "light")
    await page.emulate_media(color_scheme="dark")


async def findings(page: Page, *rules: str) -> list[object]:
    """The serious findings, by these rules or by all."""
    options: dict[str, object] = {"resultTypes": ["violations"], "elementRef": False}
    if rules:
        options["runOnly"] = list(rules)
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    violations = await page.evaluate(RUN, options)
    return [each for each in violations if each["impact"] in ("serious", "critical")]


async def dialog(page: Page, button: str, view: str) -> None:
    await page.get_by_role("button", name=button, exact=True).first.click()
    await expect(page.locator("dialog")).to_be_visible()
    await look(page, view)
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)


async def table(hall: Hall, screen: Screen) -> None:
    await hall.begin()
    hall.lay()
    hall.lay(ze="d6")
    page = await hall.open(color_scheme="dark")
    await expect(page.locator("#verdict-word")).to_have_text("Not allowed")
    await look(page, "a refusal")
    for button in ("That is not right", "Play on from here", "New game", "Invite others"):
        await dialog(page, button, button)
    hall.lay()
    await expect(page.locator("#verdict-word")).to_have_text("To move")
    await look(page, "to move")
    watcher = await screen.open(f"{hall.address}/", color_scheme="dark")
    await dialog(watcher, "Join the table", "joining")


async def kept(hall: Hall, screen: Screen) -> None:
    await hall.begin()
    hall.lay()
    page = await hall.open(color_scheme="dark")
    await page.get_by_role("link", name="Kept games").click()
    await expect(page.locator("#games li")).to_have_count(4)
    await look(page, "kept games")
    await page.locator("#games li", has_text="Eve, Finn").get_by_role("link", name="Look").click()
    await expect(page.locator("#replay-steps li")).not_to_have_count(0)
    await look(page, "a game of Above")
    await page.get_by_role("link", name="Kept games").click()
    await page.locator("#games li", has_text="Ada, Ben, Chloe").first.get_by_role("link", name="Look").click()
    await page.get_by_role("button", name="To the end").click()
    await expect(page.locator("#columns .contender")).to_have_count(3)
    await look(page, "a game of OlymPeak")


async def fitted(hall: Hall, screen: Screen) -> None:
    room = Room()
    on = StopView(on=True, by="button", held=True)
    panel = PanelView(
        lamps={"green": "slow", "red": ""}, buttons={"yes": "By l6"}, silent=False, pressable=True
    )
    shown = question().model_copy(update={"stop": on, "night": NightView(), "panel": panel})
    room.hub.publish(shown)
    page = await screen.open(f"{await screen.serve(room.app)}/#host={CODE}", color_scheme="dark")
    await expect(page.locator("#fitted button")).not_to_have_count(0)
    await look(page, "the emergency stop")
    address = page.url.split("#")[0]
    await page.goto(address + "api")
    # It is very long; its colours are those of the other views.
    await page.evaluate(
        "() => [...document.querySelectorAll('section')].slice(6).forEach((each) => each.remove())"
    )
    await look(page, "the reference")
    await page.goto(address + "waiting.html")
    await look(page, "waiting")


async def practice(hall: Hall, screen: Screen) -> None:
    room = PracticeRoom()
    await screen.keep(running(room))
    page = await screen.open(f"{await screen.serve(room.app)}/#host={CODE}", color_scheme="dark")
    await page.get_by_role("button", name="Play for").first.click()
    await expect(page.locator(".tabletop .piece")).not_to_have_count(0)
    await look(page, "the practice table")


@pytest.mark.parametrize("views", [table, kept, fitted, practice], ids=lambda views: views.__name__)
async def test_a_view_is_for_everybody(
    hall: Hall, screen: Screen, views: Callable[[Hall, Screen], Awaitable[None]]
) -> None:
    await views(hall, screen)


async def test_what_is_wrong_is_found(screen: Screen) -> None:
    page = await screen.open(None, color_scheme="dark")
    await page.set_content("<html lang='en'><title>t</title><main><button></button></main></html>")
    assert "button-name" in str(await findings(page))
    await page.set_content(
        "<html lang='en'><style>@media (prefers-color-scheme: light) {p {color: #eee; background: #fff}}</style>"
        "<title>t</title><main><p>pale</p></main></html>"
    )
    assert "color-contrast" not in str(await findings(page, "color-contrast"))
    await page.emulate_media(color_scheme="light")
    assert "color-contrast" in str(await findings(page, "color-contrast"))


async def test_everything_is_reached_by_keys_alone(room: Room, screen: Screen) -> None:
    room.hub.publish(question())
    await screen.keep(room.client())
    page = await screen.open(f"{await screen.serve(room.app)}/#host={CODE}")
    await expect(page.locator("#answers button")).to_have_count(2)
    reached: list[str] = []
    for _ in range(60):
        await page.keyboard.press("Tab")
        name = await page.evaluate("() => document.activeElement.textContent.trim()")
        visible = await page.evaluate(
            "() => document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle"
        )
        assert visible is True or visible == "solid", name
        reached.append(name)
    buttons = await page.locator("button:visible, a.button:visible").all_inner_texts()
    assert set(buttons) <= set(reached)
    await page.get_by_role("button", name="By n4").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#reply")).to_have_text("Done.")
