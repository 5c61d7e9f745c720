"""Restored: does the table show again how it lay before the last turn, or before one of those before it?"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.position import Position
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.hypothesis import Hypothesis, Item
from companion.referee.trajectory import cost_of, is_sure, state_of
from companion.referee.turn import Turn

# Further back nobody puts every piece where it was.
MOST_TURNS = 12


def turns_restored(turns: Sequence[Turn], evidence: Evidence) -> int:
    """How many turns back the table has been put, seen with certainty; 0 if it shows no earlier position."""
    for count, turn in enumerate(reversed(turns[-MOST_TURNS:]), 1):
        if _shows(turn.before, turns[-1].after, evidence):
            return count
    return 0


def is_being_restored(last: Turn, evidence: Evidence) -> tuple[Item, ...]:
    """The items still to be put back, where everything else that lies otherwise lies as before the last turn.

    Empty if it was not begun, is done, or something is in neither state.
    """
    back: list[Item] = []
    begun = False
    for item in _items(last.before, last.after, evidence):
        before, after = state_of(last.before, item), state_of(last.after, item)
        if cost_of(evidence, item, after) < CONTRADICTION:
            if before != after:
                back.append(item)
        elif before != after and is_sure(evidence, item, before):
            begun = True
        else:
            return ()
    return tuple(back) if begun else ()


def is_replayed(last: Turn, anew: Hypothesis, evidence: Evidence) -> bool:
    """Has the last turn's card been turned back, and is another one played in its place, as `anew`, whole or in part?

    Nobody turns it back but to take the turn back, whether or not anything could be seen while nothing else was played.
    """
    if not anew.actions or anew.actions[0] == last.actions[0]:
        return False
    card: Item = ("card", last.before.turn, last.actions[0].deity_index)
    return cost_of(evidence, card, state_of(last.after, card)) >= CONTRADICTION


def _shows(earlier: Position, now: Position, evidence: Evidence) -> bool:
    if earlier == now:
        return False
    for item in _items(earlier, now, evidence):
        state = state_of(earlier, item)
        if cost_of(evidence, item, state) >= CONTRADICTION:
            return False
        if state != state_of(now, item) and not is_sure(evidence, item, state):
            return False
    return True


def _items(one: Position, other: Position, evidence: Evidence) -> list[Item]:
    """Every miniature and card, and every token slot that counts in either position or on the table."""
    slots = set(evidence.tokens_seen())
    for position in (one, other):
        for number, kind in enumerate(TOKENS):
            slots |= {(number, SPACES.index(name)) for name in position.tokens_on(kind)}
    return [
        *(("mini", deity, 0) for deity in range(len(DEITIES))),
        *(("token", token, space) for token, space in sorted(slots)),
        *(("card", seat, deity) for seat in range(one.players) for deity in range(len(DEITIES))),
    ]
