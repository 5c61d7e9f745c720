"""What can go wrong at the simulated table, by name. Set from tests or while it runs."""

from __future__ import annotations

from enum import Enum


class Fault(Enum):
    """One thing out of order."""

    CAMERA_GONE = "camera_gone"  # unplugged: opening and reading raise CameraAbsent
    FRAME_STALE = "frame_stale"  # the driver hands out the same old picture again and again
    FRAME_BLACK = "frame_black"  # exposure never settles: black pictures
    GLARE = "glare"  # a lamp mirrors in the print and burns a patch out
    HAND_LINGERS = "hand_lingers"  # an arm rests over the board
    FRAME_MARKER_COVERED = "frame_marker_covered"  # a mug stands on a corner marker
    FRAME_MARKER_BUMPED = "frame_marker_bumped"  # a sleeve has pushed a corner marker of the table aside
    CAMERA_BUMPED = "camera_bumped"  # somebody knocked against the camera's arm
    RING_SLIPS = "ring_slips"  # one ring of the board turns on its pads, with all that stands on it
    BOARD_TURNED = "board_turned"  # the whole board was pushed and turned on the table
    REED_STUCK = "reed_stuck"  # one reed switch is welded closed
    REED_OPEN = "reed_open"  # one reed switch never closes
    REED_WEAK = "reed_weak"  # one magnet is weak: its switch flickers
    REED_DEAD = "reed_dead"  # no reed switch closes any more
    LIGHTS_OUT = "lights_out"  # somebody turned the lamp down: dim and noisy
