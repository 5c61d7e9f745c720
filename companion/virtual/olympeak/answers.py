"""Answers: what the players say when the table asks them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak.events import Insert, Play
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.standing import standing
from companion.virtual.arm import Motion
from companion.virtual.match import ChoiceLike
from companion.virtual.olympeak.acts import Acts
from companion.virtual.olympeak.calls import Calls
from companion.virtual.olympeak.illegal import is_explainable
from companion.virtual.olympeak.people import Secrets
from companion.virtual.olympeak.truth import lie_on
from companion.virtual.olympeak.waiting import Waiting


class Answers:
    """`wish`: the keys that the player to decide would choose, the first of them that is offered."""

    def __init__(self, acts: Acts, calls: Calls, waiting: Waiting, secrets: Secrets) -> None:
        self.wish: tuple[str, ...] = ()
        self._answered = False
        # The cards turned up last, by seat, and those before them since the last that the camera could see.
        self._turned_up: tuple[str, ...] = ()
        self._before: list[tuple[str, ...]] = []
        self._seen = True
        # Where each card was laid last.
        self._lain: dict[str, str] = {}
        self._acts = acts
        self._calls = calls
        self._waiting = waiting
        self._secrets = secrets

    def decide(self) -> None:
        """Somebody is to decide on an order card, and has not said anything yet."""
        self.wish, self._answered = (), False

    def turned_up(self, cards: tuple[str, ...]) -> None:
        """These cards are turned up now, by seat."""
        if self._seen:
            self._before.clear()
        self._before.append(self._turned_up)
        self._turned_up, self._seen = cards, not self._waiting.unseen

    def laid(self, event: Play | Insert) -> None:
        """A card was laid, and will be remembered there."""
        self._lain[event.card] = event.to

    def give(self, state: GameState, choices: Sequence[ChoiceLike], asked: int | None = None) -> str | None:
        """What is said: a key; None when none of the choices is true. `asked`: the seat that is asked, if any."""
        keys = {choice.key for choice in choices}
        # What counts while a turn is open is told act by act; what was called wrong then is put back instead.
        right: tuple[str, ...] = ()
        if state.phase in (Phase.REVEAL, Phase.ROUND_END):
            # They see how the cards lie, and hear what else would count before they say that it does.
            lies_right = is_explainable(state, lie_on(self._acts.scene, self._acts.players))
            right = (*(("object",) if lies_right else ()), f"right:{standing(state)}")
        ended: tuple[str, ...] = ("round over",) if state.round > 1 and not state.placed else ()
        lain = (f"lay:{card}:{contender}" for card, contender in self._lain.items())
        turned_up = (f"{said}:{','.join(self._turned_up)}" for said in ("turned up", "as read"))
        for key in (*self.wish, *self._tiles(state), *ended, *right, *lain, *turned_up, self._new(asked)):
            if key in keys:
                self._answered = True
                return key
        return None

    def say(self, *keys: str, state: GameState, after: GameState) -> Motion:
        """Wait to be asked and answer, unless the table goes on to `after` without asking."""
        if self._waiting.unseen:
            return
        self.wish = keys
        asked, seat = state.seat, after.seat
        assert asked is not None
        yield from self._acts.all_leave()

        def settled() -> bool:
            if seat is None:
                return self._answered or self._calls.turn_over(asked)
            return self._answered or (self._calls.alone(seat) and seat != asked)

        yield from self._waiting.until(settled, helping=False)

    def _new(self, asked: int | None) -> str:
        """Was it chosen anew what lies there? Who asks has seen the very same cards turned up before."""
        seats = range(len(self._turned_up)) if asked is None else (asked,)
        again = any(
            self._turned_up[seat : seat + 1] == cards[seat : seat + 1] != ()
            for cards in self._before
            for seat in seats
        )
        return "new" if again else "old"

    def _tiles(self, state: GameState) -> list[str]:
        """Answers to what a tile shows: given only once the tiles are turned up."""
        if state.phase is not Phase.PREDICTIONS:
            return []
        sides = (("first", self._secrets.first), ("second", self._secrets.second))
        return [f"tile:{seat}:{side}:{tiles[seat]}" for side, tiles in sides for seat in state.setup.seats]
