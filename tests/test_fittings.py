"""Lamps, buttons, emergency stop and lights of a running table."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import time
from pathlib import Path

import pytest

from companion.fittings import TEST_S, Fittings
from companion.games.above.box import LED_COUNT, seat_led_index
from companion.games.above.position import Position
from companion.referee.referee import Referee
from companion.referee.verdict import Kind
from companion.service import TableService
from companion.signals.emergency import Emergency, StopBy
from companion.signals.lights import DARK, Pixels
from companion.signals.night import Dimming, Night, NightMode
from companion.signals.pins.gpio import SimulatedPins
from companion.signals.pins.lamps import Tune, lamps_of
from companion.signals.pins.panel import Panel
from companion.signals.pins.plan import Part, PinPlan
from companion.signals.pins.ports import NoPinsError, Pins
from companion.signals.pins.presses import HOLD_S
from companion.tables.above.book import AboveBook
from companion.tables.above.kit import AboveKit
from companion.web.fitted import FittingCommand, Lights, PressButton, Sound, Stop
from companion.web.hub import Command, Hub, Outcome, Pause
from companion.web.models import DeviceView
from tests.referee.keeping import journal_at
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Notes
from tests.room import NoCamera
from tests.table.running import in_virtual_time

READY = DeviceView(name="controller", ok=True)
GONE = DeviceView(name="controller", ok=False, detail="unplugged")


@dataclass
class Strip:
    """An LED strip that remembers what it was told."""

    limits: list[tuple[int, int]] = field(default_factory=list)
    shown: list[Pixels] = field(default_factory=list)

    def set_led_limits(self, brightness: int, budget_ma: int) -> None:
        self.limits.append((brightness, budget_ma))

    def set_leds(self, pixels: Pixels) -> None:
        self.shown.append(pixels)


@dataclass
class Brakes:
    """The motors' brakes."""

    heard: list[str] = field(default_factory=list)

    def stop(self) -> None:
        self.heard.append("stop")

    def release(self) -> None:
        self.heard.append("release")


class Room:
    """A table with everything fitted, in virtual time; pieces lie as the test lays them."""

    def __init__(self, folder: Path, said: object = "simulated", position: str = START) -> None:
        self.pins: SimulatedPins | None = None
        self.panel = Panel(PinPlan.parse(said), self._open)
        self.brakes, self.strip = Brakes(), Strip()
        self.hour = time(12)
        self.night = Night(Dimming(night=0.2, begins=time(22)), lambda: self.hour)
        self.fittings = Fittings(
            emergency=Emergency(self.brakes),
            panel=self.panel,
            night=self.night,
            strip=self.strip,
            budget_ma=1200,
        )
        self.notes = Notes()
        self.referee = Referee(("Ada", "Ben"), self.notes, Position.parse(position))
        self.hub = Hub()
        self.book = AboveBook(journal_at(folder / "journal.db"))
        kit = AboveKit()
        self.table = TableService(
            kit,
            self.referee,
            NoCamera(),
            kit.eyes(),
            self.strip,
            self.hub,
            frames_per_s=15.0,
            book=self.book,
            fittings=self.fittings,
        )
        self.top = Tabletop.of(Position.parse(position))
        self._looks = 0

    def _open(self, plan: PinPlan) -> SimulatedPins:
        self.pins = SimulatedPins(plan)
        return self.pins

    async def look(self, times: int = 1) -> None:
        """The camera looks at the table as it lies, so many times."""
        for _ in range(times):
            self._looks += 1
            self.table.take_reading(self.top.reading(self._looks / 15))
            await asyncio.sleep(1 / 15)

    async def press(self, part: Part, seconds: float = 0.1) -> None:
        """A finger on a button."""
        assert self.pins is not None
        self.pins.press(part, True)
        await asyncio.sleep(seconds)
        self.pins.press(part, False)
        await asyncio.sleep(0.1)

    async def ask(self, command: Command) -> Outcome:
        return await self.hub.ask(command)

    def level(self, part: Part) -> float:
        assert self.pins is not None
        return float(self.pins._mock.pin(self.panel.plan.numbers[part]).state)


