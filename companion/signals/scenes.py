"""Scenes: what the lights are to say about a verdict, before anyone thinks of lamps and colours."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.referee.verdict import Kind, Mark, Verdict


class Mood(Enum):
    """What the table as a whole is doing."""

    WAITING = "waiting"  # nothing can be judged now, or no game has begun
    PLAYING = "playing"
    ILLEGAL = "illegal"
    ASKING = "asking"
    VICTORY = "victory"


class SeatSign(Enum):
    """What a seat's light says."""

    TURN = "turn"  # it is this seat's turn
    LAST_CALL = "last call"  # the turn is complete and may still go on
    WRONG = "wrong"  # this seat's turn stands against the rules
    ASKED = "asked"  # a question to the players
    IDLE = "idle"  # the companion waits, and is alive
    WINNER = "winner"


@dataclass(frozen=True, slots=True)
class Scene:
    """What to show: the meaning of each lit space, of each lit seat, and the mood of the whole.

    `marks`: one (space, mark) a space, sorted. `seats`: one (seat, sign) a seat, sorted; seats left out are
    dark. `players`: how many sit at the table, which tells where their lights are. Two equal scenes look
    the same, so a scene that merely arrives again need not start its rhythm anew.
    """

    mood: Mood
    players: int
    marks: tuple[tuple[str, Mark], ...] = ()
    seats: tuple[tuple[int, SeatSign], ...] = ()


# Where a space has several meanings, the one that asks most of the players is shown.
URGENCY: tuple[Mark, ...] = (
    Mark.WRONG,
    Mark.RETURN,
    Mark.REMOVE,
    Mark.MISSING,
    Mark.WINNER,
    Mark.TARGET,
    Mark.MOVED,
)

_MOODS: dict[Kind, Mood] = {
    Kind.SETUP: Mood.WAITING,
    Kind.READY: Mood.PLAYING,
    Kind.LIFTED: Mood.PLAYING,
    Kind.UNFINISHED: Mood.PLAYING,
    Kind.COMPLETE: Mood.PLAYING,
    Kind.ILLEGAL: Mood.ILLEGAL,
    Kind.QUESTION: Mood.ASKING,
    Kind.HOLD: Mood.WAITING,
    Kind.OVER: Mood.VICTORY,
}


def waiting(players: int) -> Scene:
    """The scene while there is no verdict yet: every seat's light dim, so that nobody takes it for dead."""
    return Scene(Mood.WAITING, players, seats=tuple((seat, SeatSign.IDLE) for seat in range(players)))


def scene_of(verdict: Verdict, players: int) -> Scene:
    """The scene that shows `verdict` to `players` people around the table."""
    return Scene(_MOODS[verdict.kind], players, _strongest(verdict.marks), _seats(verdict, players))


def _strongest(marks: tuple[tuple[str, Mark], ...]) -> tuple[tuple[str, Mark], ...]:
    chosen: dict[str, Mark] = {}
    for space, mark in marks:
        if space not in chosen or URGENCY.index(mark) < URGENCY.index(chosen[space]):
            chosen[space] = mark
    return tuple(sorted(chosen.items()))


def _seats(verdict: Verdict, players: int) -> tuple[tuple[int, SeatSign], ...]:
    everyone = range(players)
    match verdict.kind:
        case Kind.SETUP:
            return tuple((seat, SeatSign.IDLE) for seat in everyone)
        case Kind.QUESTION:
            return tuple((seat, SeatSign.ASKED) for seat in everyone)
        case Kind.OVER:
            return tuple((seat, SeatSign.WINNER) for seat in sorted(verdict.winners))
        case Kind.ILLEGAL:
            return ((verdict.seat, SeatSign.WRONG),)
        case Kind.HOLD:
            return ((verdict.seat, SeatSign.IDLE),)
        case Kind.COMPLETE:
            return ((verdict.seat, SeatSign.LAST_CALL),)
        case Kind.READY | Kind.LIFTED | Kind.UNFINISHED:
            return ((verdict.seat, SeatSign.TURN),)
