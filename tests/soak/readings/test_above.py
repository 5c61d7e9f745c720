"""True readings of Above tell no more than pictures of the same table would."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from companion.games.above.box import Table
from companion.sensing.frames import Frame
from companion.sensing.reading import Reading
from companion.sensing.sight import Sight
from companion.soak.readings.above import TrueAbove
from companion.tables.above.simulated import SimulatedAbove
from companion.tables.kit import Company
from companion.virtual.faults import Fault
from companion.virtual.picture import Picture
from companion.virtual.snapshot import HandPose

BESIDE = HandPose((-345.0, 20.0, 70.0), (-725.0, 20.0, 95.0))
OVER_A_CARD = HandPose((300.0, 100.0, 40.0), (680.0, 100.0, 95.0))


class Watched:
    """One table, read by pictures and by true readings."""

    def __init__(self, players: int, seed: int) -> None:
        self.table = SimulatedAbove(Table(), Company(players, seed, lambda: 0.0, lambda: ()))
        self._picture = Picture(None, Table())
        self._sight, self._true = Sight(), TrueAbove(self.table)
        self._number = 0

    def frames(self, count: int) -> Iterator[tuple[Reading, Reading]]:
        """By pictures and by true readings, so many frames from now on."""
        for _ in range(count):
            self._number += 1
            at = self._number / 15
            image = self._picture.expose(self.table.scene.snapshot())
            yield (
                self._sight.process(Frame(image, at, self._number)),
                self._true.process(Frame(np.zeros((2, 2, 3), np.uint8), at, self._number)),
            )


def told(reading: Reading) -> set[tuple[int, str | None]]:
    """What is seen, by marker, and on which space."""
    minis, tokens = ({(one.marker, one.space) for one in some} for some in (reading.minis, reading.tokens))
    return minis | tokens | {(card.marker, None) for card in reading.cards}


@pytest.mark.parametrize(("players", "seed"), [(2, 5), (4, 6)])
def test_readings_hide_at_least_what_pictures_hide(players: int, seed: int) -> None:
    here = Watched(players, seed)
    scene, kinds = here.table.scene, []
    for lingers, hand in [(False, None), (True, None), (False, None), (False, OVER_A_CARD), (False, BESIDE)]:
        here.table.set_fault(Fault.HAND_LINGERS, lingers)
        scene.show_hand("seat 0", hand)
        *_, (pictured, true) = here.frames(6)
        kinds.append(bool(true.under_hand))
        assert not pictured.moving and not true.moving
        assert not pictured.hands_beside and not true.hands_beside
        assert pictured.hidden <= true.hidden
        assert pictured.under_hand <= true.under_hand
        assert told(true) <= told(pictured)
        assert len(told(true)) > 0.9 * len(told(pictured))
    assert kinds == [False, True, False, False, False]


def test_what_moves_over_the_board_is_motion_and_beside_it_is_not() -> None:
    here = Watched(2, 5)
    list(here.frames(6))
    for tip, beside in [(0.0, False), (-345.0, True)]:
        for away in range(3):
            here.table.scene.show_hand("seat 0", HandPose((tip, 20.0 * away, 70.0), (tip - 380.0, 0.0, 95.0)))
            ((pictured, true),) = here.frames(1)
        assert pictured.moving == true.moving != beside
        assert pictured.hands_beside == true.hands_beside == beside
        here.table.scene.show_hand("seat 0", None)
        list(here.frames(6))
