"""Scenes: what the lights are to say, before anyone thinks of lamps and colours.

A scene is layers upon layers. Each has a level, and a light shows the meaning that the highest layer has for it.
What a verdict looks like stands in tables here; how a meaning looks stands in `lamps`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum, IntEnum

from companion.referee.verdict import Kind, Mark, Verdict


class Level(IntEnum):
    """What covers what; the later the more it asks of the players, or the less anything else matters."""

    WAITING = 0
    TURN = 1
    MOVED = 2
    TARGETS = 3
    ACTS = 4  # a token to take, a piece that is missing
    WRONG = 5  # what stands wrong, and its way back
    QUESTION = 6
    VICTORY = 7
    STOPPED = 8  # the emergency stop is on
    LIGHT_TEST = 9


class Mood(Enum):
    """What the table as a whole is doing."""

    WAITING = "waiting"  # nothing can be judged now, or no game has begun
    PLAYING = "playing"
    ILLEGAL = "illegal"
    ASKING = "asking"
    VICTORY = "victory"
    STOPPED = "stopped"
    LIGHT_TEST = "light test"


class SeatSign(Enum):
    """What a seat's light says."""

    TURN = "turn"  # it is this seat's turn
    LAST_CALL = "last call"  # the turn is complete and may still go on
    WRONG = "wrong"  # this seat's turn stands against the rules
    ASKED = "asked"  # a question to the players
    IDLE = "idle"  # the companion waits, and is alive
    WINNER = "winner"
    STOPPED = "stopped"  # the emergency stop is on


class Motion(Enum):
    """What moves over the board by itself."""

    NONE = "none"
    RAY = "ray"  # a golden ray walks round the mountain
    WALK = "walk"  # one light goes along the whole strip, seats too


# On which level a meaning lies.
MARK_LEVELS: dict[Mark, Level] = {
    Mark.MOVED: Level.MOVED,
    Mark.TARGET: Level.TARGETS,
    Mark.REMOVE: Level.ACTS,
    Mark.MISSING: Level.ACTS,
    Mark.WRONG: Level.WRONG,
    Mark.RETURN: Level.WRONG,
    Mark.WINNER: Level.VICTORY,
}
SIGN_LEVELS: dict[SeatSign, Level] = {
    SeatSign.IDLE: Level.WAITING,
    SeatSign.TURN: Level.TURN,
    SeatSign.LAST_CALL: Level.TURN,
    SeatSign.WRONG: Level.WRONG,
    SeatSign.ASKED: Level.QUESTION,
    SeatSign.WINNER: Level.VICTORY,
    SeatSign.STOPPED: Level.STOPPED,
}
# Of two meanings on one level the earlier is shown.
_FIRST = (Mark.WRONG, Mark.RETURN, Mark.REMOVE, Mark.MISSING)


@dataclass(frozen=True, slots=True)
class Layer:
    """Lights of one level: (space, mark) and (seat, sign) pairs, sorted. `alone`: what lies below is dark."""

    level: Level
    spaces: tuple[tuple[str, Mark], ...] = ()
    seats: tuple[tuple[int, SeatSign], ...] = ()
    motion: Motion = Motion.NONE
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """What to show: layers, lowest first, and the mood of the whole.

    `players`: how many sit at the table, which tells where their lights are. `seat_lights`: the number of each
    seat's light (0 south, then clockwise) on a table without the mountain; empty: as Above seats its players,
    mountain and all. Two equal scenes look the same, so a scene that merely arrives again need not start its
    rhythm anew.
    """

    mood: Mood
    players: int
    layers: tuple[Layer, ...] = ()
    seat_lights: tuple[int, ...] = ()

    @property
    def _seen(self) -> tuple[Layer, ...]:
        """The layers that nothing covers as a whole."""
        last_alone = max((n for n, layer in enumerate(self.layers) if layer.alone), default=0)
        return self.layers[last_alone:]

    @property
    def marks(self) -> tuple[tuple[str, Mark], ...]:
        """The meaning of each lit space, sorted."""
        return tuple(sorted({space: mark for layer in self._seen for space, mark in layer.spaces}.items()))

    @property
    def seats(self) -> tuple[tuple[int, SeatSign], ...]:
        """The meaning of each lit seat, sorted; seats left out are dark."""
        return tuple(sorted({seat: sign for layer in self._seen for seat, sign in layer.seats}.items()))

    @property
    def motion(self) -> Motion:
        """What moves over the board; the highest layer that moves anything."""
        moving = [layer.motion for layer in self._seen if layer.motion is not Motion.NONE]
        return moving[-1] if moving else Motion.NONE

    def under(self, layer: Layer, mood: Mood) -> Scene:
        """This scene with another layer laid over it."""
        layers = tuple(sorted((*self.layers, layer), key=lambda each: each.level))
        return replace(self, mood=mood, layers=layers)


class _Who(Enum):
    """Whose lights a verdict concerns."""

    EVERYONE = "everyone"
    MOVER = "mover"
    WINNERS = "winners"


