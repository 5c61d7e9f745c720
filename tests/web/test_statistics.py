"""Statistics count what is over, and nothing else."""

from __future__ import annotations

from companion.web.archive import GameView
from companion.web.statistics import GameRow, PlayerRow, StatisticsView, statistics


def game(
    number: int,
    players: tuple[str, ...],
    winners: tuple[str, ...],
    *,
    kind: str = "above",
    status: str = "over",
) -> GameView:
    return GameView(
        id=number,
        game=kind,
        players=players,
        begun_at=0.0,
        status=status,
        turns=10 * number,
        text="",
        winners=winners,
        played_s=600.0 * number,
        refusals=number,
    )


def test_games_are_counted_by_kind_and_players_by_name() -> None:
    played = [
        game(1, ("Ada", "Ben"), ("Ada",)),
        game(2, ("Ben", "Ada"), ("Ada",)),
        game(3, ("Ada", "Ben", "Chloe"), ("Ben", "Chloe"), kind="olympeak"),
        game(4, ("Ada", "Ben"), (), status="open"),
        game(5, ("Ada", "Ben"), (), status="abandoned"),
        game(6, ("Dan",), (), status="damaged"),
    ]
    assert statistics(played) == StatisticsView(
        games=(
            GameRow(game="above", games=2, turns=15.0, minutes=15.0, refusals=1.5),
            GameRow(game="olympeak", games=1, turns=30.0, minutes=30.0, refusals=3.0),
        ),
        players=(
            PlayerRow(name="Ada", games=3, won=2),
            PlayerRow(name="Ben", games=3, won=1),
            PlayerRow(name="Chloe", games=1, won=1),
        ),
    )
    assert statistics([]) == StatisticsView()
