"""What an evening prints where its output is kept."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from companion.devices import DeviceChoiceError
from companion.errors import CompanionError
from companion.evening import Evening, _going_on
from companion.notify import Manager
from companion.referee.set_aside import asides
from companion.settings import Settings
from companion.tables.catalogue import kit_for
from companion.web.hub import Hub
from tests.referee.keeping import journal_at, play_some


@pytest.mark.parametrize(("addresses", "told"), [((), True), (("http://192.168.1.5:8080",), False)])
def test_the_hosts_code_is_in_no_log_that_others_may_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], addresses: tuple[str, ...], told: bool
) -> None:
    """A page that only this machine reaches is opened by its link; else the log names the file that holds the code."""
    evening = Evening(kit_for("above"), Settings(journal=tmp_path / "journal.db"))
    code = (tmp_path / "table-code").read_text().strip()

    async def show() -> None:
        showing = asyncio.create_task(evening._show(Hub(addresses=addresses)))
        await asyncio.sleep(0.1)
        showing.cancel()
        await asyncio.gather(showing, return_exceptions=True)

    asyncio.run(show())
    printed = capsys.readouterr().out
    assert (f"#host={code}" in printed) is told
    if not told:
        assert code not in printed and "table-code" in printed and addresses[0] in printed


def test_one_damaged_game_keeps_no_table_dark(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Nobody is there to move a file aside where a table starts with the power."""
    journal = journal_at(tmp_path / "journal.db")
    play_some(journal, 2)
    book = kit_for("above").book(tmp_path / "journal.db", lambda: 0.0)
    referee = _going_on(book)
    assert referee is not None and len(referee.turns) == 2
    book.close()
    journal.append(1, "turnip", None)
    journal.close()
    book = kit_for("above").book(tmp_path / "journal.db", lambda: 0.0)
    assert _going_on(book) is None and book.current is None
    assert "game 1 cannot be read" in caplog.text and "begins another game" in caplog.text
    another = book.referee(2)
    assert not another.has_begun and book.set_aside() is None
    book.close()


@pytest.mark.parametrize(("manager", "moved"), [(Manager("/nowhere/notify"), 1), (Manager(), 0)])
def test_only_where_nobody_sits_in_front_of_it_a_spoilt_journal_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manager: Manager, moved: int
) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(b"no database" * 1000)

    def refuse(*_: object) -> None:
        raise DeviceChoiceError("The journal has been opened.")

    monkeypatch.setattr("companion.evening.bind", lambda *_: socket.socket())
    monkeypatch.setattr("companion.evening.choose_devices", refuse)
    evening = Evening(kit_for("above"), Settings(journal=path), manager=manager)
    with pytest.raises(CompanionError, match="has been opened" if moved else "cannot be opened"):
        asyncio.run(evening.run())
    assert len(asides(path)) == moved
