"""A guest at the simulated table: somebody real, who plays seats of it with a hand that goes where they drag.

What a guest does is physical and nothing else: no rule is looked at, a piece stays where it was put. The simulated
people wait while a guest plays, and put back what was left wrong before they play on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.errors import CompanionError
from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.notation import PositionError
from companion.games.above.position import Position
from companion.messages import say
from companion.virtual.deeds import Deed, Do
from companion.virtual.motion import Motion, mini_on_top, token_at
from companion.virtual.piece import Piece
from companion.virtual.players import Actor
from companion.virtual.scene import Scene
from companion.virtual.truth import Lie

# A hand whose guest asks for nothing more leaves the picture after this, in seconds.
LEAVES_AFTER_S = 1.0
# So near to the middle of a space a piece is meant to stand on it, in mm.
MEANT_MM = 12.0
# The table a hand can reach, from its middle: x and y in mm.
REACH_MM = (330.0, 215.0)
QUEUE_LIMIT = 12


class GuestError(CompanionError):
    """A guest asked for what no hand can do; the sentence says what can be done instead."""


@dataclass(frozen=True, slots=True)
class Drag:
    """A piece is to be put down at (x, y) in mm, or to be turned over where it lies."""

    piece: str
    to: tuple[float, float] | None


class Guest:
    """The guests' hands at one table. All calls come from the thread that steps the people.

    `seats`: those that guests play. A guest keeps their seat from one game to the next. `touched`: a guest has moved
    something since the people last found all in order.
    """

    def __init__(self, scene: Scene) -> None:
        self.seats: frozenset[int] = frozenset()
        self.touched = False
        self._scene = scene
        self._actors: Sequence[Actor] = ()
        self._drags: deque[Drag] = deque()
        self._motion: Motion | None = None
        self._idle_since = float("-inf")
        self._hand = 0

    def sit_down(self, actors: Sequence[Actor]) -> None:
        """Another game is dealt, with these hands."""
        self._actors = actors
        self.seats = frozenset(seat for seat in self.seats if seat < len(actors))
        self.touched = False
        self._drags.clear()
        self._motion = None
        self._hand = min(self.seats, default=0)

    # -- what guests ask for

    def take(self, seat: int, taken: bool) -> None:
        """A guest takes a seat over, or gives it back. Raises GuestError."""
        if not 0 <= seat < len(self._actors):
            raise GuestError(say("web.no_seat_here", n=seat + 1))
        self.seats = self.seats | {seat} if taken else self.seats - {seat}

    def put(self, name: str, x: float, y: float) -> None:
        """A piece is to be carried to (x, y) in mm. Raises GuestError."""
        piece = self._piece(name)
        if abs(x) > REACH_MM[0] or abs(y) > REACH_MM[1]:
            raise GuestError(say("web.beyond_table"))
        if piece.kind == "card" and self._scene.ring_at(x, y):
            raise GuestError(say("web.cards_beside"))
        self._ask(Drag(name, (x, y)))

    def turn(self, name: str) -> None:
        """A card is to be turned over. Raises GuestError."""
        if self._piece(name).kind != "card":
            raise GuestError(say("web.two_sides"))
        self._ask(Drag(name, None))

    def _piece(self, name: str) -> Piece:
        if not self.seats:
            raise GuestError(say("web.seat_first"))
        known = {piece.name for piece in self._scene.pieces()}
        if name not in known:
            raise GuestError(say("web.no_such_piece"))
        return self._scene.piece(name)

    def _ask(self, drag: Drag) -> None:
        if len(self._drags) >= QUEUE_LIMIT:
            raise GuestError(say("web.hand_busy"))
        self._drags.append(drag)
        self.touched = True

    # -- the hand

    @property
    def busy(self) -> bool:
        """Is a hand at work, or about to be?"""
        return self._motion is not None or bool(self._drags)

    def idle_s(self, now: float) -> float:
        """For how long no guest has done anything, in seconds."""
        return 0.0 if self.busy else now - self._idle_since

    def step(self, turn: int, now: float) -> None:
        """The guests' hand goes on up to `now`; `turn`: whose turn it is, and so whose hand it is if a guest's."""
        if self._motion is None and self._drags:
            seats = self.seats or {turn}
            wanted = turn if turn in seats else min(seats)
            self._motion = self._change_hands(wanted) if wanted != self._hand else None
            self._hand = wanted
            self._motion = self._motion or self._do(self._drags.popleft())
        if self._motion is None and self._actors and self._actors[self._hand].hand.in_picture:
            self._motion = self._leave()
        if self._motion is None:
            return
        self._idle_since = now
        if next(self._motion, self) is self:
            self._motion = None

    def _leave(self) -> Motion:
        hand = self._actors[self._hand].hand
        until = hand.clock.now + LEAVES_AFTER_S
        while hand.clock.now < until:
            if self._drags:
                return
            yield
        yield from hand.leave()

    def _change_hands(self, seat: int) -> Motion:
        for actor in self._actors:
            if actor.hand.seat != seat:
                yield from actor.hand.leave()

    def _do(self, drag: Drag) -> Motion:
        hand = self._actors[self._hand].hand
        piece = self._scene.piece(drag.piece)
        if piece.held:
            return
        if drag.to is None:
            yield from hand.flip(piece.name, not piece.powered)
        elif piece.kind == "card":
            yield from self._put_card(piece, drag.to)
        else:
            yield from self._put_piece(piece, drag.to)

    def _put_card(self, card: Piece, to: tuple[float, float]) -> Motion:
        hand, table = self._actors[self._hand].hand, self._scene.table
        x, y = table.pile_centre_mm
        seat = table.seat_at(*to, hand.players)
        if hand.players == 4 and abs(to[0] - x) < 40 and abs(to[1] - y) < 50:
            yield from hand.discard(card.name)
        elif hand.players == 4 and seat is not None and table.seat_at(card.pose.x, card.pose.y, 4) is None:
            yield from hand.pick(card.name, seat)
        else:
            yield from hand.slide_card(card.name, to)

    def _put_piece(self, piece: Piece, to: tuple[float, float]) -> Motion:
        hand, scene = self._actors[self._hand].hand, self._scene
        if piece.kind == "token" and (above := mini_on_top(scene, piece)) is not None:
            yield from hand.free_token(above, piece)
        space = scene.space_at(*to)
        if space is not None:
            centre = scene.printed_centre(space)
            others = [name for name in scene.holding().get(space, ()) if name != piece.name]
            stands_free = not others or (piece.kind == "mini" and token_at(scene, space) in others)
            if (to[0] - centre[0]) ** 2 + (to[1] - centre[1]) ** 2 < MEANT_MM**2 or not stands_free:
                crowded = any(name.startswith(piece.kind) for name in others) or piece.kind == "token"
                yield from hand.place(piece.name, space, aside_mm=17.0 if others and crowded else 0.0)
                return
        yield from hand.set_down(piece.name, *to)


def position_of(lie: Lie, players: int, turn: int) -> Position | None:
    """The position of a table that lies so, with `turn` to move; None where no game can lie so."""
    minis = ",".join(f"{deity}={lie.minis[deity]}" for deity in DEITIES)
    tokens = ",".join(
        f"{token}={'.'.join(sorted(space for what, space in lie.tokens if what == token))}"
        for token in TOKENS
    )
    cards = "/".join(
        ".".join(deity for deity in DEITIES for _ in range(lie.cards.get((seat, deity), 0)))
        for seat in range(players)
    )
    try:
        return Position.parse(f"{minis} {tokens} {cards} {turn} {players}")
    except PositionError:
        return None


def restoring(lies: Lie, wanted: Lie, players: int) -> list[Deed]:
    """The deeds that bring a table that lies as `lies` back to `wanted`, in an order that hands can follow."""
    taken: list[Deed] = []
    laid: list[Deed] = []
    cards: list[Deed] = []
    walks: list[Deed] = []
    for (kind, one, two), value in lies.differing(wanted).items():
        if kind == "mini":
            if value is not None:
                walks.append(Deed(Do.WALK, one, str(value)))
        elif kind == "token":
            (laid if value else taken).append(Deed(Do.LAY if value else Do.TAKE, one, two))
        else:
            cards += _of_cards(int(one), two, int(value or 0) - lies.cards.get((int(one), two), 0), players)
    # Two cards of a kind change seats by way of the pile.
    cards.sort(key=lambda deed: deed.do is not Do.DISCARD)
    minis: Mapping[str, str | None] = lies.minis
    return [*cards, *taken, *_in_turn(walks, minis), *(replace(deed, aside=False) for deed in laid)]


def _of_cards(seat: int, deity: str, more: int, players: int) -> list[Deed]:
    if players == 2:
        return [Deed(Do.FLIP, deity, seat=seat, up=more > 0)]
    do = Do.PICK if more > 0 else Do.DISCARD
    return [Deed(do, deity, seat=seat, up=more > 0)] * abs(more)


def _in_turn(walks: Sequence[Deed], minis: Mapping[str, str | None]) -> list[Deed]:
    """Miniatures whose place is free go first; of those that stand in each other's way one goes aside."""
    standing = dict(minis)
    waiting, done = list(walks), []
    while waiting:
        free = [deed for deed in waiting if deed.space not in standing.values()]
        deed = free[0] if free else waiting[0]
        done.append(deed if free else replace(deed, aside=True))
        standing[deed.what] = deed.space
        waiting.remove(deed)
        if not free:
            # It stands beside the other one, and is straightened once that has gone.
            waiting.append(replace(deed))
            standing[deed.what] = None
    return done
