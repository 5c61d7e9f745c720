"""Readings of the simulated table of Above as it truly lies, as far as its camera can see it."""

from __future__ import annotations

from dataclasses import replace

from companion.sensing.frames import Frame
from companion.sensing.reading import Reading
from companion.soak.readings.arms import Arms
from companion.soak.readings.camera import BlankCamera
from companion.soak.readings.view import View
from companion.tables.above.simulated import SimulatedAbove
from companion.virtual.faults import Fault
from companion.virtual.piece import Piece
from companion.virtual.scene import FALLEN_DEG
from companion.virtual.snapshot import HandPose


class TrueAbove(BlankCamera):
    """Camera and eyes in one: its readings are true, and tell no more than pictures would."""

    def __init__(self, table: SimulatedAbove) -> None:
        super().__init__(lambda: table.people.now)
        self._table = table
        self._arms = Arms()
        self._view: View | None = None
        # What was last read of what, as long as it lies so.
        self._shown: tuple[tuple[View, tuple[Piece, ...], frozenset[HandPose]], Reading] | None = None

    def process(self, frame: Frame) -> Reading:
        """What can be seen there now."""
        scene, arms = self._table.scene, self._arms
        shot = scene.snapshot()
        optics = shot.optics
        if Fault.FRAME_BLACK in shot.faults:
            self._arms = Arms()
            return Reading(frame.exposed_at, frame="the picture is black")
        arms.see(shot.hands, shot.faults)
        view = self._view
        if view is None or not view.is_of(optics, shot.rings):
            view = self._view = View(optics, shot.rings, scene.table)
        if arms.is_first or any(view.is_over_board(hand) for hand in arms.restless):
            return Reading(frame.exposed_at, moving=True)
        reach = arms.cover(arms.restless, optics)
        if view.is_reached(reach):
            return Reading(frame.exposed_at, moving=True)
        lying = tuple(one for one in shot.pieces.values() if not one.held and one.pose.tilt <= FALLEN_DEG)
        shows = (view, lying, arms.all)
        if self._shown is None or self._shown[0] != shows:
            self._shown = shows, view.reading(lying, arms.cover(arms.all, optics) if arms.all else None)
        beside = arms.moving and bool(reach.any())
        return replace(self._shown[1], exposed_at=frame.exposed_at, hands_beside=beside)
