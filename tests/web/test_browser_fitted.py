"""The emergency stop, lights and simulated buttons on the page, in a real browser."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Error, Page, async_playwright, expect

from companion.web.fitted import Lights, NightView, PanelView, PressButton, Sound, Stop, StopView
from tests.web.conftest import CODE, Room, question, serving

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: apt install chromium")

FITTED = question().model_copy(
    update={
        "stop": StopView(),
        "night": NightView(),
        "panel": PanelView(
            lamps={"green": "steady", "red": ""}, buttons={"yes": "By l6"}, silent=False, pressable=True
        ),
    }
)


def run(room: Room, test: Callable[[Page], Awaitable[None]]) -> None:
    async def running() -> None:
        troubles: list[str] = []
        room.hub.publish(FITTED)
        async with room.client(), serving(room.app) as port, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = await browser.new_page()
            page.on("pageerror", lambda error: troubles.append(str(error)))
            page.set_default_timeout(15_000)
            await page.goto(f"http://127.0.0.1:{port}/#code={CODE}")
            await test(page)
            await browser.close()
        assert troubles == []

    try:
        asyncio.run(asyncio.wait_for(running(), 100))
    except Error as error:
        if "Executable doesn't exist" in str(error):
            pytest.skip("the browser cannot be started here")
        raise


def test_the_stop_is_one_press_and_its_release_is_asked_twice(room: Room) -> None:
    async def test(page: Page) -> None:
        await page.get_by_role("button", name="Stop all motors").first.click()
        await expect(page.locator("#reply")).to_have_text("Done.")
        assert room.carried_out == [Stop(True)]
        on = FITTED.model_copy(update={"stop": StopView(on=True, by="button", held=True)})
        room.hub.publish(on)
        await expect(page.get_by_role("alert").filter(has_text="emergency stop is on")).to_contain_text(
            "pressed at the table. Its button is still pressed"
        )
        await expect(page.get_by_role("button", name="Release the stop")).to_be_disabled()
        room.hub.publish(on.model_copy(update={"stop": StopView(on=True, by="button")}))
        await page.get_by_role("button", name="Release the stop").click()
        async with page.expect_response("**/api/stop"):
            await page.locator("dialog").get_by_role("button", name="Release the stop").click()
        assert room.carried_out[1] == Stop(False)

    run(room, test)


def test_lights_sound_and_simulated_buttons_are_asked_for(room: Room) -> None:
    async def test(page: Page) -> None:
        fitted = page.locator("#fitted")
        for name, command in (
            ("Night", Lights("night", None)),
            ("Test every light", Lights(None, True)),
            ("Silence the buzzer", Sound(True)),
            ("Yes By l6", PressButton("yes")),
        ):
            async with page.expect_response("**/api/*"):
                await fitted.get_by_role("button", name=name, exact=True).click()
            assert room.carried_out[-1:] == [command]
        await expect(fitted.locator("#lamps li")).to_have_text(["Green lampsteady", "Red lampdark"])
        room.hub.publish(FITTED.model_copy(update={"night": None, "panel": None, "stop": None}))
        await expect(fitted).to_be_hidden()
        await expect(page.locator("#stop")).to_be_hidden()

    run(room, test)
