"""Answers: what the players of Above say when the table asks what they have done. They never say what is not true.

A choice's key says what it means: `turn:` a whole turn in notation, with `by` and a seat before it where another player
may have done the same, `did:` one thing that happened in it, `none` that nothing of what is offered did, `wrong:` that a
turn in notation was not played, `tell` that they will tell what was played, `lies:` that it is right as it lies and whose
turn begins, `stands` that all is set up, `done`; `object` that what was refused is right as it lies, `right:` that it
is this position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.above.action import Action, ActionError
from companion.games.above.position import Position
from companion.games.above.rules import IllegalAction, apply


@dataclass(frozen=True, slots=True)
class Played:
    """A turn that was played, from `before` to `after`."""

    before: Position
    turn: tuple[Action, ...]
    after: Position

    def recovered(self, seat: int) -> bool:
        """Did this seat recover cards in it (A5)?"""
        return bool(Counter(self.after.powered(seat)) - Counter(self.before.powered(seat)))


def answer_to(
    keys: Sequence[str],
    untold: Sequence[Played],
    seat: int,
    recent: Sequence[Played] = (),
    asked: int | None = None,
    last: Sequence[Played] | None = None,
    told: Sequence[str] = (),
    lies: str | None = None,
) -> str | None:
    """The key of a choice that is true; None if none of them is.

    `untold`: the turns that the table has not taken in yet, the oldest first. It is the oldest that is asked about,
    or the oldest of the seat that is `asked`. `seat`: whose turn it is now. `recent`: the last turns, which people
    still know when they are asked for one of them. `last`: the turn before those that the table
    has not taken in, none if it has taken in more than there were; None if they do not look that up.
    `told`: the keys that have been given since this turn is told: what was done once is not told twice.
    `lies`: the position in notation if all lies as it should, None while something does not.
    """
    looked_up = recent if last is not None else ()
    for key in keys:
        kind, _, what = key.partition(":")
        if kind == "wrong" and last is not None and not any(_came_about(what, each) for each in last):
            return key
    of_asked = [played for played in untold if asked in (None, played.before.turn)]
    oldest = _features((of_asked or untold)[0].turn) if untold else ()
    done = [f"did:{feature}" for feature in oldest]
    left = Counter(done) - Counter(told)
    if not left.keys().isdisjoint(keys):
        keys = [key for key in keys if key not in done or key in left]
    # What was done first is told first: what may follow depends on it.
    in_order = sorted(keys, key=lambda key: done.index(key) if key in done else -1)
    for key in in_order:
        kind, _, what = key.partition(":")
        if kind == "turn" and any(_came_about(what, played) for played in (*untold, *looked_up)):
            return key
        if kind == "did" and what in oldest:
            return key
        if kind == "lies" and lies is not None and int(what) == seat:
            return key
        if key == "stands":
            return key
        if lies is not None and (key == "object" or key == f"right:{lies}"):
            return key
    if not untold and "none" in keys and any(key.startswith("did:activate ") for key in keys):
        return "none"  # nothing of a turn that is to be told was done
    if not untold:
        # Who waits in vain although the table has taken in as many turns as were played says what was played.
        return "tell" if looked_up and "tell" in keys else None
    for key in keys:
        kind, _, what = key.partition(":")
        if kind == "turn" and any(_came_about(what, played) for played in recent):
            return key
    # "Done" is offered while a turn could go on; it is true once the hands are away.
    return next((key for key in ("none", "done", "tell") if key in keys), None)


def is_objection(key: str) -> bool:
    """Does whoever gives this answer have to object to what is said of the table?"""
    return key.startswith(("object", "right:"))


def _came_about(text: str, played: Played) -> bool:
    """Whether the actions named in `text` lead to what truly lies there."""
    here = played.before
    if text.startswith("by "):
        by, _, text = text.partition(", ")
        if by != f"by {here.turn}":
            return False
    try:
        for words in text.split(", "):
            here = apply(here, Action.parse(words))
    except (ActionError, IllegalAction):
        return False
    return here == played.after


def _features(turn: Sequence[Action]) -> Sequence[str]:
    """What happened in a turn, thing by thing, in order; of cards taken from the pile, each."""
    found: list[str] = []
    for action in turn:
        if action.kind == "recover":
            for code in action.deities:
                found.append(f"pick {action.seat} {code}{' twice' if action.deities.count(code) > 1 else ''}")
            continue
        found.append(str(action))
        if action.kind == "shift":
            found += (f"remove {action.token} {action.origin}", f"place {action.token} {action.space}")
    return found
