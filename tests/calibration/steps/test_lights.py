"""The lights at a simulated table that was wired wrongly: the camera tells which shines where."""

from __future__ import annotations

from calibration.simulated import SimulatedTable
from calibration.steps.lights import LightsStep
from calibration.wiring_profile import LIGHTS
from companion.virtual.faults import Fault
from firmware_bridge.names import LED_NAMES
from firmware_bridge.virtual_wiring import Wiring
from tests.calibration.wired_run import WiredRun

SMALL = (768, 432)


def columns_swapped(one: str, other: str) -> tuple[int, ...]:
    """The strip with two columns exchanged, by place."""
    order = list(range(len(LIGHTS)))
    for ring in range(1, 7):
        first, second = LED_NAMES[f"{one}{ring}"], LED_NAMES[f"{other}{ring}"]
        order[first], order[second] = second, first
    return tuple(order)


def test_a_strip_with_swapped_columns_and_colours_is_learnt_and_its_bad_lights_are_named() -> None:
    wiring = Wiring(
        leds=columns_swapped("c", "k"),
        channels=(1, 0, 2),
        dark_leds=frozenset({LED_NAMES["f2"]}),
        weak_leds=frozenset({LED_NAMES["n4"]}),
    )
    run = WiredRun(LightsStep(), wiring, size=SMALL)
    assert run.complete
    lights = run.profile.lights
    assert lights is not None
    for place, position in enumerate(wiring.leds):
        assert lights.places[position] == ("" if LIGHTS[place] == "f2" else LIGHTS[place])
    assert (lights.channels, lights.dark, lights.weak) == ("grb", ("f2",), ("n4",))
    assert "columns c and k are swapped" in run.outcome.summary
    assert "sent red they show green" in run.outcome.summary
    assert "solder" in run.findings["lights of the board that were not seen"]
    # What is shown from then on shines where it should, in its colour.
    shown = [(0, 0, 0)] * len(LIGHTS)
    shown[LED_NAMES["c3"]] = (200, 10, 30)
    assert wiring.lit(lights.sent(shown))[LED_NAMES["c3"]] == (200, 10, 30)
    # Without questions, in a quarter of a minute.
    assert run.clock < 15


def test_lights_that_glare_hides_are_not_called_dead_but_refused() -> None:
    run = WiredRun(
        LightsStep(),
        Wiring(leds=tuple(reversed(range(len(LIGHTS))))),
        size=SMALL,
        prepare=lambda table: table.scene.set_fault(Fault.GLARE),
    )
    assert not run.complete
    assert run.profile.lights is None
    (glare,) = [what for what in run.findings if what.startswith("glare hides")]
    assert "b4" in glare
    assert "turn the lamp away" in run.findings[glare]
    assert "the strip runs the other way" in run.outcome.summary


def test_a_strip_without_supply_is_said_to_be_just_that() -> None:
    run = WiredRun(LightsStep(), Wiring(dark_leds=frozenset(range(len(LIGHTS)))), size=SMALL)
    assert not run.complete
    assert "The camera sees no light at all. Is the strip supplied with 5 V" in run.trouble


def test_a_table_whose_frame_cannot_be_seen_is_said() -> None:
    def away(table: SimulatedTable) -> None:
        table.scene.set_fault(Fault.FRAME_BLACK)

    run = WiredRun(LightsStep(), Wiring(), size=SMALL, prepare=away)
    assert not run.complete
    assert "The board cannot be found" in run.trouble
