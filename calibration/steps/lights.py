"""The step of the lights: they blink, the camera looks, and nobody is asked anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from calibration.bench import Bench
from calibration.board_drawing import draw_spaces
from calibration.board_sight import BoardSight, beside_board, sighted
from calibration.evidence import Evidence
from calibration.gate import Finding, Judgement, held
from calibration.lights.code import pictures, plain
from calibration.lights.spots import BURNT, Spot, brightest, colours, differences, spots
from calibration.lights.strip import SEATS, Strip, broken_after, in_words, strip_of
from calibration.places import middle, named
from calibration.profile import TableProfile
from calibration.profile_base import Measured
from calibration.step import Advice, Outcome, Part, StepError
from calibration.wiring_profile import SPACES, LightsProfile
from companion.games.above.box import Table
from companion.sensing.frames import Frame, Image
from firmware_bridge.wire import Pixel

Pixels = NDArray[np.bool_]

# How brightly the code blinks: dim first, so that nothing is burnt out, then brighter where too little was seen.
LEVELS = (70, 200)
# The picture after the first that shows the lights is brighter by more than this if that one showed them in part.
PARTLY = 1.2
# A camera hands over pictures so old at most.
LATEST_S = 2.0
# Whatever shone before is out after so long.
DARK_S = 0.6
SEEN_LEVELS = 12.0
# With more dark places than this something else is wrong than single lights.
MOST_DARK = 6


@dataclass(frozen=True, slots=True)
class LightsStep:
    """Learns which position on the strip shines where, and in which colours."""

    table: Table = field(default_factory=Table)

    name = "lights"
    title = "The order of the lights"
    needs = frozenset({Part.CAMERA, Part.LIGHTS})
    instructions = (
        "Take all pieces and your hands off the board, and turn lamps away that shine on it. The lights blink for a few "
        "seconds and the camera looks which is where. Nothing is to be done."
    )

    def measured_at(self, profile: TableProfile) -> datetime | None:
        """When the profile's lights were measured."""
        return None if profile.lights is None else profile.lights.measured.at

    async def measure(self, bench: Bench) -> Outcome:
        """Blink the code, brighter if need be, then the three colours."""
        sight, _ = await sighted(bench, self.table)
        beside = beside_board(sight, self.table.board)
        blink = _Blink(bench, sight, beside)
        await blink.begin()
        found: dict[int, Spot] = {}
        for level in LEVELS:
            told = await blink.code(level)
            seen = await bench.work(_read, told, beside, sight)
            found = {
                **seen,
                **{n: spot for n, spot in found.items() if n not in seen or seen[n].levels < 2 * spot.levels},
            }
            if len(found) >= len(SPACES):
                break
        shown, dark = await blink.three_colours(LEVELS[0])
        reach = 2.5 * sight.px_per_mm
        channels = await bench.work(_colours, shown, dark, found, sight, reach)
        strip = strip_of(found, channels, sight.pose, sight.rings, self.table.board)
        burnt = await bench.work(_burnt, dark, strip.dark, sight, self.table)
        outcome = _outcome(strip, burnt, blink.count)
        seen_places = [place for place in strip.places if place in SPACES]
        drawn = draw_spaces(blink.whole, sight, self.table, seen_places, (*strip.dark, *strip.weak))
        return replace(outcome, pictures=(Evidence("lights seen green, missing or weak red", drawn),))


class _Blink:
    """Shows pictures on the strip and takes the camera's of them."""

    def __init__(self, bench: Bench, sight: BoardSight, beside: Pixels) -> None:
        self._bench = bench
        self._sight = sight
        self._beside = beside
        self._late_s = 0.0
        self.whole: Image = np.zeros((1, 1, 3), np.uint8)
        self.count = 0
        self._all = 2 * len(pictures(1)) + 6

    async def begin(self) -> None:
        """See whether the camera sees the lights at all, and how late."""
        dark = await self._settled(plain((0, 0, 0)), DARK_S)
        since = await self._bench.shine(plain((LEVELS[0],) * 3))
        before = 0.0
        async for frame in self._bench.frames():
            grown = await self._bench.work(_grown, dark, self._sight.crop(frame.image), self._beside)
            if before >= SEEN_LEVELS and grown < PARTLY * before:
                return
            if grown >= SEEN_LEVELS:
                # It may show them for a part of its exposure only: then the next one is brighter.
                self._late_s, before = max(0.0, frame.exposed_at - since), grown
            if frame.exposed_at - since > LATEST_S:
                break
        raise StepError(
            "The camera sees no light at all. Is the strip supplied with 5 V and its data wire at the controller? "
            "Is the camera's exposure so long that all is white? Darken the room and begin again."
        )

    async def code(self, level: int) -> list[tuple[Image, Image]]:
        """The pictures of every digit and its opposite, of the board's part."""
        taken = [await self._settled(strip) for strip in pictures(level)]
        return list(zip(taken[::2], taken[1::2], strict=True))

    async def three_colours(self, level: int) -> tuple[dict[str, Image], Image]:
        """The pictures with all lights red, green and blue, and with none."""
        shown: dict[str, Image] = {}
        for n, letter in enumerate("rgb"):
            colour: Pixel = (level if n == 0 else 0, level if n == 1 else 0, level if n == 2 else 0)
            shown[letter] = await self._settled(plain(colour))
        return shown, await self._settled(plain((0, 0, 0)))

    async def _settled(self, strip: tuple[Pixel, ...], late_s: float | None = None) -> Image:
        """The board in the first picture that shows these colours."""
        since = await self._bench.shine(strip)
        late = self._late_s if late_s is None else late_s
        async for frame in self._bench.frames():
            if frame.exposed_at - since >= late:
                self.count += 1
                self.whole = frame.image
                self._tell(frame)
                return self._sight.crop(frame.image).copy()
        raise StepError("The lights were not looked at to the end; begin again.")

    def _tell(self, frame: Frame) -> None:
        self._bench.say(
            Advice("Hands off: the lights are looked at.", min(1.0, self.count / self._all)), frame
        )


