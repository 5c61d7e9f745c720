"""What is recorded can be told again exactly, is bounded, and never stands in the game's way."""

from __future__ import annotations

import gzip
import itertools
import json
import logging
import re
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from companion.bundle.contents import GAMES, Bundle
from companion.bundle.pack import _games
from companion.bundle.replay import kept_games
from companion.recording import player, recorder
from companion.recording.lines import (
    Asked,
    Broken,
    Felt,
    Head,
    Look,
    RecordingError,
    Said,
    Seen,
    command_of,
    read,
    written,
)
from companion.recording.player import Kept, Playback, play, unpacked
from companion.recording.recorder import PICTURES, SITTINGS, Recorder, pictures, sittings
from companion.referee.evidence import Switches
from companion.referee.journal import Journal
from companion.referee.verdict import Kind, Verdict
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.reading import Reading
from companion.tables.above.kit import AboveKit
from companion.web.hub import NewGame, Undo
from tests.recording.scripted import RecordedRoom, evening
from tests.room import run

HEAD = Head("test", "above", 2, ("Ada", "Ben"), None, {})


def played(folder: Path, name: str = "again.db", packed: bytes | None = None) -> Playback:
    """The newest sitting of a folder, told to a referee again."""
    data = sittings(folder / recorder.FOLDER)[-1].read_bytes() if packed is None else packed
    kept = kept_games(Bundle({GAMES: _games(folder / "j.db", [])}))
    return play(unpacked(data), kept, lambda head: AboveKit(), folder / name)


def recorded(folder: Path, more: Callable[[RecordedRoom], None] = lambda room: None) -> None:
    async def script() -> None:
        room = evening(folder)
        more(room)
        room.end()

    run(script)


def test_told_again_the_referee_says_the_same_word_by_word(tmp_path: Path) -> None:
    recorded(tmp_path)
    done = played(tmp_path)
    assert done.differs is None and done.broken == ""
    assert done.verdicts == done.recorded and len(done.recorded) >= 8
    assert {Kind.READY, Kind.ILLEGAL} <= {verdict.kind for verdict in done.recorded}
    assert done.looks > 60


def test_a_game_that_goes_on_is_built_up_again_as_it_was(tmp_path: Path) -> None:
    recorded(tmp_path)

    async def script() -> None:
        room = RecordedRoom(tmp_path)
        room.begin()
        assert room.book.current == 1
        room.end()

    run(script)
    (tmp_path / "again").mkdir()
    recorded(tmp_path)
    heads = [json.loads(next(unpacked(path.read_bytes()))) for path in sittings(tmp_path / recorder.FOLDER)]
    assert [head["resumed"] for head in heads] == [1, 1]
    done = played(tmp_path)
    assert done.differs is None and len(done.recorded) > 3


def test_another_referee_is_found_out(tmp_path: Path) -> None:
    recorded(tmp_path)
    lines = list(unpacked(sittings(tmp_path / recorder.FOLDER)[-1].read_bytes()))
    there = rb'("ze","marker":8,"spaces":\[\[")[a-p]\d'
    changed = [re.sub(there, rb"\1p6", line) for line in lines]
    assert changed != lines
    done = played(tmp_path, packed=gzip.compress(b"\n".join(changed)))
    assert done.differs is not None and done.differs <= len(done.recorded)
    ruled = play(
        changed, kept_games(Bundle({GAMES: b""})), lambda head: AboveKit(), tmp_path / "r.db", words=False
    )
    assert ruled.differs is not None
    nowhere = [re.sub(there, rb"\1zz", line) for line in lines]
    with pytest.raises(RecordingError, match="what no table of this game can"):
        played(tmp_path, "nowhere.db", gzip.compress(b"\n".join(nowhere)))


