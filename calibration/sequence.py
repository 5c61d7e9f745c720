"""All steps of the calibration in the order in which they build on each other."""

from __future__ import annotations

from calibration.step import Step
from calibration.steps.camera import CameraStep
from calibration.steps.lights import LightsStep
from calibration.steps.reeds import ReedsStep
from calibration.steps.rings import RingsStep
from calibration.steps.scoreboard import ScoreboardStep


def all_steps(source: str | None = None, *, assemble: bool = True) -> tuple[Step, ...]:
    """The steps of a whole table. `source`: the setting that named the camera; `assemble`: help with laying the rings."""
    return (
        CameraStep(source=source),
        RingsStep(assemble=assemble),
        LightsStep(),
        ReedsStep(),
        ScoreboardStep(),
    )
