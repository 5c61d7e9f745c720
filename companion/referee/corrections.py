"""Corrections: what people said about pieces and cards that were read as something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Correction:
    """`read` at `place` is really `said`; both are names of one `what` ("mini", "token", "card").

    `swapped`: what is read as `said` lay elsewhere at the same time, so the two stickers have changed places.
    """

    what: str
    place: str
    read: str
    said: str
    swapped: bool = False

    def as_data(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Correction:
        """From JSON. Raises TypeError for other keys than these."""
        return cls(**data)


class Corrections:
    """All that was said of one kind of thing; the newest word on each counts.

    Two stickers that changed places stay changed for the game. Otherwise a wrong reading is one of the moment:
    it stands for what was said until that is read itself.
    """

    def __init__(self, what: str, given: Sequence[Correction] = ()) -> None:
        self.what = what
        self._names: dict[str, str] = {}
        self._stand_ins: dict[str, tuple[str, str]] = {}
        for correction in given:
            if correction.what == what:
                self.add(correction)

    def __bool__(self) -> bool:
        return bool(self._names or self._stand_ins)

    def add(self, correction: Correction) -> None:
        """One more."""
        read, said = correction.read, correction.said
        self._stand_ins.pop(read, None)
        if not correction.swapped:
            if self.name(read) != said:
                self._stand_ins[read] = (correction.place, said)
            return
        # The one that went by this name so far gets the name that is given up.
        other = next((key for key, name in self._names.items() if name == said), said)
        names = {**self._names, other: self.name(read), read: said}
        self._names = {key: name for key, name in names.items() if key != name}

    def name(self, read: str) -> str:
        """What goes by the name of `read` for the game."""
        return self._names.get(read, read)

    def names(self, readings: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        """What these (place, read as) really are, in the same order."""
        named = [self.name(read) for _, read in readings]
        for read, (place, said) in self._stand_ins.items():
            alike = [number for number, (_, each) in enumerate(readings) if each == read]
            if len(alike) > 1:
                # Only the one that was pointed at is another.
                alike = [number for number in alike if readings[number][0] == place]
            if len(alike) == 1 and said not in named:
                named[alike[0]] = said
        return tuple(named)
