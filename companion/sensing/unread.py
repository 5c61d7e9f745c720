"""Pieces whose marker cannot be read: known by a white disc of their size, their colour, and where they were.

A thumb print, glare, a lost print: the cap is still there, and so is the colour below it. Which of the pieces that
are missing it is, is weighed over all ways to give the discs found to them, and none is given more than that leaves
it: a disc may be something else, and a missing piece may be in a hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.above.box import MINI_BY_ID, MINI_IDS, TOKEN_BY_ID, Table
from companion.sensing.appearance import Appearances, face_colour
from companion.sensing.colour import Cover, Tint, body_tint, face_tint, rim_tint, sampled
from companion.sensing.discs import Disc, Whites, alike, find_discs
from companion.sensing.frames import STRIDE, Image
from companion.sensing.geometry import CameraPose
from companion.sensing.known import is_under
from companion.sensing.markers import Gray, Marker
from companion.sensing.masks import Mask
from companion.sensing.place import BoardPrint, place
from companion.sensing.reading import MiniSighting, Point, TokenSighting
from companion.sensing.region import Region

Piece = MiniSighting | TokenSighting

# A white disc of a piece's very size that is none of the missing pieces, against its being one of them.
SOMETHING_ELSE = 0.5
# A disc where a missing piece last stood is that piece so many times likelier.
STAYED = 6.0
STAYED_MM = 5.0
# Where more than this share of the picture is searched, tokens without stickers are not looked for.
BARE_SHARE = 0.1
# So far (px) around the place where a piece was found before it is looked for once more.
ABOUT_PX = 90
# In a picture of likeness white is white everywhere.
LIKE = Whites(np.zeros((1, 2)), np.ones((1, 3)))
# Two pieces cannot stand nearer to each other than this.
SAME_PLACE_MM = 7.0
# No more discs than this are weighed together, and nothing is told of a piece less likely than this.
MOST_DISCS = 4
LEAST = 0.1
# However well it fits: a print that is read is surer.
MOST = 0.97
# The level about which discs are looked for first: the middle of the board.
MIDDLE_LEVEL_MM = 11.0
# A print that is read well is the wrong one this seldom, one that is read badly this often.
WRONG_WELL, WRONG_BADLY = 0.002, 0.02
WELL_READ = 0.8
# How often what is measured is not the piece's colour.
NO_COLOUR = 0.05
# Colour alone is never believed more than this against a print that was read.
MOST_DOUBT = 0.6
# Of the miniatures' prints seen beside the board so many are pictures: on a telephone, on a sheet of stickers.
PICTURES = 0.15


@dataclass(frozen=True, slots=True)
class _Found:
    """A white disc, where it may stand, and how likely (against anything else) each missing piece looks so."""

    disc: Disc
    spaces: tuple[tuple[str, float], ...]
    xyz_mm: Point
    likely: Mapping[int, float]


class Unread:
    """Remembers the pieces of one table by how they look and where they stood."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._appearances = Appearances()
        # A face is not seen as a rim is: there nothing is learned.
        self._printed = Appearances()
        # By marker, how each piece was last read.
        self._last: dict[int, Piece] = {}
        self._whites: Whites | None = None
        self.pieces: tuple[Piece, ...] = ()

    def saw(self, pieces: Iterable[Piece]) -> None:
        """These were read by their markers."""
        self._last |= {one.marker: one for one in pieces if one.by_marker}

    def beside(self, read: Sequence[Piece]) -> list[Piece]:
        """The unread pieces, but for those whose marker, or another at their place, is read after all."""
        here = {one.marker for one in read}
        return [
            one
            for one in self.pieces
            if one.marker not in here
            and all(math.dist(one.xyz_mm[:2], other.xyz_mm[:2]) > SAME_PLACE_MM for other in read)
        ]

    def doubt(
        self, image: Image, pose: CameraPose, one: Piece, around: Sequence[Piece], agreement: float
    ) -> float:
        """How likely a piece just read is not what its print says, by its colour; it also teaches how it looks.

        `around`: the pieces that may hide it. `agreement`: how well the print was read (-1…1).
        """
        wrong = WRONG_WELL if agreement >= WELL_READ else WRONG_BADLY
        covers = self._covers(around)
        if isinstance(one, MiniSighting):
            tint = body_tint(image, pose, one.xyz_mm, covers, self._table)
            likely = {} if tint is None else self._appearances.bodies(tint, MINI_IDS)
            name = one.deity
        else:
            tint = rim_tint(image, pose, one.xyz_mm, covers, self._table)
            likely = {} if tint is None else self._appearances.rims(tint, set(TOKEN_BY_ID.values()))
            name = one.token
        if tint is None:
            return wrong
        others = [value for other, value in likely.items() if other != name]
        otherwise = sum(others) / len(others)
        # A shadow's edge, a reflection: now and then a colour is no colour, or looks like another piece's.
        as_said = (1 - NO_COLOUR) * likely[name] + NO_COLOUR * (0.5 + 0.5 * otherwise)
        doubt = wrong * otherwise / (wrong * otherwise + (1 - wrong) * as_said)
        if doubt <= wrong:
            if isinstance(one, MiniSighting):
                self._appearances.learn_body(name, tint)
            else:
                self._appearances.learn_rim(name, tint)
        return min(doubt, MOST_DOUBT)

    def is_picture(self, image: Image, pose: CameraPose, one: Piece, around: Sequence[Piece]) -> bool:
        """Is a miniature's print only a picture of it, since nothing around it has the colour of its body?

        Where too little is seen of what would be its body, it is none. `around`: the pieces that may hide it.
        """
        if not isinstance(one, MiniSighting):
            return False
        tint = body_tint(image, pose, one.xyz_mm, self._covers(around), self._table)
        if tint is None:
            return False
        likely = self._appearances.bodies(tint, (one.deity,))[one.deity]
        as_piece = (1 - PICTURES) * ((1 - NO_COLOUR) * likely + NO_COLOUR)
        return as_piece < PICTURES

    # --- the search ------------------------------------------------------------------------------------------

    def search(
        self,
        image: Image,
        gray: Gray,
        pose: CameraPose,
        rings: BoardPrint,
        read: Sequence[Piece],
        markers: Sequence[Marker],
        regions: Sequence[Region],
        hand: Mask | None = None,
        every_mini: bool = False,
        only_at: Mask | None = None,
    ) -> None:
        """Look in some regions of the picture for pieces that are missing; elsewhere what was found stays.

        `read`: the pieces whose markers are read, `markers`: all of those. `every_mini`: also miniatures that
        were never read. `only_at`: nothing has changed but under this small mask: what was found elsewhere stays, since
        a search of much of the picture is a coarser one.
        """
        here = {one.marker for one in read}
        missing = {marker: one for marker, one in self._last.items() if marker not in here}
        places = [pose.project(one.xyz_mm) for one in self.pieces]
        kept = tuple(
            one
            for one, pixel in zip(self.pieces, places, strict=True)
            if one.marker in missing
            and (not _inside(pixel, regions) or (only_at is not None and not is_under(pixel, only_at)))
        )
        wanted = [marker for marker in missing if marker not in {one.marker for one in kept}]
        if every_mini:
            wanted += [marker for marker in MINI_BY_ID if marker not in here and marker not in self._last]
        # A look at much of the picture goes after the likeliest spots only: where one was found before there is another.
        size = (gray.shape[1], gray.shape[0])
        closely = [
            Region(int(x), int(y), int(x) + 1, int(y) + 1).grown(ABOUT_PX, size)
            for one, (x, y) in zip(self.pieces, places, strict=True)
            if one not in kept and one.marker in missing
        ]
        self.pieces = kept
        if not wanted or not regions:
            return
        whites = self._see_whites(image, markers)
        if whites is None:
            return
        covers = self._covers((*read, *kept))
        found: list[Piece] = []
        for minis in (True, False):
            of_kind = [marker for marker in wanted if (marker in MINI_BY_ID) == minis]
            if of_kind:
                discs = self._discs(image, gray, pose, [*closely, *regions], minis, covers, whites, hand)
                looked = [self._look(image, pose, rings, disc, of_kind, covers) for disc in discs]
                if not minis:
                    looked += self._bare_tokens(image, gray, pose, rings, of_kind, regions, covers, whites)
                found += self._given(looked, of_kind)
                covers += self._covers(found)
        self.pieces = (*kept, *found)

    def _discs(
        self,
        image: Image,
        gray: Gray,
        pose: CameraPose,
        regions: Sequence[Region],
        minis: bool,
        covers: Sequence[Cover],
        whites: Whites,
        hand: Mask | None,
    ) -> list[Disc]:
        table = self._table
        radius = table.mini_cap_mm / 2 if minis else table.token_diameter_mm / 2 - 0.5
        level = MIDDLE_LEVEL_MM + (table.mini_height_mm if minis else table.token_height_mm)
        discs: list[Disc] = []
        for region in regions:
            for disc in find_discs(image, gray, region, pose, radius, level, covers, whites):
                u, v = disc.centre_px
                if hand is not None and hand[int(v) // STRIDE, int(u) // STRIDE]:
                    continue
                if any(math.dist(disc.middle_mm, other.middle_mm) <= radius for other in discs):
                    continue
                # What known pieces cover cannot be another piece.
                if all(math.dist(disc.middle_mm[:2], c.middle_mm[:2]) > c.radius_mm for c in covers):
                    discs.append(disc)
        return discs

    def _look(
        self,
        image: Image,
        pose: CameraPose,
        rings: BoardPrint,
        disc: Disc,
        wanted: Sequence[int],
        covers: Sequence[Cover],
    ) -> _Found:
        """Where a disc may stand, and how much it looks like each wanted piece."""
        spaces, xyz = place(_marker_at(wanted[0], disc), pose, self._table, rings)
        tint: Tint | None
        if wanted[0] in MINI_BY_ID:
            tint = body_tint(image, pose, xyz, covers, self._table)
            names = {marker: MINI_BY_ID[marker] for marker in wanted}
            likely = {} if tint is None else self._appearances.bodies(tint, names.values())
        else:
            tint = rim_tint(image, pose, xyz, covers, self._table)
            names = {marker: TOKEN_BY_ID[marker] for marker in wanted}
            likely = {} if tint is None else self._appearances.rims(tint, set(names.values()))
        weights = {marker: self._weight(marker, likely.get(names[marker]), xyz) for marker in wanted}
        return _Found(disc, spaces, xyz, weights)

    def _weight(self, marker: int, likely: float | None, xyz: Point) -> float:
        """`likely`: by its colour, None where that cannot be seen. Size alone is no evidence: prints have discs too."""
        stayed = self._stayed(marker, xyz)
        return (stayed if stayed > 1 else 0.0) if likely is None else likely * stayed

    def _stayed(self, marker: int, xyz: Point) -> float:
        """How much likelier a piece is here because it stood here."""
        last = self._last.get(marker)
        return STAYED if last is not None and math.dist(last.xyz_mm[:2], xyz[:2]) < STAYED_MM else 1.0

    def _bare_tokens(
        self,
        image: Image,
        gray: Gray,
        pose: CameraPose,
        rings: BoardPrint,
        wanted: Sequence[int],
        regions: Sequence[Region],
        covers: Sequence[Cover],
        whites: Whites,
    ) -> list[_Found]:
        """Tokens that have lost their sticker: discs all of their own colour."""
        table = self._table
        radius, level = table.token_diameter_mm / 2, MIDDLE_LEVEL_MM + table.token_height_mm
        found: list[_Found] = []
        for token in sorted({TOKEN_BY_ID[marker] for marker in wanted}):
            of_type = [marker for marker in wanted if TOKEN_BY_ID[marker] == token]
            for region in regions:
                if (region.x1 - region.x0) * (region.y1 - region.y0) > BARE_SHARE * gray.size:
                    continue
                picture = alike(image, region, whites, face_colour(token))
                mono = np.ascontiguousarray(picture[..., 0])
                for disc in find_discs(picture, mono, region, pose, radius, level, covers, LIKE):
                    spaces, xyz = place(_marker_at(of_type[0], disc), pose, table, rings)
                    tint = face_tint(image, pose, xyz, whites.near(*disc.centre_px), table)
                    likely = self._printed.rims(tint, (token,))[token]
                    weights = {marker: likely * self._stayed(marker, xyz) for marker in of_type}
                    found.append(_Found(disc, spaces, xyz, weights))
        return found

    def _given(self, found: Sequence[_Found], wanted: Sequence[int]) -> list[Piece]:
        """The discs as pieces, each with what all ways to give the discs to the pieces leave it."""
        ranked = sorted(found, key=lambda one: -max(one.likely.values()))[:MOST_DISCS]
        if not ranked:
            return []
        shares = [dict.fromkeys(wanted, 0.0) for _ in ranked]
        total = 0.0
        for weight, given in _ways(ranked, 0, frozenset()):
            total += weight
            for number, marker in given:
                shares[number][marker] += weight
        pieces: list[Piece] = []
        for one, share in zip(ranked, shares, strict=True):
            for marker, weight in share.items():
                p = min(weight / total, MOST)
                if p < LEAST:
                    continue
                spaces = tuple((space, p * q) for space, q in one.spaces)
                if marker in MINI_BY_ID:
                    pieces.append(
                        MiniSighting(MINI_BY_ID[marker], marker, spaces, one.xyz_mm, by_marker=False)
                    )
                else:
                    pieces.append(
                        TokenSighting(TOKEN_BY_ID[marker], marker, spaces, one.xyz_mm, by_marker=False)
                    )
        return pieces

    # --- what is known of the picture ------------------------------------------------------------------------

    def _covers(self, pieces: Iterable[Piece]) -> list[Cover]:
        table = self._table
        return [
            Cover(
                one.xyz_mm,
                (table.mini_cap_mm if isinstance(one, MiniSighting) else table.token_diameter_mm) / 2,
            )
            for one in pieces
        ]

    def _see_whites(self, image: Image, markers: Sequence[Marker]) -> Whites | None:
        """How light white is over the picture, from the margins of all markers that are read."""
        places, light = [], []
        for marker in markers:
            middle = marker.corners.mean(axis=0)
            # Half a module outside the middle of each side.
            sides = (marker.corners + np.roll(marker.corners, -1, axis=0)) / 2
            margin = middle + (sides - middle) * (1 + 1 / 7)
            seen = np.median(sampled(image, margin.astype(np.float64)), axis=0)
            if seen.min() > 0.002:
                places.append(middle)
                light.append(seen)
        if len(places) >= 3:
            self._whites = Whites(np.array(places, dtype=np.float64), np.array(light))
        return self._whites


def _marker_at(number: int, disc: Disc) -> Marker:
    """A marker as it would lie on a disc."""
    x, y = disc.centre_px
    square = [[x - 4, y - 4], [x + 4, y - 4], [x + 4, y + 4], [x - 4, y + 4]]
    return Marker(number, np.array(square, dtype=np.float32))


def _ways(
    found: Sequence[_Found], number: int, taken: frozenset[int]
) -> Iterable[tuple[float, tuple[tuple[int, int], ...]]]:
    """Every way to give the discs from `number` on to pieces that are not taken, with its weight."""
    if number == len(found):
        yield 1.0, ()
        return
    for weight, rest in _ways(found, number + 1, taken):
        yield SOMETHING_ELSE * weight, rest
    for marker, likely in found[number].likely.items():
        if marker in taken:
            continue
        for weight, rest in _ways(found, number + 1, taken | {marker}):
            yield likely * weight, ((number, marker), *rest)


def _inside(pixel: np.ndarray[tuple[int, ...], np.dtype[np.float64]], regions: Sequence[Region]) -> bool:
    x, y = float(pixel[0]), float(pixel[1])
    return any(region.holds(x, y) for region in regions)
