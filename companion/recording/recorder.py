"""The recorder: keeps what the referee is told, within bounds, and never stands in the game's way."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Protocol

import cv2

from companion.recording.lines import (
    COMMANDS,
    AnyReading,
    Asked,
    Broken,
    Felt,
    Head,
    Line,
    Look,
    Pictured,
    Said,
    Seen,
    written,
)
from companion.referee.evidence import Switches
from companion.referee.verdict import Kind, Verdict
from companion.sensing.frames import Image
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.reading import Reading

log = logging.getLogger(__name__)

FOLDER = "recording"
# The newest sittings are kept, each at most so large: an evening takes about one megabyte.
SITTINGS = 2
SITTING_BYTES = 16 * 10**6
# Pictures of what was refused or asked: the newest ones, lossless, seldom.
PICTURES = 8
PICTURE_EVERY_S = 20.0
PICTURED = (Kind.ILLEGAL, Kind.QUESTION)
# What is not yet on the disk after a cut: so many seconds.
FLUSH_S = 5.0
# Readings that are not looked for any more when they come again.
REMEMBERED = 64


class Sink(Protocol):
    """A file that is written."""

    def write(self, data: bytes, /) -> int: ...
    def flush(self) -> None: ...
    def close(self) -> None: ...


class Recorder:
    """Writes one sitting into `folder`. `now`: seconds of the monotonic clock that frames have.

    A disk that is full or gone ends the recording; the game goes on without it.
    """

    def __init__(self, folder: Path, head: Head, now: Callable[[], float]) -> None:
        self._folder = folder
        self._now = now
        self._numbers: dict[AnyReading, int] = {}
        self._count = 0
        self._felt: Switches | None = None
        self._said: Verdict | None = None
        self._bytes = 0
        self._flushed_at = now()
        self._pictured_at = float("-inf")
        self._wanted = False
        self._sink: Sink | None = None
        self._path: Path | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            number = 1 + max((_number(path) for path in sittings(folder)), default=0)
            for old in sittings(folder)[: -(SITTINGS - 1) or None]:
                old.unlink()
            self._path = folder / f"sitting-{number}.jsonl.gz"
            self._sink = gzip.GzipFile(self._path, "wb", compresslevel=6)
        except OSError as error:
            self._give_up(f"it cannot be written ({error.strerror})")
        self._write(head)

    # -- what the referee is told

    def saw(self, reading: AnyReading, switches: Switches | None, verdict: Verdict) -> None:
        """The referee was shown a reading and the switches, and says `verdict` now."""
        if self._sink is None:
            return
        if switches != self._felt:
            self._felt = switches
            self._write(Felt.of(switches))
        content = replace(reading, exposed_at=0.0)
        number = self._numbers.get(content)
        if number is None:
            self._count += 1
            number = self._count
            if len(self._numbers) >= REMEMBERED:
                self._numbers.clear()
            self._numbers[content] = number
            if isinstance(content, Reading):
                self._write(Seen(number, above=content))
            else:
                assert isinstance(content, OlympeakReading)
                self._write(Seen(number, olympeak=content))
        self._write(Look(reading.exposed_at, number))
        self._says(verdict)
        if self._now() - self._flushed_at >= FLUSH_S:
            self._flush()

    def asked(self, command: object, *, taken: bool, verdict: Verdict) -> None:
        """Somebody has asked for something; what is none of the referee's business is left out."""
        name = type(command).__name__
        if name in COMMANDS:
            self._write(Asked(name, asdict(command), taken))  # type: ignore[call-overload]
            self._says(verdict)

    def broken(self, why: str) -> None:
        """What happened now cannot be told again."""
        self._write(Broken(why))

    def _says(self, verdict: Verdict) -> None:
        if verdict == self._said:
            return
        if verdict.kind in PICTURED and (self._said is None or self._said.kind is not verdict.kind):
            self._wanted = True
        self._said = verdict
        self._write(Said(verdict))

    # -- pictures

    def wants_picture(self) -> bool:
        """Is the picture that was just read to be kept? Asked after every reading."""
        wanted, self._wanted = self._wanted, False
        if not wanted or self._sink is None or self._now() - self._pictured_at < PICTURE_EVERY_S:
            return False
        self._pictured_at = self._now()
        return True

    def keep_picture(self, image: Image) -> None:
        """Keeps a picture, lossless; in a worker thread, since it takes a moment."""
        found, png = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        if not found:
            return
        numbers = [_number(path) for path in pictures(self._folder)]
        path = self._folder / f"picture-{1 + max(numbers, default=0)}.png"
        try:
            path.write_bytes(png.tobytes())
            for old in pictures(self._folder)[:-PICTURES]:
                old.unlink()
        except OSError as error:
            log.warning("A picture for a report cannot be kept (%s).", error.strerror)
            path.unlink(missing_ok=True)

    def pictured(self) -> None:
        """The picture asked for has been kept: the recording says which, in the loop's thread."""
        if newest := pictures(self._folder):
            self._write(Pictured(newest[-1].name))

    # -- the file

    def _write(self, line: Line) -> None:
        if self._sink is None:
            return
        try:
            self._sink.write(written(line))
        except OSError as error:
            self._give_up(f"it cannot be written ({error.strerror})")

    def _flush(self) -> None:
        self._flushed_at = self._now()
        if self._sink is None or self._path is None:
            return
        try:
            self._sink.flush()
            size = self._path.stat().st_size
        except OSError as error:
            self._give_up(f"it cannot be written ({error.strerror})")
            return
        if size > SITTING_BYTES:
            self._give_up("it has reached its bound")

    def _give_up(self, why: str) -> None:
        log.warning("The recording for reports ends here: %s. The game goes on.", why)
        sink, self._sink = self._sink, None
        if sink is not None:
            try:
                sink.close()
            except OSError:
                log.debug("and its file cannot be closed in order")

    def close(self) -> None:
        """Ends the recording."""
        sink, self._sink = self._sink, None
        if sink is not None:
            try:
                sink.close()
            except OSError as error:
                log.warning("The end of the recording is lost (%s).", error.strerror)


def sittings(folder: Path) -> list[Path]:
    """The recorded sittings, the oldest first."""
    return sorted(folder.glob("sitting-*.jsonl.gz"), key=_number)


def pictures(folder: Path) -> list[Path]:
    """The kept pictures, the oldest first."""
    return sorted(folder.glob("picture-*.png"), key=_number)


def _number(path: Path) -> int:
    digits = path.name.partition("-")[2].partition(".")[0]
    return int(digits) if digits.isdigit() else 0
