"""Replays: the games of a journal fact by fact, as the page and the terminal show them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from itertools import pairwise
from typing import Protocol

from companion.messages import say, words_of
from companion.referee.journal_reader import ABOVE, Header, JournalError, JournalReader
from companion.tables.above.replay import AboveReplay
from companion.tables.olympeak.replay import OlympeakReplay
from companion.web.archive import GameView, NotKept, ReplayView, StepView
from companion.web.models import Snapshot

# A longer silence is a break, and not played.
BREAK_S = 600.0
# So many games are kept at hand while somebody steps through them.
AT_HAND = 4


class Replay(Protocol):
    """One game, fact by fact."""

    @property
    def steps(self) -> tuple[StepView, ...]: ...

    @property
    def status(self) -> str: ...

    @property
    def turns(self) -> int: ...

    @property
    def text(self) -> str:
        """How the game stands or ended."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, nobody before the end."""

    def snapshot(self, step: int) -> Snapshot:
        """The table after a step."""

    def record(self) -> str:
        """The record as text."""


def replay_of(journal: JournalReader, header: Header) -> Replay:
    """The replay of a game. Raises JournalError for a damaged one."""
    with journal.damage_told(say("table.journal_game", n=header.id)):
        return AboveReplay(journal, header) if header.game == ABOVE else OlympeakReplay(journal, header)


class JournalArchive:
    """The games of one journal. `current` tells which of them is being played.

    `journal`: what reads it, or says what does; that may be another one when the file could not be opened at first.
    """

    def __init__(
        self,
        journal: JournalReader | Callable[[], JournalReader],
        current: Callable[[], int | None] = lambda: None,
    ) -> None:
        self._own = None if callable(journal) else journal
        self._look = journal if callable(journal) else lambda: journal
        self._looked_at: JournalReader | None = None
        self._current = current
        self._lock = threading.Lock()
        self._at_hand: OrderedDict[tuple[int, int], Replay] = OrderedDict()
        self._views: dict[tuple[int, int], GameView] = {}

    def games(self) -> tuple[GameView, ...]:
        """All games, the newest first; what is damaged says so."""
        with self._lock:
            lengths = self._journal.lengths()
            return tuple(
                self._view(header, lengths.get(header.id, 0)) for header in reversed(self._journal.games())
            )

    def replay(self, game: int) -> ReplayView:
        """A game with its steps."""
        with self._lock:
            header, length = self._header(game)
            return ReplayView(game=self._view(header, length), steps=self._replay(header, length).steps)

    def step(self, game: int, number: int) -> Snapshot:
        """The table as it stood after a step."""
        with self._lock:
            replay = self._replay(*self._header(game))
            if not 0 <= number < len(replay.steps):
                raise NotKept(say("table.no_such_step", n=game, last=len(replay.steps) - 1, step=number))
            return replay.snapshot(number)

    def record(self, game: int) -> str:
        """A game's record as text."""
        with self._lock:
            return self._replay(*self._header(game)).record()

    def close(self) -> None:
        """Closes the journal, if it is its own."""
        with self._lock:
            if self._own is not None:
                self._own.close()

    @property
    def _journal(self) -> JournalReader:
        reader = self._look()
        if reader is not self._looked_at:
            # The same number may be another game now.
            self._looked_at = reader
            self._at_hand.clear()
            self._views.clear()
        return reader

    def _header(self, game: int) -> tuple[Header, int]:
        try:
            return self._journal.header(game), self._journal.lengths().get(game, 0)
        except JournalError as error:
            raise NotKept(words_of(error)) from None

    def _replay(self, header: Header, length: int) -> Replay:
        key = (header.id, length)
        if key not in self._at_hand:
            try:
                self._at_hand[key] = replay_of(self._journal, header)
            except JournalError as error:
                raise NotKept(words_of(error)) from None
            while len(self._at_hand) > AT_HAND:
                self._at_hand.popitem(last=False)
        self._at_hand.move_to_end(key)
        return self._at_hand[key]

    def _view(self, header: Header, length: int) -> GameView:
        key = (header.id, length)
        if key not in self._views:
            self._views[key] = self._viewed(header, length)
        current = self._current() == header.id
        return self._views[key].model_copy(update={"current": current})

    def _viewed(self, header: Header, length: int) -> GameView:
        known = GameView(
            id=header.id,
            game=header.game,
            players=header.players,
            begun_at=header.begun_at,
            status="damaged",
            turns=0,
            text="",
        )
        try:
            replay = self._replay(header, length)
        except NotKept as error:
            return known.model_copy(update={"text": words_of(error)})
        times = [step.at for step in replay.steps]
        return known.model_copy(
            update={
                "status": replay.status,
                "turns": replay.turns,
                "text": replay.text,
                "winners": tuple(header.players[seat] for seat in replay.winners),
                "played_s": sum(min(max(b - a, 0.0), BREAK_S) for a, b in pairwise(times)),
                "refusals": sum(step.kind == "refusal" for step in replay.steps),
            }
        )
