"""What hands do together at the OlymPeak table: choose, turn up, lay, draw, clear, show tiles, and err."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence

from companion.games.olympeak.events import Insert, Play
from companion.games.olympeak.position import GameState
from companion.virtual.arm import Clock, Motion, Pace
from companion.virtual.olympeak import columns, layout
from companion.virtual.olympeak.fan import Fan
from companion.virtual.olympeak.hand import CardHand
from companion.virtual.olympeak.mischief import Wrong
from companion.virtual.olympeak.people import Drawn, Exchanged, Shuffled, Stir
from companion.virtual.olympeak.scene import CardScene


class Acts:
    """All hands round one table. `rng` decides how people go about things, never what is played."""

    def __init__(self, scene: CardScene, clock: Clock, players: int, pace: Pace, rng: random.Random) -> None:
        self.scene = scene
        self.clock = clock
        self.players = players
        self.pace = pace
        self.rng = rng
        self.hands = [CardHand(scene, clock, seat, players, pace) for seat in range(players)]
        self.fans = {
            seat: Fan(scene, clock, seat, players)
            for seat in range(players)
            if Fan.can_be_seen(seat, players)
        }

    @property
    def hands_away(self) -> bool:
        """No hand is in the picture."""
        return not any(hand.in_picture for hand in self.hands)

    @property
    def left_at(self) -> float | None:
        """When the last hand left."""
        return max((hand.left_at for hand in self.hands if hand.left_at is not None), default=None)

    def held_still_at(self, due: float) -> float | None:
        """When the cards came to rest that are held over the edge, of those that were on their way there at `due`."""
        rests = (fan.held_still_at(due) for fan in self.fans.values())
        return max((at for at in rests if at is not None), default=None)

    # ---- several at once

    def together(self, motions: Iterable[Motion]) -> Motion:
        """Several motions side by side, until the last is done."""
        going = list(motions)
        while going:
            going = [motion for motion in going if next(motion, self) is not self]
            if going:
                yield

    def wait(self, seconds: float) -> Motion:
        """Let time pass."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            yield

    def think(self, share: float = 1.0) -> Motion:
        """A moment's thought."""
        yield from self.wait(self.rng.uniform(*self.pace.think_s) * share)

    def all_leave(self) -> Motion:
        """Every hand goes out of the picture."""
        yield from self.together(hand.leave() for hand in self.hands)

    def _after(self, seconds: float, motion: Motion) -> Motion:
        yield from self.wait(seconds)
        yield from motion

    # ---- a turn's beginning

    def choose(self, cards: Mapping[int, str]) -> Motion:
        """These seats lay the chosen card face down, each in their own time; one or other thinks again."""
        yield from self.together(
            self._after(self.rng.uniform(*self.pace.think_s) * 3, self._choose(seat, card))
            for seat, card in cards.items()
        )

    def _choose(self, seat: int, card: str) -> Motion:
        yield from self.hide_fan(seat)
        hand = self.hands[seat]
        yield from hand.choose(card)
        if self.rng.random() < 0.06:
            yield from self.think()
            yield from hand.take_back(card)
            yield from self.think()
            yield from hand.choose(card)

    def turn_up(self, cards: Sequence[str]) -> Motion:
        """All cards are turned up: at once on a word, or one after the other."""
        if self.rng.random() < 0.6:
            yield from self.together(
                self._after(self.rng.uniform(0, 0.4), self._turn_up(seat, card))
                for seat, card in enumerate(cards)
            )
            return
        for seat, card in self.rng.sample(list(enumerate(cards)), len(cards)):
            yield from self._turn_up(seat, card)
            if self.rng.random() < 0.4:
                yield from self.think()

    def _turn_up(self, seat: int, card: str) -> Motion:
        yield from self.hands[seat].turn_up(card)
        yield from self.hands[seat].leave()

    def show_fans(self, hands: Sequence[Sequence[str]], but: int | None = None) -> Motion:
        """Somebody at the south or north edge holds the cards so that the camera sees them."""
        for seat, fan in self.fans.items():
            if seat != but and hands[seat] and self.rng.random() < 0.35:
                faces = self.rng.random() < 0.4
                yield from fan.show(hands[seat], face_up=faces, middle_mm=self.rng.uniform(-70, 70))

    def hide_fan(self, seat: int) -> Motion:
        """Before a player acts, the fan is put down."""
        if seat in self.fans:
            yield from self.fans[seat].hide()

    def hide_fans(self) -> Motion:
        """All fans are put down."""
        for seat in self.fans:
            yield from self.hide_fan(seat)

    # ---- laying

    def lay(
        self,
        state: GameState,
        event: Play | Insert,
        *,
        held: bool = False,
        first: tuple[str, float] | None = None,
    ) -> Motion:
        """A card is laid in its column, with the little oddities of people. `held`: it is in the hand.

        `first`: the contender under which it is laid before that, and for how long the hand goes away then.
        """
        hand, row = self.hands[event.seat], state.open_row[0]
        if isinstance(event, Insert):
            hand.bring_card(event.card, face_up=self.rng.random() < 0.7)
        elif not held:
            yield from hand.lift_from_zone(event.card)
            if self.rng.random() < 0.04:
                yield from hand.leave()
                yield from self.wait(self.rng.uniform(0.5, 1.5))
                hand.bring_card(event.card, face_up=True)
        if self.rng.random() < 0.2:
            elsewhere = self.rng.choice(state.setup.racing)
            x, y = columns.column_x(self.scene, elsewhere), columns.row_y(self.scene, row)
            yield from hand.over(x, y, 45.0)
            yield from hand.linger(self.rng.uniform(*self.pace.pause_s))
        if first is not None:
            elsewhere, away_s = first
            yield from hand.lay(event.card, elsewhere, row)
            if away_s:
                yield from self.all_leave()
                yield from hand.wait(away_s)
            yield from hand.lift_from_zone(event.card)
        yield from hand.lay(event.card, event.to, row)
        if self.rng.random() < 0.06:
            yield from hand.straighten(event.card)

    # ---- cards that move unseen

    def stir(self, stirs: Sequence[Stir]) -> Motion:
        """Draws, exchanges and shuffles, one after the other, each by its own player's hand."""
        for stir in stirs:
            hand = self.hands[stir.seat]
            yield from self.hide_fan(stir.seat)
            match stir:
                case Drawn(card=card):
                    yield from hand.draw(card)
                case Exchanged(cards=cards):
                    yield from hand.discard_from_hand(cards)
                    yield from hand.leave()
                case Shuffled():
                    yield from hand.shuffle()

    def take_back(self, seats: Sequence[int], cards: Sequence[str] | Mapping[int, str]) -> Motion:
        """Each of these seats takes its revealed card back to hand."""
        yield from self.together(
            self._after(self.rng.uniform(*self.pace.think_s), self._take_back(seat, cards[seat]))
            for seat in seats
        )

    def show_again(self, seats: Sequence[int], cards: Sequence[str]) -> Motion:
        """Each of these seats lays the card that it has taken back before it once more, face up."""
        for seat in seats:
            yield from self.hide_fan(seat)
            self.hands[seat].bring_card(cards[seat], face_up=True)
            yield from self.hands[seat].to_zone(seat)
            yield from self.hands[seat].leave()

    def _take_back(self, seat: int, card: str) -> Motion:
        yield from self.hide_fan(seat)
        yield from self.hands[seat].take_back(card)

    def discard(self, seat: int, card: str) -> Motion:
        """A card that lies on the table goes to the discard pile."""
        hand = self.hands[seat]
        yield from hand.grasp(card)
        yield from hand.lift()
        yield from hand.to_discard(card)
        yield from hand.leave()

    def discard_all(self, cards: Sequence[str]) -> Motion:
        """Everybody discards the revealed card, one after the other."""
        for seat, card in enumerate(cards):
            yield from self.hide_fan(seat)
            yield from self.discard(seat, card)

    # ---- between turns

    def move_cubes(self, targets: Sequence[tuple[str, int]]) -> Motion:
        """Somebody moves these cubes to their places."""
        if not targets:
            return
        hand = self.hands[self.rng.randrange(self.players)]
        for contender, place in targets:
            yield from hand.move_cube(contender, place)
        yield from hand.leave()

    def clear_columns(self, contenders: Sequence[str], number: int | None) -> Motion:
        """Two players clear the columns, each some; then one moves the round marker to `number`."""
        cut = self.rng.randint(0, len(contenders))
        one, other = self.rng.sample(self.hands, 2)
        yield from self.together(
            (self._clear(one, contenders[:cut]), self._after(0.3, self._clear(other, contenders[cut:])))
        )
        columns_left = self.scene.column_cards()
        if not columns_left:
            self.scene.rows_y.clear()
        if number is not None:
            yield from one.move_round(number)
            yield from one.leave()

    def _clear(self, hand: CardHand, contenders: Sequence[str]) -> Motion:
        if contenders:
            yield from hand.clear_columns(contenders)
            yield from hand.leave()

    def show_tiles(self, first: Sequence[str], second: Sequence[str]) -> Motion:
        """Everybody brings the player card with the tiles face down, and turns them up."""
        yield from self.together(
            self._after(self.rng.uniform(0, 1.0), self._show_tiles(seat, one, two))
            for seat, (one, two) in enumerate(zip(first, second, strict=True))
        )

    def _show_tiles(self, seat: int, first: str, second: str) -> Motion:
        hand = self.hands[seat]
        yield from self.hide_fan(seat)
        tiles = {
            "first": (first, layout.tile_marker(first, seat)),
            "second": (second, layout.tile_marker(second, seat)),
        }
        yield from hand.bring_tiles(tiles)
        yield from hand.leave()
        yield from self.think()
        for side in self.rng.sample(("first", "second"), 2):
            yield from hand.turn_up(f"tile {seat} {side}")
        yield from hand.leave()

    # ---- mistakes

    def go_wrong(self, wrong: Wrong, state: GameState) -> Motion:
        """Act an illegal act out."""
        hand = self.hands[wrong.seat]
        yield from self.hide_fan(wrong.seat)
        if wrong.first is not None:
            yield from self.lay(state, wrong.first)
        if wrong.kind == "remove":
            yield from self.discard(wrong.seat, wrong.card)
            return
        if wrong.kind in ("swapped", "exchanged"):
            yield from hand.take_back(state.revealed[wrong.seat])
        if wrong.from_hand:
            yield from hand.leave()
            hand.bring_card(wrong.card, face_up=True)
        else:
            yield from hand.lift_from_zone(wrong.card)
        if wrong.kind == "exchanged":
            yield from hand.to_zone(wrong.seat)
        else:
            yield from hand.lay(wrong.card, wrong.to, wrong.row)

    def put_right(self, wrong: Wrong, state: GameState) -> Motion:
        """Undo an illegal act: the table lies as before it, but for a legal play that went first."""
        hand = self.hands[wrong.seat]
        if wrong.kind == "remove":
            yield from hand.take_from_discard()
            yield from hand.lay(wrong.card, wrong.to, wrong.row)
            return
        if not wrong.from_hand:
            yield from hand.grasp(wrong.card)
            yield from hand.lift()
            yield from hand.to_zone(wrong.seat)
            return
        yield from hand.take_back(wrong.card)
        if wrong.kind in ("swapped", "exchanged"):
            hand.bring_card(state.revealed[wrong.seat], face_up=True)
            yield from hand.to_zone(wrong.seat)

    def straighten(self, names: Callable[[], Sequence[str]]) -> Motion:
        """Somebody straightens one of these cards, so that it can be seen better."""
        lying = names()
        if lying:
            hand = self.hands[self.rng.randrange(self.players)]
            yield from hand.straighten(self.rng.choice(list(lying)))
            yield from hand.leave()
