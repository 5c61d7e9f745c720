"""The README's pictures of the page, made anew: python -m tests.web.browser.screenshots

Games are played on the simulated table; of each the page is taken at the moment that shows most.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from playwright.async_api import Page, expect

from companion.tables.catalogue import kit_for
from companion.web.models import Snapshot
from tests.web.browser.evening import Evening
from tests.web.browser.hall import Hall
from tests.web.browser.house import PHONE, House, Screen

SHOTS = Path(__file__).parents[3] / "docs" / "screenshots"
DESK = {"width": 1200, "height": 780}
# After the last picture of a change the drawing is at rest.
STILL_MS = 300


async def moment(evening: Evening, page: Page, wanted: Callable[[Snapshot], bool]) -> None:
    """Plays the game to its end, then shows it at the last moment that was `wanted`."""
    seen: list[Snapshot] = []
    publish = evening.hub.publish

    def keep(snapshot: Snapshot) -> int:
        seen.append(snapshot)
        return publish(snapshot)

    evening.hub.publish = keep  # type: ignore[method-assign]
    await evening.play(page)
    await evening.ended()
    publish([each for each in seen if wanted(each)][-1])


async def take(page: Page, name: str) -> None:
    """The page as a picture, as small as it can be."""
    await page.wait_for_timeout(STILL_MS)
    path = SHOTS / f"{name}.png"
    await page.screenshot(path=path)
    picture = cv2.imread(str(path))
    assert picture is not None
    # The mountain's shades need no more than 32 steps each.
    fewer = np.clip(8 * np.round(picture / 8), 0, 255).astype(np.uint8)
    cv2.imwrite(str(path), fewer, [cv2.IMWRITE_PNG_COMPRESSION, 9])


async def above(screen: Screen, folder: Path) -> None:
    """A turn of Above that is not complete yet."""
    from companion.soak.readings.watching import watch_by_readings

    evening = Evening(screen, folder)
    await evening.begin(kit_for("above"), 2, 1, watch_by_readings)
    page = await evening.open(viewport=DESK, color_scheme="dark")
    kinds = ("unfinished",)
    await moment(
        evening, page, lambda each: each.verdict is not None and each.verdict.kind in kinds and each.turn < 18
    )
    await take(page, "above")


async def refusal(screen: Screen, folder: Path) -> None:
    """A move that is not allowed, on a phone."""
    hall = Hall(screen, folder)
    await hall.begin()
    hall.lay()
    hall.lay(ze="d6")
    page = await hall.open(viewport=PHONE, color_scheme="dark")
    await expect(page.locator("#verdict-word")).to_have_text("Not allowed")
    await take(page, "refusal")


async def olympeak(screen: Screen, folder: Path) -> None:
    """A question in OlymPeak, on the phone of the host."""
    from companion.soak.readings.watching import watch_by_readings

    evening = Evening(screen, folder)
    await evening.begin(kit_for("olympeak"), 3, 4, watch_by_readings)
    page = await evening.open(viewport=PHONE, color_scheme="light")
    await moment(evening, page, lambda each: each.verdict is not None and bool(each.verdict.choices))
    await take(page, "olympeak")


def main() -> None:
    """Takes all of them."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("No Chromium is installed: apt install chromium")
    SHOTS.mkdir(parents=True, exist_ok=True)
    house = House(chromium)
    try:
        house.start()
        for shot in (above, refusal, olympeak):
            with tempfile.TemporaryDirectory() as folder:
                house.run(_with_screen(house, shot, Path(folder)), within_s=120)
    finally:
        house.close()


async def _with_screen(house: House, shot: Callable[[Screen, Path], object], folder: Path) -> None:
    screen = Screen(house)
    try:
        made = shot(screen, folder)
        assert asyncio.iscoroutine(made)
        await made
    finally:
        await screen.close()


if __name__ == "__main__":
    main()
