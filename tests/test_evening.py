"""What an evening prints where its output is kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.evening import Evening
from companion.settings import Settings
from companion.tables.catalogue import kit_for
from companion.web.hub import Hub


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