# What the lights say about each kind of verdict: the mood, whose light, which sign.
_SAID: dict[Kind, tuple[Mood, _Who, SeatSign]] = {
    Kind.SETUP: (Mood.WAITING, _Who.EVERYONE, SeatSign.IDLE),
    Kind.READY: (Mood.PLAYING, _Who.MOVER, SeatSign.TURN),
    Kind.LIFTED: (Mood.PLAYING, _Who.MOVER, SeatSign.TURN),
    Kind.UNFINISHED: (Mood.PLAYING, _Who.MOVER, SeatSign.TURN),
    Kind.COMPLETE: (Mood.PLAYING, _Who.MOVER, SeatSign.LAST_CALL),
    Kind.ILLEGAL: (Mood.ILLEGAL, _Who.MOVER, SeatSign.WRONG),
    Kind.QUESTION: (Mood.ASKING, _Who.EVERYONE, SeatSign.ASKED),
    Kind.HOLD: (Mood.WAITING, _Who.MOVER, SeatSign.IDLE),
    Kind.OVER: (Mood.VICTORY, _Who.WINNERS, SeatSign.WINNER),
}


def waiting(players: int, seat_lights: tuple[int, ...] = ()) -> Scene:
    """The scene while there is no verdict yet: every seat's light dim, so that nobody takes it for dead."""
    return _scene(Mood.WAITING, players, (), dict.fromkeys(range(players), SeatSign.IDLE), seat_lights)


def scene_of(verdict: Verdict, players: int) -> Scene:
    """The scene that shows `verdict` of Above to `players` people around the table."""
    mood, seats = _signs(verdict, players)
    return _scene(mood, players, verdict.marks, seats)


def seat_scene_of(verdict: Verdict, players: int, seat_lights: tuple[int, ...]) -> Scene:
    """The scene of a game without lights on its board: all is said by the seats' lights.

    A verdict that concerns several players names them by its marks (`reveal 2`, `tiles 0`): to act, or to
    take a card back. `seat_lights` as in a scene.
    """
    mood, seats = _signs(verdict, players)
    if verdict.kind in _ACTING:
        named = _named_seats(verdict.marks)
        seats = named if SeatSign.TURN in named.values() else {**seats, **named}
    return _scene(mood, players, (), seats, seat_lights)


def stopped(scene: Scene) -> Scene:
    """The scene while the emergency stop is on: every seat says so, over whatever the game says."""
    everyone = tuple((seat, SeatSign.STOPPED) for seat in range(scene.players))
    return scene.under(Layer(Level.STOPPED, seats=everyone), Mood.STOPPED)


def light_test(scene: Scene) -> Scene:
    """The scene of a light test, as for calibration: one light after the other and nothing else."""
    return scene.under(Layer(Level.LIGHT_TEST, motion=Motion.WALK, alone=True), Mood.LIGHT_TEST)


def _scene(
    mood: Mood,
    players: int,
    marks: Iterable[tuple[str, Mark]],
    seats: dict[int, SeatSign],
    seat_lights: tuple[int, ...] = (),
) -> Scene:
    spaces: dict[Level, dict[str, Mark]] = {}
    for space, mark in sorted(marks, key=lambda each: _FIRST.index(each[1]) if each[1] in _FIRST else 0):
        spaces.setdefault(MARK_LEVELS[mark], {}).setdefault(space, mark)
    lit: dict[Level, dict[int, SeatSign]] = {}
    for seat, sign in seats.items():
        lit.setdefault(SIGN_LEVELS[sign], {})[seat] = sign
    layers = tuple(
        Layer(
            level,
            tuple(sorted(spaces.get(level, {}).items())),
            tuple(sorted(lit.get(level, {}).items())),
            # A golden ray walks round where there is a mountain.
            Motion.RAY if level is Level.VICTORY and not seat_lights else Motion.NONE,
        )
        for level in sorted({*spaces, *lit})
    )
    return Scene(mood, players, layers, seat_lights)


def _signs(verdict: Verdict, players: int) -> tuple[Mood, dict[int, SeatSign]]:
    mood, who, sign = _SAID[verdict.kind]
    seats: Iterable[int] = {
        _Who.EVERYONE: range(players),
        _Who.MOVER: (verdict.seat,),
        _Who.WINNERS: verdict.winners,
    }[who]
    return mood, dict.fromkeys(seats, sign)


_ACTING = (Kind.READY, Kind.LIFTED, Kind.UNFINISHED)
_SEAT_MARKS = {Mark.TARGET: SeatSign.TURN, Mark.REMOVE: SeatSign.ASKED}


def _named_seats(marks: Iterable[tuple[str, Mark]]) -> dict[int, SeatSign]:
    named: dict[int, SeatSign] = {}
    for part, mark in marks:
        zone, _, seat = part.partition(" ")
        # To take a card back comes before anything else.
        known = zone in ("reveal", "tiles") and mark in _SEAT_MARKS
        if known and named.get(int(seat)) is not SeatSign.ASKED:
            named[int(seat)] = _SEAT_MARKS[mark]
    return named
