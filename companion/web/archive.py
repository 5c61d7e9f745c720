"""The journal as the page shows it: a list of games, and each of them fact by fact."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel, ConfigDict

from companion.errors import CompanionError
from companion.web.language import Words
from companion.web.models import Snapshot


class NotKept(CompanionError, LookupError):
    """No such game, or no such step of it, is in the journal."""


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GameView(_View):
    """A game in the journal.

    `begun_at` in seconds since 1970. `status`: `open`, `over`, `abandoned` or `damaged`. `turns`: how many are
    completed. `text`: how it stands or ended, in a sentence. `current`: it is the one that is played. `winners`: by name,
    once it is over. `played_s`: how long was played, without longer breaks. `refusals`: how often something was not
    allowed.
    """

    id: int
    game: str
    players: tuple[str, ...]
    begun_at: float
    status: str
    turns: int
    text: Words
    current: bool = False
    winners: tuple[str, ...] = ()
    played_s: float = 0.0
    refusals: int = 0


class StepView(_View):
    """One fact of a game, in order from 0 (the beginning). `turn`: how many turns were completed after it.

    `kind`: `begin`, `turn`, `play`, `take_back`, `refusal`, `ruling`, `correction`, `finding`, `abandon`.
    """

    number: int
    at: float
    kind: str
    turn: int
    text: Words
    name: str = ""


class ReplayView(_View):
    """A game with all its steps."""

    game: GameView
    steps: tuple[StepView, ...]


class Archive(Protocol):
    """The games that are kept. Every method may be called from any thread, and raises NotKept."""

    def games(self) -> tuple[GameView, ...]:
        """All games, the newest first."""

    def replay(self, game: int) -> ReplayView:
        """A game with its steps."""

    def step(self, game: int, number: int) -> Snapshot:
        """The table as it stood after a step."""

    def record(self, game: int) -> str:
        """A game's record as text."""
