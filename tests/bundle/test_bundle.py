"""A bundle holds what a report needs and no secret, is read as if a stranger had made it, and plays back exactly."""

from __future__ import annotations

import io
import json
import shutil
import socket
import sqlite3
import struct
import warnings
import zipfile
import zlib
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest
from pydantic import TypeAdapter
from typer.testing import CliRunner

from companion.bundle import contents
from companion.bundle.contents import ABOUT, FORMAT, GAMES, Bundle, BundleError
from companion.bundle.pack import pack
from companion.bundle.pictures import Measured, as_json, is_as_written, read_picture
from companion.bundle.replay import case_of, compare_pictures, kept_games, replay, sittings_of
from companion.cli import app
from companion.doctor.check import well
from companion.recording.recorder import FOLDER
from companion.sensing.reading import Reading
from companion.settings import Settings
from tests.recording.scripted import evening
from tests.referee.keeping import journal_at, play_some
from tests.room import run

DATA = Path(__file__).parents[1] / "data"
CASES = sorted((DATA / "cases").glob("*.zip"))


HOST = socket.gethostname().partition(".")[0]
# What a table's log holds where only this computer sees the page, and what the doctor says of addresses and folders.
GOSSIP = (
    f"The page, for the host: http://127.0.0.1:8080/#host=123456 (code 123456), http://{HOST}.local:8080/#join=77-ab in "
    f"{Path.home()}/games"
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a table at which was played, with a picture of what was refused."""
    folder = tmp_path_factory.mktemp("table")

    async def script() -> None:
        room = evening(folder)
        small = cv2.imread(str(DATA / "photos" / "01.jpg"))
        assert small is not None
        room.recorder.keep_picture(np.asarray(small, np.uint8))
        room.end()

    run(script)
    (folder / "table-code").write_text("123456\n")
    (folder / "phones.json").write_text('{"secret": "token-of-a-phone"}')
    (folder / "companion.log").write_text(f"a line of the log\n{GOSSIP}\n")
    return folder


@pytest.fixture(scope="module")
def packed(table: Path) -> Bundle:
    settings = Settings(journal=table / "j.db", profile=DATA / "profile" / "v1.toml")
    return pack(settings, [well("disk", GOSSIP)], f"a line of the system's log\n{GOSSIP}\n")


def test_it_holds_what_a_report_needs_and_no_secret(packed: Bundle) -> None:
    assert set(packed.parts) == {
        ABOUT,
        "settings.json",
        "doctor.json",
        "log/companion.log",
        "log/journal.txt",
        GAMES,
        "profile.toml",
        "recording/sitting-1.jsonl.gz",
        "recording/picture-1.png",
        "recording/picture-1.json",
    }
    assert not [
        name for name, data in packed.parts.items() if b"123456" in data or b"token-of-a-phone" in data
    ]
    for name in ("doctor.json", "log/companion.log", "log/journal.txt"):
        text = packed.parts[name].decode()
        assert "#host=…" in text and "#join=…" in text and "(code …)" in text, "where something stood is seen"
        assert "http://….local:8080" in text and " in ~/games" in text
        assert f"{HOST}.local" not in text and "77-ab" not in text
    about = packed.json(ABOUT)
    assert isinstance(about, dict) and about["format"] == FORMAT and about["missing"] == []


def test_one_damaged_game_takes_no_other_out_of_a_report(tmp_path: Path) -> None:
    for _ in range(2):
        play_some(journal_at(tmp_path / "j.db"), 2)
    with closing(sqlite3.connect(tmp_path / "j.db")) as db:
        db.execute("DROP TRIGGER entries_are_never_changed")
        db.execute("UPDATE entries SET data = 'torn' WHERE game_id = 1 AND number = 2")
        db.commit()
    made = pack(Settings(journal=tmp_path / "j.db"), [], None)
    about = made.json(ABOUT)
    assert isinstance(about, dict)
    (missing,) = about["missing"]
    assert "game 1" in missing
    assert [len(facts) for _, facts in kept_games(made).games] == [1, 2]


def test_what_is_too_large_for_a_bundle_is_left_out_so_that_the_rest_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "LIMITS", {**contents.LIMITS, r"recording/picture-\d{1,6}\.png": 100})
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "picture-1.png").write_bytes(bytes(101))
    made = pack(Settings(journal=tmp_path / "j.db"), [], None)
    made.write(tmp_path / "b.zip")
    about = Bundle.read(tmp_path / "b.zip").json(ABOUT)
    assert isinstance(about, dict)
    assert about["missing"] == ["recording/picture-1.png: it is larger than a bundle can have it"]


def test_a_journal_that_was_set_aside_is_in_it_whole(tmp_path: Path) -> None:
    for day in (28, 29, 30):
        (tmp_path / f"j.damaged-2026-11-{day}.db").write_bytes(bytes([day]) * 50)
    (tmp_path / "j.damaged-2026-11-30.db-wal").write_bytes(b"its log")
    pack(Settings(journal=tmp_path / "j.db"), [], None).write(tmp_path / "b.zip")
    parts = Bundle.read(tmp_path / "b.zip").parts
    assert {name: data for name, data in parts.items() if name.startswith("set-aside/")} == {
        "set-aside/j.damaged-2026-11-29.db": bytes([29]) * 50,
        "set-aside/j.damaged-2026-11-30.db": bytes([30]) * 50,
        "set-aside/j.damaged-2026-11-30.db-wal": b"its log",
    }


def test_played_back_everything_is_the_same(packed: Bundle, tmp_path: Path) -> None:
    packed.write(tmp_path / "b.zip")
    read = Bundle.read(tmp_path / "b.zip")
    assert read == packed
    (name,) = sittings_of(read)
    done = replay(read, name)
    assert done.differs is None and len(done.recorded) >= 8
    (picture,) = compare_pictures(read)
    assert picture.same


def test_a_picture_that_reads_otherwise_is_found_out(packed: Bundle) -> None:
    text = packed.parts["recording/picture-1.json"]
    reading = TypeAdapter(Reading).validate_json(text)
    assert is_as_written(reading, text) and as_json(reading).startswith(b'{"exposed_at":0.0')
    assert reading.frame == "ok"
    assert not is_as_written(reading, text.replace(b'"frame":"ok"', b'"frame":"dark"'))
    with pytest.raises(BundleError, match="none of this companion's"):
        is_as_written(reading, b"{}")


def test_what_cannot_be_read_is_left_out_and_named(tmp_path: Path) -> None:
    (tmp_path / "j.db").write_bytes(b"no database" * 1000)
    (tmp_path / "p.toml").write_text("version = 99\n")
    made = pack(Settings(journal=tmp_path / "j.db", profile=tmp_path / "p.toml"), [], None)
    about = made.json(ABOUT)
    assert isinstance(about, dict)
    assert [each.partition(":")[0] for each in about["missing"]] == [GAMES, "profile.toml"]
    assert sittings_of(made) == []
    empty = pack(Settings(journal=tmp_path / "none.db"), [], None)
    assert empty.parts[GAMES] == b"" and kept_games(empty).games == ()


def test_a_picture_on_which_sight_fails_is_packed_and_fails_again(
    packed: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise IndexError("no such corner")

    unread = {
        name: data for name, data in packed.parts.items() if not name.startswith("recording/picture-1.j")
    }
    (other,) = compare_pictures(Bundle(unread))
    assert not other.same, "it is read here, and could not be there"
    monkeypatch.setattr("companion.bundle.pictures.read_picture", fails)
    (same,) = compare_pictures(Bundle(unread))
    assert same.same
    (other,) = compare_pictures(packed)
    assert not other.same


def test_a_case_is_small_and_plays_the_same(packed: Bundle) -> None:
    case = case_of(packed)
    assert set(case.parts) == {ABOUT, GAMES, "recording/sitting-1.jsonl.gz"}
    assert replay(case, "recording/sitting-1.jsonl.gz").differs is None


@pytest.mark.parametrize("file", CASES, ids=lambda path: path.stem)
def test_every_kept_case_plays_as_it_was_played(file: Path) -> None:
    case = Bundle.read(file)
    names = sittings_of(case)
    assert names
    for name in names:
        # How soon and in which words it is said may be bettered later; what is ruled may not change.
        done = replay(case, name, words=False)
        assert len(done.recorded) > 5
        assert done.differs is None, f"ruling {done.differs} is another than when it was recorded"


def test_there_is_a_case() -> None:
    assert CASES


# -- bundles of strangers


def zipped(path: Path, *entries: tuple[str, bytes]) -> Path:
    """A zip file with these entries, whatever their names."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for name, data in entries:
                file.writestr(name, data)
    return path


ABOUT_OK = (ABOUT, json.dumps({"format": FORMAT}).encode())


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/etc/passwd",
        "log/../../evil",
        "recording/sitting-1.jsonl.gz/../../x",
        "log\\companion.log",
        "recording/",
        "other.txt",
        "about.json\n",
        "recording/sitting-１.jsonl.gz",
    ],
)
def test_names_that_are_no_part_of_a_bundle_are_refused(tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path / "b.zip", ABOUT_OK, (name, b"x"))
    with pytest.raises(BundleError, match="no part of a bundle"):
        Bundle.read(path)
    assert [each.name for each in tmp_path.iterdir()] == ["b.zip"], "nothing is put anywhere"


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = zipped(tmp_path / "b.zip", ABOUT_OK, ("log/companion.log", b"\0" * 30_000_000))
    assert path.stat().st_size < 100_000
    with pytest.raises(BundleError, match=r"log/companion.log in .* is larger than 1 MB"):
        Bundle.read(path)
    monkeypatch.setattr(contents, "WHOLE_BYTES", 2_000_000)
    many = [(f"log/companion.log.{number}", b"\0" * 900_000) for number in range(4)]
    with pytest.raises(BundleError, match="unpacks to more than any bundle"):
        Bundle.read(zipped(tmp_path / "many.zip", ABOUT_OK, *many))


