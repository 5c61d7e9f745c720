"""What lies on the table as the rules would put it: read from the scene itself, never from a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.names import deity_name, token_name
from companion.games.above.position import Position
from companion.virtual.scene import FALLEN_DEG, Scene

# A thing that can change: ("mini", deity), ("token", type, space) or ("card", seat, deity).
Item = tuple[str, str, str]
# The space of a miniature (None: not on the board), whether a token lies there, how many cards lie Powered.
Value = str | int | None


@dataclass(frozen=True)
class Lie:
    """Where everything is: miniatures by deity, tokens as (type, space), counts of Powered cards by
    (seat, deity).
    """

    minis: dict[str, str | None]
    tokens: frozenset[tuple[str, str]]
    cards: dict[tuple[int, str], int]

    def differing(self, other: Lie) -> dict[Item, Value]:
        """The items that lie otherwise in `other`, with how they lie there."""
        found: dict[Item, Value] = {}
        for deity in DEITIES:
            if self.minis[deity] != other.minis[deity]:
                found["mini", deity, ""] = other.minis[deity]
        for token, space in self.tokens ^ other.tokens:
            found["token", token, space] = int((token, space) in other.tokens)
        for seat, deity in self.cards.keys() | other.cards.keys():
            count = other.cards.get((seat, deity), 0)
            if self.cards.get((seat, deity), 0) != count:
                found["card", str(seat), deity] = count
        return found

    def with_mini(self, deity: str, space: str) -> Lie:
        """The same with a miniature elsewhere."""
        return replace(self, minis={**self.minis, deity: space})

    def with_token(self, token: str, space: str, present: bool = True) -> Lie:
        """The same with a token more or less."""
        slot = {(token, space)}
        return replace(self, tokens=self.tokens | slot if present else self.tokens - slot)

    def with_card(self, seat: int, deity: str, by: int) -> Lie:
        """The same with a Powered card more or less."""
        return replace(self, cards={**self.cards, (seat, deity): self.cards.get((seat, deity), 0) + by})


def lie_of(position: Position) -> Lie:
    """How the table lies in a position, also in the middle of a turn."""
    cards: dict[tuple[int, str], int] = {}
    for seat in range(position.players):
        for deity in position.powered(seat):
            cards[seat, deity] = cards.get((seat, deity), 0) + 1
    return Lie(
        {deity: position.space_of(deity) for deity in DEITIES},
        frozenset((token, space) for token in TOKENS for space in position.tokens_on(token)),
        cards,
    )


def lie_on(scene: Scene, players: int) -> Lie:
    """How the simulated table really lies; a piece in a hand is nowhere."""
    minis: dict[str, str | None] = dict.fromkeys(DEITIES)
    tokens = set()
    cards: dict[tuple[int, str], int] = {}
    with scene.lock:
        for piece in scene.pieces():
            if piece.held:
                continue
            if piece.kind == "card":
                seat = scene.table.seat_at(piece.pose.x, piece.pose.y, players)
                if seat is not None and piece.powered:
                    cards[seat, piece.what] = cards.get((seat, piece.what), 0) + 1
                continue
            fallen = piece.pose.tilt > FALLEN_DEG
            space = None if fallen else scene.space_at(piece.pose.x, piece.pose.y)
            if piece.kind == "mini":
                minis[piece.what] = space
            elif space is not None:
                tokens.add((piece.what, space))
    return Lie(minis, frozenset(tokens), cards)


def places_of(start: Lie, table: Lie) -> frozenset[str]:
    """The spaces from which something has gone or to which it has come."""
    spaces: set[str | None] = set()
    for kind, one, two in start.differing(table):
        if kind == "mini":
            spaces |= {start.minis[one], table.minis[one]}
        elif kind == "token":
            spaces.add(two)
    return frozenset(space for space in spaces if space is not None)


def names_of(start: Lie, table: Lie) -> frozenset[str]:
    """What lies otherwise, by the names that people read: deities of miniatures and cards, tokens."""
    return frozenset(
        token_name(one) if kind == "token" else deity_name(two or one)
        for kind, one, two in start.differing(table)
    )


def same(a: Lie, b: Lie) -> bool:
    """Whether two tables lie alike."""
    return not a.differing(b)
