"""The guards of these tests can fail."""

from __future__ import annotations

from tests.web.browser.house import Screen


async def test_what_a_page_complains_of_is_kept(screen: Screen) -> None:
    page = await screen.open(None)
    screen.expects.append("allowed")
    await page.evaluate("() => { console.error('allowed'); console.warn('odd'); console.log('fine'); }")
    await page.evaluate("() => { setTimeout(() => { throw new Error('broken'); }); }")
    await page.evaluate("() => new Promise((done) => setTimeout(done, 20))")
    assert screen.troubles == ["odd", "broken"]
    screen.troubles.clear()
