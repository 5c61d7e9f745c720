"""Telling: a turn that no switch can tell is told by its player, one act after the other, by buttons.

Where no camera watches, switches may be broken, and much leaves no trace in them. Whoever is asked act by act can always
say what was played, so that no table waits for lights that cannot come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions
from companion.messages import say
from companion.referee.hypothesis import Hypothesis
from companion.referee.question import DID, NONE, WRONG, feature_text
from companion.referee.turn import Turn
from companion.referee.verdict import Choice, Kind, Verdict
from companion.referee.wording import turn_line

TELL = "tell"


class Telling:
    """One turn as it is being told.

    `may_lie`: may a piece lie on a space, as far as is felt? Tokens are offered there first, elsewhere when asked for.
    `last`: what was taken for the turn before, which people may say was not played.
    `end` is the turn once it is told to its end; `is_given_up`: none of what may be done was.
    """

    def __init__(
        self,
        position: Position,
        names: Sequence[str],
        may_lie: Callable[[str], bool],
        last: Turn | None = None,
    ) -> None:
        self._names = names
        self._last = last
        self._may_lie = may_lie
        self._actions: tuple[Action, ...] = ()
        self._positions: tuple[Position, ...] = (position,)
        self._picked: Counter[str] = Counter()
        # Where a token was taken from that is moved for want of one in the Reserve (A12).
        self._origin: str | None = None
        self._is_widened = False
        self.is_given_up = False

    @property
    def end(self) -> Hypothesis | None:
        """The turn, if all of it has been told."""
        here = self._positions[-1]
        if not self._actions or not (here.at_turn_start or here.is_over):
            return None
        return Hypothesis(self._actions, self._positions, {}, 0.0, 0.0, (), (), ())

    def verdict(self) -> Verdict:
        """The question for the next act."""
        choices = [Choice(DID + each, feature_text(each, self._names)) for each in self._options()]
        choices.append(Choice(NONE, say("above.none_of_these")))
        if self._last is not None and not self._actions:
            whose, played = self._names[self._last.before.turn], turn_line(self._last, self._names)
            key = WRONG + ", ".join(map(str, self._last.actions))
            choices.append(Choice(key, say("above.was_not_played", whose=whose, turn=played)))
        text = say("above.what_next" if self._actions or self._picked else "above.what_done")
        return Verdict(Kind.QUESTION, self._positions[0].turn, text, choices=tuple(choices))

    def take(self, key: str) -> bool:
        """Takes an answer; False if it is none."""
        option = key.removeprefix(DID)
        if key == NONE:
            self.is_given_up = self._is_widened or len(self._options()) == len(self._all())
            self._is_widened = True
            return True
        if option == key or option not in self._options():
            return False
        if option.startswith("pick "):
            _, _, code, *both = option.split(" ")
            self._picked[code] = 2 if both else 1
            fitting = [action for action in self._legal() if Counter(action.deities) == self._picked]
            if fitting:
                self._do(fitting[0])
            return True
        told = Action.parse(option)
        if self._shifts and self._origin is None:
            self._origin, self._is_widened = told.space, False
        elif self._shifts:
            self._do(Action("shift", token=told.token, origin=self._origin, space=told.space))
        else:
            self._do(told)
        return True

    def _do(self, action: Action) -> None:
        self._actions = (*self._actions, action)
        self._positions = (*self._positions, apply(self._positions[-1], action))
        self._picked.clear()
        self._origin = None
        self._is_widened = False

    def _legal(self) -> Sequence[Action]:
        return legal_actions(self._positions[-1])

    @property
    def _shifts(self) -> bool:
        """Is a token of the board to be moved next?"""
        return self._legal()[0].kind == "shift"

    def _all(self) -> list[str]:
        """All that may be done next; that nothing more was done comes last."""
        found = dict.fromkeys(text for action in self._legal() for text in self._texts(action))
        return sorted(found, key=lambda text: text == "done")

    def _texts(self, action: Action) -> Iterator[str]:
        if action.kind == "shift":
            # Which of two Barriers came from where, people need not know: one has left, one has come.
            if self._origin is None:
                yield f"remove {action.token} {action.origin}"
            elif self._origin == action.origin:
                yield f"place {action.token} {action.space}"
            return
        if action.kind != "recover":
            yield str(action)
            return
        cards = Counter(action.deities)
        if all(cards[code] == count for code, count in self._picked.items()):
            for code in cards.keys() - self._picked.keys():
                yield f"pick {action.seat} {code}{' twice' if cards[code] > 1 else ''}"

    def _options(self) -> list[str]:
        """What is offered."""
        if self._is_widened:
            return self._all()
        felt = [text for text in self._all() if self._is_felt(text)]
        return felt if any(text != "done" for text in felt) else self._all()

    def _is_felt(self, text: str) -> bool:
        if text.startswith("pick "):
            return True
        action = Action.parse(text)
        return action.kind != "place" or self._may_lie(action.space or "")
