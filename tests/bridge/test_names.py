"""What people call the parts of the board."""

from __future__ import annotations

import pytest

from firmware_bridge.names import LED_NAMES, axis_name, axis_trouble, led_name, reed_name
from firmware_bridge.protocol import LEDS, AxisFault, AxisState, AxisStatus, Knowledge


def test_names_of_switches_and_lights() -> None:
    assert [reed_name(n) for n in (0, 5, 6, 95, 96)] == ["a1", "a6", "b1", "p6", "top"]
    assert [led_name(n) for n in (0, 96, 97, 104)] == ["a1", "top", "seat 1", "seat 8"]
    assert len(LED_NAMES) == LEDS


def test_names_of_axes() -> None:
    assert (axis_name(0), axis_name(3), axis_name(9)) == ("axis 0 (X)", "axis 3 (E0)", "axis 9")


@pytest.mark.parametrize("fault", AxisFault)
def test_every_fault_of_an_axis_has_its_own_remedy(fault: AxisFault) -> None:
    def said(fault: AxisFault) -> str:
        return axis_trouble(AxisStatus(0, AxisState.FAILED, Knowledge.UNKNOWN, fault, 0, 0))

    others = [said(other) for other in AxisFault if other is not fault]
    assert said(fault) not in others
    assert bool(said(fault)) is (fault is not AxisFault.NONE)
