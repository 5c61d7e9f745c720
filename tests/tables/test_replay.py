"""Kept games looked at fact by fact, for both boxes, while they are played and long after."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.games.above.records import check as check_above
from companion.games.olympeak.records import check as check_olympeak
from companion.referee.corrections import Correction
from companion.referee.game import course
from companion.referee.journal_reader import JournalReader
from companion.referee.olympeak.journal import OlympeakEntry
from companion.tables.replay import JournalArchive
from companion.web.archive import NotKept
from tests.referee.keeping import journal_at, play_some
from tests.referee.olympeak.playing import Evening
from tests.referee.tabletop import random_position

OLD = Path(__file__).parents[1] / "data" / "journal" / "v1.db"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    shutil.copy(OLD, tmp_path / "old.db")
    return tmp_path / "old.db"


def test_a_journal_of_an_earlier_version_is_listed_and_replayed_as_it_is(old: Path) -> None:
    before = old.read_bytes()
    with closing(JournalArchive(JournalReader(old))) as archive:
        games = archive.games()
        assert [(game.id, game.game, game.status) for game in games] == [
            (4, "above", "open"),
            (3, "olympeak", "open"),
            (2, "above", "abandoned"),
            (1, "above", "over"),
        ]
        assert games[0].text.startswith("Eve is to move.")
        assert "wins!" in games[3].text
        assert [len(game.winners) for game in games] == [0, 0, 0, 1] and games[3].winners[0] in games[3].text
        assert [game.refusals for game in games[:1]] == [1]
        assert all(game.played_s >= 0 for game in games)
        for game in games:
            replay = archive.replay(game.id)
            assert [step.number for step in replay.steps] == list(range(len(replay.steps)))
            assert all(step.text for step in replay.steps)
            for step in replay.steps:
                shown = archive.step(game.id, step.number)
                assert [player.name for player in shown.players] == list(game.players)
                assert shown.verdict is None
            check = check_above if game.game == "above" else check_olympeak
            assert check(archive.record(game.id).splitlines()) is None
    assert old.read_bytes() == before


def test_every_step_shows_the_position_after_it(old: Path) -> None:
    with closing(JournalReader(old)) as journal:
        positions = [game.position for _, game in course(journal, 4)]
        with closing(JournalArchive(JournalReader(old))) as archive:
            for number, position in enumerate(positions):
                board = archive.step(4, number).board
                assert board.minis == {deity: position.space_of(deity) for deity in board.minis}
            kinds = [step.kind for step in archive.replay(4).steps]
    assert kinds == ["begin", "turn", "turn", "turn", "turn", "refusal", "take_back", "turn", "turn"]


def test_rulings_corrections_and_refusals_are_told(tmp_path: Path) -> None:
    import random

    journal = journal_at(tmp_path / "j.db")
    entry, _ = play_some(journal, 2)
    entry.refusal("Hera cannot step back.", "A6")
    entry.correction(Correction("mini", "c2", "he", "ar"))
    entry.correction(Correction("token", "c4", "thunder 16", "gate 16"))
    entry.correction(Correction("card", "cards 0", "he 1", "ar 1"))
    entry.ruling("Hera cannot step back.", "A6", random_position(2, 5, random.Random(1)))
    entry.take_back(2)
    entry.abandon()
    with closing(JournalArchive(JournalReader(tmp_path / "j.db"), lambda: 1)) as archive:
        assert [step.text for step in archive.replay(1).steps[3:]] == [
            "Hera cannot step back.",
            "Hera was read, and it is Ares.",
            "a Thunder token was read, and it is a Gate token.",
            "the Hera card was read, and it is the Ares card.",
            "played on from what lay there – Hera cannot step back.",
            "The last 2 turns are taken back.",
            "The game is given up.",
        ]
        (game,) = archive.games()
        assert (game.status, game.turns, game.current) == ("abandoned", 1, True)
    journal.close()


@pytest.mark.parametrize(("players", "seed"), [(2, 5), (4, 7)])
def test_a_game_of_cards_is_told_card_by_card_and_nothing_hidden_is_in_it(
    tmp_path: Path, players: int, seed: int
) -> None:
    journal = journal_at(tmp_path / "j.db")
    evening = Evening(players, seed, ledger=OlympeakEntry(journal))
    evening.play(3)
    with closing(JournalArchive(JournalReader(tmp_path / "j.db"))) as archive:
        replay = archive.replay(1)
        shown = {card for event in evening.events for card in (getattr(event, "cards", ()) or ())}
        shown |= {card for event in evening.events if (card := getattr(event, "card", None))}
        hidden = {card for hand in evening.people.hands for card in hand} - shown
        assert hidden
        told = " ".join(step.text for step in replay.steps)
        tables = [archive.step(1, step.number).model_dump_json() for step in replay.steps]
        assert not [card for card in hidden if card in told or any(f'"{card}"' in table for table in tables)]
        assert any(step.kind == "play" for step in replay.steps)
        assert any(step.text.startswith("Turned up: ") for step in replay.steps)
        before = replay.game
        # A game that is being played grows while it is looked at.
        evening.play(4)
        after = archive.replay(1)
        assert len(after.steps) > len(replay.steps) and after.game.turns > before.turns
        last = archive.step(1, len(after.steps) - 1).olympeak
        current = evening.session.referee.current
        assert last is not None and current is not None
        assert {cube.contender: cube.place for cube in last.cubes} == current.cube
    journal.close()


def test_a_finished_game_of_cards_shows_its_points(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    evening = Evening(3, 6, ledger=OlympeakEntry(journal))
    evening.play()
    with closing(JournalArchive(JournalReader(tmp_path / "j.db"))) as archive:
        (game,) = archive.games()
        assert game.status == "over" and "with" in game.text
        last = archive.step(1, len(archive.replay(1).steps) - 1).olympeak
        assert last is not None and len(last.results) == 3
        assert archive.step(1, 1).olympeak is not None
        early = archive.step(1, 1).olympeak
        assert early is not None and early.results == ()
    journal.close()


def test_what_is_not_kept_or_damaged_is_said(old: Path) -> None:
    with closing(sqlite3.connect(old, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("DROP TRIGGER entries_are_never_changed")
        db.execute("UPDATE entries SET data = '[\"move ze top\"]' WHERE game_id = 1 AND number = 3")
    with closing(JournalArchive(JournalReader(old))) as archive:
        games = {game.id: game for game in archive.games()}
        assert games[1].status == "damaged" and "damaged" in games[1].text
        assert games[4].status == "open"
        for ask in (lambda: archive.replay(1), lambda: archive.record(1), lambda: archive.step(1, 0)):
            with pytest.raises(NotKept, match="damaged"):
                ask()
        with pytest.raises(NotKept, match="no game number 9"):
            archive.replay(9)
        with pytest.raises(NotKept, match="steps 0 to 8, not 9"):
            archive.step(4, 9)