def test_cut_off_anywhere_it_is_played_as_far_as_it_goes(tmp_path: Path) -> None:
    recorded(tmp_path)
    packed = sittings(tmp_path / recorder.FOLDER)[-1].read_bytes()
    whole = played(tmp_path).looks
    for number, share in enumerate((0.3, 0.6, 0.9)):
        done = played(tmp_path, f"{number}.db", packed[: int(len(packed) * share)])
        assert done.differs is None and done.looks <= whole


@pytest.mark.parametrize(
    "line",
    [
        HEAD,
        Seen(3, above=Reading(0.1 + 0.2, hidden=frozenset({"a1"}))),
        Seen(4, olympeak=OlympeakReading(0.0, contenders=("blue", "red"))),
        Look(1e-17 + 3.3, 3),
        Said(Verdict(Kind.READY, 1, "Ada: choose a card.")),
        Broken("the disk was full"),
        Felt(None),
        Felt(("a1", "b2"), ("c3",)),
        Asked("Undo", {"turns": 2}, True),
    ],
    ids=lambda line: type(line).__name__,
)
def test_every_line_is_the_same_again(line: Head | Seen | Look | Felt | Said | Broken | Asked) -> None:
    assert read(written(line).rstrip(b"\n"), 1) == line


def test_requests_are_those_that_people_can_make() -> None:
    assert command_of(Asked("Undo", {"turns": 2}, True)) == Undo(2)
    many = Asked("NewGame", {"players": 2, "names": ("Ada", "Ben"), "ages": ()}, True)
    assert command_of(many) == NewGame(2, ("Ada", "Ben"))
    for wrong in (
        Asked("Stop", {}, True),
        Asked("Undo", {"turns": "x"}, True),
        Asked("Undo", {"x": 1}, True),
    ):
        with pytest.raises(RecordingError):
            command_of(wrong)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "does not begin with its head"),
        ([written(Look(1.0, 1))], "does not begin with its head"),
        ([written(HEAD), b"{}"], "Line 2 of the recording cannot be read"),
        ([written(HEAD), b'{"line":"look","at":1,"number":1,"more":2}'], "Line 2"),
        ([written(HEAD), b"[" * 100_000], "Line 2"),
        ([written(HEAD), written(Look(1.0, 9))], "shows reading 9, which was never written"),
        ([written(HEAD), written(Seen(1)), written(Look(1.0, 1))], "Reading 1 of the recording is empty"),
        ([written(HEAD).replace(b'"format":1', b'"format":2')], "Line 1 .*format.* made by another version"),
        (
            [written(HEAD), written(Asked("NewGame", {"players": 99, "names": (), "ages": ()}, True))],
            "Line 2 tells what no table of this game can",
        ),
        ([written(Head("t", "above", 2, ("A", "B"), 7, {7: 3}))], "Game 7, which went on here, is not among"),
    ],
)
def test_what_cannot_be_played_is_said(tmp_path: Path, lines: list[bytes], said: str) -> None:
    with pytest.raises(RecordingError, match=said):
        play(lines, Kept(), lambda head: AboveKit(), tmp_path / "j.db")


