"""Each piece is in the box once: of several prints of one id in the picture, which is the piece?

A telephone beside the board may show a photograph of it, a sheet of spare stickers may lie there, a glass may mirror a
cap. None of them disturbs the game: the piece is on the board rather than beside it, and then rather where it was.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from companion.sensing.reading import CardSighting, MiniSighting, Point, TokenSighting

Sighting = MiniSighting | TokenSighting | CardSighting

# A piece that was pushed by less is where it was.
WHERE_IT_WAS_MM = 12.0


def one_of_each(sightings: Sequence[Sighting], before: Mapping[int, Point]) -> list[Sighting]:
    """The sightings without pictures of pieces. `before`: by marker, where each piece was last (mm).

    Of two that nothing tells apart both stay: somebody has to be asked.
    """
    by_marker: dict[int, list[Sighting]] = {}
    for one in sightings:
        by_marker.setdefault(one.marker, []).append(one)
    return [one for marker, alike in by_marker.items() for one in _the_piece(alike, before.get(marker))]


def _the_piece(alike: Sequence[Sighting], was: Point | None) -> Sequence[Sighting]:
    """Of sightings of one id the one that is the piece, as far as can be told."""
    on_board = [one for one in alike if isinstance(one, MiniSighting | TokenSighting) and one.spaces]
    left = on_board or alike
    if len(left) > 1 and was is not None:
        left = [one for one in left if math.dist(one.xyz_mm[:2], was[:2]) < WHERE_IT_WAS_MM] or left
    return left
