"""Habits: what people do at a table beside playing, by name. None of it is a move, and none may be taken for one."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import Enum

from companion.virtual.faults import Fault
from companion.virtual.motion import Motion
from companion.virtual.piece import Piece
from companion.virtual.players import Actor
from companion.virtual.scene import Scene

# A hand in a hurry hits a piece so hard, in mm.
_NUDGE_MM = (1.0, 4.0)
_KNOCKED_DEG = 86.0
# So far people push a board that is in their way.
_BOARD_DEG, _BOARD_MM = 4.0, 4.0
# Beside the board and the cards, where an arm is put down: on the line to the player, mm from the middle.
_REST_MM = 262.0


class Habit(Enum):
    """One thing that people do."""

    NUDGES = "nudges"  # brushes against a piece, which stays in its space
    STRAIGHTENS = "straightens"  # picks a piece up and sets it straight
    KNOCKS_OVER = "knocks_over"  # a miniature falls, lies there, and is set up again
    PUTS_BACK = "puts_back"  # lifts a miniature, thinks, and puts it back
    TAKES_LATE = "takes_late"  # takes a token off only long after the miniature has moved
    FORGETS_TOKEN = "forgets_token"  # must be reminded of a token to lay or to take off
    STARTS_EARLY = "starts_early"  # the next player begins before the last token was taken off
    COVERS_CAMERA = "covers_camera"  # two turns are played while something lies over the camera
    TURNS_BOARD = "turns_board"  # the board is pushed and turned on the table
    SHUFFLES_CARDS = "shuffles_cards"  # cards change places before their player
    WRONG_PLAYER = "wrong_player"  # somebody moves whose turn it is not, and must put that right
    RESTS_HAND = "rests_hand"  # an arm stays on the table for a while


# How often each is done, per turn, at a table where all of it is done.
SLOPPY: Mapping[Habit, float] = {
    Habit.NUDGES: 0.15,
    Habit.STRAIGHTENS: 0.08,
    Habit.KNOCKS_OVER: 0.05,
    Habit.PUTS_BACK: 0.12,
    Habit.TAKES_LATE: 0.25,
    Habit.FORGETS_TOKEN: 0.08,
    Habit.STARTS_EARLY: 0.25,
    Habit.COVERS_CAMERA: 0.02,
    Habit.TURNS_BOARD: 0.02,
    Habit.SHUFFLES_CARDS: 0.06,
    Habit.WRONG_PLAYER: 0.03,
    Habit.RESTS_HAND: 0.08,
}


class Habits:
    """Does what is asked of it by chance, and counts it. `rates`: how often, by habit, per turn."""

    def __init__(
        self, scene: Scene, rng: random.Random, rates: Mapping[Habit, float], count: Callable[[str], None]
    ) -> None:
        self._scene = scene
        # A generator of its own: a table without habits plays the same games as before.
        self._rng = random.Random(rng.getrandbits(64)) if rates else rng
        self._rates = dict(rates)
        self._count = count

    def has(self, habit: Habit) -> bool:
        """Is it done this time?"""
        rate = self._rates.get(habit, 0.0)
        return rate > 0 and self._rng.random() < rate

    def done(self, habit: Habit) -> None:
        """It has been done."""
        self._count(habit.value)

    def between(self, actor: Actor, actors: Sequence[Actor]) -> Motion:
        """What somebody may do while nobody plays."""
        for habit, act in (
            (Habit.NUDGES, self.nudge),
            (Habit.STRAIGHTENS, self.straighten),
            (Habit.KNOCKS_OVER, self.knock_over),
            (Habit.PUTS_BACK, self.put_back),
            (Habit.SHUFFLES_CARDS, self.shuffle_cards),
            (Habit.TURNS_BOARD, self.turn_board),
            (Habit.RESTS_HAND, self.rest),
        ):
            if self.has(habit):
                who = actor if self._rng.random() < 0.6 else self._rng.choice(list(actors))
                yield from act(who)
                yield from who.hand.leave()
                self.done(habit)

    # ---- each of them

    def nudge(self, actor: Actor) -> Motion:
        """A hand on its way over the board brushes against something."""
        piece = self._standing()
        if piece is None:
            return
        yield from actor.hand.to((piece.pose.x, piece.pose.y, 60.0))
        self._scene.nudge(piece.name, self._rng.uniform(*_NUDGE_MM))

    def straighten(self, actor: Actor) -> Motion:
        """A piece is taken up and set straight."""
        piece = self._standing()
        if piece is not None:
            yield from actor.hand.straighten(piece.name)

    def knock_over(self, actor: Actor) -> Motion:
        """A miniature falls over, lies there for a moment, and is set up again where it was."""
        piece = self._standing("mini")
        if piece is None:
            return
        home = self._scene.space_at(piece.pose.x, piece.pose.y)
        if home is None:
            return
        yield from actor.hand.to((piece.pose.x, piece.pose.y, piece.pose.z + 45.0))
        fallen = replace(
            piece.pose,
            z=piece.pose.z + self._scene.table.mini_base_mm / 2,
            tilt=_KNOCKED_DEG,
            lean=self._rng.uniform(-180, 180),
        )
        self._scene.put(piece.name, fallen)
        if self._rng.random() < 0.5:
            yield from actor.hand.leave()
        yield from actor.hand.wait(self._rng.uniform(0.3, 1.5))
        yield from actor.hand.place(piece.name, home)

    def put_back(self, actor: Actor) -> Motion:
        """A miniature is lifted, held, perhaps out of the picture, and put back where it was."""
        piece = self._standing("mini")
        home = None if piece is None else self._scene.space_at(piece.pose.x, piece.pose.y)
        if piece is None or home is None:
            return
        yield from actor.hand.grasp(piece.name)
        yield from actor.hand.lift()
        yield from actor.hand.linger(self._rng.uniform(0.3, 1.5))
        if self._rng.random() < 0.3:
            yield from actor.hand.leave()
            yield from actor.hand.wait(self._rng.uniform(0.5, 2.0))
        yield from actor.hand.place(piece.name, home)

    def shuffle_cards(self, actor: Actor) -> Motion:
        """Two cards before a player change places."""
        seat = actor.hand.seat
        table = self._scene.table
        cards = [
            card
            for card in self._scene.pieces("card")
            if not card.held and table.seat_at(card.pose.x, card.pose.y, actor.hand.players) == seat
        ]
        if len(cards) < 2:
            return
        one, other = self._rng.sample(cards, 2)
        spots = [(card.pose.x, card.pose.y) for card in (one, other)]
        # The first waits in the hand until the other has made room.
        yield from actor.hand.slide_card(one.name, self._between(spots), lifted=True)
        yield from actor.hand.slide_card(other.name, spots[0])
        yield from actor.hand.slide_card(one.name, spots[1])

    def turn_board(self, actor: Actor) -> Motion:
        """The board is pushed and turned a little, with everything on it."""
        yield from actor.hand.to((*self._rim(actor), 40.0))
        steps = 6
        turn = self._rng.uniform(-_BOARD_DEG, _BOARD_DEG)
        towards, far = self._rng.uniform(0, math.tau), self._rng.uniform(0, _BOARD_MM)
        for _ in range(steps):
            self._scene.push_board(
                turn / steps, (far * math.cos(towards) / steps, far * math.sin(towards) / steps)
            )
            yield

    def rest(self, actor: Actor) -> Motion:
        """An arm is put down beside the board and stays there."""
        yield from actor.hand.to((*self._rim(actor, _REST_MM), 20.0))
        yield from actor.hand.wait(self._rng.uniform(1.5, 4.0))

    # ---- flow

    def cover(self, covered: bool) -> None:
        """Something is laid over the camera, or taken off again."""
        self._scene.set_fault(Fault.FRAME_BLACK, covered)

    def _standing(self, kind: str | None = None) -> Piece | None:
        """Some piece on the board that stands alone in its space."""
        alone = [names[0] for names in self._scene.holding().values() if len(names) == 1]
        pieces = [self._scene.piece(name) for name in sorted(alone)]
        pieces = [piece for piece in pieces if kind is None or piece.kind == kind]
        return self._rng.choice(pieces) if pieces else None

    def _between(self, spots: Sequence[tuple[float, float]]) -> tuple[float, float]:
        return (sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots))

    def _rim(self, actor: Actor, radius: float | None = None) -> tuple[float, float]:
        """A place on the board's rim, or so far from its middle, on the player's side."""
        reach = radius or self._scene.board.outer_radius_mm - 8.0
        x, y = actor.hand.body
        away = math.hypot(x, y) or 1.0
        return (x / away * reach, y / away * reach)
