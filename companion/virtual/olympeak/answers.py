"""Answers: what the players say when the table asks them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak.position import GameState, Phase
from companion.virtual.arm import Motion
from companion.virtual.match import ChoiceLike
from companion.virtual.olympeak.acts import Acts
from companion.virtual.olympeak.calls import Calls
from companion.virtual.olympeak.people import Secrets
from companion.virtual.olympeak.waiting import Waiting


class Answers:
    """`wish`: the keys that the player to decide would choose, the first of them that is offered."""

    def __init__(self, acts: Acts, calls: Calls, waiting: Waiting, secrets: Secrets) -> None:
        self.wish: tuple[str, ...] = ()
        self._answered = False
        self._acts = acts
        self._calls = calls
        self._waiting = waiting
        self._secrets = secrets

    def decide(self) -> None:
        """Somebody is to decide on an order card, and has not said anything yet."""
        self.wish, self._answered = (), False

    def give(self, state: GameState, choices: Sequence[ChoiceLike]) -> str | None:
        """What is said: a key; None when none of the choices is true."""
        keys = {choice.key for choice in choices}
        ended: tuple[str, ...] = ("round over",) if state.round > 1 and not state.placed else ()
        for key in (*self.wish, *self._tiles(state), *ended, "new"):
            if key in keys:
                self._answered = True
                return key
        return None

    def say(self, *keys: str, state: GameState, after: GameState) -> Motion:
        """Wait to be asked and answer, unless the table goes on to `after` without asking."""
        if self._waiting.unseen:
            return
        self.wish = keys
        seat = after.seat
        yield from self._acts.all_leave()

        def settled() -> bool:
            if seat is None:
                return self._answered or self._calls.everybody_somehow()
            return self._answered or (self._calls.alone(seat) and seat != state.seat)

        yield from self._waiting.until(settled, helping=False)

    def _tiles(self, state: GameState) -> list[str]:
        """Answers to what a tile shows: given only once the tiles are turned up."""
        if state.phase is not Phase.PREDICTIONS:
            return []
        sides = (("first", self._secrets.first), ("second", self._secrets.second))
        return [f"tile:{seat}:{side}:{tiles[seat]}" for side, tiles in sides for seat in state.setup.seats]
