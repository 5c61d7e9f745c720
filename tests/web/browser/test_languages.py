"""The whole page in every language: nothing of English is left, and Hebrew runs from right to left."""

from __future__ import annotations

import re
from functools import cache

import pytest
from playwright.async_api import Page, expect

from companion.messages import LANGUAGES
from companion.messages.catalogue import entry, keys, subjects
from companion.messages.pattern import Choice, Pattern
from tests.referee.olympeak.test_refusals import revealed
from tests.tables.olympeak.test_snapshot import view_of
from tests.web.browser.hall import Hall
from tests.web.browser.house import Screen

LOCALES = {"fr": "fr-CH", "he": "he-IL"}
# Every text that is on the page or read out, and the page's title; not the names of the languages.
ALL_WORDS = """() => {
    const found = [document.title];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const passed = "#language, noscript, script";
    while (walk.nextNode())
        if (!walk.currentNode.parentElement.closest(passed)) found.push(walk.currentNode.textContent);
    for (const node of document.querySelectorAll("[aria-label], [title], [alt], [placeholder]"))
        for (const name of ["aria-label", "title", "alt", "placeholder"]) found.push(node.getAttribute(name) ?? "");
    return found.join("\\n");
}"""
NAMES = {"eve", "finn", "above", "olympeak", "olympus", "ada", "ben", "chloe", "dan", "http", "host"}


def _words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Za-zÀ-ÿ]{3,}", text)}


def _said(pattern: Pattern) -> str:
    parts = []
    for part in pattern:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, Choice):
            parts += [_said(case) for case in part.cases.values()]
    return " ".join(parts)


@cache
def only_english(language: str) -> frozenset[str]:
    """The words of the English catalogue that a language does not have as well."""
    found: dict[str, set[str]] = {"en": set(), language: set()}
    for subject in subjects():
        for key in keys(subject):
            for code, words in found.items():
                for pattern in entry(key, code).forms.values():
                    words |= _words(_said(pattern))
    return frozenset(found["en"] - found[language] - NAMES)


async def nothing_english(page: Page, language: str) -> None:
    text = await page.evaluate(ALL_WORDS)
    assert len(text) > 200
    assert sorted(_words(text) & only_english(language)) == []
    if language == "he":
        assert sorted(_words(text) - NAMES) == []


@pytest.mark.parametrize("language", LOCALES)
async def test_nothing_of_english_is_left_at_a_table_of_above(
    hall: Hall, screen: Screen, language: str
) -> None:
    await hall.begin()
    hall.lay(ze="d6")
    page = await hall.open(locale=LOCALES[language])
    html = page.locator("html")
    await expect(html).to_have_attribute("lang", language)
    await expect(html).to_have_attribute("dir", LANGUAGES[language].direction)
    await expect(page.locator("#mountain .mini")).to_have_count(8)
    await expect(page.locator("#room-buttons .main")).to_be_visible()
    await nothing_english(page, language)
    # Against the rules, with what to do about it.
    hall.lay()
    hall.lay(ze="d6")
    await expect(page.locator("#verdict")).to_have_attribute("data-kind", "illegal")
    await nothing_english(page, language)
    for button in (
        "#answers .rule",
        "#controls button >> nth=1",
        "#controls button >> nth=2",
        "#room-buttons .main",
    ):
        await page.locator(button).click()
        await expect(page.locator("dialog")).to_be_visible()
        await nothing_english(page, language)
        await page.locator("dialog button").first.click()
        await expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("language", LOCALES)
async def test_nothing_of_english_is_left_in_a_kept_game(hall: Hall, screen: Screen, language: str) -> None:
    await hall.begin()
    hall.lay()
    hall.lay(ze="d6")
    page = await hall.open(locale=LOCALES[language])
    await page.evaluate("location.hash = 'journal'")
    await expect(page.locator("#games li").first).to_be_visible()
    await nothing_english(page, language)
    await page.locator("#games a").first.click()
    await expect(page.locator("#replay-steps li").first).to_be_visible()
    # This journal is of an earlier version: what it quotes of then is in English. What was said just now is not.
    refusals = "[...document.querySelectorAll('#replay-steps li[data-kind=refusal]')]"
    await page.evaluate(f"{refusals}.slice(0, -1).forEach((old) => old.remove())")
    await nothing_english(page, language)


@pytest.mark.parametrize("language", LOCALES)
async def test_nothing_of_english_is_left_at_a_table_of_olympeak(
    hall: Hall, screen: Screen, language: str
) -> None:
    await hall.begin()
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "blue", 1, seat=0)
    game.look(0.5)
    snapshot, _ = view_of(game)
    hall.room.hub.publish(snapshot)
    page = await hall.open(locale=LOCALES[language])
    await expect(page.locator("#columns .contender")).to_have_count(4)
    await nothing_english(page, language)
    # A card's number is what people correct it by: on the narrowest phone too it is whole.
    await page.set_viewport_size({"width": 320, "height": 640})
    numbers = page.locator(".play .id")
    assert await numbers.count() > 0
    assert await numbers.evaluate_all("(all) => all.every((one) => one.scrollWidth <= one.clientWidth + 1)")


async def test_hebrew_runs_from_right_to_left_and_the_mountain_does_not(hall: Hall, screen: Screen) -> None:
    await hall.begin()
    hall.lay()
    hall.lay(ze="d6")
    places = {}
    for language, locale in (("fr", "fr-FR"), ("he", "he-IL")):
        page = await hall.open(locale=locale)
        await expect(page.locator("#mountain .mini")).to_have_count(8)
        middle = await page.evaluate("innerWidth / 2")
        title, badges = page.locator("#top h1"), page.locator("#todo .where").first
        mini = page.locator("#mountain .mini[data-space=d6]")
        boxes = [await each.bounding_box() for each in (title, badges, mini)]
        board = await page.locator("#mountain svg.board").bounding_box()
        assert all(boxes) and board is not None
        left = [box["x"] + box["width"] / 2 for box in boxes if box is not None]
        places[language] = (left[0] < middle, left[2] - board["x"])
        # No sideways scrolling on either.
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert (places["fr"][0], places["he"][0]) == (True, False)
    assert places["fr"][1] == pytest.approx(places["he"][1], abs=1)


async def test_the_language_is_chosen_on_the_page_and_remembered(hall: Hall, screen: Screen) -> None:
    await hall.begin()
    hall.lay()
    page = await hall.open(locale="en-GB")
    await expect(page.locator("#verdict-text")).to_contain_text("choose a Powered card")
    await page.locator("#language select").select_option("he")
    await expect(page.locator("html")).to_have_attribute("dir", "rtl")
    await expect(page.locator("#verdict-text")).to_contain_text("בחרו קלף טעון")
    # What happens next comes in it too, and so does another visit.
    hall.lay(ze=None)
    await expect(page.locator("#verdict-text")).to_contain_text("באוויר")
    await page.goto(f"{hall.address}/")
    await expect(page.locator("html")).to_have_attribute("lang", "he")
    await page.locator("#language select").select_option("en")
    await expect(page.locator("html")).to_have_attribute("dir", "ltr")
