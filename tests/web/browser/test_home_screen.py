"""The page on a home screen: it can be installed, and without the table it shows no game at all."""

from __future__ import annotations

from playwright.async_api import expect

from tests.web.browser.hall import Hall
from tests.web.browser.house import PHONE, Screen

ACTIVE = "() => navigator.serviceWorker.ready.then((kept) => kept.active !== null)"
CONTROLLED = """() => navigator.serviceWorker.controller ? true
    : new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", () => done(true)))"""


async def test_the_page_can_be_installed(hall: Hall, screen: Screen) -> None:
    await hall.begin()
    page = await screen.open(f"{hall.address}/", viewport=PHONE)
    assert await page.evaluate(ACTIVE)
    devtools = await page.context.new_cdp_session(page)
    manifest = await devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    faults = (await devtools.send("Page.getInstallabilityErrors"))["installabilityErrors"]
    # A page of this test is always a private one.
    assert [each for each in faults if each["errorId"] != "in-incognito"] == []


async def test_without_the_table_no_game_is_shown_and_it_comes_back_by_itself(
    hall: Hall, screen: Screen
) -> None:
    screen.expects.append("ERR_INTERNET_DISCONNECTED")
    await hall.begin()
    hall.lay()
    page = await screen.open(f"{hall.address}/", viewport=PHONE)
    await expect(page.locator(".mini")).to_have_count(8)
    assert await page.evaluate(CONTROLLED)
    await page.context.set_offline(True)
    await page.reload()
    await expect(page.locator("main")).to_contain_text("The table cannot be reached.")
    await expect(page.locator(".mini, #verdict")).to_have_count(0)
    hall.play()
    await page.context.set_offline(False)
    await expect(page.locator("#history li")).to_have_count(len(hall.room.table.referee.turns))
