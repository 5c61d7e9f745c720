"""The hub: where the table leaves its latest state for the page, and where the page leaves its requests.

All calls are made in the event loop's thread. Nothing queues up behind a slow reader: every reader asks for
what is newest when it is ready for it.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from companion.errors import CompanionError
from companion.messages import say
from companion.web.archive import Archive
from companion.web.fitted import FittingCommand
from companion.web.language import LANGUAGE
from companion.web.models import PhoneView, Snapshot, hex_colours
from companion.web.stills import Stills

QUEUE_LIMIT = 8
ANSWER_S = 5.0
# However many phones look, the annotated picture is drawn at most this often.
PICTURE_PERIOD_S = 0.4


class TableBusy(CompanionError):
    """The table did not take or answer a request in time; trying again may succeed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Somebody chose an answer to the open question."""

    key: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Somebody takes back the last accepted turns, so many."""

    turns: int = 1


@dataclass(frozen=True, slots=True)
class NewGame:
    """Somebody begins a new game; `names` has one name a seat or is empty, `ages` one number (OlymPeak)."""

    players: int
    names: tuple[str, ...] = ()
    ages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Pause:
    """Somebody stops the judging, or lets it go on."""

    paused: bool


@dataclass(frozen=True, slots=True)
class Correct:
    """Somebody says that what is `shown` at `place` is `said`; `what`: "mini", "token" or "card"."""

    what: str
    place: str
    shown: str
    said: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A ruling of the house: what lies there is taken as it is, and `seat` is next."""

    seat: int


@dataclass(frozen=True, slots=True)
class StartHere:
    """The game begins from what lies on the table, with `seat` to move."""

    seat: int


@dataclass(frozen=True, slots=True)
class Resume:
    """This game of the journal goes on."""

    game: int


@dataclass(frozen=True, slots=True)
class Abandon:
    """This game of the journal is given up for good."""

    game: int


Command = Answer | Undo | NewGame | Pause | Correct | Rule | StartHere | Resume | Abandon | FittingCommand


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a request, in words for the person who made it."""

    accepted: bool
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """A command on its way to the table, which accepts or refuses it exactly once."""

    command: Command
    _outcome: asyncio.Future[Outcome]

    @property
    def withdrawn(self) -> bool:
        """Nobody waits for it any more: it must not be carried out."""
        return self._outcome.done()

    @property
    def carried_out(self) -> bool:
        """Was it accepted?"""
        done = self._outcome.done() and not self._outcome.cancelled()
        return done and self._outcome.result().accepted

    def accept(self, text: str) -> None:
        """It was carried out."""
        self._settle(Outcome(True, text))

    def refuse(self, text: str) -> None:
        """It was not, and why."""
        self._settle(Outcome(False, text))

    def _settle(self, outcome: Outcome) -> None:
        if not self._outcome.done():
            self._outcome.set_result(outcome)


@dataclass(slots=True)
class Seen:
    """What a reader has been given already."""

    tick: int = -1
    snapshot: int = -1
    lights: int = -1
    picture: int = 0
    practice: int = 0


