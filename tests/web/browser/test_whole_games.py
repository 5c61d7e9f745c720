"""Whole games of both kinds, played at the simulated table and followed on the page to their end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from companion.games.above.box import DEITIES
from companion.games.above.position import Position
from companion.soak.readings.watching import watch_by_readings
from companion.tables.catalogue import kit_for
from tests.web.browser.evening import Evening
from tests.web.browser.house import PHONE, Screen


@pytest.fixture
def evening(screen: Screen, tmp_path: Path) -> Evening:
    return Evening(screen, tmp_path)


async def test_a_game_of_above_from_set_up_to_victory(evening: Evening, screen: Screen) -> None:
    await evening.begin(kit_for("above"), 2, 1, watch_by_readings)
    page = await evening.open()
    watcher = await screen.open(f"{evening.address}/", viewport=PHONE)
    await evening.play(page)
    assert evening.table is not None
    referee = evening.table.table.referee
    turns, position = len(referee.turns), referee.position  # type: ignore[attr-defined]
    assert isinstance(position, Position) and turns > 15
    for each in (page, watcher):
        await expect(each.locator("#verdict-word")).to_have_text("Victory")
        await expect(each.locator("#verdict-text")).to_contain_text("summit")
        await expect(each.locator("#history li")).to_have_count(turns)
        for deity in DEITIES:
            await expect(
                each.locator(f"#mountain .mini[data-space={position.space_of(deity)}]")
            ).to_have_count(1)
    # The game is kept, and every step of it can be gone back to.
    await page.get_by_role("link", name="Kept games").click()
    await page.locator("#games li").get_by_role("link", name="Look").click()
    await expect(page.locator("#replay-when")).to_contain_text(re.compile(rf"of {turns}\b"))
    await page.get_by_role("button", name="To the end").click()
    await expect(page.locator("#mountain .mini[data-space=top]")).to_have_count(1)


async def test_a_game_of_olympeak_with_its_questions_answered_on_the_page(evening: Evening) -> None:
    await evening.begin(kit_for("olympeak"), 3, 4, watch_by_readings)
    page = await evening.open(viewport=PHONE)
    await evening.play(page)
    assert evening.answered
    latest = evening.hub.latest.olympeak
    assert latest is not None
    await expect(page.locator("#verdict-word")).to_have_text("Victory")
    await expect(page.locator("#columns .contender")).to_have_count(3)
    results = page.locator("#results .result")
    await expect(results).to_have_count(3)
    for seat, result in enumerate(latest.results):
        for reason in result.reasons:
            await expect(results.nth(seat)).to_contain_text(reason)
    won = [seat for seat, result in enumerate(latest.results) if result.won]
    assert won
    await expect(page.locator("#results .result.won")).to_have_count(len(won))
