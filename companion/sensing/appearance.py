"""Which piece has this colour: the colours of the box, and what they have looked like at this table.

A colour is seen shaded by an unknown amount, and glare or haze lies over it; both are tried. At first the box's
printed colours are expected; every piece whose marker is read teaches how it really looks here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from companion.games.above.box import DEITY_COLOURS, TOKEN_COLOURS
from companion.sensing.colour import GAMMA, Tint
from companion.sensing.geometry import Floats

# White stickers and caps reflect this share of the light.
WHITE = 0.85
# Below this nothing is told apart from black.
BLACK = 0.004
# How the light on a miniature's base compares with that on its cap, and how likely each is: mostly less.
SHADES: tuple[tuple[float, float], ...] = ((1.3, 0.2), (0.7, 0.3), (0.35, 0.25), (0.17, 0.15), (0.08, 0.1))
# Haze and glare over everything, in parts of white.
HAZES: tuple[tuple[float, float], ...] = ((0.002, 0.35), (0.01, 0.3), (0.03, 0.2), (0.1, 0.1), (0.4, 0.05))
# How far a channel may be off what is expected: as printed, and once it was seen (natural logarithms).
PRINTED_SIGMA = 0.4
LEARNED_SIGMA = 0.3
# A token's rim, in parts of white.
PRINTED_RIM_SIGMA = 0.13
LEARNED_RIM_SIGMA = 0.08
# Looks that teach; after so many the newest count as much as all before.
TAUGHT = 12
# What is no piece at all may have any colour.
_ANY = (1.3, 1.0, 1.0)
_ANY_MEAN = -1.2
_ANY_RIM_SIGMA = 0.6


@dataclass(slots=True)
class _Lesson:
    """What was seen of one piece: the mean of its tints, and how many looks."""

    bgr: Floats
    looks: int = 1

    def add(self, tint: Floats) -> None:
        self.looks = min(self.looks + 1, TAUGHT)
        self.bgr = self.bgr + (tint - self.bgr) / self.looks


@dataclass(slots=True)
class Appearances:
    """How the pieces of a table look, as far as is known: by deity code, or by token type for rims."""

    _bodies: dict[str, _Lesson] = field(default_factory=dict)
    _rims: dict[str, _Lesson] = field(default_factory=dict)

    def learn_body(self, deity: str, tint: Tint) -> None:
        """A miniature whose marker is read looks so."""
        _learn(self._bodies, deity, tint)

    def learn_rim(self, token: str, tint: Tint) -> None:
        """A token whose marker is read has such a rim."""
        _learn(self._rims, token, tint)

    def bodies(self, tint: Tint, deities: Iterable[str]) -> dict[str, float]:
        """By deity, how much likelier its body looks so than anything else does."""
        seen = np.array(tint.bgr)
        other = _anything(seen)
        likely = {}
        for deity in deities:
            lesson = self._bodies.get(deity)
            if lesson is None:
                likely[deity] = _body_likelihood(
                    seen, tint.sigma, _albedo(DEITY_COLOURS[deity]), PRINTED_SIGMA
                )
            else:
                # What was seen has its shade in it already; another place has another one.
                likely[deity] = _body_likelihood(seen, tint.sigma, lesson.bgr / 0.6, LEARNED_SIGMA)
        return {deity: value / other for deity, value in likely.items()}

    def rims(self, tint: Tint, tokens: Iterable[str]) -> dict[str, float]:
        """By token type, how much likelier its rim looks so than anything else does."""
        seen = _against_green(np.array(tint.bgr))
        other = _normal(seen, np.zeros(2), math.hypot(_ANY_RIM_SIGMA, tint.sigma))
        likely = {}
        for token in tokens:
            lesson = self._rims.get(token)
            expected = face_colour(token) if lesson is None else lesson.bgr
            known = PRINTED_RIM_SIGMA if lesson is None else LEARNED_RIM_SIGMA
            likely[token] = _normal(seen, _against_green(expected), math.hypot(known, tint.sigma))
        return {token: value / other for token, value in likely.items()}


def face_colour(token: str) -> Floats:
    """The printed colour (3,) of a type of token, in parts of white."""
    return _albedo(TOKEN_COLOURS[token])


def _learn(lessons: dict[str, _Lesson], name: str, tint: Tint) -> None:
    seen = np.array(tint.bgr)
    if name in lessons:
        lessons[name].add(seen)
    else:
        lessons[name] = _Lesson(seen)


def _albedo(colour: tuple[int, int, int]) -> Floats:
    """A printed colour (sRGB) against white, (blue, green, red)."""
    return np.asarray((np.array(colour[::-1]) / 255.0) ** GAMMA / WHITE, dtype=np.float64)


def _against_green(bgr: Floats) -> Floats:
    """Red and blue over green: what haze over everything leaves as it is."""
    return np.array([bgr[2] - bgr[1], bgr[0] - bgr[1]])


def _normal(seen: Floats, expected: Floats, sigma: float) -> float:
    off = float(((seen - expected) ** 2).sum()) / (2 * sigma * sigma)
    return math.exp(-min(off, 700.0)) / (2 * math.pi * sigma * sigma)


def _body_likelihood(seen: Floats, noise: float, albedo: Floats, sigma: float) -> float:
    """How likely, per logarithm of each channel, a body of this colour is seen so in some shade and haze."""
    logs = np.log(np.maximum(seen, 0.0) + BLACK)
    shades, hazes, shares = _lights()
    expected = (shades * albedo + hazes) / (1 + hazes) + BLACK
    spread = np.hypot(sigma, noise / expected)
    off = (logs - np.log(expected)) / spread
    exponents = np.minimum(0.5 * (off * off).sum(axis=1), 700.0)
    densities = np.exp(-exponents) / (spread.prod(axis=1) * (2 * math.pi) ** 1.5)
    return float(shares @ densities)


@cache
def _lights() -> tuple[Floats, Floats, Floats]:
    """Every shade (n, 1) with every haze (n, 1), and how much of the time (n,) it is so."""
    both = [(shade, haze, often * at_times) for shade, often in SHADES for haze, at_times in HAZES]
    shades, hazes, shares = np.array(both).T
    return shades[:, None], hazes[:, None], shares


def _anything(seen: Floats) -> float:
    """The same of what has no colour of its own."""
    blue, green, red = np.log(np.maximum(seen, 0.0) + BLACK)
    values = ((blue + green + red) / 3 - _ANY_MEAN, red - green, blue - green)
    return math.prod(
        math.exp(-min(0.5 * (value / spread) ** 2, 60.0)) / (spread * math.sqrt(2 * math.pi))
        for value, spread in zip(values, _ANY, strict=True)
    )


def strongest(likely: Mapping[str, float]) -> str:
    """The name that fits best."""
    return max(likely, key=lambda name: likely[name])
