"""Which games can be played, and by how many."""

from __future__ import annotations

import pytest

from companion.tables.catalogue import GAMES, UnknownGame, kit_for


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_kit_for_each_of_its_numbers(game: str) -> None:
    kit = kit_for(game)
    assert kit.name == game
    assert [kit_for(game, players).title for players in kit.seats] == [kit.title] * len(kit.seats)


def test_an_unknown_game_is_told_with_the_known_ones() -> None:
    with pytest.raises(UnknownGame, match=r'no table for "chess". Known: above, olympeak'):
        kit_for("chess")


def test_too_many_players_are_told_how_many_may_play() -> None:
    with pytest.raises(UnknownGame, match=r"Above is played by 2 or 4, not 3. Use --players 2"):
        kit_for("above", 3)
    with pytest.raises(UnknownGame, match=r"2, 3, 4, 5 or 6, not 7"):
        kit_for("olympeak", 7)
