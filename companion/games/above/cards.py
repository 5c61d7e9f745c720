"""The deity cards as the set-up uses them: a column letter and a ring number printed on each (A3, A4)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.above.box import DEITIES, DEITY_NAMES, Board

#: The letters printed on the cards are Greek, and name the columns in their order: α is column `a`.
GREEK = "αβγδεζηθικλμνξοπ"
SETS = (1, 2)


@dataclass(frozen=True, slots=True)
class SetupCard:
    """What a deity card says for the set-up: a column letter (Zeus of set 1: α, `a`) and a ring number."""

    deity: str
    card_set: int
    column: str
    ring: int

    @property
    def id(self) -> str:
        """The card by deity and set: `ze1`."""
        return f"{self.deity}{self.card_set}"


CARD_NAMES: tuple[str, ...] = tuple(f"{deity}{card_set}" for card_set in SETS for deity in DEITIES)

#: The cards as shipped; an owner whose cards are printed otherwise passes their own.
SETUP_CARDS: tuple[SetupCard, ...] = tuple(
    SetupCard(name[:2], int(name[2:]), column, ring)
    for name, column, ring in zip(
        CARD_NAMES, "abcdefghijklmnop", (2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 2, 3, 4, 5, 1), strict=True
    )
)


def card_title(name: str) -> str:
    """A card in words: `Zeus, set 1`."""
    return f"{DEITY_NAMES[name[:2]]}, set {name[2:]}"


def column_of(text: str, board: Board | None = None) -> str | None:
    """The column that a printed letter names, Greek or Latin, in either case; None if there is no such column."""
    letter = text.strip().lower()
    letter = letter.replace("ς", "σ")
    columns = [chr(ord("a") + n) for n in range((board or Board()).columns)]
    if letter in columns:
        return letter
    return columns[GREEK.index(letter)] if len(letter) == 1 and letter in GREEK[: len(columns)] else None
