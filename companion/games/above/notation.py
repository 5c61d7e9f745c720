"""The text of a position at the start of a turn, read strictly and written canonically."""

from __future__ import annotations

from functools import lru_cache

from companion.errors import CompanionError
from companion.games.above.board import Board, bits
from companion.games.above.box import DEITIES, DEITY_NAMES, TOKENS, TOKENS_PER_TYPE
from companion.games.above.hands import HAND_BITS, hand_deities, hand_of
from companion.games.above.tables import tables_of
from companion.games.above.turn import ACTIVATE, OVER, State

_FIELDS = "<minis> <tokens> <cards> <turn> <players>"


class PositionError(CompanionError, ValueError):
    """A text that is no position, or a position without a text. `defects` lists all that is wrong."""

    def __init__(self, defects: tuple[str, ...]) -> None:
        super().__init__("; ".join(defects) + ".")
        self.defects = defects


@lru_cache(maxsize=1 << 12)
def _spaces_text(board: Board, spaces: int) -> str:
    return ".".join(board.spaces[n] for n in bits(spaces))


@lru_cache(maxsize=1 << 12)
def _hand_text(hand: int) -> str:
    return ".".join(hand_deities(hand))


_MINIS = ",".join(f"{deity}={{}}" for deity in DEITIES)


def write_position(state: State) -> str:
    """The five fields of a state, whatever its stage; only at the start of a turn do they tell everything."""
    tables, turn, minis, _, tokens, cards, *_ = state
    board = tables.board
    names = board.spaces
    laid = ",".join(
        f"{token}={_spaces_text(board, spaces)}" for token, spaces in zip(TOKENS, tokens, strict=True)
    )
    hands = "/".join(_hand_text(hand_of(cards, seat)) for seat in range(tables.players))
    return f"{_MINIS.format(*(names[n] for n in minis))} {laid} {hands} {turn} {tables.players}"


class _Reader:
    """Reads one text and collects every defect on the way."""

    def __init__(self, text: str, board: Board) -> None:
        self.text = text
        self.board = board
        self.defects: list[str] = []
        self.taken: dict[str, str] = {}

    def read(self) -> State:
        fields = self.text.split(" ")
        if len(fields) != 5:
            raise PositionError(
                (f'"{self.text}" has {len(fields)} fields, a position has five, one space apart: {_FIELDS}',)
            )
        minis = self._minis(fields[0])
        tokens = self._tokens(fields[1])
        players = {"2": 2, "4": 4}.get(fields[4])
        if players is None:
            self.defects.append(f'players "{fields[4]}": 2 or 4 play')
        cards = self._cards(fields[2], players)
        seats = players or 4
        if fields[3] not in [str(seat) for seat in range(seats)]:
            self.defects.append(f'turn "{fields[3]}": seats are 0 to {seats - 1}')
        if self.defects or players is None:
            raise PositionError(tuple(self.defects))
        over = self.board.top in minis
        return (
            tables_of(self.board, players),
            int(fields[3]),
            bytes(minis),
            sum(1 << space for space in minis),
            (tokens[0], tokens[1], tokens[2], tokens[3]),
            cards,
            OVER if over else ACTIVATE,
            -1,
            -1,
            False,
            0,
            (),
        )

    def _space(self, part: str, name: str, piece: str) -> int | None:
        """The index of a space that `piece` takes; notes it when it is no space or taken."""
        space = self.board.index.get(name)
        if space is None:
            last = self.board.spaces[-2]
            self.defects.append(f'{part}: "{name}" is no space; spaces are a1 to {last} and top')
        elif name in self.taken:
            self.defects.append(f"{part}: {self.taken[name]} and {piece} cannot both be on {name}")
        else:
            self.taken[name] = piece
        return space

    def _named(self, field: str, what: str, names: tuple[str, ...]) -> list[tuple[str, str]]:
        """Splits `a=x,b=y` into (part, value) by the names expected, in their order."""
        parts = field.split(",")
        found = []
        if len(parts) != len(names):
            self.defects.append(f'{what} "{field}": expected {len(names)} parts, found {len(parts)}')
        for part, name in zip(parts, names, strict=False):
            given, equals, value = part.partition("=")
            if given != name or not equals:
                self.defects.append(f'{what} "{part}": expected "{name}=…" here')
            else:
                found.append((part, value))
        return found

    def _minis(self, field: str) -> list[int]:
        spaces = []
        for part, name in self._named(field, "minis", DEITIES):
            space = self._space(f'minis "{part}"', name, DEITY_NAMES[part[:2]])
            if space is not None:
                spaces.append(space)
        return spaces

    def _tokens(self, field: str) -> list[int]:
        found = []
        for part, listed in self._named(field, "tokens", TOKENS):
            token = part.partition("=")[0]
            names = listed.split(".") if listed else []
            where = f'tokens "{part}"'
            if len(names) > TOKENS_PER_TYPE:
                self.defects.append(f"{where}: {len(names)} tokens, there are {TOKENS_PER_TYPE} of a type")
            spaces = []
            for name in names:
                if name == "top":
                    self.defects.append(f"{where}: no token lies on the summit")
                else:
                    space = self._space(where, name, f"a {token} token")
                    if space is not None:
                        spaces.append(space)
            if spaces != sorted(spaces):
                self.defects.append(f"{where}: the spaces are not in order, column by column, then by ring")
            found.append(sum({1 << space for space in spaces}))
        return found

    def _cards(self, field: str, players: int | None) -> int:
        hands = field.split("/")
        if players is not None and len(hands) != players:
            self.defects.append(f'cards "{field}": {players} seats expected, found {len(hands)}')
        cards, all_held = 0, [0] * len(DEITIES)
        four = players == 4 or (players is None and len(hands) == 4)
        for seat, hand in enumerate(hands):
            held = self._hand(seat, hand, most=2 if four else 1)
            if four and sum(held) > 4:
                self.defects.append(f'cards "{hand}": seat {seat} holds {sum(held)} cards, at most 4 (A5)')
            for n, count in enumerate(held):
                all_held[n] += count
                cards += count << HAND_BITS * seat + 2 * n
        for deity, count in zip(DEITIES, all_held, strict=True):
            if four and count > 2:
                self.defects.append(f'cards "{field}": {count} cards of {DEITY_NAMES[deity]}, there are 2')
        return cards

    def _hand(self, seat: int, hand: str, most: int) -> list[int]:
        """How many of each card a seat holds."""
        counts = [0] * len(DEITIES)
        if not hand:
            self.defects.append(f"cards: seat {seat} has no Powered card, it should have recovered (A5)")
            return counts
        order = []
        for name in hand.split("."):
            if name not in DEITIES:
                self.defects.append(f'cards "{hand}": "{name}" is no deity')
                continue
            n = DEITIES.index(name)
            order.append(n)
            counts[n] += 1
            if counts[n] == most + 1 and most == 1:
                self.defects.append(f'cards "{hand}": seat {seat} names {name} twice, a set holds one')
        if order != sorted(order):
            self.defects.append(f'cards "{hand}": the deities are not in the order {" ".join(DEITIES)}')
        return [min(count, 3) for count in counts]


def read_position(text: str, board: Board) -> State:
    """The state of a text at the start of a turn; `PositionError` lists all its defects at once."""
    return _Reader(text, board).read()