def test_a_size_that_is_not_true_is_not_believed(tmp_path: Path) -> None:
    data = bytearray(
        zipped(tmp_path / "b.zip", ABOUT_OK, ("log/companion.log", b"\0" * 3_000_000)).read_bytes()
    )
    real = struct.pack("<I", 3_000_000)
    assert data.count(real) == 2
    (tmp_path / "lie.zip").write_bytes(bytes(data).replace(real, struct.pack("<I", 10)))
    with pytest.raises(BundleError):
        Bundle.read(tmp_path / "lie.zip")


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([], "is no bundle of this companion"),
        ([(ABOUT, b'{"format": 99}')], "update the companion if it is newer"),
        ([(ABOUT, b"[" * 50_000)], "about.json in the bundle is no JSON"),
        ([ABOUT_OK, ABOUT_OK], "twice"),
        ([ABOUT_OK, *((f"recording/picture-{n}.png", b"") for n in range(80))], "a bundle has at most"),
    ],
)
def test_what_is_no_bundle_is_said(tmp_path: Path, entries: list[tuple[str, bytes]], said: str) -> None:
    with pytest.raises(BundleError, match=said):
        Bundle.read(zipped(tmp_path / "b.zip", *entries))


def test_what_is_no_zip_at_all_is_said(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="There is no bundle"):
        Bundle.read(tmp_path / "none.zip")
    whole = zipped(tmp_path / "b.zip", ABOUT_OK, ("log/companion.log", b"text" * 1000)).read_bytes()
    for cut in (0, 10, len(whole) // 2, len(whole) - 3):
        (tmp_path / "cut.zip").write_bytes(whole[:cut])
        with pytest.raises(BundleError):
            Bundle.read(tmp_path / "cut.zip")


def test_pictures_of_strangers_are_looked_at_before_they_are_unpacked() -> None:
    def png(width: int, height: int) -> bytes:
        head = struct.pack(">II5B", width, height, 8, 2, 0, 0, 0)
        chunk = b"IHDR" + head
        return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))

    for data, said in (
        (b"GIF89a" + bytes(50), "no PNG"),
        (png(100_000, 100_000), "too large"),
        (png(10, 10), "damaged"),
    ):
        with pytest.raises(BundleError, match=said):
            read_picture(data, Measured())


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b"[1]",
        b'[1, "above", ["A"], "x", [["turn"]]]',
        b'[1e999, "above", ["A"], "x", []]',
        b'[1, "above", ["A"], "x", [["\\ud800", null]]]',
        b'[1, "above", ["\\ud800"], "x", []]',
        b"[" * 50_000,
    ],
)
def test_games_of_strangers_are_checked(line: bytes) -> None:
    with pytest.raises(BundleError, match="Line 1 of games.jsonl"):
        kept_games(Bundle({GAMES: line}))


