"""The letters and ring numbers of an owner's deity cards as CSV: columns `card,letter,ring`, every defect by line.

A card is called by deity and set (`ze1`); which of two cards of a deity is set 1 is told by the marker on it. Letters
are Greek as printed, or the columns they name. A card without a row has not been compared with the box. Lines that begin
with `#` are remarks. Semicolons or tabs between the columns and a byte order mark are understood.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CONFIGURATION, CompanionError
from companion.games.above.box import Board
from companion.games.above.cards import CARD_NAMES, SETUP_CARDS, SetupCard, column_of

COLUMNS = ("card", "letter", "ring")


@dataclass(frozen=True, slots=True)
class CardDefect:
    """One thing wrong in a file of cards; `line` counts from 1."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


class CardsError(CompanionError, ValueError):
    """A file of cards that cannot be used; `defects` lists everything that is wrong, by line."""

    exit_status = CONFIGURATION

    def __init__(self, name: str, defects: tuple[CardDefect, ...]) -> None:
        super().__init__(f"{name} holds no cards of Above yet.\n" + "\n".join(str(each) for each in defects))
        self.defects = defects


def checked(card: str, letter: str, ring: str, board: Board | None = None) -> SetupCard | str:
    """A card from what is written of it, or what is wrong with that."""
    board = board or Board()
    name = card.strip().lower().replace(" ", "")
    if name not in CARD_NAMES:
        return f"there is no card {card.strip()!r}, they are called {CARD_NAMES[0]} to {CARD_NAMES[-1]}"
    column = column_of(letter, board)
    last = chr(ord("a") + board.columns - 1)
    if column is None:
        return f"{name}: there is no column {letter.strip()!r}, write a to {last} or the Greek letter"
    number = ring.strip()
    if not (number.isascii() and number.isdecimal() and 1 <= int(number) <= board.rings):
        return f"{name}: there is no ring {number!r}, they are 1 to {board.rings}"
    if (name == "ze1") != (column == "a") and name.startswith("ze"):
        return (
            f"{name}: the Zeus card with α is the one of set 1, and its holder begins (A4); if the letters are as "
            "printed, the markers of the two Zeus cards are on the wrong ones: exchange them"
        )
    return SetupCard(name[:2], int(name[2:]), column, int(number))


def parse(text: str, name: str = "the file") -> tuple[SetupCard, ...]:
    """The cards that `text` describes, in their order; raises CardsError with all defects at once."""
    lines = text.removeprefix("\N{BYTE ORDER MARK}").splitlines()
    rows = [(n, line) for n, line in enumerate(lines, 1) if line.strip(" ,;\t") and line[0] != "#"]
    defects: list[CardDefect] = []
    found: dict[str, SetupCard] = {}
    if not rows:
        raise CardsError(name, (CardDefect(1, f"the first line must be {','.join(COLUMNS)}"),))
    first, heading = rows[0]
    delimiter = max(",;\t", key=heading.count)
    names = [cell.strip().lower() for cell in _cells(heading, delimiter)]
    if sorted(names) != sorted(COLUMNS):
        raise CardsError(name, (CardDefect(first, f"the columns must be {','.join(COLUMNS)}"),))
    for number, line in rows[1:]:
        cells = _cells(line, delimiter)
        if len(cells) != len(names):
            defects.append(CardDefect(number, f"{len(cells)} cells where there are {len(names)} columns"))
            continue
        row = dict(zip(names, cells, strict=True))
        card = checked(row["card"], row["letter"], row["ring"])
        if isinstance(card, str):
            defects.append(CardDefect(number, card))
        elif card.id in found:
            defects.append(CardDefect(number, f"{card.id} stands there already"))
        else:
            found[card.id] = card
    if defects:
        raise CardsError(name, tuple(defects))
    return tuple(found[each] for each in CARD_NAMES if each in found)


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        # Longer than any cell can be: then it is none of a table's lines.
        return []


def dump(cards: tuple[SetupCard, ...]) -> str:
    """The cards as CSV with a heading; `parse` gives the same cards back."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    for card in cards:
        table.writerow((card.id, card.column, card.ring))
    return out.getvalue()


def read(path: Path) -> tuple[SetupCard, ...]:
    """The cards in a CSV file; raises CardsError, also when the file cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CardsError(
            str(path), (CardDefect(1, f"it cannot be read ({error.strerror}); check the path"),)
        ) from None
    except UnicodeDecodeError as error:
        before = error.object[: error.start].count(b"\n") + 1
        raise CardsError(
            str(path), (CardDefect(before, "this is not UTF-8 text, save the table as CSV UTF-8"),)
        ) from None
    return parse(text, str(path))


def owners_cards(path: Path, *, named: bool = False) -> tuple[SetupCard, ...]:
    """The owner's cards, kept at `path`; those as shipped while there is no such file.

    `named`: a person has named the file, so it has to be there. Raises CardsError as `read` does.
    """
    return read(path) if named or path.exists() else SETUP_CARDS
