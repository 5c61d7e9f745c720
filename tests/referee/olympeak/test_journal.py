"""Games of OlymPeak in the journal: what was announced is on the disk, whatever happens then."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.games.olympeak.position import Phase
from companion.games.olympeak.records import check
from companion.referee.game import load as load_above
from companion.referee.journal import Journal
from companion.referee.journal_reader import JournalError
from companion.referee.olympeak.journal import OlympeakEntry, load, record
from companion.referee.verdict import Kind
from companion.tables.olympeak.book import OlympeakBook
from tests.referee.keeping import journal_at, play_some
from tests.referee.olympeak.playing import Evening, Session


def evening_in(journal: Journal, players: int, seed: int) -> Evening:
    return Evening(players, seed, ledger=OlympeakEntry(journal))


@pytest.mark.parametrize(("players", "seed"), [(2, 5), (3, 6), (4, 7), (6, 8)])
def test_the_export_of_a_finished_game_passes_the_checker(tmp_path: Path, players: int, seed: int) -> None:
    journal = journal_at(tmp_path / "j.db")
    evening = evening_in(journal, players, seed)
    evening.play()
    assert check(record(journal, 1)) is None
    game = load(journal, 1)
    assert not game.is_open
    assert game.state.outcome == evening.truth.outcome


def test_a_game_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    evening = evening_in(journal, 4, 11)
    for turns in (1, 2, 3, 5):
        evening.play(turns)
        before = evening.session.referee
        book = OlympeakBook(journal_at(tmp_path / "j.db"))
        referee = book.resume()
        assert referee is not None
        assert referee.events == before.events
        assert referee.current == before.current
        assert referee.verdict.kind is Kind.SETUP
        evening.session.referee = referee
        assert evening.look(0.3).kind is not Kind.SETUP
    evening.play()
    assert check(record(journal, 1)) is None


def test_a_game_killed_within_a_turn_keeps_its_answers(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    evening = evening_in(journal, 4, 3)
    resumed = 0
    original = evening.act

    def act_and_kill(event: object) -> None:
        nonlocal resumed
        original(event)  # type: ignore[arg-type]
        if evening.session.referee.state is None or evening.session.referee.state.phase is not Phase.PLAY:
            return
        before = evening.session.referee.current
        referee = OlympeakBook(journal_at(tmp_path / "j.db")).resume()
        assert referee is not None
        assert referee.current == before
        evening.session.referee = referee
        evening.look()
        assert referee.current == before
        resumed += 1

    evening.act = act_and_kill  # type: ignore[method-assign]
    evening.play(12)
    assert resumed > 20


def test_a_turn_taken_back_is_gone_but_still_written(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    evening = evening_in(journal, 3, 2)
    evening.play(2)
    referee = evening.session.referee
    turns = len(referee.turns)
    with sqlite3.connect(tmp_path / "j.db") as db:
        (written,) = db.execute("SELECT count(*) FROM entries").fetchone()
    referee.take_back()
    assert load(journal, 1).events == referee.events
    assert len(referee.turns) == turns - 1
    with sqlite3.connect(tmp_path / "j.db") as db:
        assert db.execute("SELECT count(*) FROM entries").fetchone() == (written + 1,)


def test_both_games_lie_in_one_file(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    evening_in(journal, 2, 1).play(1)
    play_some(journal, 1)
    assert load(journal, 1).is_open
    assert load_above(journal, 2).is_open
    with pytest.raises(JournalError, match="no Above game number 1"):
        load_above(journal, 1)
    with pytest.raises(JournalError, match="no OlymPeak game number 2"):
        load(journal, 2)


def test_nothing_of_a_hand_or_a_hidden_tile_is_ever_written(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    evening = evening_in(journal, 4, 9)
    first, second = evening.people.first, evening.people.second
    for seat in range(4):
        # Somebody peeps at a tile: it is read, and neither kept nor shown.
        evening.session.table.tiles[seat] = (first[seat], second[seat])
    evening.play(3)
    shown: set[str] = set()
    for event in evening.events:
        shown |= set(getattr(event, "cards", ())) | {getattr(event, "card", None) or ""}
    with sqlite3.connect(tmp_path / "j.db") as db:
        rows = [text for (text,) in db.execute("SELECT data FROM entries")]
    hidden = {card for hand in evening.people.hands for card in hand} - shown
    assert hidden
    for text in rows:
        assert "prediction" not in text
        assert not {card for card in hidden if f'"{card}"' in json.loads(json.dumps(text))}


def test_a_killed_process_loses_no_announced_event(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    program = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from companion.referee.journal import Journal\n"
        "from companion.referee.olympeak.journal import OlympeakEntry\n"
        "from tests.referee.olympeak.playing import Evening\n"
        "entry = OlympeakEntry(Journal(Path(sys.argv[1]), lambda: 0.0))\n"
        "evening = Evening(4, 21, ledger=entry)\n"
        "evening.play(4)\n"
        "print(evening.session.referee.current.placed, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=60, cwd=root
    )
    referee = OlympeakBook(journal_at(path)).resume()
    assert referee is not None, done.stderr
    assert referee.current is not None
    assert str(referee.current.placed) == done.stdout.strip()


def test_a_new_game_sets_the_open_one_aside(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    evening = evening_in(journal, 2, 1)
    evening.play(1)
    book = OlympeakBook(journal)
    assert book.resume() is not None
    assert (book.current, book.set_aside()) == (1, None)
    referee = book.referee(3, ("Zoe",))
    assert referee.names == ("Zoe", "Ben", "Chloe")
    assert (book.current, book.set_aside()) == (None, 1)
    assert book.resume(1) is not None
    book.abandon()
    assert book.set_aside() is None
    assert book.resume() is None
    assert load(journal, 1).abandoned


def test_a_session_that_never_began_has_no_record(tmp_path: Path) -> None:
    book = OlympeakBook(journal_at(tmp_path / "j.db"))
    assert book.resume() is None
    book.referee(2)
    assert book.record() is None
    evening = Evening(2, 4)
    session: Session = evening.session
    session.referee = book.referee(
        2, session.referee.names, [player.age_order for player in evening.setup.players]
    )
    evening.play(1)
    text = book.record()
    assert text is not None
    assert text.startswith('{"game":"olympeak"')
    book.close()
