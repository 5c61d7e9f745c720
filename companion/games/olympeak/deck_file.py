"""The box as a table of cards in CSV: reading, with every defect named by line and column, and writing.

Columns `card,marker,kind,value,heads,signs,star`. `signs` are contenders separated by spaces, `star` is `yes`
or empty; order cards leave value, heads and signs empty. The contender cards are rows of kind `contender`
with the printed number of rounds as value. Lines that begin with `#` are remarks. Spreadsheets may have
written semicolons or tabs between the columns and a byte order mark: both are understood.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from companion.errors import CONFIGURATION, CompanionError
from companion.games.olympeak.box import CARD_IDS, CONTENDER_IDS, SPARE_IDS, Box
from companion.games.olympeak.cards import (
    CARD_NAMES,
    CONTENDERS,
    HEADS,
    ORDER_IDS,
    PROGRESS_IDS,
    STARRED_CONTENDER,
    VALUES,
    Card,
    Deck,
    Kind,
    canonical,
)

COLUMNS: tuple[str, ...] = ("card", "marker", "kind", "value", "heads", "signs", "star")
CONTENDER_KIND = "contender"
# The remark that names the cards nobody has compared with the box yet.
UNCONFIRMED = "# unconfirmed:"
PRINTED_ROUNDS = range(1, 4)
_ORDER_KINDS = tuple(kind.value for kind in Kind if kind is not Kind.PROGRESS)
_STARS = {"": False, "no": False, "yes": True}
_CARD_MARKERS = frozenset(CARD_IDS.values()) | frozenset(SPARE_IDS)


@dataclass(frozen=True, slots=True)
class Defect:
    """One thing wrong in a deck file. `line` counts from 1; `column` is empty when it is no single one."""

    line: int
    column: str
    text: str

    def __str__(self) -> str:
        column = f", column {self.column}" if self.column else ""
        return f"line {self.line}{column}: {self.text}"


class DeckError(CompanionError, ValueError):
    """A deck file that cannot be used; `defects` lists everything that is wrong, by line."""

    exit_status = CONFIGURATION

    def __init__(self, name: str, defects: tuple[Defect, ...]) -> None:
        super().__init__(f"{name} is no deck of OlymPeak yet. " + "\n".join(str(each) for each in defects))
        self.defects = defects


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: dict[str, str]


class _Reader:
    """Goes through the rows once, collecting cards and defects."""

    def __init__(self) -> None:
        self.cards: list[Card] = []
        self.markers: dict[str, int] = {}
        self.rounds: dict[str, int] = {}
        self.defects: list[Defect] = []
        self.headed = False
        self._seen: dict[str, int] = {}
        self._marker_lines: dict[int, int] = {}

    def row(self, row: _Row) -> None:
        name, kind = row.cells["card"], row.cells["kind"].lower()
        if name in self._seen:
            self._defect(row, "card", f"{name} stands already on line {self._seen[name]}")
        self._seen.setdefault(name, row.line)
        star = _STARS.get(row.cells["star"].lower())
        if star is None:
            self._defect(row, "star", f"write yes or leave it empty, not {row.cells['star']!r}")
        self._marker(row, name, kind)
        if kind == Kind.PROGRESS.value:
            self._progress(row, name, bool(star))
        elif kind in _ORDER_KINDS:
            self._name(row, name, ORDER_IDS)
            for column in ("value", "heads", "signs"):
                if row.cells[column]:
                    self._defect(row, column, f"a {kind} card has none, leave it empty")
            self.cards.append(Card(name, Kind(kind), star=bool(star)))
        elif kind == CONTENDER_KIND:
            self._contender(row, name, bool(star))
        else:
            known = ", ".join((Kind.PROGRESS.value, *_ORDER_KINDS, CONTENDER_KIND))
            self._defect(row, "kind", f"unknown kind {row.cells['kind']!r}, use one of {known}")

    def misshapen(self, line: int, cells: list[str], columns: int) -> None:
        """A row with too many or too few cells: its card is there, so it is not also called missing."""
        self.defects.append(Defect(line, "", f"{len(cells)} cells where there are {columns} columns"))
        for cell in cells:
            self._seen.setdefault(cell.strip(), line)

    def finish(self, line: int) -> None:
        """Count what is there; `line` is the last of the file."""
        for wanted, what in ((PROGRESS_IDS, "progress"), (ORDER_IDS, "order"), (CONTENDERS, "contender")):
            missing = [name for name in wanted if name not in self._seen]
            if missing:
                shown = ", ".join(missing[:6]) + (" …" if len(missing) > 6 else "")
                there = len(wanted) - len(missing)
                self.defects.append(
                    Defect(line, "card", f"{there} of the {len(wanted)} {what} cards, missing: {shown}")
                )

    def _defect(self, row: _Row, column: str, text: str) -> None:
        self.defects.append(Defect(row.line, column, text))

    def _name(self, row: _Row, name: str, known: tuple[str, ...]) -> None:
        if name not in known:
            kind = row.cells["kind"].lower()
            self._defect(
                row, "card", f"{name!r} is no {kind} card, they are called {known[0]} to {known[-1]}"
            )

    def _number(self, row: _Row, column: str, allowed: range, what: str) -> int | None:
        text = row.cells[column].replace("\N{MINUS SIGN}", "-")
        if re.fullmatch(r"[+-]?[0-9]{1,4}", text) and int(text) in allowed:
            return int(text)
        self._defect(row, column, f"{what} is a number from {allowed[0]} to {allowed[-1]}, not {text!r}")
        return None

    def _marker(self, row: _Row, name: str, kind: str) -> None:
        marker = self._number(row, "marker", range(250), "a marker id")
        if marker is None:
            return
        if marker in self._marker_lines:
            self._defect(row, "marker", f"marker {marker} is already on line {self._marker_lines[marker]}")
        elif kind == CONTENDER_KIND:
            if marker != CONTENDER_IDS.get(name, marker):
                self._defect(row, "marker", f"the {name} contender carries marker {CONTENDER_IDS[name]}")
        elif marker not in _CARD_MARKERS:
            self._defect(
                row,
                "marker",
                f"marker {marker} belongs to another piece, cards carry {min(CARD_IDS.values())} to "
                f"{max(CARD_IDS.values())} or a spare one from {SPARE_IDS[0]} to {SPARE_IDS[-1]}",
            )
        self._marker_lines.setdefault(marker, row.line)
        self.markers[name] = marker

    def _progress(self, row: _Row, name: str, star: bool) -> None:
        self._name(row, name, PROGRESS_IDS)
        value = self._number(row, "value", VALUES, "the progress value")
        heads = self._number(row, "heads", HEADS, "the number of hydra heads")
        signs = re.split(r"[\s+/|]+", row.cells["signs"].lower().strip()) if row.cells["signs"] else []
        for sign in signs:
            if sign not in CONTENDERS:
                self._defect(row, "signs", f"unknown contender {sign!r}, use {' '.join(CONTENDERS)}")
        if len(set(signs)) < len(signs):
            self._defect(row, "signs", "a contender is named twice")
        if not signs:
            self._defect(row, "signs", "a progress card shows at least one contender sign")
        elif set(signs) == {STARRED_CONTENDER} and not star:
            self._defect(
                row,
                "star",
                "a card for white alone needs a star, without one two or three players get it (O1)",
            )
        self.cards.append(Card(name, Kind.PROGRESS, value or 0, heads or 1, canonical(signs), star))

    def _contender(self, row: _Row, name: str, star: bool) -> None:
        self._name(row, name, CONTENDERS)
        if name in CONTENDERS and star != (name == STARRED_CONTENDER):
            self._defect(row, "star", f"of the contender cards only {STARRED_CONTENDER} has a star (O1)")
        for column in ("heads", "signs"):
            if row.cells[column]:
                self._defect(row, column, "a contender card has none, leave it empty")
        rounds = self._number(row, "value", PRINTED_ROUNDS, "the number of rounds on a contender card")
        self.rounds[name] = rounds or 1


def parse(text: str, name: str = "the deck", *, assumed: bool = False) -> Box:
    """The box that `text` describes; raises DeckError with all defects at once."""
    reader = _Reader()
    last = 1
    for row in _rows(text, reader):
        reader.row(row)
        last = row.line
    if reader.headed:
        reader.finish(last)
    if reader.defects:
        raise DeckError(name, tuple(sorted(reader.defects, key=lambda each: each.line)))
    return Box(
        Deck(tuple(sorted(reader.cards, key=lambda card: CARD_IDS[card.id]))),
        {card: reader.markers[card] for card in CARD_IDS},
        {contender: reader.rounds[contender] for contender in CONTENDERS},
        assumed,
        frozenset((*CARD_NAMES, *CONTENDERS)) if assumed else _unconfirmed(text),
    )


def _unconfirmed(text: str) -> frozenset[str]:
    """The cards that the remark names."""
    named: set[str] = set()
    for line in text.splitlines():
        if line.lower().startswith(UNCONFIRMED):
            named |= set(line[len(UNCONFIRMED) :].lower().split())
    return frozenset(named & {*CARD_NAMES, *CONTENDERS})


def _rows(text: str, reader: _Reader) -> Iterator[_Row]:
    """The rows below the heading, cells trimmed; a heading or row of the wrong shape is a defect."""
    lines = text.removeprefix("\N{BYTE ORDER MARK}").splitlines()
    numbered = [(n, line) for n, line in enumerate(lines, 1) if line.strip(" ,;\t") and line[0] != "#"]
    if not numbered:
        reader.defects.append(Defect(1, "", f"the file is empty, the first line must be {','.join(COLUMNS)}"))
        return
    first, heading = numbered[0]
    delimiter = max(",;\t", key=heading.count)
    names = tuple(cell.strip().lower() for cell in _cells(heading, delimiter))
    if sorted(names) != sorted(COLUMNS):
        reader.defects.append(
            Defect(first, "", f"the columns must be {','.join(COLUMNS)}, and they are {','.join(names)}")
        )
        return
    reader.headed = True
    for number, line in numbered[1:]:
        cells = _cells(line, delimiter)
        if len(cells) != len(names):
            reader.misshapen(number, cells, len(names))
            continue
        yield _Row(number, {name: cell.strip() for name, cell in zip(names, cells, strict=True)})


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        # Longer than any cell can be: then it is none of a table's lines.
        return []


def dump(box: Box) -> str:
    """The box as CSV with a heading; `parse` gives the same box back."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    if box.unconfirmed and not box.assumed:
        out.write(f"{UNCONFIRMED} {' '.join(sorted(box.unconfirmed))}\n")
    for card in box.deck:
        star = "yes" if card.star else ""
        marker = box.card_ids[card.id]
        if card.is_order:
            table.writerow((card.id, marker, card.kind.value, "", "", "", star))
        else:
            signs = " ".join(card.signs)
            table.writerow((card.id, marker, card.kind.value, card.value, card.heads, signs, star))
    for contender, rounds in box.printed_rounds.items():
        star = "yes" if contender == STARRED_CONTENDER else ""
        table.writerow((contender, CONTENDER_IDS[contender], CONTENDER_KIND, rounds, "", "", star))
    return out.getvalue()


def read(path: Path) -> Box:
    """The box in a CSV file; raises DeckError, also when the file cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DeckError(str(path), (Defect(1, "", f"it cannot be read ({error.strerror})"),)) from None
    except UnicodeDecodeError as error:
        before = error.object[: error.start].count(b"\n") + 1
        raise DeckError(
            str(path), (Defect(before, "", "this is not UTF-8 text, save the table as CSV UTF-8"),)
        ) from None
    return parse(text, str(path))


def owners_box(path: Path, *, named: bool = False) -> Box:
    """The owner's own box, kept at `path`; the one that comes with the program while there is none.

    `named`: a person has named the file, so it has to be there. Raises DeckError as `read` does.
    """
    return read(path) if named or path.exists() else default_box()


@cache
def default_box() -> Box:
    """The box that comes with the program: an assumption, since the rulebook does not list the cards."""
    text = files(__package__ or "").joinpath("deck.csv").read_text(encoding="utf-8")
    return parse(text, "the deck that comes with the program", assumed=True)
