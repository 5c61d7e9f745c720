"""The scoreboard: which cube and the round marker belong where, what the camera says of it, who moved one.

Nothing here ever accuses: a cube that is not where it belongs is something to do, and the game goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.games.olympeak.names import cube_name
from companion.messages import Text, say
from companion.referee.olympeak.patience import LOOKS
from companion.referee.verdict import Mark, Todo
from companion.sensing.olympeak.reading import OlympeakReading

# A cube this far (in places) off the middle of a place stands between two.
_BETWEEN = 0.4
# A cube that stood right and then stands elsewhere this long was moved by hand, not jogged.
MOVED_S = 2.0
ROUND = "round"


class Scoreboard:
    """Follows the cubes and the round marker against what the game says.

    `seen_again`: where each was seen last since there was no picture, or hands hid the table for long.
    """

    def __init__(self) -> None:
        self.targets: dict[str, int] = {}
        self._confirmed: dict[str, int] = {}
        # Where a part stands that stood right before, since when, and in how many looks.
        self._astray: dict[str, tuple[int, float, int]] = {}
        self._told: set[str] = set()
        self._seen: dict[str, int] = {}
        self.seen_again: dict[str, int] = {}

    def expect(self, targets: Mapping[str, int]) -> None:
        """Where everything belongs from now on: contenders and `round`. A cube never seen follows unseen."""
        for part, place in self.targets.items():
            if part not in self._seen:
                self._confirmed[part] = place
        self.targets = dict(targets)
        self._astray.clear()
        self._told.clear()

    @property
    def confirmed(self) -> bool:
        """Was everything seen in its place?"""
        return all(self._confirmed.get(part) == place for part, place in self.targets.items())

    @property
    def seen(self) -> Mapping[str, int]:
        """Where each cube and the round marker were seen last."""
        return self._seen

    def unseen(self) -> None:
        """There is no picture, or for long none without hands."""
        self.seen_again.clear()

    def look(self, reading: OlympeakReading, passing: Mapping[str, int]) -> tuple[str, ...]:
        """Weighs one settled reading; sentences about what was moved by hand, each told once.

        `passing`: places that are in order too, while the turn goes on (people move the cubes as they play).
        """
        count = Counter(each.contender for each in reading.cubes)
        seen = {
            each.contender: each.place
            for each in reading.cubes
            # Of two cubes of one colour one was misread, and nobody knows which.
            if abs(each.offset) <= _BETWEEN and count[each.contender] == 1
        }
        if reading.round_marker is not None:
            seen[ROUND] = reading.round_marker
        self.seen_again |= seen
        told: list[Text] = []
        for part, place in seen.items():
            self._seen[part] = place
            if part not in self.targets:
                continue
            if place == self.targets[part]:
                self._confirmed[part] = place
                self._astray.pop(part, None)
                self._told.discard(part)
            elif self._confirmed.get(part) != self.targets[part] or place == passing.get(part):
                self._astray.pop(part, None)
            else:
                known = self._astray.get(part)
                if known is None or known[0] != place:
                    self._astray[part] = (place, reading.exposed_at, 1)
                    continue
                self._astray[part] = (place, known[1], known[2] + 1)
                if known[2] >= LOOKS and reading.exposed_at - known[1] >= MOVED_S and part not in self._told:
                    self._told.add(part)
                    told.append(
                        say("olympeak.moved_by_hand", part=_name(part), place=self.targets[part], other=place)
                    )
        return tuple(told)

    def todo(self, passing: Mapping[str, int]) -> tuple[Todo, ...]:
        """What is to be moved where; nothing while a part stands where it may stand in passing."""
        acts = []
        for part, place in self.targets.items():
            at = self._seen.get(part)
            if at == place or (at is not None and at == passing.get(part)):
                continue
            if at is None and self._confirmed.get(part, place) == place:
                continue
            if at is not None and part != ROUND:
                text = say("olympeak.move_part_from", part=_name(part), at=at, place=place)
            else:
                text = say("olympeak.move_part", part=_name(part), place=place)
            acts.append(Todo(text, _part(part)))
        return tuple(acts)

    def marks(self, todo: tuple[Todo, ...]) -> tuple[tuple[str, Mark], ...]:
        """The parts of the table that `todo` concerns."""
        return tuple((each.space, Mark.MISSING) for each in todo if each.space is not None)


def _name(part: str) -> Text:
    return say("olympeak.round_marker") if part == ROUND else cube_name(part)


def _part(part: str) -> str:
    return ROUND if part == ROUND else f"cube {part}"
