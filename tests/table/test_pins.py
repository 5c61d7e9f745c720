"""Lamps and buttons on the Pi's pins at a whole simulated table: the lamps follow, the buttons answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

from companion.games.above.position import Position
from companion.referee.game import AboveEntry
from companion.referee.journal import Journal
from companion.signals.pins.gpio import SimulatedPins
from companion.signals.pins.lamps import lamps_of
from companion.signals.pins.panel import Panel
from companion.signals.pins.plan import Part, PinPlan
from companion.soak.readings.watching import watch_by_readings
from companion.tables.catalogue import kit_for
from companion.virtual.loop import VirtualTimeLoop
from tests.referee.test_referee import START
from tests.table.running import in_virtual_time, running

# Both begin with Athena, whose turn may go on for as long as nobody says that it is over.
ATHENA = START.replace("ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap", "at/at")


def test_buttons_answer_and_lamps_follow_in_a_simulated_game(tmp_path: Path) -> None:
    made: list[SimulatedPins] = []

    def open_pins(plan: PinPlan) -> SimulatedPins:
        made.append(SimulatedPins(plan))
        return made[-1]

    def kept() -> None:
        journal = Journal(tmp_path / "journal.db", lambda: 0.0)
        AboveEntry(journal).begin(["Ada", "Ben"], Position.parse(ATHENA))
        journal.close()

    async def test(loop: VirtualTimeLoop) -> None:
        kit = kit_for("above")
        panel = Panel(PinPlan.parse("simulated"), open_pins)
        async with running(kit, 2, loop, tmp_path, seed=3, watch=watch_by_readings, panel=panel) as here:
            people, played, answered, seen = here.simulation.people, [], 0, set()
            here.simulation.table.on_played = lambda fact, _: played.append(fact)
            while not answered or people.tally.turns < 2:
                # The next player may begin without an answer: who wants to press has little time.
                await asyncio.sleep(0.1)
                assert loop.time() < 120.0, f"nothing was asked in {people.tally.turns} turns"
                verdict = here.table.verdict
                assert panel.lit == lamps_of(verdict, stopped=False)
                seen.add(verdict.kind)
                if not verdict.choices or not people.hands_away:
                    continue
                before = here.table.referee.verdict
                key = people.answer(before.choices)
                if key is not None and before.choices:
                    assert before.choices[0].key == key
                    made[-1].press(Part.YES, True)
                    await asyncio.sleep(0.2)
                    made[-1].press(Part.YES, False)
                    assert here.table.referee.verdict != before
                    answered += 1
            accepted = list(kit.accepted(here.table.referee))
            assert accepted == played[: len(accepted)]
            assert len(accepted) >= len(played) - 1 > 0
            assert len(seen) >= 3
            green = made[-1]._mock.pin(panel.plan.numbers[Part.GREEN])
            assert {state.state for state in green.states} == {0.0, 1.0}

    kept()
    in_virtual_time(test)
    assert made[-1].outputs == {}  # given back at the end