def test_no_stranger_s_file_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "WHOLE_BYTES", 2_000_000)
    monkeypatch.setattr(player, "LINE_BYTES", 1_000_000)
    bomb = gzip.compress(b"\0" * 50_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(RecordingError, match="larger than any"):
        list(unpacked(bomb))
    with pytest.raises(RecordingError, match="larger than any"):
        list(unpacked(gzip.compress(b"\n" * 50_000_000)))
    with pytest.raises(RecordingError, match="no recording"):
        list(unpacked(b"PK\3\4 something else"))
    with pytest.raises(RecordingError, match="damaged"):
        list(unpacked(gzip.compress(bytes(range(256)) * 999)[:-8] + zlib.compress(b"x")))


def test_after_what_cannot_be_told_again_nothing_is_compared(tmp_path: Path) -> None:
    lines = [written(HEAD), written(Broken("the disk was full")), b"no JSON at all"]
    done = play(lines, Kept(), lambda head: AboveKit(), tmp_path / "j.db")
    assert done.broken == "the disk was full" and done.differs is None


# -- bounds


def test_only_the_newest_sittings_are_kept(tmp_path: Path) -> None:
    for _ in range(5):
        Recorder(tmp_path, HEAD, lambda: 0.0).close()
    assert [path.name for path in sittings(tmp_path)] == [f"sitting-{n}.jsonl.gz" for n in (4, 5)][-SITTINGS:]


def test_a_sitting_ends_at_its_bound_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(recorder, "SITTING_BYTES", 1000)
    recorded(tmp_path)
    assert sittings(tmp_path / recorder.FOLDER)[-1].stat().st_size < 8000
    assert caplog.text.count("it has reached its bound") == 1
    assert played(tmp_path).differs is None


def test_an_evening_s_looks_cost_little(tmp_path: Path) -> None:
    now = [0.0]
    kept = Recorder(tmp_path, HEAD, lambda: now[0])
    verdict = Verdict(Kind.READY, 0, "Ada: choose a card.")
    for number in range(15 * 60 * 4):
        now[0] = number / 15
        kept.saw(Reading(now[0] + 0.0001 * (number % 7), moving=number % 150 < 30), None, verdict)
    kept.close()
    assert sittings(tmp_path)[-1].stat().st_size < 15_000 * 4


def test_pictures_are_seldom_few_and_lossless(tmp_path: Path) -> None:
    now = [100.0]
    kept = Recorder(tmp_path, HEAD, lambda: now[0])
    taken = []
    for number in range(40):
        now[0] += 5.0
        kind = Kind.ILLEGAL if number % 2 else Kind.READY
        kept.saw(Reading(now[0]), None, Verdict(kind, 0, f"{number}"))
        if kept.wants_picture():
            taken.append(now[0])
            kept.keep_picture(np.full((4, 6, 3), number, np.uint8))
            kept.pictured()
    kept.close()
    assert len(taken) >= 9
    assert all(after - before >= recorder.PICTURE_EVERY_S for before, after in itertools.pairwise(taken))
    left = pictures(tmp_path)
    assert len(left) == PICTURES
    assert left[-1].name == f"picture-{len(taken)}.png"
    lines = list(unpacked(sittings(tmp_path)[-1].read_bytes()))
    assert sum(b'"line":"pictured"' in line for line in lines) == len(taken)


class _Full:
    """A file on a full disk."""

    def write(self, data: bytes, /) -> int:
        raise OSError(28, "No space left on device")

    flush = close = lambda self: None


def test_a_full_disk_ends_the_recording_and_not_the_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)

    def fill(room: RecordedRoom) -> None:
        room.recorder.close()
        room.recorder._sink = _Full()
        told = len(room.table.referee.turns)
        assert room.ask(Undo(1)).accepted
        assert len(room.table.referee.turns) == told - 1

    recorded(tmp_path, fill)
    assert caplog.text.count("cannot be written (No space left on device). The game goes on.") == 1


def test_where_nothing_can_be_kept_nothing_is(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    kept = Recorder(tmp_path / "file" / "folder", HEAD, lambda: 0.0)
    kept.saw(Reading(1.0), Switches(frozenset()), Verdict(Kind.READY, 0, "Ada"))
    assert not kept.wants_picture()
    kept.close()
    assert "The recording for reports ends here" in caplog.text


def test_games_in_a_row_are_laid_as_they_were(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "j.db", lambda: 0.0)) as journal:
        assert journal.open_game("above", ("Ada", "Ben"), "start") == 1
    bundle = Bundle({GAMES: b'[2, "above", ["A", "B"], "x", []]\n'})
    head = Head("t", "above", 2, ("A", "B"), 2, {2: 0})
    with pytest.raises(RecordingError, match="lacks game 1"):
        play([written(head)], kept_games(bundle), lambda _: AboveKit(), tmp_path / "again.db")