# -- the commands


def test_from_the_command_line(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Without its pictures it plays in a moment.
    shutil.copytree(table, tmp_path / "table", ignore=shutil.ignore_patterns("*.png"))
    monkeypatch.setenv("OLYMPUS_JOURNAL", str(tmp_path / "table" / "j.db"))
    runner = CliRunner()
    made = runner.invoke(app, ["bundle", "--output", "b.zip", "--json"])
    assert made.exit_code == 0, made.output
    assert json.loads(made.stdout)["missing"] == []
    case_of(Bundle.read(tmp_path / "b.zip")).write(tmp_path / "small.zip")
    told = runner.invoke(app, ["replay", "small.zip", "--json", "--save-case", "case.zip"])
    assert told.exit_code == 0, told.output
    found = json.loads(told.stdout)
    assert found["same"] and found["sittings"][0]["differs"] is None
    assert Bundle.read(tmp_path / "case.zip") == Bundle.read(tmp_path / "small.zip")
    again = runner.invoke(app, ["replay", "small.zip", "--save-case", "case.zip"])
    assert again.exit_code == 1 and "case.zip is there already" in str(again.exception)
    assert (
        runner.invoke(app, ["replay", "small.zip", "--save-case", "case.zip", "--overwrite"]).exit_code == 0
    )
    shown = runner.invoke(app, ["replay", "case.zip"])
    assert "all the same" in shown.output
    empty = Bundle({ABOUT: ABOUT_OK[1]})
    empty.write(tmp_path / "empty.zip")
    assert "Nothing was recorded" in runner.invoke(app, ["replay", "empty.zip"]).output


def test_a_difference_is_an_exit_status(packed: Bundle, tmp_path: Path) -> None:
    (name,) = sittings_of(packed)
    import gzip

    lines = gzip.decompress(packed.parts[name]).replace(b"choose a", rb"choose the\u001b[2J")
    with io.BytesIO() as out:
        with gzip.GzipFile(fileobj=out, mode="wb") as file:
            file.write(lines)
        changed = {**case_of(packed).parts, name: out.getvalue()}
    Bundle(changed).write(tmp_path / "changed.zip")
    told = CliRunner().invoke(app, ["replay", str(tmp_path / "changed.zip")])
    assert told.exit_code == 1 and "only in words or in time" in told.output
    assert "choose the" in told.output and "choose a" in told.output, "which, as it was and as it is"
    assert "\x1b" not in told.output and "choose the\ufffd[2J" in told.output, "no terminal is steered by it"
    found = json.loads(CliRunner().invoke(app, ["replay", str(tmp_path / "changed.zip"), "--json"]).stdout)
    (sitting,) = found["sittings"]
    assert sitting["same_rulings"] and sitting["others"][0]["verdict"] == sitting["differs"]
    assert FOLDER == "recording"
