"""What was learnt of the switches, judged and in plain words: which are bad, why, and what to do about it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from calibration.gate import Finding, Judgement, held
from calibration.places import named
from calibration.profile_base import Measured
from calibration.reeds.learner import Learnt
from calibration.wiring_profile import SPACES, TRUST, BadSwitch, ReedsProfile, SwitchFault
from firmware_bridge.protocol import REEDS

# A game goes on without so many switches; with more, something else is wrong than single ones.
MOST_BAD = 8
# So many spaces may be left out when somebody says that it is enough.
MOST_OPEN = 8

ADVICE = {
    SwitchFault.DEAD: "its switch never closes: look whether it is broken or unsoldered, and whether the diode is the "
    "right way round; try it with a magnet from below",
    SwitchFault.STUCK: "its switch never opens: look for a bare wire or a magnet that was left lying; else change it",
    SwitchFault.WEAK: "its switch flickers under a resting magnet: push it nearer to the middle of the space, solder "
    "its wires anew",
    SwitchFault.DOUBLED: "closes when a magnet stands on the space beside it: push the switch further away from there",
    SwitchFault.GHOSTING: "its diode is missing or shorted: others look closed when three pieces stand in a rectangle",
}


def bad_switches(learnt: Learnt, no_diode: Collection[str]) -> tuple[BadSwitch, ...]:
    """Every switch that cannot be believed as others can."""
    plain = {
        SwitchFault.DEAD: learnt.dead,
        SwitchFault.STUCK: learnt.stuck,
        SwitchFault.WEAK: learnt.weak,
        SwitchFault.GHOSTING: tuple(no_diode),
    }
    bad = [
        BadSwitch(space=space, fault=fault, trust=TRUST[fault])
        for fault, spaces in plain.items()
        for space in spaces
    ]
    bad += [
        BadSwitch(space=other, fault=SwitchFault.DOUBLED, trust=TRUST[SwitchFault.DOUBLED], also=space)
        for space, other in learnt.doubled
    ]
    return tuple(sorted(bad, key=lambda each: (SPACES.index(each.space), each.fault)))


def reeds_profile(
    learnt: Learnt, bad: Sequence[BadSwitch], before: ReedsProfile | None, at: datetime, how: str
) -> ReedsProfile:
    """The switches as they are kept; of spaces that were not looked at, what was known `before` stays."""
    looked_at = {*learnt.switches, *learnt.dead, *learnt.stuck}
    spaces = [""] * REEDS
    for number, space in enumerate(before.spaces if before is not None else ()):
        if space not in looked_at:
            spaces[number] = space
    for space, number in learnt.switches.items():
        spaces[number] = space
    old = () if before is None else tuple(each for each in before.bad if each.space not in looked_at)
    return ReedsProfile(measured=Measured(at=at, how=how), spaces=tuple(spaces), bad=(*old, *bad))


def judged(
    learnt: Learnt, bad: Sequence[BadSwitch], count: int, untried: Collection[str] | None
) -> tuple[Finding, ...]:
    """The findings. `count`: spaces that were to be learnt; `untried`: those whose diode was not, None if none was."""
    wrong = {each.space for each in bad}
    findings = [
        held(
            "switches that cannot be believed",
            f"{len(wrong)} of {count}",
            f"{MOST_BAD} at most",
            good=not wrong,
            bearable=len(wrong) <= MOST_BAD,
            advice="a game goes on without them; a column or ring that is bad as a whole has a broken wire"
            if len(wrong) <= MOST_BAD
            else "that many are not single faults: look at the matrix' cable, at the plugs' order and the diodes",
        )
    ]
    for fault in SwitchFault:
        spaces = [each for each in bad if each.fault is fault]
        if spaces:
            findings.append(
                Finding(
                    f"{fault.value}: {named([_said(each) for each in spaces], MOST_BAD)}",
                    f"{len(spaces)}",
                    "none",
                    Judgement.DOUBTFUL,
                    ADVICE[fault],
                )
            )
    if learnt.lost:
        findings.append(
            Finding(
                f"stuck, and nobody knows where: matrix {named([str(n) for n in learnt.lost])}",
                f"{len(learnt.lost)}",
                "none",
                Judgement.DOUBTFUL,
                "a switch that never opens; it is not believed",
            )
        )
    if learnt.open:
        findings.append(
            held(
                f"not tried: {named(learnt.open)}",
                f"{len(learnt.open)}",
                f"{MOST_OPEN} at most",
                good=False,
                bearable=len(learnt.open) <= MOST_OPEN,
                advice="put a miniature on each of them, too: calibrate reeds --only "
                + " --only ".join(learnt.open[:2]),
            )
        )
    if untried is None or untried:
        findings.append(
            Finding(
                "diodes",
                "not tried" if untried is None else f"not tried at {named(untried)}",
                "all tried",
                Judgement.DOUBTFUL,
                "without it nobody knows whether three pieces in a rectangle make a fourth look closed",
            )
        )
    return tuple(findings)


def _said(bad: BadSwitch) -> str:
    return bad.space if bad.also is None else f"{bad.space} (by {bad.also})"
