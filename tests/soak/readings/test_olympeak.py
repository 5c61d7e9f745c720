"""True readings of OlymPeak tell no more than pictures of the same table would."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from companion.games.olympeak.deck_file import default_box
from companion.sensing.frames import Frame
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.olympeak.sight import OlympeakSight
from companion.soak.readings.olympeak import TrueOlympeak
from companion.tables.kit import Company
from companion.tables.olympeak.simulated import SimulatedOlympeak
from companion.virtual.faults import Fault
from companion.virtual.olympeak.columns import lay_card
from companion.virtual.olympeak.layout import lay_in_zone
from companion.virtual.olympeak.picture import CardPicture
from companion.virtual.snapshot import HandPose


class Watched:
    """One table with cards in columns and zones, read by pictures and by true readings."""

    def __init__(self, players: int, seed: int) -> None:
        self.table = SimulatedOlympeak(default_box(), Company(players, seed, lambda: 0.0, lambda: ()))
        self.scene = self.table.scene
        cards = sorted(self.scene.box.card_ids)
        for number, thing in enumerate(self.scene.things("contender")):
            lay_card(self.scene, cards[2 * number], thing.what, 1)
            lay_card(self.scene, cards[2 * number + 1], thing.what, 2)
        for seat in range(players):
            lay_in_zone(self.scene, cards[-1 - seat], seat, face_up=seat % 2 == 0)
        self._picture = CardPicture.of(self.scene)
        self._sight, self._true = OlympeakSight(), TrueOlympeak(self.table)
        self._number = 0

    def frames(self, count: int) -> Iterator[tuple[OlympeakReading, OlympeakReading]]:
        """By pictures and by true readings, so many frames from now on."""
        for _ in range(count):
            self._number += 1
            at = self._number / 15
            image = self._picture.expose(self.scene.snapshot())
            yield (
                self._sight.process(Frame(image, at, self._number)),
                self._true.process(Frame(np.zeros((2, 2, 3), np.uint8), at, self._number)),
            )


def reaching_to(x: float, y: float) -> HandPose:
    """A hand whose finger tips are there, from the nearer side of the table."""
    return HandPose((x, y, 40.0), (x, y + (380.0 if y > 0 else -380.0), 95.0))


def told(reading: OlympeakReading) -> set[tuple[object, ...]]:
    """What is seen, and where."""
    cards = {("column", one.contender, one.row, one.card) for one in reading.columns}
    zones = {("reveal", one.seat, one.card) for one in reading.reveal}
    cubes = {("cube", one.contender, one.place) for one in reading.cubes}
    row = {("contender", one) for one in reading.contenders}
    return cards | zones | cubes | row | {("discard", reading.discard_top), ("round", reading.round_marker)}


@pytest.mark.parametrize(("players", "seed"), [(2, 5), (4, 6)])
def test_readings_hide_at_least_what_pictures_hide(players: int, seed: int) -> None:
    here = Watched(players, seed)
    over_a_zone = reaching_to(*here.scene.table.reveal_centres_mm[1])
    hid = []
    for lingers, hand in [(False, None), (True, None), (False, None), (False, over_a_zone), (False, None)]:
        here.table.set_fault(Fault.HAND_LINGERS, lingers)
        here.scene.show_hand("seat 0", hand)
        *_, (pictured, true) = here.frames(7)
        hid.append(true.hidden)
        assert not pictured.moving and not true.moving
        assert not pictured.hands_beside and not true.hands_beside
        assert pictured.hidden <= true.hidden
        assert told(true) <= told(pictured)
        assert len(told(true)) >= 0.8 * len(told(pictured))
    assert hid[0] == hid[2] == hid[4]
    assert any(part.startswith("column") for part in hid[1] - hid[0])
    assert "reveal 1" in hid[3] - hid[0]


def test_a_hand_that_moves_over_something_is_motion() -> None:
    here = Watched(2, 5)
    list(here.frames(6))
    x, y = here.scene.table.reveal_centres_mm[1]
    for away in range(3):
        here.scene.show_hand("seat 0", reaching_to(x + 20.0 * away, y))
        ((pictured, true),) = here.frames(1)
        assert pictured.moving and true.moving


def test_a_hands_edge_over_a_print_hides_the_part_it_lies_in() -> None:
    here = Watched(2, 5)
    *_, (_, clear) = here.frames(6)
    hidden_prints = [0, 0]
    for card in clear.columns:
        x, y, _ = card.xyz_mm
        for beside in (-40.0, -30.0, -20.0):
            here.scene.show_hand("seat 0", HandPose((x + beside, y, 40.0), (x + beside - 380.0, y, 95.0)))
            *_, readings = here.frames(7)
            for n, reading in enumerate(readings):
                if card.card not in {one.card for one in reading.columns}:
                    hidden_prints[n] += 1
                    assert f"column {card.contender}" in reading.hidden
        here.scene.show_hand("seat 0", None)
        list(here.frames(6))
    assert all(hidden_prints)
