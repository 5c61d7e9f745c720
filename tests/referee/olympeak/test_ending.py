"""Tiles: what several looks say alike, whatever single looks make of one."""

from __future__ import annotations

import pytest

from companion.referee.olympeak.ending import Tiles
from companion.sensing.olympeak.reading import OlympeakReading, TilesSighting


def read(*looks: str | None) -> str | None:
    """What the first tile of seat 0 is taken for after these looks at it; None: not read in that one."""
    tiles = Tiles()
    for n, tile in enumerate(looks):
        tiles.look(OlympeakReading(n / 15, tiles=(TilesSighting(0, tile, None),)))
    return tiles.tile(0, "first")


@pytest.mark.parametrize(
    ("looks", "tile"),
    [
        (("red", "red", "red"), "red"),
        (("red", "red", "blue", "red"), "red"),
        (("blue", "blue", "red", "red", "red"), "red"),
        (("red", None, "red", None, "red"), "red"),
        (("red", "red"), None),
        (("blue", "blue", "red", "red"), None),
        (("red", None, None, None), None),
        ((), None),
    ],
)
def test_a_tile_is_known_once_three_of_its_last_four_looks_agree(
    looks: tuple[str | None, ...], tile: str | None
) -> None:
    assert read(*looks) == tile
