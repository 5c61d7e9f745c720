"""Six ladders of worse and worse pictures of one table, five steps each, and what a detector makes of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.sensing.frames import Image
from companion.sensing.markers import Marker
from tests.sensing.shots import Exposure, RenderedAbove, Shot, viewpoint

STEPS = 5
LADDERS = ("blur", "noise", "dim", "glare", "small", "tilt")
# A print is found if its middle is this near to its true place, in sides.
NEAR_SIDES = 0.25

_BLUR_PX = (0.9, 1.3, 1.7, 2.1, 2.5)
_SHAKE_PX = (3.0, 4.5, 6.0, 7.5, 9.0)
_PHOTONS = (15.0, 10.0, 7.0, 4.5, 3.0)
_LEVEL = (0.2, 0.08, 0.035, 0.016, 0.008)
_GLARE = (8, 16, 28, 44, 64)
_AWAY = (1.25, 1.5, 1.8, 2.1, 2.4)
_TILT_DEG = (12.0, 24.0, 35.0, 45.0, 54.0)


@dataclass(frozen=True, eq=False, slots=True)
class Rung:
    """One picture of a ladder, with its truth."""

    ladder: str
    step: int
    image: Image
    shot: Shot


def rungs(table: RenderedAbove, seed: int, ladders: Iterable[str] = LADDERS) -> Iterator[Rung]:
    """The pictures of some ladders, from the first step to the last."""
    plain = table.shot()
    for ladder in ladders:
        for step in range(1, STEPS + 1):
            shot = plain
            n, exposure = step - 1, Exposure()
            if ladder == "blur":
                # Out of focus, or shaken.
                shaken = Exposure(shake_px=_SHAKE_PX[n], shake_deg=37.0 * seed)
                exposure = shaken if seed % 2 else Exposure(focus_px=_BLUR_PX[n])
            elif ladder == "noise":
                exposure = Exposure(photons=_PHOTONS[n], read=0.004)
            elif ladder == "dim":
                exposure = Exposure(level=_LEVEL[n])
            elif ladder == "glare":
                exposure = Exposure(glare=_GLARE[n])
            elif ladder == "small":
                shot = table.shot(viewpoint(table.plain, away=_AWAY[n]))
            else:
                shot = table.shot(
                    viewpoint(table.plain, tilt_deg=_TILT_DEG[n], towards_deg=250.0 + 40.0 * seed)
                )
            yield Rung(ladder, step, shot.taken(exposure, 100 * seed + step), shot)


@dataclass(frozen=True, slots=True)
class Score:
    """How many of the prints to be seen were found, and how many things were found that are not there."""

    found: int
    of: int
    wrong: int

    def __add__(self, other: Score) -> Score:
        return Score(self.found + other.found, self.of + other.of, self.wrong + other.wrong)


def score(shot: Shot, markers: Iterable[Marker], ids: frozenset[int]) -> Score:
    """What detections are worth against the truth; only those of some ids count.

    A print that is partly covered need not be found. Found, it must be the right one.
    """
    found: set[int] = set()
    wrong = 0
    truth = {one.id: one for one in shot.prints}
    for marker in markers:
        if marker.id not in ids:
            continue
        true = truth.get(marker.id)
        if true is None or math.dist(true.centre, marker.centre) > NEAR_SIDES * true.side_px:
            wrong += 1
        else:
            found.add(marker.id)
    clear = {one.id for one in shot.prints if one.clear}
    return Score(len(found & clear), len(clear), wrong)
