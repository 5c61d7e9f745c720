"""The other game on the table: told in a sentence, once it is a game and not a piece that was left."""

from __future__ import annotations

import pytest

from companion.games.above.box import MINI_BY_ID, TOKEN_BY_ID
from companion.games.olympeak.box import CUBE_BY_ID
from companion.sensing.frames import Frame
from companion.sensing.game import A_GAME, Game, another_game
from companion.sensing.olympeak.sight import OlympeakSight
from companion.sensing.sight import Sight
from tests.sensing.photos import camera, photo

ABOVE = tuple(MINI_BY_ID)


@pytest.mark.parametrize(("played", "own", "other"), [("above", "01", "51"), ("olympeak", "51", "01")])
def test_the_other_games_pieces_are_told_until_they_are_cleared_away(
    played: Game, own: str, other: str
) -> None:
    sight = Sight(camera(own)) if played == "above" else OlympeakSight(camera(own))
    for n in range(6):
        reading = sight.process(Frame(photo(other), n / 15, n))
    (finding,) = reading.findings
    assert finding.key == "another-game"
    assert finding.text.endswith(
        "Above is being played." if played == "above" else "OlymPeak is being played."
    )
    for n in range(6, 12):
        reading = sight.process(Frame(photo(own), n / 15, n))
    assert not reading.findings


def test_pieces_of_the_other_box_beside_a_game_are_none() -> None:
    assert len(ABOVE) > A_GAME
    assert another_game("olympeak", ABOVE, ())
    assert not another_game("olympeak", ABOVE[: A_GAME - 1], ())
    assert not another_game("above", ABOVE, ())
    cubes = tuple(CUBE_BY_ID)
    assert len(cubes) >= A_GAME
    assert another_game("above", (*ABOVE, *cubes), ABOVE[:1])
    assert not another_game("above", (*ABOVE, *cubes), (*MINI_BY_ID, *TOKEN_BY_ID))
