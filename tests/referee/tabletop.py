"""A table for the referee's tests: what lies where, and a clean reading of it."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from companion.games.above.action import Action
from companion.games.above.box import CARD_IDS, DEITIES, MINI_IDS, TOKEN_IDS, TOKENS, Board, Table
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions
from companion.games.above.setup import initial_position
from companion.sensing.reading import CardSighting, MiniSighting, Reading, TokenSighting

TABLE = Table()
BOARD = Board()


@dataclass
class Tabletop:
    """Miniatures by space (None: in a hand), tokens as (type, space), Powered cards counted by seat.

    `hidden` spaces cannot be seen; those `under_hand` are hidden by one; a token on a `partly` hidden one is not read.
    """

    players: int
    minis: dict[str, str | None]
    tokens: set[tuple[str, str]]
    cards: list[Counter[str]]
    hidden: set[str] = field(default_factory=set)
    under_hand: set[str] = field(default_factory=set)
    partly: set[str] = field(default_factory=set)
    unseen: set[str] = field(default_factory=set)
    zeus_alpha: int = 0

    @classmethod
    def of(cls, position: Position) -> Tabletop:
        return cls(
            position.players,
            {deity: position.space_of(deity) for deity in DEITIES},
            {(token, space) for token in TOKENS for space in position.tokens_on(token)},
            [Counter(position.powered(seat)) for seat in range(position.players)],
        )

    def reading(self, at: float = 0.0) -> Reading:
        hidden = frozenset(self.hidden | self.under_hand)
        minis = tuple(
            MiniSighting(deity, MINI_IDS[deity], ((space, 0.99),), BOARD.space_centre(space))
            for deity, space in self.minis.items()
            if space is not None and space not in hidden and deity not in self.unseen
        )
        used: Counter[str] = Counter()
        tokens = []
        for token, space in sorted(self.tokens):
            marker = TOKEN_IDS[token][used[token] % 6]
            used[token] += 1
            if space not in hidden | self.partly:
                tokens.append(TokenSighting(token, marker, ((space, 0.99),), BOARD.space_centre(space)))
        cards: list[CardSighting] = []
        # Each copy of a deity card is used once over all seats; two players hold one set each.
        copies: Counter[str] = Counter()
        if self.zeus_alpha:
            copies["ze"] = 1
        sets = self._dealt()
        for seat, powered in enumerate(self.cards):
            slots = iter(TABLE.card_slots(seat, self.players) * 2)
            for deity in DEITIES:
                if self.players == 2:
                    first = seat == self.zeus_alpha
                    card_set = 1 if first else 2
                    up = powered[deity] > 0
                    x, y = next(slots)
                    marker = CARD_IDS[deity, card_set, up]
                    cards.append(CardSighting(deity, card_set, up, marker, (x, y, 0.4)))
                    continue
                for _ in range(powered[deity]):
                    copies[deity] += 1
                    card_set = sets[seat] if sets else 1 + (copies[deity] - 1) % 2
                    x, y = next(slots)
                    marker = CARD_IDS[deity, card_set, True]
                    cards.append(CardSighting(deity, card_set, True, marker, (x, y, 0.4)))
        under = frozenset(self.under_hand)
        return Reading(
            at,
            minis=minis,
            tokens=tuple(tokens),
            cards=tuple(cards),
            hidden=hidden,
            under_hand=under,
            partly_hidden=frozenset(self.partly),
        )

    def _dealt(self) -> dict[int, int] | None:
        """The set of each of four seats where every set lies before two opponents, as dealt (A4)."""
        first, second = (2, 1) if self.zeus_alpha else (1, 2)
        for one, two in (((0, 1), (2, 3)), ((0, 3), (1, 2))):
            if self.players == 4 and all(
                +(self.cards[a] + self.cards[b]) == Counter(DEITIES) for a, b in (one, two)
            ):
                return {**dict.fromkeys(one, first), **dict.fromkeys(two, second)}
        return None


def random_turn(position: Position, rng: random.Random) -> tuple[tuple[Action, ...], Position]:
    """A complete legal turn, chosen action by action."""
    actions: list[Action] = []
    after = position
    while not actions or not (after.at_turn_start or after.is_over):
        action = rng.choice(legal_actions(after))
        actions.append(action)
        after = apply(after, action)
    return tuple(actions), after


def random_position(players: int, turns: int, rng: random.Random) -> Position:
    """A position some turns into a random game; earlier if the game ends."""
    position = initial_position(players, rng)
    for _ in range(turns):
        after = random_turn(position, rng)[1]
        if after.is_over:
            return position
        position = after
    return position
