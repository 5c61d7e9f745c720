"""What a phone sees at once, and what that costs."""

from __future__ import annotations

from playwright.async_api import expect

from tests.web.browser.hall import Hall
from tests.web.browser.house import PHONE, Screen

PAINTED_S = 1.0
TRANSFERRED = 150_000
# Milliseconds from asking for the page to its first text or drawing.
PAINTED = """() => new Promise((done) => new PerformanceObserver((list) =>
    done(list.getEntriesByName("first-contentful-paint")[0].startTime)).observe({type: "paint", buffered: true}))"""


async def test_the_page_is_there_within_a_second_and_small(hall: Hall, screen: Screen) -> None:
    await hall.begin()
    hall.lay()
    # Up to three times: what the page needs counts, not what else this machine does.
    for _ in range(3):
        page = await screen.open(None, viewport=PHONE)
        await page.goto(f"{hall.address}/")
        await expect(page.locator(".mini")).to_have_count(8)
        await expect(page.locator("#verdict-text")).to_contain_text("Eve: choose a Powered card")
        painted_s = await page.evaluate(PAINTED) / 1000
        transferred = await page.evaluate(
            "() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
            ".reduce((sum, entry) => sum + entry.transferSize, 0)"
        )
        assert 20_000 < transferred < TRANSFERRED
        if painted_s < PAINTED_S:
            break
    assert painted_s < PAINTED_S


async def test_the_page_shows_the_table_before_any_event_has_come(hall: Hall, screen: Screen) -> None:
    await hall.begin()
    hall.lay()
    page = await screen.open(None)
    await page.route("**/api/events", lambda route: route.abort())
    screen.expects.append("ERR_FAILED")
    await page.goto(f"{hall.address}/")
    await expect(page.locator("#verdict-text")).to_contain_text("Eve: choose a Powered card")
    await expect(page.locator(".mini")).to_have_count(8)
