"""The step of the switches: a miniature goes over the board, and each space finds its switch.

With a camera the miniature may be put or drawn anywhere, in any order; without one it is asked for space by space.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from calibration.bench import Bench
from calibration.board_sight import sighted
from calibration.profile import TableProfile
from calibration.reeds.asking import Asking
from calibration.reeds.felt import FeltSwitches
from calibration.reeds.ghosts import Ghosts, tokens_for
from calibration.reeds.learner import Learner, Learnt
from calibration.reeds.looking import Looking
from calibration.reeds.told import bad_switches, judged, reeds_profile
from calibration.step import Outcome, Part
from calibration.wiring_profile import SPACES
from companion.games.above.box import Table


@dataclass(frozen=True, slots=True)
class ReedsStep:
    """Learns the switches. `only`: of these spaces; `diodes`: try them, too, with tokens on the board."""

    only: tuple[str, ...] = ()
    diodes: bool = True
    table: Table = field(default_factory=Table)

    name = "reeds"
    title = "The order of the switches"
    needs = frozenset({Part.REEDS})

    @property
    def instructions(self) -> str:
        """What to do, in plain words."""
        return (
            "Take everything off the board. Then put any miniature on the lit space, and on the next; or draw it over "
            "the board in any order, with a moment's rest on each space: the page shows which are left. It takes about "
            "three minutes. Bad switches are found and named."
        )

    def measured_at(self, profile: TableProfile) -> datetime | None:
        """When the profile's switches were measured."""
        return None if profile.reeds is None else profile.reeds.measured.at

    async def measure(self, bench: Bench) -> Outcome:
        """Look at the empty board, then at every space, then at every diode."""
        known = _known(bench.profile)
        spaces = self.only or SPACES
        learner = Learner(spaces, {space: n for space, n in known.items() if space not in spaces})
        ghosts = Ghosts()
        looking: Looking | None = None
        with FeltSwitches(bench.controller) as felt:
            if bench.camera is None:
                await Asking(bench, felt, learner).run()
                tokens: tuple[str, ...] = ()
            else:
                sight, _ = await sighted(bench, self.table)
                looking = Looking(bench, felt, learner, sight, self.table)
                await looking.empty()
                await looking.learn()
                tokens = self._tokens(learner)
                if tokens:
                    await looking.diodes(ghosts, tokens)
        learnt = learner.learnt()
        home = {number: space for space, number in learnt.switches.items()}
        no_diode = [home[number] for number in ghosts.missing() if number in home]
        untried: list[str] | None = [] if self.only else None
        if tokens:
            bad = {*learnt.dead, *learnt.stuck, *learnt.weak, "top"}
            untried = [s for s, n in learnt.switches.items() if n not in ghosts.tried and s not in bad]
        outcome = _outcome(learnt, no_diode, untried, bench.profile, len(spaces))
        if looking is None:
            return outcome
        bad = {*learnt.dead, *learnt.stuck, *learnt.weak, *no_diode, *(other for _, other in learnt.doubled)}
        return replace(
            outcome, pictures=(looking.picture([s for s in learnt.switches if s not in bad], bad),)
        )

    def _tokens(self, learner: Learner) -> tuple[str, ...]:
        if not self.diodes or self.only:
            return ()
        learnt = learner.learnt()
        bad = {*learnt.dead, *learnt.stuck, *learnt.weak}
        return tokens_for({space: n for space, n in learnt.switches.items() if space not in bad})


def _known(profile: TableProfile) -> dict[str, int]:
    if profile.reeds is None:
        return {}
    return {space: number for number, space in enumerate(profile.reeds.spaces) if space}


def _outcome(
    learnt: Learnt,
    no_diode: list[str],
    untried: list[str] | None,
    profile: TableProfile,
    count: int,
) -> Outcome:
    bad = bad_switches(learnt, no_diode)
    how = f"a miniature on {count - len(learnt.open)} spaces" + ("" if untried is None else ", diodes tried")
    reeds = reeds_profile(learnt, bad, profile.reeds, datetime.now(UTC), how)

    def keep(old: TableProfile) -> TableProfile:
        return old.model_copy(update={"reeds": reeds})

    words = learnt.pattern.in_words()
    good = count - len({each.space for each in bad}) - len(learnt.open)
    summary = f"{good} of {count} switches are good" + (
        f"; {'; '.join(words)}: that is kept, nothing needs to be soldered." if words else ", wired as drawn."
    )
    return Outcome(
        summary,
        judged(learnt, bad, count, untried),
        keep,
        reeds.model_dump(mode="json", exclude_none=True),
    )
