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
    dark. `players`: how many sit at the table, which tells where their lights are. `seat_lights`: the number
    of each seat's light (0 south, then clockwise) on a table without the mountain; empty: as Above seats its
    players, mountain and all. Two equal scenes look the same, so a scene that merely arrives again need not
    start its rhythm anew.
    """

    mood: Mood
    players: int
    marks: tuple[tuple[str, Mark], ...] = ()
    seats: tuple[tuple[int, SeatSign], ...] = ()
    seat_lights: tuple[int, ...] = ()


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


def waiting(players: int, seat_lights: tuple[int, ...] = ()) -> Scene:
    """The scene while there is no verdict yet: every seat's light dim, so that nobody takes it for dead."""
    idle = tuple((seat, SeatSign.IDLE) for seat in range(players))
    return Scene(Mood.WAITING, players, seats=idle, seat_lights=seat_lights)


def scene_of(verdict: Verdict, players: int) -> Scene:
    """The scene that shows `verdict` of Above to `players` people around the table."""
    return Scene(_MOODS[verdict.kind], players, _strongest(verdict.marks), _seats(verdict, players))


def seat_scene_of(verdict: Verdict, players: int, seat_lights: tuple[int, ...]) -> Scene:
    """The scene of a game without lights on its board: all is said by the seats' lights.

    A verdict that concerns several players names them by its marks (`reveal 2`, `tiles 0`): to act, or to
    take a card back. `seat_lights` as in a scene.
    """
    seats = dict(_seats(verdict, players))
    if verdict.kind in _ACTING:
        named = _named_seats(verdict.marks)
        if SeatSign.TURN in named.values():
            seats = named
        else:
            seats.update(named)
    return Scene(_MOODS[verdict.kind], players, seats=tuple(sorted(seats.items())), seat_lights=seat_lights)


_ACTING = (Kind.READY, Kind.LIFTED, Kind.UNFINISHED)
_SEAT_MARKS = {Mark.TARGET: SeatSign.TURN, Mark.REMOVE: SeatSign.ASKED}


def _named_seats(marks: tuple[tuple[str, Mark], ...]) -> dict[int, SeatSign]:
    named: dict[int, SeatSign] = {}
    for part, mark in marks:
        zone, _, seat = part.partition(" ")
        # To take a card back comes before anything else.
        known = zone in ("reveal", "tiles") and mark in _SEAT_MARKS
        if known and named.get(int(seat)) is not SeatSign.ASKED:
            named[int(seat)] = _SEAT_MARKS[mark]
    return named


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
