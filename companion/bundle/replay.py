"""Playing a bundle back: every recorded sitting told to the referee again, every picture read again."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from calibration.profile import load_profile
from companion.bundle.contents import ABOUT, CARDS, DECK, GAMES, PROFILE, Bundle, BundleError
from companion.bundle.pictures import Measured, is_as_written, tried
from companion.recording.lines import Head
from companion.recording.player import Kept, Playback, play, unpacked
from companion.referee.journal_reader import Fact, Header
from companion.tables.catalogue import kit_for
from companion.tables.kit import Kit


@dataclass(frozen=True, slots=True)
class Compared:
    """One picture: does it read here as it was read where the bundle was made?"""

    name: str
    same: bool


def sittings_of(bundle: Bundle) -> list[str]:
    """The recorded sittings, the oldest first."""
    names = [name for name in bundle.parts if name.startswith("recording/sitting-")]
    return sorted(names, key=lambda name: int("".join(filter(str.isdigit, name))))


def replay(
    bundle: Bundle, name: str, progress: Callable[[int], None] | None = None, *, words: bool = True
) -> Playback:
    """Plays one sitting; without `words` only what is ruled is compared.

    Raises BundleError, RecordingError for one that cannot be played.
    """
    with tempfile.TemporaryDirectory(prefix="olympus-replay-") as folder:
        kit_of = _kits(bundle, Path(folder))
        lines = unpacked(bundle.parts[name])
        return play(lines, kept_games(bundle), kit_of, Path(folder) / "journal.db", progress, words=words)


def _kits(bundle: Bundle, folder: Path) -> Callable[[Head], Kit]:
    """The owner's own cards come along."""

    def kit_of(head: Head) -> Kit:
        name = CARDS if head.game == "above" else DECK
        own = folder / name
        if (data := bundle.parts.get(name)) is not None:
            own.write_bytes(data)
        return kit_for(head.game, head.players, own, named=data is not None)

    return kit_of


def kept_games(bundle: Bundle) -> Kept:
    """The games of the bundle. Raises BundleError."""
    games = []
    for number, line in enumerate(bundle.parts.get(GAMES, b"").splitlines(), 1):
        try:
            id_, game, players, start, facts = json.loads(line)
            header = Header(int(id_), str(game), tuple(map(str, players)), str(start), 0.0)
            told = tuple(Fact(count, str(kind), data, 0.0) for count, (kind, data) in enumerate(facts, 1))
            # Halves of characters can be written in JSON, and nowhere else.
            for text in (header.game, header.start, *header.players, *(fact.kind for fact in told)):
                text.encode()
        except (ValueError, TypeError, OverflowError, RecursionError):
            raise BundleError(f"Line {number} of {GAMES} in the bundle is no game.") from None
        games.append((header, told))
    return Kept(tuple(games))


def compare_pictures(bundle: Bundle) -> list[Compared]:
    """Every picture with its reading, read again. Raises BundleError, ProfileError."""
    measured = Measured()
    if (profile := bundle.parts.get(PROFILE)) is not None:
        with tempfile.TemporaryDirectory(prefix="olympus-replay-") as folder:
            file = Path(folder) / PROFILE
            file.write_bytes(profile)
            measured = Measured.of(load_profile(file))
    compared = []
    for name in sorted(bundle.parts):
        if name.endswith(".png"):
            # On a picture without a reading sight has failed there.
            recorded = bundle.parts.get(f"{name.removesuffix('.png')}.json")
            reading = tried(bundle.parts[name], measured)
            same = (reading is None) == (recorded is None)
            if reading is not None and recorded is not None:
                same = is_as_written(reading, recorded)
            compared.append(Compared(name, same))
    return compared


def case_of(bundle: Bundle) -> Bundle:
    """What is needed to play the sittings again, and nothing else: a test case."""
    wanted = (ABOUT, GAMES, CARDS, DECK)
    names = [name for name in bundle.parts if name in wanted or name in sittings_of(bundle)]
    return Bundle({name: bundle.parts[name] for name in names})
