"""What people see of a table, and what their clicks ask of it."""

from __future__ import annotations

from playwright.async_api import expect

from companion.web.hub import Abandon, Correct, NewGame, Resume, Rule, StartHere, Undo
from tests.referee.tabletop import Tabletop
from tests.web.browser.hall import Hall
from tests.web.browser.house import Screen


async def test_an_open_game_is_offered_with_its_picture(hall: Hall, screen: Screen) -> None:
    await hall.begin()
    hall.lay(ze="d6")
    page = await hall.open()
    await expect(page.locator("#offer-text")).to_contain_text("Eve, Finn")
    await expect(page.locator("#offer-picture .mini")).to_have_count(8)
    await expect(page.locator("#todo")).to_contain_text("Put Zeus on f1: it stands on d6.")
    await page.locator("#offer").get_by_role("button", name="New game").click()
    await page.locator("dialog").get_by_role("button", name="Begin").click()
    assert await hall.next_asked() == NewGame(2, ("Eve", "Finn"), ())
    await expect(page.locator("#offer-title")).to_have_text("A game was set aside")
    await page.get_by_role("button", name="Go on with it").click()
    assert await hall.next_asked() == Resume(4)
    await page.get_by_role("button", name="Give it up").click()
    await page.locator("dialog").get_by_role("button", name="Give it up").click()
    assert await hall.next_asked() == Abandon(4)
    await expect(page.locator("#offer")).to_be_hidden()


async def test_what_is_wrong_is_ruled_on_corrected_and_taken_back(hall: Hall, screen: Screen) -> None:
    await hall.begin()
    hall.lay()
    hall.lay(ze="d6")
    page = await hall.open()
    await expect(page.locator("#verdict-word")).to_have_text("Not allowed")
    # Whoever points at a piece has something to say about it.
    await page.locator("#mountain .mini[data-space=d6]").click()
    await expect(page.get_by_label("Misread as").locator("option:checked")).to_have_text("Zeus, d6")
    await page.get_by_label("It is").select_option("he")
    await page.get_by_role("button", name="Correct it").click()
    assert await hall.next_asked() == Correct("mini", "d6", "ze", "he")
    await page.get_by_role("button", name="That is not right").click()
    await page.get_by_label("Misread as").select_option(label="Hera, d6")
    await page.get_by_label("It is").select_option("ze")
    await page.get_by_role("button", name="Correct it").click()
    assert await hall.next_asked() == Correct("mini", "d6", "he", "ze")
    hall.lay(ze="d6")
    await page.get_by_role("button", name="Play on from here").click()
    await page.locator("dialog").get_by_label("Finn").check()
    await page.locator("dialog").get_by_role("button", name="Play on from here").click()
    assert await hall.next_asked() == Rule(1)
    await expect(page.locator("#history li").first).to_contain_text("played on from what lay there")
    sizes = await page.locator("#history button").evaluate_all(
        "(all) => all.map((one) => Math.min(one.offsetWidth, one.offsetHeight))"
    )
    assert sizes and min(sizes) >= 40, "buttons are hit with a finger"
    await page.get_by_role("button", name="Back to before this turn").nth(2).click()
    await page.locator("dialog").get_by_role("button", name="Take back a turn").click()
    assert await hall.next_asked() == Undo(3)
    await expect(page.locator("#verdict-text")).to_contain_text("last 3 turns are taken back")


async def test_a_game_is_begun_from_what_lies_there(hall: Hall, screen: Screen) -> None:
    screen.expects.append("409")
    await hall.begin()
    position = hall.position
    hall.room.table.new_game(2, ("Ada", "Ben"))
    top = Tabletop.of(position)
    top.minis["ze"] = None
    hall.room.look(top)
    page = await hall.open()
    for seat, said in ((0, "Zeus is not on the board"), (1, "The game begins from this position")):
        await page.get_by_role("button", name="Start from what lies here").click()
        await page.locator("dialog").get_by_label(("Ada", "Ben")[seat]).check()
        await page.locator("dialog").get_by_role("button", name="Start from what lies here").click()
        assert await hall.next_asked() == StartHere(seat)
        await expect(page.locator("#reply")).to_contain_text(said)
        hall.room.look(Tabletop.of(position))
    await expect(page.locator("#verdict-seat")).to_have_text("Ben")


async def test_every_kept_game_is_replayed_step_by_step(hall: Hall, screen: Screen) -> None:
    await hall.begin()
    hall.lay()
    page = await hall.open()
    await page.get_by_role("link", name="Kept games").click()
    await expect(page.locator("#games li")).to_have_count(4)
    await expect(page.locator("#statistics")).to_contain_text("Above: 1 game;")
    await page.locator("#games li", has_text="Ada, Ben, Chloe").first.get_by_role("link", name="Look").click()
    await expect(page.locator("#columns .contender")).to_have_count(3)
    await page.get_by_role("link", name="Kept games").click()
    await page.locator("#games li", has_text="Eve, Finn").get_by_role("link", name="Look").click()
    await expect(page.locator("#replay-text")).to_contain_text("The game begins: Eve and Finn.")
    await expect(page.locator("#verdict")).to_be_hidden()
    for _ in range(5):
        await page.get_by_role("button", name="One step on").click()
    await expect(page.locator("#replay-kind")).to_have_text("Not allowed")
    await expect(page.locator("#replay-when")).to_contain_text("Step 5 of 8")
    await page.locator("#replay-steps button").nth(2).click()
    await expect(page.locator("#mountain .mini[data-space=k1]")).to_have_count(1)
    assert page.url.endswith("#journal/4/2")
    await page.get_by_role("button", name="Play", exact=True).click()
    await expect(page.locator("#replay-when")).to_contain_text("Step 3 of 8", timeout=10_000)
    await page.get_by_role("button", name="Stop").click()
    await page.get_by_role("button", name="To the end").click()
    await expect(page.get_by_role("button", name="One step on")).to_be_disabled()
    # The table has gone on meanwhile, and nothing of that disturbs the replay.
    hall.lay(ze="d6")
    await expect(page.locator("#replay-when")).to_contain_text("Step 8 of 8")
    await page.get_by_role("link", name="Back to the table").click()
    await expect(page.locator("#verdict-word")).to_have_text("Not allowed")
    assert hall.asked.empty()