@dataclass(slots=True)
class _Pictures:
    # The latest, until it is made; it holds a picture, of which `made` is but a twentieth.
    offered: Callable[[], bytes] | None = None
    fresh: bool = False  # offered, but not yet announced to the pages
    version: int = 0
    announced_at: float = float("-inf")
    made: bytes = b""
    made_number: int = 0
    made_at: float = float("-inf")
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Hub:
    """The latest snapshot, lights and picture, and the way for requests.

    `record` gives the running game's record as text, None when there is no game. `archive`: the games that are kept,
    None where there is no journal. `addresses`: where phones in the room reach the page, the best first.
    """

    def __init__(
        self,
        *,
        record: Callable[[], str | None] | None = None,
        archive: Archive | None = None,
        addresses: tuple[str, ...] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.record = record
        self.archive = archive
        self.addresses = addresses
        self.stills = Stills()
        self.audience: Counter[str] = Counter()  # event streams now open, by address
        self._clock = clock
        self._snapshot = Snapshot()
        self._phones: tuple[PhoneView, ...] = ()
        self._snapshot_json: dict[str, bytes] = {}
        self._lights: tuple[str, ...] = ()
        self._lights_version = 0
        self._pictures = _Pictures()
        self._practice = b""
        self._practice_version = 0
        self._tick = 0
        self._news = asyncio.Event()
        self._closed = False
        self._requests: asyncio.Queue[Request] = asyncio.Queue(QUEUE_LIMIT)

    # What the table calls.

    def publish(self, snapshot: Snapshot) -> int:
        """Make `snapshot` the latest; its version, unchanged if it says nothing new."""
        if snapshot.lights:
            self._set_lights(snapshot.lights)
        known = {"version": self._snapshot.version, "lights": (), "phones": self._phones}
        bare = snapshot.model_copy(update={**known, "asks": snapshot.asked})
        if bare != self._snapshot:
            self._snapshot = bare.model_copy(update={"version": bare.version + 1})
            self._snapshot_json.clear()
            self._bump()
        return self._snapshot.version

    def publish_lights(self, pixels: Sequence[tuple[int, int, int]]) -> None:
        """Show the LED colours that were sent to the strip."""
        self._set_lights(hex_colours(pixels))

    def publish_phones(self, phones: tuple[PhoneView, ...]) -> None:
        """Show who has joined."""
        self._phones = phones
        self.publish(self._snapshot)

    def publish_picture(self, make: Callable[[], bytes]) -> None:
        """Offer a picture: `make` returns it as JPEG; called in a worker thread when somebody looks."""
        self._pictures.offered = make
        self._pictures.fresh = True
        if self._announce_picture():
            self._bump()

    def publish_practice(self, view: BaseModel) -> None:
        """Show the pieces of a simulated table as they truly lie."""
        written = view.model_dump_json().encode()
        if written != self._practice:
            self._practice = written
            self._practice_version += 1
            self._bump()

    async def next_request(self) -> Request:
        """The next request of a person, waiting for it."""
        while True:
            request = await self._requests.get()
            if not request.withdrawn:
                return request

    def take_request(self) -> Request | None:
        """The next request of a person if there is one."""
        while not self._requests.empty():
            request = self._requests.get_nowait()
            if not request.withdrawn:
                return request
        return None

    def close(self) -> None:
        """End every event stream, for the shutdown."""
        self._closed = True
        self._bump()

    # What the page calls.

    @property
    def readers(self) -> int:
        """How many event streams are open."""
        return self.audience.total()

    @property
    def closed(self) -> bool:
        """Whether the streams are to end."""
        return self._closed

    @property
    def latest(self) -> Snapshot:
        """The latest snapshot, with the lights as they are now."""
        return self._snapshot.model_copy(update={"lights": self._lights})

    def snapshot_json(self) -> bytes:
        """The latest snapshot as JSON, in the reader's language; written once, however many read it."""
        language = LANGUAGE.get()
        if language not in self._snapshot_json:
            self._snapshot_json[language] = self.latest.model_dump_json().encode()
        return self._snapshot_json[language]

    def news(self, seen: Seen) -> list[tuple[str, bytes]]:
        """The (event, JSON) pairs that bring a reader from `seen` to now, and marks them seen."""
        events: list[tuple[str, bytes]] = []
        if seen.snapshot != self._snapshot.version:
            events.append(("snapshot", self.snapshot_json()))
            seen.lights = self._lights_version
        elif seen.lights != self._lights_version:
            events.append(("lights", ('["' + '","'.join(self._lights) + '"]').encode()))
        self._announce_picture()
        if seen.picture != self._pictures.version:
            events.append(("picture", str(self._pictures.version).encode()))
        if seen.practice != self._practice_version:
            events.append(("practice", self._practice))
            seen.practice = self._practice_version
        seen.tick, seen.snapshot = self._tick, self._snapshot.version
        seen.lights, seen.picture = self._lights_version, self._pictures.version
        return events

    async def changed(self, seen: Seen) -> None:
        """Wait until there is news after `seen`, or the hub closes."""
        while seen.tick == self._tick and not self._closed:
            await self._news.wait()

    async def picture(self) -> tuple[int, bytes] | None:
        """The latest picture as JPEG with its number; None when there never was one."""
        pictures = self._pictures
        async with pictures.lock:
            if pictures.offered is not None and pictures.made_at + PICTURE_PERIOD_S <= self._clock():
                make, pictures.offered = pictures.offered, None
                pictures.made = await asyncio.to_thread(make)
                pictures.made_at = self._clock()
                pictures.made_number += 1
            return (pictures.made_number, pictures.made) if pictures.made_number else None

    async def ask(self, command: Command) -> Outcome:
        """Hand `command` to the table and wait for what becomes of it; TableBusy if it takes too long."""
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        try:
            self._requests.put_nowait(Request(command, outcome))
        except asyncio.QueueFull:
            raise TableBusy(say("web.busy")) from None
        try:
            async with asyncio.timeout(ANSWER_S):
                return await outcome
        except TimeoutError:
            raise TableBusy(say("web.no_answer")) from None
        finally:
            outcome.cancel()

    def _announce_picture(self) -> bool:
        pictures, now = self._pictures, self._clock()
        if not pictures.fresh or now < pictures.announced_at + PICTURE_PERIOD_S:
            return False
        pictures.fresh, pictures.announced_at = False, now
        pictures.version += 1
        return True

    def _set_lights(self, lights: tuple[str, ...]) -> None:
        if lights != self._lights:
            self._lights = lights
            self._lights_version += 1
            self._snapshot_json.clear()
            self._bump()

    def _bump(self) -> None:
        self._tick += 1
        self._news.set()
        self._news = asyncio.Event()
