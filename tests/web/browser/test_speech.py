"""A phone says aloud what is new, if somebody wants it to."""

from __future__ import annotations

from playwright.async_api import expect

from tests.web.browser.hall import Hall
from tests.web.browser.house import Screen

# A synthesiser that speaks until it is told to end, and notes what it was given.
VOICE = """
window.heard = [];
Object.defineProperty(window, "speechSynthesis", { value: {
    speaking: false,
    getVoices: () => [{ lang: "fr-FR" }],
    speak(words) {
        if (this.speaking) throw new Error("it speaks over itself");
        this.speaking = true;
        this.words = words;
        window.heard.push(words.text);
    },
    end() { this.speaking = false; this.words?.onend(); },
    cancel() { this.speaking = false; },
} });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""


async def test_it_says_what_is_new_in_its_language_once_and_never_over_itself(
    hall: Hall, screen: Screen
) -> None:
    await hall.begin()
    hall.lay()
    page = await hall.open(locale="fr-FR")
    await page.add_init_script(VOICE)
    await page.reload()
    button = page.locator("#speech button")
    await expect(button).to_have_attribute("aria-pressed", "false")
    # Off by default: nothing is said.
    hall.lay(ze="d6")
    await expect(page.locator("#verdict")).to_have_attribute("data-kind", "illegal")
    assert await page.evaluate("heard") == []
    hall.lay()
    await button.click()
    await page.evaluate("speechSynthesis.end()")
    hall.play()
    await expect(page.locator("#history li").first).to_contain_text("Eve")
    await expect(page.locator("#verdict-seat")).to_have_text("Finn")
    assert await page.evaluate("heard") == ["J’annonce à voix haute.", "Finn, à vous de jouer."]
    # What comes while it speaks waits; lifted and put back says nothing new.
    hall.lay(he=None)
    hall.lay(he="d6")
    await expect(page.locator("#verdict")).to_have_attribute("data-kind", "illegal")
    assert len(await page.evaluate("heard")) == 2
    await page.evaluate("speechSynthesis.end()")
    last = (await page.evaluate("heard"))[-1]
    assert last.startswith("Héra")
    assert "A6" not in last
    # It is remembered, and an opened page does not begin by repeating.
    await page.reload()
    await expect(button).to_have_attribute("aria-pressed", "true")
    assert await page.evaluate("heard") == []
