"""The emergency stop, lights and simulated buttons on the page."""

from __future__ import annotations

from playwright.async_api import Page, expect

from companion.web.fitted import Lights, NightView, PanelView, PressButton, Sound, Stop, StopView
from tests.web.browser.house import Screen
from tests.web.conftest import CODE, Room, question

FITTED = question().model_copy(
    update={
        "stop": StopView(),
        "night": NightView(),
        "panel": PanelView(
            lamps={"green": "steady", "red": ""}, buttons={"yes": "By l6"}, silent=False, pressable=True
        ),
    }
)


async def fitted_page(room: Room, screen: Screen) -> Page:
    room.hub.publish(FITTED)
    await screen.keep(room.client())
    page = await screen.open(f"{await screen.serve(room.app)}/#host={CODE}")
    await expect(page.locator("#room-text")).to_have_text("This phone is the host’s.")
    return page


async def test_the_stop_is_one_press_and_its_release_is_asked_twice(room: Room, screen: Screen) -> None:
    page = await fitted_page(room, screen)
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


async def test_lights_sound_and_simulated_buttons_are_asked_for(room: Room, screen: Screen) -> None:
    page = await fitted_page(room, screen)
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
