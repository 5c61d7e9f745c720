"""The browser for the tests of this folder, and how their coroutines run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Error

from tests.installed import do_without
from tests.web.browser.hall import Hall
from tests.web.browser.house import House, Screen


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool:
    """A test is a coroutine and runs in the browser's loop."""
    house = pyfuncitem.funcargs["house"]
    assert isinstance(house, House)
    names = pyfuncitem._fixtureinfo.argnames
    house.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    """The browser, started once a run."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        do_without("no Chromium is installed: run `apt install chromium`")
    opened = House(chromium)
    try:
        try:
            opened.start()
        except Error as error:
            do_without(f"{chromium} does not start: {error.message.splitlines()[0]}")
        yield opened
    finally:
        opened.close()


@pytest.fixture(autouse=True)
def screen(house: House) -> Iterator[Screen]:
    """What this test opens in the browser; no page may have complained."""
    opened = Screen(house)
    yield opened
    house.run(opened.close())
    assert opened.troubles == []


@pytest.fixture
def hall(screen: Screen, tmp_path: Path) -> Hall:
    """A table of Above whose pieces the test lays."""
    return Hall(screen, tmp_path)