Test = Callable[[Room], Awaitable[None]]
InRoom = Callable[..., None]


@pytest.fixture
def in_room(tmp_path: Path) -> InRoom:
    """Runs a test while the table runs. The camera is away: what it sees is laid by the test."""

    def run_in_room(
        test: Test, said: object = "simulated", open_pins: Callable[[PinPlan], Pins] | None = None
    ) -> None:
        async def run(_: object) -> None:
            here = Room(tmp_path, said)
            if open_pins is not None:
                here.panel._open_pins = open_pins
            tasks = [
                asyncio.create_task(here.table._serve_requests()),
                asyncio.create_task(here.table._mind_fittings()),
                asyncio.create_task(here.table._blink()),
            ]
            await asyncio.sleep(0.2)
            try:
                await test(here)
                for task in tasks:
                    assert not task.done()
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                here.fittings.close()
                here.book.close()

        in_virtual_time(run)

    return run_in_room


# Buttons ------------------------------------------------------------------------------------------------


def may_be_over(room: Room) -> None:
    """Poseidon's card is turned; he may have stepped forth and back, and the table asks."""
    room.top.cards[0]["po"] = 0


def test_yes_answers_the_question_that_is_asked(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        await room.look(2)
        may_be_over(room)
        await room.look(3)
        assert [choice.key for choice in room.table.verdict.choices] == ["done"]
        shown = room.hub.latest.panel
        assert shown is not None and shown.buttons["yes"] == "Ada has finished"
        await room.press(Part.YES)
        assert len(room.notes.turns) == 1
        assert room.referee.position is not None and room.referee.position.turn == 1
        assert room.table.verdict.kind is Kind.READY

    in_room(test)


def test_buttons_with_nothing_to_say_change_nothing_and_are_heard_to_say_nothing(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        await room.look(2)
        before = room.table.verdict
        for part in (Part.YES, Part.NO, Part.UNDO):
            heard = []
            assert room.pins is not None
            room.pins.press(part, True)
            for _ in range(20):
                await asyncio.sleep(0.02)
                heard.append(room.level(Part.BUZZER))
            room.pins.press(part, False)
            await asyncio.sleep(1.0)
            assert max(heard) == 1.0 or part is Part.UNDO  # undo answers when it is let go
        assert room.table.verdict == before
        assert not room.notes.turns

    in_room(test)


def test_undo_takes_a_turn_back_when_it_is_held_and_not_when_it_is_touched(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        await room.look(2)
        room.top.cards[0]["he"] = 0
        room.top.minis["he"] = "c2"
        room.top.cards[1]["ar"] = 0
        await room.look(3)
        assert len(room.referee.turns) == 1
        await room.press(Part.UNDO, 0.3)
        assert len(room.referee.turns) == 1
        await room.press(Part.UNDO, HOLD_S + 0.1)
        assert len(room.referee.turns) == 0
        assert room.table.verdict.kind is Kind.SETUP

    in_room(test)


def test_while_paused_the_buttons_answer_nothing(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        await room.look(2)
        may_be_over(room)
        await room.look(3)
        assert (await room.ask(Pause(True))).accepted
        await room.press(Part.YES)
        assert not room.notes.turns

    in_room(test)


# Lamps and buzzer ---------------------------------------------------------------------------------------


def test_the_lamps_follow_the_verdict(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        assert room.panel.lit == {} or room.table.verdict.kind is Kind.HOLD
        await room.look(2)
        await asyncio.sleep(0.1)
        assert [room.level(part) for part in (Part.GREEN, Part.AMBER, Part.RED)] == [1.0, 0.0, 0.0]
        room.top.cards[0]["ze"] = 0
        room.top.minis["ze"] = "a3"
        await room.look(4)
        assert room.table.verdict.kind is Kind.ILLEGAL
        reds = set()
        for _ in range(40):
            await asyncio.sleep(0.02)
            reds.add(room.level(Part.RED))
            assert room.level(Part.GREEN) == 0.0
        assert reds == {0.0, 1.0}
        assert room.panel.lit == lamps_of(room.table.verdict, stopped=False)
        shown = room.hub.latest.panel
        assert shown is not None and shown.lamps == {"green": "", "amber": "", "red": "fast"}

    in_room(test)


def test_a_silenced_buzzer_is_silent_also_for_what_is_illegal(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        await room.look(2)
        assert (await room.ask(Sound(True))).accepted
        shown = room.hub.latest.panel
        assert shown is not None and shown.silent is True
        room.top.cards[0]["ze"] = 0
        room.top.minis["ze"] = "a3"
        await room.look(3)
        heard = set()
        for _ in range(50):
            await asyncio.sleep(0.02)
            heard.add(room.level(Part.BUZZER))
        assert room.table.verdict.kind is Kind.ILLEGAL
        assert heard == {0.0}

    in_room(test)


def test_what_is_illegal_is_heard_once(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        await room.look(2)
        room.top.cards[0]["ze"] = 0
        room.top.minis["ze"] = "a3"
        await room.look(2)
        levels = []
        for _ in range(200):
            await asyncio.sleep(0.02)
            levels.append(room.level(Part.BUZZER))
        sounds = sum(later > earlier for earlier, later in itertools.pairwise(levels))
        assert sounds <= len(Tune.ILLEGAL.value[::2])
        assert 0.0 < sum(levels) * 20 <= sum(Tune.ILLEGAL.value[::2]) + 40

    in_room(test)


# The emergency stop --------------------------------------------------------------------------------------


def test_the_page_stops_and_releases_and_every_light_says_so(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        room.table.controller_state(READY)
        await room.look(2)
        assert (await room.ask(Stop(True))).text == "Stopped: all motors are off."
        assert room.brakes.heard == ["stop"]
        shown = room.hub.latest.stop
        assert shown is not None and (shown.on, shown.by) == (True, "page")
        assert room.panel.lit[Part.RED].name == "TRIPLE"
        assert sum(pixel != DARK for pixel in room.strip.shown[-1]) in (0, 2)  # both seats, in their rhythm
        assert room.table.verdict.kind is Kind.READY  # the game goes on
        room.table.motors_stopped(True, by_button=False)
        assert (await room.ask(Stop(False))).accepted
        room.table.motors_stopped(False, by_button=False)
        assert room.brakes.heard == ["stop", "release"]
        released = room.hub.latest.stop
        assert released is not None and not released.on

    in_room(test)


def test_the_tables_button_stops_within_a_moment_and_must_be_turned_out_and_released(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        assert room.pins is not None
        room.pins.press(Part.EMERGENCY, True)
        await asyncio.sleep(0.1)
        assert room.brakes.heard == ["stop"]
        assert room.fittings.emergency is not None and room.fittings.emergency.by is StopBy.BUTTON
        refused = await room.ask(Stop(False))
        assert (refused.accepted, "turn it out first" in refused.text) == (False, True)
        room.pins.press(Part.EMERGENCY, False)
        await asyncio.sleep(0.1)
        assert room.fittings.emergency.by is StopBy.BUTTON
        assert (await room.ask(Stop(False))).accepted
        assert room.brakes.heard == ["stop", "release"]

    in_room(test)


def test_the_controllers_button_is_shown_and_a_restarted_controller_is_stopped_again(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        room.table.controller_state(READY)
        room.table.motors_stopped(True, by_button=True)
        shown = room.hub.latest.stop
        assert shown is not None and shown.by == "controller"
        room.table.controller_state(GONE)
        room.table.controller_state(READY)
        assert room.brakes.heard == ["stop"]

    in_room(test)


def test_a_trouble_of_a_link_that_holds_tells_the_controller_nothing(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        room.table.controller_state(READY)
        await room.ask(Stop(True))
        room.table.controller_state(READY.model_copy(update={"detail": "much is lost"}))
        assert room.brakes.heard == ["stop"]

    in_room(test)


# Lights -------------------------------------------------------------------------------------------------


def test_night_falls_by_the_hour_and_by_wish(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        assert room.strip.limits == [(255, 1200)]
        room.hour = time(22, 30)
        await asyncio.sleep(0.1)
        assert room.strip.limits[-1] == (51, 1200)
        assert room.panel.brightness == 0.2
        shown = room.hub.latest.night
        assert shown is not None and (shown.mode, shown.dark) == ("auto", True)
        assert (await room.ask(Lights(night="day"))).accepted
        assert room.strip.limits[-1] == (255, 1200)
        assert room.night.mode is NightMode.DAY
        await asyncio.sleep(5.0)
        assert len(room.strip.limits) == 3

    in_room(test)


def test_a_light_test_walks_along_the_strip_and_ends_by_itself(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        await room.look(2)
        assert (await room.ask(Lights(test=True))).accepted
        room.strip.shown.clear()
        await asyncio.sleep(TEST_S - 1)
        lit = {n for pixels in room.strip.shown for n, pixel in enumerate(pixels) if pixel != DARK}
        assert len(lit) >= LED_COUNT - 5
        assert all(sum(pixel != DARK for pixel in pixels) == 1 for pixels in room.strip.shown)
        await asyncio.sleep(2)
        shown = room.hub.latest.night
        assert shown is not None and not shown.testing
        assert [n for n, pixel in enumerate(room.strip.shown[-1]) if pixel != DARK] == [seat_led_index(0, 2)]

    in_room(test)


# What is not there --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (Stop(True), "Nothing moves by itself"),
        (Lights(night="night"), "no lights"),
        (Sound(True), "no buzzer"),
        (PressButton("yes"), "Only the buttons of a simulated table"),
    ],
)
def test_a_bare_table_says_what_it_does_not_have(command: FittingCommand, said: str) -> None:
    bare = Fittings()
    outcome = bare.serve(command, 0.0)
    assert not outcome.accepted
    assert said in outcome.text
    assert bare.views() == {"stop": None, "night": None, "panel": None}
    assert bare.devices() == ()
    assert bare.step(0.0) == ()


def test_pins_that_cannot_be_had_are_a_device_that_is_not_there_and_nothing_else(in_room: InRoom) -> None:
    def refuse(plan: PinPlan) -> Pins:
        raise NoPinsError("This computer has no pins.")

    async def test(room: Room) -> None:
        await room.look(2)
        (pins,) = [device for device in room.hub.latest.devices if device.name == "pins"]
        assert (pins.ok, pins.detail) == (False, "This computer has no pins.")
        assert room.table.verdict.kind is Kind.READY

    in_room(test, open_pins=refuse)


def test_simulated_buttons_may_be_pressed_at_the_page(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        await room.look(2)
        may_be_over(room)
        await room.look(3)
        shown = room.hub.latest.panel
        assert shown is not None and shown.pressable
        assert (await room.ask(PressButton("yes"))).accepted
        await asyncio.sleep(0.5)
        assert len(room.notes.turns) == 1
        assert (await room.ask(PressButton("undo"))).accepted
        await asyncio.sleep(2.0)
        assert len(room.referee.turns) == 0
        assert (await room.ask(PressButton("emergency"))).accepted
        await asyncio.sleep(0.2)
        stop = room.hub.latest.stop
        assert stop is not None and stop.held
        assert (await room.ask(PressButton("emergency"))).accepted
        await asyncio.sleep(0.2)
        assert (await room.ask(Stop(False))).accepted

    in_room(test)


def test_a_button_that_is_not_fitted_cannot_be_pressed_at_the_page(in_room: InRoom) -> None:
    async def test(room: Room) -> None:
        outcome = await room.ask(PressButton("undo"))
        assert (outcome.accepted, outcome.text) == (False, "No undo button is fitted.")

    in_room(test, {"yes": 5, "simulated": True})
