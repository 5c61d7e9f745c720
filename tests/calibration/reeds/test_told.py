"""What was learnt of the switches as it is judged and kept."""

from __future__ import annotations

from datetime import UTC, datetime

from calibration.gate import Judgement, passes
from calibration.reeds.learner import Learnt
from calibration.reeds.pattern import Pattern
from calibration.reeds.told import MOST_OPEN, bad_switches, judged, reeds_profile
from calibration.wiring_profile import SPACES, SwitchFault

AT = datetime(2026, 1, 1, tzinfo=UTC)


def learnt(**changes: object) -> Learnt:
    """All switches as drawn, but for the changes."""
    known: dict[str, object] = {
        "switches": {space: n for n, space in enumerate(SPACES)},
        "dead": (),
        "stuck": (),
        "weak": (),
        "doubled": (),
        "lost": (),
        "open": (),
        "pattern": Pattern({}, {}),
    }
    return Learnt(**known | changes)  # type: ignore[arg-type]


def judgements(
    found: Learnt, no_diode: tuple[str, ...] = (), untried: tuple[str, ...] | None = ()
) -> dict[str, Judgement]:
    findings = judged(found, bad_switches(found, no_diode), len(SPACES), untried)
    return {finding.what: finding.judgement for finding in findings if not finding.good}


def test_a_good_board_has_nothing_to_be_said() -> None:
    assert judgements(learnt()) == {}


def test_a_column_that_is_dead_as_a_whole_is_refused_with_the_reason() -> None:
    found = learnt(dead=SPACES[12:24])
    findings = judged(found, bad_switches(found, ()), len(SPACES), ())
    assert not passes(findings)
    assert findings[0].seen == "12 of 97"
    assert "matrix' cable" in findings[0].advice
    assert "c1, c2" in findings[1].what and findings[1].what.endswith("more")


def test_single_bad_switches_are_kept_and_named_with_what_to_do() -> None:
    found = learnt(dead=("a1",), stuck=("b2",), weak=("c3",), doubled=(("d4", "e4"),), lost=(40,))
    told = judgements(found, ("f5",), None)
    assert set(told.values()) == {Judgement.DOUBTFUL}
    assert {"dead: a1", "stuck: b2", "weak: c3", "doubled: e4 (by d4)", "ghosting: f5", "diodes"} <= set(told)
    assert "stuck, and nobody knows where: matrix 40" in told


def test_spaces_that_were_left_out_are_named_and_too_many_are_refused() -> None:
    few, many = SPACES[:MOST_OPEN], SPACES[: MOST_OPEN + 1]
    assert judgements(learnt(open=few)) == {f"not tried: {', '.join(few[:5])} and 3 more": Judgement.DOUBTFUL}
    assert list(judgements(learnt(open=many)).values()) == [Judgement.BAD]


def test_switches_that_were_not_looked_at_keep_what_was_known_of_them() -> None:
    first = learnt(dead=("a1",), weak=("b2",))
    before = reeds_profile(first, bad_switches(first, ()), None, AT, "first")
    second = learnt(switches={"a1": 5}, open=SPACES[1:])
    after = reeds_profile(second, bad_switches(second, ()), before, AT, "second")
    # What was thought to be a6's switch was a1's: nobody knows now which is a6's.
    assert after.distrusted == {"a6", "b2"}
    assert after.spaces[5] == "a1"
    assert after.trust("a1") == 1.0
    assert after.bad[0].fault is SwitchFault.WEAK
