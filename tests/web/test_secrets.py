"""What nobody may know before the end is in no answer: the same game with other predictions answers the same."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path

import httpx
import pytest

from companion.games.olympeak.position import Phase
from companion.referee.journal_reader import JournalReader
from companion.referee.verdict import Kind, Verdict
from companion.service import TableService
from companion.tables.olympeak.book import OlympeakBook
from companion.tables.olympeak.kit import OlympeakKit
from companion.tables.replay import JournalArchive
from companion.web.app import create_app
from companion.web.hub import Hub, Seen
from companion.web.phones import Phones
from tests.referee.keeping import journal_at
from tests.referee.olympeak.playing import LOOK_S, Evening
from tests.room import NoCamera
from tests.web.conftest import CODE, HEADERS, TOKEN, Clock

PLAYERS = 3
SEED = 87
# Of their own: the address has a game's number in it, or the answer never ends.
WALKED_APART = {
    "/api/games/{game}",
    "/api/games/{game}/steps/{step}",
    "/api/games/{game}/record",
    "/api/events",
}


class Spied(Evening):
    """A game before a table with its page. Somebody has turned every tile up all along, in plain view of the camera.

    `other`: everybody predicts something else, and all else is the same.
    """

    def __init__(self, folder: Path, *, other: bool) -> None:
        super().__init__(PLAYERS, SEED)
        if other:
            racing = self.setup.racing
            turned = dict(zip(racing, (*racing[1:], racing[0]), strict=True))
            self.people.first = tuple(turned[each] for each in self.people.first)
            self.people.second = tuple(turned[each] for each in self.people.second)
        path = folder / f"{other}.db"
        self.book = OlympeakBook(journal_at(path))
        self.archive = JournalArchive(JournalReader(path, lasting=True), lambda: self.book.current)
        self.hub = Hub(record=self.book.record, archive=self.archive, clock=Clock())
        players = self.setup.players
        referee = self.book.referee(
            PLAYERS, [player.name for player in players], [player.age_order for player in players]
        )
        self.session.referee = referee
        kit = OlympeakKit()
        self.table = TableService(
            kit, referee, NoCamera(), kit.eyes(), None, self.hub, frames_per_s=15.0, book=self.book
        )
        phones = Phones(CODE, clock=Clock(), ticks=Clock())
        phones.join(TOKEN, CODE, 0, address="here", players=PLAYERS)
        self.app = create_app(self.hub, phones)
        self.told: list[bytes] = []
        self._seen = Seen()
        tiles = zip(self.people.first, self.people.second, strict=True)
        self.session.table.tiles = dict(enumerate(tiles))

    def look(self, seconds: float = 0.3) -> Verdict:
        until = self.session.now + seconds
        while self.session.now < until:
            self.session.now += LOOK_S
            self.table.take_reading(self.session.table.reading(self.session.now))
            self.told += [name.encode() + data for name, data in self.hub.news(self._seen)]
        return self.session.referee.verdict

    def check(self) -> None:
        # The tiles are up already: once they may be read, the game is over before anybody turns them.
        if self.session.referee.verdict.kind is not Kind.OVER:
            super().check()

    async def answers(self, client: httpx.AsyncClient) -> list[str]:
        """What every address answers, and everything that was sent to the open pages meanwhile."""
        described = self.app.openapi()["paths"]
        paths = {path for path, about in described.items() if "get" in about} - WALKED_APART
        games = [game["id"] for game in (await client.get("/api/games")).json()]
        for game in games:
            steps = len((await client.get(f"/api/games/{game}")).json()["steps"])
            paths |= {f"/api/games/{game}", f"/api/games/{game}/record"}
            paths |= {f"/api/games/{game}/steps/{step}" for step in range(max(0, steps - 3), steps)}
        said = [f"{path} {(await client.get(path, headers=HEADERS)).text}" for path in sorted(paths | {"/"})]
        told, self.told = self.told, []
        return [*said, *(each.decode() for each in told)]


async def play(folder: Path, *, other: bool) -> tuple[list[list[str]], str]:
    """What was answered after each turn before the end, and the last snapshot."""
    evening = Spied(folder, other=other)
    said = []
    transport = httpx.ASGITransport(evening.app)
    with contextlib.closing(evening.book), contextlib.closing(evening.archive):
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            turn = 1
            while evening.truth.phase is not Phase.OVER:
                evening.play(turn)
                turn += 1
                if evening.session.referee.verdict.kind is not Kind.OVER:
                    said.append(await evening.answers(client))
    return said, evening.hub.snapshot_json().decode()


def test_nobody_learns_a_prediction_before_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What phones are called is chance.
    monkeypatch.setattr("companion.web.phones.secrets.token_hex", lambda _: "a phone")

    async def both() -> None:
        first, first_end = await play(tmp_path, other=False)
        second, second_end = await play(tmp_path, other=True)
        assert len(first) > 3 and sum(map(len, first)) > 50
        assert first == second
        # The guard can fail: at the end, when all tiles are read, the two games differ.
        results = [json.loads(each)["olympeak"]["results"] for each in (first_end, second_end)]
        assert all(len(each) == PLAYERS for each in results) and results[0] != results[1]

    asyncio.run(asyncio.wait_for(both(), 60))
