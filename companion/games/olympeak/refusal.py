"""Why an event is against the rules: a kind for the program, a sentence with the ruling for the players."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.errors import CompanionError
from companion.messages import Text, say, sentences


class Reason(Enum):
    """Everything that can be wrong with an event."""

    PHASE = "phase"  # not the moment for it
    SEAT = "seat"  # another player is to act
    COUNT = "count"  # not one card, or tile, per seat
    SWAPPED = "swapped"  # not the card that was revealed
    SIGN = "sign"  # the card does not name this contender
    TAKEN = "taken"  # the contender already has a card in the open row
    OUT_OF_PLAY = "out_of_play"  # the contender does not race with so few players
    ROW = "row"  # laid in another row than the open one
    MUST_PLACE = "must_place"  # called blocked, but could place
    NOT_REMOVABLE = "not_removable"
    NOTHING_TO_DRAW = "nothing_to_draw"
    SAME_TILE = "same_tile"  # one contender predicted twice by a player
    SHARED_SECOND = "shared_second"  # two players hold the same second-place tile of the one set
    RULING = "ruling"  # not the rules lead on, but a ruling of the players' own
    IMPOSSIBLE = "impossible"  # a table that cannot be played from
    # What a camera may find about a physical card although the play itself is in order:
    UNKNOWN_CARD = "unknown_card"
    STARRED = "starred"
    TWICE = "twice"
    ON_TABLE = "on_table"
    DISCARDED = "discarded"
    OTHER_HAND = "other_hand"


# A game goes on after these, once they have been pointed out (O17).
FINDINGS: frozenset[Reason] = frozenset(
    {Reason.STARRED, Reason.TWICE, Reason.ON_TABLE, Reason.DISCARDED, Reason.OTHER_HAND}
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """One thing that is wrong. `ruling` is the number of the ruling (`O4`) the text rests on."""

    reason: Reason
    ruling: str
    sentence: Text

    @property
    def text(self) -> Text:
        """The sentence with its ruling."""
        if self.ruling:
            return say("olympeak.cited", sentence=self.sentence, ruling=self.ruling)
        return say("olympeak.uncited", sentence=self.sentence)


class IllegalEvent(CompanionError, ValueError):
    """An event that the rules do not allow in this state; `refusals` says all that is wrong with it."""

    def __init__(self, refusals: tuple[Refusal, ...]) -> None:
        super().__init__(sentences(*(refusal.text for refusal in refusals)))
        self.refusals = refusals
