"""The guards of these tests can fail."""

from __future__ import annotations

import pytest

from tests.web.browser.conftest import do_without
from tests.web.browser.house import Screen


async def test_what_a_page_complains_of_is_kept(screen: Screen) -> None:
    page = await screen.open(None)
    screen.expects.append("allowed")
    await page.evaluate("() => { console.error('allowed'); console.warn('odd'); console.log('fine'); }")
    await page.evaluate("() => { setTimeout(() => { throw new Error('broken'); }); }")
    await page.evaluate("() => new Promise((done) => setTimeout(done, 20))")
    assert screen.troubles == ["odd", "broken"]
    screen.troubles.clear()


async def test_a_missing_browser_is_a_reason_to_skip_but_not_where_changes_are_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", "")
    with pytest.raises(pytest.skip.Exception, match="no browser"):
        do_without("no browser")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no browser"):
        do_without("no browser")
