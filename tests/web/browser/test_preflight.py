"""The preflight on the page."""

from __future__ import annotations

from playwright.async_api import expect

from companion.web.app import create_app
from companion.web.preflight import FindingView, MeasuredView, PreflightView
from tests.web.browser.house import Screen
from tests.web.conftest import CODE, Room, question

FOUND = PreflightView(
    go=False,
    findings=(
        FindingView(what="frame markers", seen="4 of 4", limit="4 of 4", judgement="good", advice=""),
        FindingView(
            what="blur", seen="2.10 px", limit="0.80 px", judgement="bad", advice="focus on the board"
        ),
        FindingView(what="moving cubes", seen="not fitted", limit="", judgement="not fitted", advice=""),
    ),
    measured=(MeasuredView(part="lens", at=1.8e9), MeasuredView(part="rings", at=None)),
)


async def test_what_is_wrong_is_told_with_what_to_do(room: Room, screen: Screen) -> None:
    async def examined() -> PreflightView:
        return FOUND

    room.hub.publish(question())
    address = await screen.serve(create_app(room.hub, room.phones, preflight=examined))
    page = await screen.open(f"{address}/#host={CODE}", viewport={"width": 320, "height": 320})
    await page.get_by_role("button", name="Check the table").click()
    told = page.locator("dialog")
    # It is longer than the screen, and begins at its beginning.
    assert await told.evaluate("(box) => box.scrollHeight > box.clientHeight && box.scrollTop === 0")
    await expect(told.locator(".no-go")).to_contain_text("No go")
    await expect(told.locator("tr.bad")).to_contain_text("focus on the board")
    await expect(told.locator(".measured li")).to_contain_text(["Lens", "Rings never"])
    await told.get_by_role("button", name="Close").click()
    await expect(told).to_have_count(0)
