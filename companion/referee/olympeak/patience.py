"""Patience: how often and how long the table must say the same before it is believed."""

from __future__ import annotations

from companion.games.olympeak.events import Remove, Stop
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.path import Memory, Path

# Two settled looks that agree before anything is taken for true, or anybody is accused of what lies there.
LOOKS = 2
# Where something is merely not seen, it may be in a hand or blurred.
MISSING_S = 3.0
# While hands move beside the game somebody may be in the middle of an act, but not for ever (turns and refusals).
BESIDE_S = 1.0
# Another card than the revealed one, in plain view, is no matter of doubt: a third look, and it is said.
SWAPPED_S = 0.05
# A print that turns into another card so soon after its reveal, untouched, was misread then; later it is misread now.
MISREAD_S = 2.0
# What no more looks than so many have read, before hands came, may have been misread in all of them.
FEW_LOOKS = 3
# What may still be somebody's gesture: a card taken away, cards taken back.
REMOVED_S = 1.0
STOPPED_S = 1.2
# Turns that were played out of sight, where a gap is known of, and where none is.
UNSEEN_S = 0.5
UNNOTICED_S = 1.0
# A reveal that no picture caught is told by what was played since.
MISSED_S = 0.3
FINDING_S = 0.5
RESTORED_S = 0.8
# So long a turn that is over must lie there otherwise than it was told, before it is told anew.
REVISED_S = 0.5
# So long a new set-up lies there instead of a game that was opened again, and it is a new game.
ANOTHER_S = 2.0
TWICE_S = 1.0
# So long people get before they are asked.
QUESTION_S = 1.5
STALE_S = 3.0
# The same where nothing but the time tells that they may not merely be thinking.
THINKING_S = 10.0
TILE_S = 4.0
# Cubes that have stood still for so long after a round that nobody saw stand where they belong, as far as people know.
STILL_S = 3.0
MOST_STILL_S = 6.0
# One that is moved later counts where it is, before it would be said to have been moved by hand.
RECOUNT_S = 1.5
# A card that has not been seen for so long has been taken away.
GONE_S = 0.3
# In less than this nobody takes a card to hand, chooses, lays one face down and turns it up.
EXCHANGE_S = 2.0


def patience_for(best: Path, look: Look, memory: Memory) -> float:
    """How long (seconds) the table must show this path before it is believed: longer where little tells of it."""
    wait = 0.0
    new = best.events[len(memory.path) :]
    if best.events[: len(memory.path)] != memory.path:
        new = best.events
    # Where the next card lies chosen before every seat, it was no gesture that the last ones were taken back.
    is_gesture = not look.face_down.issuperset(best.state.setup.seats)
    for event in new:
        if isinstance(event, Stop) and event.stop and "stop" not in memory.answers.values():
            wait = max(wait, STOPPED_S if is_gesture else 0.0)
        elif isinstance(event, Remove) and event.card is not None and look.discard_top != event.card:
            # Where the discard pile is in view and shows another card, this one may come back.
            wait = max(wait, REMOVED_S if look.discard_top is None else MISSING_S)
    return max(wait, FINDING_S) if best.findings else wait
