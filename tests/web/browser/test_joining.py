"""Phones with different roles: the host's, a seat's, and one that looks on."""

from __future__ import annotations

import re

from playwright.async_api import Page, expect

from companion.web.hub import Answer
from tests.web.browser.hall import Hall
from tests.web.browser.house import PHONE, Screen
from tests.web.conftest import ADA, Room, question


async def invite(host: Page) -> str:
    """The invitation's number, as the host's screen shows it."""
    await host.get_by_role("button", name="Invite others").click()
    await expect(host.get_by_role("img", name="QR code")).to_be_visible()
    code = await host.locator(".code-shown").inner_text()
    await host.get_by_role("button", name="Close").click()
    return code


async def test_a_seat_answers_its_own_question_and_nobody_elses(room: Room, screen: Screen) -> None:
    room.hub.publish(question())
    room.phones.leave(room.phones.all[0])
    await screen.keep(room.client())
    address = await screen.serve(room.app)
    host = await screen.open(f"{address}/#host=271828")
    await expect(host.locator("#room-text")).to_have_text("This phone is the host’s.")
    assert "271828" not in host.url
    code = await invite(host)
    watcher = await screen.open(f"{address}/", viewport=PHONE)
    ada, ben = [await screen.open(f"{address}/#join={code}", viewport=PHONE) for _ in range(2)]
    for phone, name in ((ada, "Ada"), (ben, "Ben")):
        await phone.locator("dialog").get_by_label(name, exact=True).check()
        await phone.locator("dialog").get_by_role("button", name="Join").click()
        await expect(phone.locator("#room-seats li", has_text=name)).to_contain_text("this phone")
    await expect(ada.locator("#answers").get_by_role("button")).to_have_text(["By l6", "By n4"])
    for phone in (ben, watcher):
        await expect(phone.locator("#answers")).to_contain_text("By l6")
        await expect(phone.locator("#answers")).to_contain_text("To be answered by: Ada.")
        await expect(phone.locator("#answers").get_by_role("button")).to_have_count(0)
    # Who only looks on finds nothing to change but how to join.
    await expect(watcher.locator("#controls button")).to_have_count(1)
    await expect(watcher.get_by_role("button", name="Join the table")).to_be_visible()
    await expect(ben.get_by_role("button", name="New game")).to_have_count(0)
    await expect(ben.get_by_role("button", name="Pause")).to_be_visible()
    await ada.get_by_role("button", name="By n4").click()
    await expect(ada.locator("#reply")).to_have_text("Done.")
    assert room.carried_out == [Answer("n4")]
    # The seat outlasts a reload; the board is turned to it.
    await ada.reload()
    await expect(ada.locator("#answers").get_by_role("button")).to_have_count(2)
    # The host goes home, and Ben is host.
    await host.locator("#room-seats li", has_text="Ben").get_by_role("button", name="Make host").click()
    await host.locator("dialog").get_by_role("button", name="Make host").click()
    await expect(ben.get_by_role("button", name="New game")).to_be_visible()
    await expect(ben.locator("#answers").get_by_role("button")).to_have_count(2)
    await expect(host.get_by_role("button", name="New game")).to_have_count(0)
    # A freed seat is everybody's again.
    await ben.locator("#room-seats li", has_text="Ada").get_by_role("button", name="Free the seat").click()
    await expect(ada.get_by_role("button", name="Join the table")).to_be_visible()
    await expect(ada.locator("#answers").get_by_role("button")).to_have_count(0)


async def test_a_wrong_code_is_told_and_may_be_typed_again(room: Room, screen: Screen) -> None:
    screen.expects.append("401")
    room.hub.publish(question())
    room.seat(ADA, 0)
    await screen.keep(room.client())
    phone = await screen.open(f"{await screen.serve(room.app)}/", viewport=PHONE)
    await phone.get_by_role("button", name="Join the table").click()
    dialog = phone.locator("dialog")
    await expect(dialog.get_by_role("radio", name=re.compile("Ada"))).to_be_disabled()
    await dialog.get_by_label("The table’s code").fill("000000")
    await dialog.get_by_role("button", name="Join").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("not the table's code")
    await dialog.get_by_label("The table’s code").fill(room.phones.invitation)
    await dialog.get_by_role("button", name="Join").click()
    await expect(phone.locator("#room-seats li", has_text="Ben")).to_contain_text("this phone")


async def test_nobody_needs_a_phone_to_play(hall: Hall) -> None:
    await hall.begin()
    hall.lay()
    before = len(hall.room.table.referee.turns)
    hall.play()
    assert len(hall.room.table.referee.turns) == before + 1
    assert hall.phones.all == ()