def _grown(dark: Image, lit: Image, beside: Pixels) -> float:
    """By how many levels the brightest hundredth of the board grew, however the room's light changed."""
    grown = differences([(lit, dark)], beside)[0]
    return float(np.percentile(grown[~beside], 99))


def _read(
    pairs: Sequence[tuple[Image, Image]],
    beside: Pixels,
    sight: BoardSight,
) -> dict[int, Spot]:
    return spots(differences(pairs, beside), brightest(pairs), (sight.box[0], sight.box[1]), sight.size[0])


def _colours(
    shown: Mapping[str, Image], dark: Image, found: Mapping[int, Spot], sight: BoardSight, reach: float
) -> dict[int, str]:
    left, top = sight.box[:2]
    here = {n: Spot(n, (spot.at[0] - left, spot.at[1] - top), spot.levels) for n, spot in found.items()}
    return colours(shown, dark, here, reach)


def _burnt(dark: Image, places: Sequence[str], sight: BoardSight, table: Table) -> tuple[str, ...]:
    """Those of some places at which the picture is white even without a light: nothing can be seen there."""
    burnt = []
    left, top = sight.box[:2]
    reach = max(2, round(6 * sight.px_per_mm))
    for place in places:
        x, y = sight.pose.project(np.array([middle(place, sight.rings, table.board)]))[0]
        column, row = round(x) - left, round(y) - top
        around = dark[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]
        if around.size and float(np.median(around.min(axis=2))) >= BURNT - 5:
            burnt.append(place)
    return tuple(burnt)


def _outcome(strip: Strip, burnt: tuple[str, ...], looks: int) -> Outcome:
    seen = len(SPACES) - len(strip.dark)
    now = datetime.now(UTC)
    lights = LightsProfile(
        measured=Measured(at=now, how=f"blinked, {looks} pictures"),
        places=strip.places,
        channels=strip.channels,
        dark=strip.dark,
        weak=strip.weak,
    )

    def keep(profile: TableProfile) -> TableProfile:
        return profile.model_copy(update={"lights": lights})

    words = in_words(strip)
    summary = f"{seen} of {len(SPACES)} lights of the board were seen" + (
        f"; {'; '.join(words)}: that is kept, nothing needs to be soldered." if words else ", all as drawn."
    )
    return Outcome(summary, _findings(strip, burnt), keep, lights.model_dump(mode="json", exclude_none=True))


def _findings(strip: Strip, burnt: tuple[str, ...]) -> tuple[Finding, ...]:
    dead = [place for place in strip.dark if place not in burnt]
    findings = [
        held(
            "lights of the board that were not seen",
            f"{len(dead)}" + (f": {named(dead)}" if dead else ""),
            f"none; {MOST_DARK} at most",
            good=not dead,
            bearable=len(dead) <= MOST_DARK,
            advice=_about_dark(strip, dead),
        )
    ]
    if burnt:
        findings.append(
            Finding(
                f"glare hides {named(burnt)}",
                "white",
                "seen",
                Judgement.BAD,
                "turn the lamp away or draw the curtain, and begin again",
            )
        )
    if strip.weak:
        findings.append(
            Finding(
                f"weak: {named(strip.weak)}",
                f"{len(strip.weak)}",
                "none",
                Judgement.DOUBTFUL,
                "look whether something covers the light, and at its supply: feed 5 V in at both ends of the strip",
            )
        )
    if strip.twice:
        findings.append(
            Finding(
                f"two lights under {named(strip.twice)}",
                f"{len(strip.twice)}",
                "none",
                Judgement.DOUBTFUL,
                "one of them belongs under a space beside it; push it there",
            )
        )
    if strip.other_colours:
        findings.append(
            Finding(
                f"other colours: {named(strip.other_colours)}",
                f"{len(strip.other_colours)}",
                "none",
                Judgement.DOUBTFUL,
                "these are of another kind than the rest; change them, or their colours are wrong",
            )
        )
    if not strip.seats_told and not any(seat in strip.places for seat in SEATS):
        findings.append(
            Finding(
                "seat lights",
                "not seen",
                "at the strip's end",
                Judgement.DOUBTFUL,
                "nothing says where on the strip they are; they stay dark",
            )
        )
    return tuple(findings)


def _about_dark(strip: Strip, dead: Sequence[str]) -> str:
    if len(dead) == len(SPACES):
        return "the code of no light can be read: darken the room, take everything off the board, begin again"
    last = broken_after(strip.places)
    if last is not None:
        return (
            f"nothing shines after {last}: the wire from there to the next light is broken, or that light is"
        )
    return "take off what lies on them; if they stay dark, solder them anew or change the light"
