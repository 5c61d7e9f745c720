"""Statistics of the finished games in a journal: who won how often, and how long a game takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from statistics import fmean

from pydantic import BaseModel, ConfigDict

from companion.web.archive import GameView


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlayerRow(_View):
    """How a player, known by name, has fared: finished games, and how many of them were won, alone or with others."""

    name: str
    games: int
    won: int


class GameRow(_View):
    """The finished games of one kind: how many, and their means: turns, minutes played, refusals."""

    game: str
    games: int
    turns: float
    minutes: float
    refusals: float


class StatisticsView(_View):
    """All finished games: by kind, and by player, who won most first."""

    games: tuple[GameRow, ...] = ()
    players: tuple[PlayerRow, ...] = ()


def statistics(games: Iterable[GameView]) -> StatisticsView:
    """The statistics of those among `games` that are over."""
    over = [game for game in games if game.status == "over"]
    played = Counter(name for game in over for name in game.players)
    won = Counter(name for game in over for name in game.winners)
    kinds = {
        kind: [game for game in over if game.game == kind] for kind in sorted({game.game for game in over})
    }
    return StatisticsView(
        games=tuple(
            GameRow(
                game=kind,
                games=len(each),
                turns=round(fmean(game.turns for game in each), 1),
                minutes=round(fmean(game.played_s for game in each) / 60, 1),
                refusals=round(fmean(game.refusals for game in each), 1),
            )
            for kind, each in kinds.items()
        ),
        players=tuple(
            PlayerRow(name=name, games=count, won=won[name])
            for name, count in sorted(played.items(), key=lambda item: (-won[item[0]], -item[1], item[0]))
        ),
    )
