"""The player: tells a referee again what a recording holds, and compares what it says."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.recording.lines import (
    AnyReading,
    Asked,
    Broken,
    Felt,
    Head,
    Look,
    RecordingError,
    Said,
    Seen,
    Told,
    command_of,
    read,
    written,
)
from companion.referee.evidence import Switches
from companion.referee.journal import Journal
from companion.referee.journal_reader import Fact, Header
from companion.referee.verdict import Choice, Kind, Todo, Verdict
from companion.sitting import Sitting
from companion.tables.kit import Kit
from companion.web.hub import Outcome, Request

# A recording comes from anybody: no line and no whole is larger than any that the recorder writes.
LINE_BYTES = 1_000_000
WHOLE_BYTES = 400 * 10**6
_CHUNK = 1 << 16
RULINGS = (Kind.READY, Kind.ILLEGAL, Kind.QUESTION, Kind.OVER)


@dataclass(frozen=True, slots=True)
class Kept:
    """The games of a journal, as a bundle has them."""

    games: tuple[tuple[Header, tuple[Fact, ...]], ...] = ()


@dataclass
class Playback:
    """What came of it: how often the referee was told something, and all verdicts, recorded and now.

    `differs`: the number of the first verdict that is another than recorded, None if none is. `others`: all that are,
    each with its number, what is said now (None: nothing yet) and what was said. `same_rulings`: whatever is said
    otherwise or at another time, everything is ruled as it was. `broken`: why what follows cannot be told again,
    "" if all can.
    """

    looks: int = 0
    verdicts: list[Verdict] = field(default_factory=list)
    recorded: list[Verdict] = field(default_factory=list)
    differs: int | None = None
    others: list[tuple[int, Verdict | None, Verdict]] = field(default_factory=list)
    same_rulings: bool = True
    broken: str = ""


def unpacked(packed: bytes) -> Iterator[bytes]:
    """The lines of a recording that was compressed. The end of one that was cut off is left out.

    Raises RecordingError for what is no recording, or is larger than one can be.
    """
    stream = zlib.decompressobj(wbits=31)
    rest, whole, data = b"", 0, packed
    while data and not stream.eof:
        try:
            text = stream.decompress(data, _CHUNK)
        except zlib.error as error:
            raise RecordingError(f"This is no recording, or a damaged one ({error}).") from None
        data = stream.unconsumed_tail
        whole += len(text)
        if whole > WHOLE_BYTES or len(rest) > LINE_BYTES:
            raise RecordingError("This recording is larger than any that the companion writes.")
        *lines, rest = (rest + text).split(b"\n")
        yield from lines


def play(
    lines: Iterable[bytes],
    kept: Kept,
    kit_of: Callable[[Head], Kit],
    journal: Path,
    progress: Callable[[int], None] | None = None,
    *,
    words: bool = True,
) -> Playback:
    """Plays a recording. `journal`: a file that does not exist yet, for the game that is played again.

    `words`: every sentence has to be the same after every look; else only what is ruled, one ruling after the other, not
    how it is said nor how soon.

    Raises RecordingError for one that cannot be played.
    """
    numbered = enumerate(lines, 1)
    first = next(numbered, None)
    head = None if first is None else read(first[1], 1)
    if not isinstance(head, Head):
        raise RecordingError("The recording does not begin with its head: it is none, or was cut off.")
    if head.resumed is not None and head.resumed not in {header.id for header, _ in kept.games}:
        raise RecordingError(
            f"Game {head.resumed}, which went on here, is not among the games of the bundle."
        )
    _lay_games(kept, head, journal)
    book = kit_of(head).book(journal, lambda: 0.0)
    try:
        referee = book.resume(head.resumed) if head.resumed is not None else None
        if head.resumed is not None and referee is None:
            raise RecordingError(f"Game {head.resumed}, which went on here, was over before.")
        table = Sitting(book, referee or book.referee(head.players, head.names), None)
        return _Player(table, words).play(numbered, progress)
    finally:
        book.close()


def _lay_games(kept: Kept, head: Head, journal: Path) -> None:
    """A journal as it was when the recording began: so many games, each with so many facts."""
    at = itertools.count()
    writer = Journal(journal, lambda: float(next(at)))
    try:
        for header, facts in kept.games:
            if header.id not in head.kept:
                break
            number = writer.open_game(header.game, header.players, header.start)
            if number != header.id:
                raise RecordingError(
                    f"The bundle lacks game {number}: what was played cannot be built up again."
                )
            for fact in facts[: head.kept[header.id]]:
                writer.append(number, fact.kind, fact.data)
    finally:
        writer.close()


class _Player:
    def __init__(self, table: Sitting, words: bool) -> None:
        self._table = table
        self._words = words
        self._done = Playback()
        self._readings: dict[int, Seen] = {}
        self._switches: Switches | None = None
        self._said: Verdict | None = None

    def play(self, lines: Iterable[tuple[int, bytes]], progress: Callable[[int], None] | None) -> Playback:
        for number, text in lines:
            if progress is not None:
                progress(number)
            line = read(text, number)
            match line:
                case Seen():
                    self._readings[line.number] = line
                case Felt():
                    self._switches = line.switches
                case Look():
                    self._look(line, number)
                case Asked():
                    self._ask(line, number)
                case Said(verdict=verdict):
                    self._compare(verdict)
                case Broken(why=why):
                    self._done.broken = why
                    break
        first = _first_other(self._done.verdicts, self._done.recorded)
        self._done.same_rulings = first is None
        if not self._words:
            self._done.differs = first
        return self._done

    def _look(self, line: Look, number: int) -> None:
        seen = self._readings.get(line.number)
        if seen is None:
            raise RecordingError(f"Line {number} shows reading {line.number}, which was never written down.")
        reading: AnyReading = Told.of(seen, line.at).reading
        self._done.looks += 1
        with _possible(number):
            self._table.referee.observe(reading, self._switches)
            self._table.take_what_is_set_up()
        self._listen()

    def _ask(self, line: Asked, number: int) -> None:
        loop = asyncio.new_event_loop()
        try:
            outcome: asyncio.Future[Outcome] = loop.create_future()
            request = Request(command_of(line), outcome)
            if line.taken:
                with _possible(number):
                    self._table.serve(request, self._table.referee.verdict)
        finally:
            loop.close()
        self._listen()

    def _listen(self) -> None:
        verdict = self._table.referee.verdict
        if verdict != self._said:
            self._said = verdict
            self._done.verdicts.append(verdict)

    def _compare(self, recorded: Verdict) -> None:
        done = self._done
        self._listen()
        done.recorded.append(recorded)
        if not self._words:
            return
        if self._said is None or written(Said(self._said)) != written(Said(recorded)):
            done.others.append((len(done.recorded), self._said, recorded))
            done.differs = done.others[0][0]


@contextlib.contextmanager
def _possible(number: int) -> Iterator[None]:
    """What the referee was told in this line it has to be able to make something of."""
    try:
        yield
    except (LookupError, ValueError, TypeError, ArithmeticError, AttributeError) as error:
        raise RecordingError(
            f"Line {number} tells what no table of this game can ({type(error).__name__}: {error})."
        ) from error


def _first_other(now: Iterable[Verdict], recorded: Iterable[Verdict]) -> int | None:
    """The number of the first ruling that is another one, counted from 1; None if all are the same."""
    pairs = itertools.zip_longest(_rulings(now), _rulings(recorded))
    return next((number for number, (one, other) in enumerate(pairs, 1) if one != other), None)


def _rulings(verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """What was ruled, without its words: whose turn it is, what is against the rules, what is asked, who has won."""
    before: Verdict | None = None
    for verdict in verdicts:
        if verdict.kind not in RULINGS:
            continue
        todo = tuple(Todo("", each.space) for each in verdict.todo)
        choices = tuple(Choice(each.key, "") for each in verdict.choices)
        ruled = replace(verdict, text="", todo=todo, choices=choices)
        if ruled != before:
            before = ruled
            yield ruled
