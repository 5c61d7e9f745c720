"""The strip as it was seen: which position shines at which place, what that means in words, and what is wrong.

Lights that the camera cannot see (the seat lights, mostly) are told from those that it sees, where the strip's order
leaves only one way.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.lights.spots import Spot
from calibration.places import space_under
from calibration.wiring_profile import LIGHTS, SPACES
from companion.games.above.box import Board
from companion.sensing.geometry import CameraPose
from companion.sensing.place import BoardPrint
from firmware_bridge.names import LED_NAMES, RINGS
from firmware_bridge.protocol import LEDS

SEATS = LIGHTS[len(SPACES) :]
# A light with less than this share of what its neighbours show is weak.
WEAK_SHARE = 0.45


@dataclass(frozen=True, slots=True)
class Strip:
    """What was seen. `places`: by position on the strip, "" where nothing was seen; `channels`: the colours' order.

    `dark`: places of the board without a light; `weak`: with a weak one; `twice`: places where two lights were seen;
    `other_colours`: places whose light has its colours in another order than most; `seats_told`: the seat lights were
    not seen but follow from the order.
    """

    places: tuple[str, ...]
    channels: str
    dark: tuple[str, ...]
    weak: tuple[str, ...]
    twice: tuple[str, ...]
    other_colours: tuple[str, ...]
    seats_told: bool


def strip_of(
    found: Mapping[int, Spot],
    told: Mapping[int, str],
    pose: CameraPose,
    rings: BoardPrint,
    board: Board,
) -> Strip:
    """The strip from the spots seen and the colours they show, by position."""
    places = [""] * LEDS
    nearest: dict[str, tuple[float, int]] = {}
    twice: set[str] = set()
    for position, spot in sorted(found.items()):
        place, off = _place(spot, pose, rings, board)
        if place in nearest:
            twice.add(place)
        if place and (place not in nearest or off < nearest[place][0]):
            nearest[place] = off, position
    for place, (_, position) in nearest.items():
        places[position] = place
    seats_told = _tell_seats(places)
    kinds = Counter(told[position] for position in told if places[position])
    channels = kinds.most_common(1)[0][0] if kinds else "rgb"
    return Strip(
        tuple(places),
        channels,
        tuple(space for space in SPACES if space not in places),
        tuple(sorted(_weak(places, found), key=LIGHTS.index)),
        tuple(sorted(twice, key=LIGHTS.index)),
        tuple(places[n] for n in sorted(told) if places[n] and told[n] != channels),
        seats_told,
    )


def _place(spot: Spot, pose: CameraPose, rings: BoardPrint, board: Board) -> tuple[str, float]:
    """The place at which a spot is, and how far from its middle; "" for one that belongs to none."""
    lies = space_under(spot.at, pose, rings, board)
    if lies is not None:
        return lies.space, lies.off_mm
    x, y = (float(v) for v in pose.intersect(spot.at, 0.0)[:2])
    if math.hypot(x, y) < board.outer_radius_mm + 10:
        return "", 0.0
    # Seats are numbered clockwise from the south.
    seat = (-90.0 - math.degrees(math.atan2(y, x))) * len(SEATS) / 360.0
    return SEATS[round(seat) % len(SEATS)], 0.0


def _tell_seats(places: list[str]) -> bool:
    """Give the unseen seat lights their positions where the order leaves only one way; were there any?

    They are the strip's end; on a strip that runs the other way its beginning.
    """
    if any(place in SEATS for place in places):
        return False
    ends = (list(range(LEDS - len(SEATS), LEDS)), list(range(len(SEATS) - 1, -1, -1)))
    free = [end for end in ends if not any(places[position] for position in end)]
    if len(free) != 1:
        return False
    for seat, position in zip(SEATS, free[0], strict=True):
        places[position] = seat
    return True


def _weak(places: Sequence[str], found: Mapping[int, Spot]) -> list[str]:
    """Places whose light is much weaker than those of the spaces around."""
    levels = {places[n]: spot.levels for n, spot in found.items() if places[n] in SPACES}
    full = {places[n] for n, spot in found.items() if spot.full}
    weak = []
    for place, level in levels.items():
        around = [levels[other] for other in _neighbours(place) if other in levels]
        usual = float(np.median(around)) if len(around) >= 2 else float(np.median(list(levels.values())))
        if level < WEAK_SHARE * usual and place not in full:
            weak.append(place)
    return weak


def _neighbours(place: str) -> list[str]:
    if place == "top":
        return [space for space in SPACES if space.endswith(str(RINGS))]
    column, ring = ord(place[0]) - ord("a"), int(place[1:])
    columns = (len(SPACES) - 1) // RINGS
    return [
        f"{chr(ord('a') + (column + across) % columns)}{ring + inward}"
        for across in (-1, 0, 1)
        for inward in (-1, 0, 1)
        if (across, inward) != (0, 0) and 1 <= ring + inward <= RINGS
    ]


def broken_after(places: Sequence[str]) -> str | None:
    """The place of the last light that shines, if none at all does after it, and some should; else None."""
    lit = [n for n, place in enumerate(places) if place in SPACES]
    if not lit or len(lit) == len(SPACES):
        return None
    ends = (lit[-1], len(SPACES) - 1) if _forward(places) else (lit[-1], LEDS - 1)
    missing = len(SPACES) - len(lit)
    # All that are missing come after the last one.
    return places[lit[-1]] if ends[1] - ends[0] >= missing >= 3 and _gapless(lit) else None


def _gapless(lit: Sequence[int]) -> bool:
    return lit[-1] - lit[0] + 1 == len(lit)


def _forward(places: Sequence[str]) -> bool:
    """Does the strip run from the first column to the last, rather than back?"""
    numbers = [LED_NAMES[place] for place in places if place in SPACES]
    steps = np.diff(numbers)
    return bool((steps > 0).sum() >= (steps < 0).sum())


def in_words(strip: Strip) -> tuple[str, ...]:
    """How the strip runs otherwise than drawn, in sentences; none if it does not."""
    told = []
    if not _forward(strip.places):
        told.append("the strip runs the other way, from the last column to the first")
    swapped = _swapped_columns(strip.places)
    if swapped:
        told += [f"columns {one} and {other} are swapped" for one, other in swapped]
    if strip.channels != "rgb":
        shown = {"r": "red", "g": "green", "b": "blue"}
        told.append(
            "the lights take their colours in another order: sent red they show "
            + ", sent green ".join(shown[letter] for letter in strip.channels[:2])
        )
    elsewhere = sum(1 for n, place in enumerate(strip.places) if place in SPACES and LED_NAMES[place] != n)
    if elsewhere and not told[: 1 + len(swapped)]:
        told.append(f"{elsewhere} lights are elsewhere than drawn")
    return tuple(told)


def _swapped_columns(places: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of columns, each wired where the other is drawn, on a strip that runs as drawn."""
    if not _forward(places):
        return []
    lies: dict[str, str] = {}
    for column in range((len(SPACES) - 1) // RINGS):
        run = [places[n] for n in range(RINGS * column, RINGS * (column + 1))]
        there = Counter(place[0] for place in run if place in SPACES and place != "top")
        if there:
            lies[chr(ord("a") + column)] = there.most_common(1)[0][0]
    return [(drawn, found) for drawn, found in lies.items() if drawn < found and lies.get(found) == drawn]
