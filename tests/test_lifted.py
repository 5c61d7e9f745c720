"""A miniature is lifted: from its switch to the lights and the page, while the hand is still in the picture."""

from __future__ import annotations

import asyncio

from companion.games.above.box import led_index
from companion.referee.verdict import Kind, Mark
from companion.sensing.reading import Reading
from companion.signals.lights import MARK_LAMPS
from tests.test_fittings import InRoom, Room, in_room  # noqa: F401


def test_the_legal_targets_light_up_while_the_miniature_is_in_the_air(in_room: InRoom) -> None:  # noqa: F811
    async def test(room: Room) -> None:
        standing = frozenset(space for space in room.top.minis.values() if space is not None)
        room.table.take_switches(standing)
        await room.look(2)
        room.table.take_switches(standing - {"a1"})
        for n in range(8):
            room.table.take_reading(Reading(1.0 + n / 15, moving=True))
            await asyncio.sleep(1 / 15)
        verdict = room.table.verdict
        assert verdict.kind is Kind.LIFTED
        green = MARK_LAMPS[Mark.TARGET].colour
        lit = {n for n, pixel in enumerate(room.strip.shown[-1]) if pixel == green}
        assert lit == {led_index("a2"), led_index("b1"), led_index("p1")}
        shown = room.hub.latest.verdict
        assert shown is not None
        assert {(mark.space, mark.mark) for mark in shown.marks} == {
            (s, "target") for s in ("a2", "b1", "p1")
        }
        room.table.take_switches(standing)
        room.table.take_reading(Reading(2.0, moving=True))
        assert room.table.verdict.kind == Kind.READY
        assert not any(pixel == green for pixel in room.strip.shown[-1])

    in_room(test)
