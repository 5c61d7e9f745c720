"""Which pins are named, and what cannot be."""

from __future__ import annotations

import pytest

from companion.signals.pins.plan import REFERENCE, Part, PinPlan, PinPlanError


@pytest.mark.parametrize("said", ["none", "", {}, "  None "])
def test_nothing_is_claimed_that_is_not_named(said: object) -> None:
    assert PinPlan.parse(said).numbers == {}
    assert not PinPlan.parse(said).simulated


def test_the_reference_wiring_is_named_by_one_word() -> None:
    assert PinPlan.parse("reference").numbers == REFERENCE
    assert len(set(REFERENCE.values())) == len(Part)
    simulated = PinPlan.parse("simulated")
    assert (simulated.numbers, simulated.simulated) == (REFERENCE, True)


@pytest.mark.parametrize(
    "said",
    ["green=17, red=27,yes=5", {"green": 17, "red": 27, "yes": 5}, {"green": "17", "red": "27", "yes": "5"}],
)
def test_single_parts_are_named_with_their_pins(said: object) -> None:
    plan = PinPlan.parse(said)
    assert plan.numbers == {Part.GREEN: 17, Part.RED: 27, Part.YES: 5}
    assert plan.emergency_opens
    assert PinPlan.parse(plan) is plan


def test_an_emergency_button_that_closes_and_simulated_parts_can_be_said() -> None:
    plan = PinPlan.parse({"emergency": 19, "emergency_opens": False, "simulated": True})
    assert (plan.emergency_opens, plan.simulated) == (False, True)
    assert not PinPlan.parse("emergency=19,emergency_opens=false").emergency_opens
    assert PinPlan.parse(" { green = 17, yes = 5 } ") == PinPlan.parse({"green": 17, "yes": 5})


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ("gren=17", 'no part "gren" on the pins; did you mean "green"'),
        ("trumpet=17", r'no part "trumpet" on the pins; known are green, red, amber'),
        ("{ green = 99 }", "pin of green cannot be 99; the header"),
        ("{green=", r'no part "{green"'),
        ("green=x", "pin of green cannot be 'x'; it is a BCM number"),
        ({"green": 17.0}, "pin of green cannot be 17.0"),
        ({"green": True}, "pin of green cannot be True"),
        ("green=1", "pin of green cannot be 1; the header has the BCM numbers 2 to 27"),
        ("green=28", "cannot be 28"),
        ("green=17,red=17", "GPIO 17 is given to both green and red"),
        ("green=17,green=18", 'Pins name "green" twice'),
        ("green", 'Pins cannot be "green": use "none", "reference", "simulated"'),
        (17, "Pins cannot be 17"),
        ({"emergency": 19, "emergency_opens": "perhaps"}, "emergency_opens cannot be 'perhaps'"),
    ],
)
def test_a_mistake_is_named(said: object, complaint: str) -> None:
    with pytest.raises(PinPlanError, match=complaint):
        PinPlan.parse(said)
