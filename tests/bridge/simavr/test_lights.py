"""LEDs of the real firmware: what is sent is what is lit, within the budget, with pulses that LEDs understand."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.leds import led_messages
from firmware_bridge.limits import (
    DEFAULT_BUDGET_MA,
    LED_MA,
    MAX_BUDGET_MA,
    NO_HOST_LIT_MS,
    NO_HOST_PERIOD_MS,
    emitted,
    led_level,
)
from firmware_bridge.protocol import LEDS, ErrorCode, ErrorReport, LedLimits, LedPixels, LedShow
from firmware_bridge.virtual_board import ALL_DARK, NO_HOST
from firmware_bridge.wire import Pixel

from .chip import Chip
from .host import ChipHost

WHITE: tuple[Pixel, ...] = ((255, 255, 255),) * LEDS


def picture(seed: int, brightest: int = 255) -> tuple[Pixel, ...]:
    dice = random.Random(seed)
    return tuple(
        (dice.randint(0, brightest), dice.randint(0, brightest), dice.randint(0, brightest))
        for _ in range(LEDS)
    )


def show(host: ChipHost, pixels: tuple[Pixel, ...]) -> None:
    for message in led_messages(None, pixels):
        host.send(message)
    host.settle()


@pytest.mark.parametrize(
    ("brightness", "budget_ma"),
    [(255, MAX_BUDGET_MA), (255, 1000), (255, 50), (40, 1000), (1, 1000), (0, 1000), (255, 0), (128, 1999)],
)
def test_brightness_and_budget_are_kept_as_the_program_computes_them(
    chip: Chip, host: ChipHost, brightness: int, budget_ma: int
) -> None:
    host.send(LedLimits(brightness, budget_ma))
    for pixels in (picture(1), WHITE, picture(2, brightest=20), ((0, 0, 0),) * LEDS):
        show(host, pixels)
        lit = chip.leds
        assert lit == emitted(pixels, led_level(pixels, brightness, budget_ma))
        assert sum(map(sum, lit)) / 255 * LED_MA <= budget_ma
    assert chip.strip.faults == 0


def test_the_budget_holds_before_anybody_has_set_it(chip: Chip, host: ChipHost) -> None:
    show(host, WHITE)
    drawn = sum(map(sum, chip.leds)) / 255 * LED_MA
    assert 0.9 * DEFAULT_BUDGET_MA < drawn <= DEFAULT_BUDGET_MA


def test_more_than_the_supply_gives_is_refused(chip: Chip, host: ChipHost) -> None:
    host.send(LedLimits(255, 1000))
    host.send(LedLimits(255, MAX_BUDGET_MA + 1))
    report = host.answer(ErrorReport)
    assert (report.code, report.detail) == (ErrorCode.SUPPLY_LIMITED, MAX_BUDGET_MA + 1)
    show(host, WHITE)
    assert sum(map(sum, chip.leds)) / 255 * LED_MA <= 1000


def test_parts_of_a_picture_are_shown_together(chip: Chip, host: ChipHost) -> None:
    show(host, ((0, 0, 0),) * LEDS)
    frames = chip.strip.frames
    host.send(LedPixels(3, ((1, 2, 3),)))
    host.settle()
    host.pass_time(0.05)
    assert chip.strip.frames == frames
    host.send(LedShow(104, ((4, 5, 6),)))
    host.settle()
    host.pass_time(0.01)
    lit = chip.leds
    assert (lit[3], lit[104]) == ((1, 2, 3), (4, 5, 6))
    assert {*lit[:3], *lit[4:104]} == {(0, 0, 0)}
    assert chip.strip.frames == frames + 1


@pytest.mark.parametrize(("offset", "count"), [(105, 1), (104, 2), (71, 35), (255, 1)])
def test_leds_that_are_not_there_are_refused(chip: Chip, host: ChipHost, offset: int, count: int) -> None:
    show(host, picture(1, brightest=9))
    host.send(LedShow(offset, ((9, 9, 9),) * count))
    report = host.answer(ErrorReport)
    assert (report.code, report.detail) == (ErrorCode.OUT_OF_RANGE, offset + count - 1)
    assert chip.leds == picture(1, brightest=9)


def test_no_host_is_shown_until_one_comes_and_after_it_fell_silent(chip: Chip) -> None:
    chip.exchange(0.1)
    assert chip.leds == NO_HOST
    host = ChipHost(chip)
    host.connect()
    show(host, picture(5, brightest=9))
    assert chip.leds == picture(5, brightest=9)
    chip.exchange(1.8)
    assert chip.leds == picture(5, brightest=9)
    chip.exchange(0.6)
    assert chip.leds == NO_HOST
    chip.exchange(NO_HOST_LIT_MS / 1000)
    assert chip.leds == ALL_DARK
    chip.exchange((NO_HOST_PERIOD_MS - NO_HOST_LIT_MS) / 1000)
    assert chip.leds == NO_HOST


def test_a_full_picture_is_acknowledged_within_twenty_milliseconds(chip: Chip) -> None:
    host = ChipHost(chip, slice_s=0.0002)
    host.connect()
    for seed in range(5):
        began = host.now
        show(host, picture(seed, brightest=19))
        assert host.now - began < 0.020
