"""Players: what they decide, and how they act it out at the table."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions
from companion.virtual import layout
from companion.virtual.deeds import Deed, Do
from companion.virtual.motion import Hand, Motion, mini_on_top
from companion.virtual.piece import Piece
from companion.virtual.scene import Scene, SceneError
from companion.virtual.truth import lie_of

Turn = tuple[Action, ...]

# Which miniatures people take away to show what their caps may hide, and for how long.
_BESIDE_MM = 80.0
_TAKEN_AWAY = 2
_SHOWN_S = 1.0


def random_turn(position: Position, rng: random.Random) -> tuple[Turn, Position]:
    """A random legal turn and where it leads; decisions of every kind come up, waiving (`done`) too."""
    here, actions = position, []
    while True:
        legal = legal_actions(here)
        kinds = sorted({action.kind for action in legal})
        kind = rng.choice(kinds)
        action = rng.choice([a for a in legal if a.kind == kind])
        actions.append(action)
        here = apply(here, action)
        if here.at_turn_start or here.is_over:
            return tuple(actions), here


def choose_turn(
    position: Position, rng: random.Random, *, drive: float = 0.75, may_win: bool = True, tries: int = 14
) -> tuple[Turn, Position]:
    """A turn such as people choose: mostly upwards, fond of effects. `drive` in 0…2: how keen on the summit.

    A third of the turns is whim, so that every power and token has its day. Unless `may_win`, the game is not
    ended if it can be helped. Turns that leave miniatures and tokens just as they were, although they need
    not, are not chosen: nobody at the table could tell that anything had been played.
    """
    best: tuple[float, Turn, Position] | None = None
    before = lie_of(position)
    whim = rng.random() < 0.35
    for _ in range(tries):
        turn, after = random_turn(position, rng)
        table = lie_of(after)
        score = rng.random() + 0.3 * len(turn) * rng.random()
        if not whim:
            score += drive * sum(_height(after, d) - _height(position, d) for d in before.minis)
        if after.is_over:
            score += 6 * drive if may_win else -12
        if table.minis == before.minis and table.tokens == before.tokens:
            score -= 20
        if best is None or score > best[0]:
            best = (score, turn, after)
    if best is None:
        raise SceneError("There is nothing to choose from: the position is over.")
    return best[1], best[2]


def _height(position: Position, deity: str) -> int:
    space = position.space_of(deity)
    return position.board.rings + 1 if space == "top" else int(space[1:])


class Actor:
    """One seat's player: does deeds with a hand. `scene.rng` decides how."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.scene: Scene = hand.scene
        self.rng = hand.rng

    # ---- finding things

    def card(self, seat: int, deity: str) -> Piece:
        """The card of a deity that lies before a seat; with two copies the one that shows Powered."""
        cards = [
            card
            for card in self.scene.pieces("card")
            if card.what == deity
            and not card.held
            and self.scene.table.seat_at(card.pose.x, card.pose.y, self.hand.players) == seat
        ]
        if not cards:
            raise SceneError(f"No {deity} card lies before seat {seat}.")
        return max(cards, key=lambda card: card.powered)

    def token_on(self, token: str, space: str) -> Piece:
        """The token of a type on a space."""
        for piece in self.scene.pieces("token"):
            on = piece.what == token and not piece.held
            if on and self.scene.space_at(piece.pose.x, piece.pose.y) == space:
                return piece
        raise SceneError(f"No {token} token lies on {space}.")

    def reserve_token(self, token: str) -> Piece:
        """Some token of a type beside the board."""
        lying = [
            piece
            for piece in self.scene.pieces("token")
            if piece.what == token
            and not piece.held
            and self.scene.space_at(piece.pose.x, piece.pose.y) is None
        ]
        if not lying:
            raise SceneError(f"No {token} token is left in the reserve.")
        return self.rng.choice(lying)

    # ---- doing

    def do(self, deed: Deed) -> Motion:
        """Act one deed out, with the little oddities of people."""
        hand = self.hand
        if deed.do is Do.FLIP:
            yield from hand.flip(self.card(deed.seat, deed.what).name, deed.up)
        elif deed.do is Do.DISCARD:
            yield from hand.discard(self.card(deed.seat, deed.what).name)
        elif deed.do is Do.PICK:
            lying = [name for name in layout.pile(self.scene) if self.scene.piece(name).what == deed.what]
            yield from hand.pick(lying[-1], deed.seat)
        elif deed.do is Do.WALK:
            yield from self._walk(deed)
        elif deed.do is Do.LAY:
            token = self.reserve_token(deed.what)
            yield from hand.place(token.name, deed.space, aside_mm=17.0 if deed.aside else 0.0)
        elif deed.do is Do.TAKE:
            yield from hand.to_reserve(self.token_on(deed.what, deed.space).name)
        else:
            yield from self._shift(deed)

    def _walk(self, deed: Deed) -> Motion:
        name = f"mini {deed.what}"
        if self.rng.random() < 0.12:
            yield from self._second_thoughts(name)
        x, y, _ = self.scene.printed_centre(deed.space)
        pose = self.scene.piece(name).pose
        near = (pose.x - x) ** 2 + (pose.y - y) ** 2 < 80**2
        slide = near and not deed.aside and self.rng.random() < 0.25
        yield from self.hand.place(name, deed.space, aside_mm=20.0 if deed.aside else 0.0, slide=slide)

    def _second_thoughts(self, name: str) -> Motion:
        """Lift a miniature and set it back, or take it away from the board for a moment."""
        piece = self.scene.piece(name)
        home = self.scene.space_at(piece.pose.x, piece.pose.y)
        if home is None:
            return
        yield from self.hand.grasp(name)
        yield from self.hand.lift()
        yield from self.hand.linger(self.rng.uniform(*self.hand.pace.pause_s))
        if self.rng.random() < 0.4:
            yield from self.hand.leave()
            yield from self.hand.wait(self.rng.uniform(0.5, 1.5))
        if self.rng.random() < 0.5:
            yield from self.hand.place(name, home)

    def _shift(self, deed: Deed) -> Motion:
        token = self.token_on(deed.what, deed.origin)
        if (above := mini_on_top(self.scene, token)) is not None:
            yield from self.hand.free_token(above, token)
        yield from self.hand.place(token.name, deed.space)

    def undo(self, deeds: Sequence[Deed], home: dict[str, str]) -> Motion:
        """Put back what these deeds have changed, the last first; `home`: where each miniature stood."""
        for deed in reversed(deeds):
            yield from self.do(_reverse(deed, home))

    def fidget(self) -> Motion:
        """Straighten some piece on the board that stands well enough."""
        standing = [
            piece.name
            for piece in self.scene.pieces()
            if piece.kind != "card" and not piece.held and self._alone(piece)
        ]
        if standing:
            yield from self.hand.straighten(self.rng.choice(standing))

    def reseat(self, space: str) -> Motion:
        """Take up whatever stands on a space and set it down again, so that it can be seen better."""
        for name in self.scene.holding().get(space, ()):
            if self._alone(self.scene.piece(name)):
                yield from self.hand.straighten(name)

    def bring_to_light(self, space: str) -> Motion:
        """Take the miniatures beside a space away for a moment, the nearest first: their caps may hide it."""
        x, y, _ = self.scene.printed_centre(space)
        away = {
            mini.name: math.dist((mini.pose.x, mini.pose.y), (x, y)) for mini in self.scene.pieces("mini")
        }
        for name in sorted(away, key=lambda name: away[name])[:_TAKEN_AWAY]:
            home = self.scene.space_at(self.scene.piece(name).pose.x, self.scene.piece(name).pose.y)
            if home is None or home == space or away[name] > _BESIDE_MM or self.scene.piece(name).held:
                continue
            yield from self.hand.grasp(name)
            yield from self.hand.leave()
            yield from self.hand.wait(_SHOWN_S)
            yield from self.hand.place(name, home)

    def _alone(self, piece: Piece) -> bool:
        space = self.scene.space_at(piece.pose.x, piece.pose.y)
        return space is not None and len(self.scene.holding().get(space, ())) == 1


def _reverse(deed: Deed, home: dict[str, str]) -> Deed:
    if deed.do is Do.WALK:
        return replace(deed, space=home[deed.what], aside=False)
    if deed.do is Do.SHIFT:
        return replace(deed, space=deed.origin, origin=deed.space)
    if deed.do is Do.FLIP:
        return replace(deed, up=not deed.up)
    other = {Do.LAY: Do.TAKE, Do.TAKE: Do.LAY, Do.DISCARD: Do.PICK, Do.PICK: Do.DISCARD}[deed.do]
    return replace(deed, do=other, up=other is Do.PICK, aside=False)
