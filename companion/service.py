"""One table, wired together: camera to reading to referee to verdict to lights, page and journal.

One asyncio loop. Pictures are taken and read in one worker thread, the serial reader has its own; both hand
over to the loop, where the latest wins. Every device may vanish and return: its part says `absent`, the game
goes on with what is left, and it is picked up again.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import is_dataclass, replace
from typing import Any, Protocol

from companion.errors import CompanionError
from companion.fittings import Fittings
from companion.games.above.box import Board
from companion.messages import say, words_of
from companion.referee.evidence import Switches
from companion.referee.journal_reader import DamagedJournalError, JournalError
from companion.referee.requests import Refused
from companion.referee.verdict import Kind, Verdict
from companion.sensing.frames import CameraAbsent, CameraUnusable, Frame, FrameSource, Image
from companion.signals.lights import BUDGET_MA, LightShow, Pixels
from companion.signals.speech.announcer import Announcer
from companion.sitting import Sitting
from companion.stumbles import SightFailedError, Stumbles
from companion.tables.kit import AnyReading, Book, Eyes, Kit, Referee
from companion.web.fitted import Lights, PressButton, Sound, Stop
from companion.web.hub import PICTURE_PERIOD_S, Answer, Hub, NewGame, Outcome, Request
from companion.web.models import DeviceView, NoticeView, SpokenView
from companion.web.overlay import reduced
from companion.web.stills import Ruling
from companion.witness import Witness

log = logging.getLogger(__name__)

# After a camera was away so many looks tell whether what was refused before lies there still.
LOOKS_AGAIN = 3
RETRY_CAMERA_S = 2.0
# A disk that was full is tried again so often.
RETRY_DISK_S = 5.0
FRAME_TIMEOUT_S = 3.0
# A picture is waited for 3 s, and a camera is opened, closed or read in less; longer means that something hangs.
STANDSTILL_S = 20.0
# Whoever opens the page sees a picture that is at most this old, and a new one at once.
UNSEEN_PICTURE_S = 5.0
# A picture that comes so many periods after the one before it is late.
LATE_FRAMES = 1.7
STARTING = say("table.camera_starting")
NO_CAMERA = say("table.camera_none")


class Lamps(Protocol):
    """What shows the lights: takes the colours of all LEDs and returns at once."""

    def set_leds(self, pixels: Pixels) -> None: ...


class Recording(Protocol):
    """What keeps all that the referee is told (`companion.recording`)."""

    def saw(self, reading: Any, switches: Switches | None, verdict: Verdict) -> None: ...
    def asked(self, command: object, *, taken: bool, verdict: Verdict) -> None: ...
    def broken(self, why: str) -> None: ...
    def wants_picture(self) -> bool: ...
    def keep_picture(self, image: Image) -> None: ...
    def pictured(self) -> None: ...


class TableService:
    """The running table. All methods are called in the event loop's thread.

    `kit`: the game's parts. `book`: the journal, which gives a referee to every game that is begun or goes on.
    `on_verdict` listens to every new verdict, `on_game` is told when a game is another or goes on otherwise than
    the people at the table made it. `camera`: None where none is fitted, and the switches have to do. `fittings`:
    motors, lamps, buttons. `budget_ma`: what the LEDs may draw. `wall_clock`: seconds since
    1970, for what people are told. `recording`: what the referee is told is kept there.
    """

    def __init__(
        self,
        kit: Kit,
        referee: Referee,
        camera: FrameSource | None,
        eyes: Eyes,
        lamps: Lamps | None,
        hub: Hub,
        *,
        frames_per_s: float,
        book: Book,
        on_verdict: Callable[[Verdict], None] | None = None,
        on_game: Callable[[Referee], None] | None = None,
        fittings: Fittings | None = None,
        budget_ma: float = BUDGET_MA,
        wall_clock: Callable[[], float] = time.time,
        recording: Recording | None = None,
    ) -> None:
        self.sitting = Sitting(book, referee, hub.archive, on_game)
        self.hub = hub
        self.reading: AnyReading | None = None
        # Seconds between two pictures.
        self.frame_s = 1.0 / frames_per_s
        # A camera that stumbles is so many seconds late with the next one, once.
        self.late_s = 0.0
        self._fresh_looks = 0
        self._looked_at = float("-inf")
        self._camera = camera
        self._eyes = eyes
        self._lamps = lamps
        self._kit = kit
        self._show = LightShow(board=Board(), budget_ma=budget_ma)
        self._on_verdict = on_verdict
        self._fittings = fittings or Fittings()
        self._switches: Switches | None = None
        self._camera_state = DeviceView(
            name="camera",
            ok=False,
            detail=NO_CAMERA if camera is None else STARTING,
            simulated=camera is not None and camera.simulated,
        )
        self._goes_by_switches = False
        # So many looks at the table at rest there have been since the camera came back, up to what tells anything.
        self._looks_again = LOOKS_AGAIN
        self._controller_state: DeviceView | None = None
        self._shown: Verdict | None = None
        self._told: object = None
        self._found: frozenset[str] = frozenset()
        self._lights_due = asyncio.Event()
        self._pictured_at = float("-inf")
        self._journal_trouble = ""
        # What is not on the disk yet: said on the page while the game goes on.
        self._unwritten = ""
        self._written_at = float("-inf")
        self._book = book
        self._announcer = Announcer()
        # When something was last heard of whoever looks at the table.
        self._heard_at = float("-inf")
        # Whoever examines the table sees its frames as they come.
        self.onlooker: Callable[[Frame], None] | None = None
        self._recording = recording
        self._witness = Witness(kit, wall_clock)
        self._ruling: Ruling | None = None
        self._stills_of: Referee | None = None
        self._stumbles = Stumbles()

    async def run(self) -> None:
        """Runs the table until it is cancelled."""
        self._heard()
        self._note_unwritten()
        # Whoever looks before the first picture has come sees the game as it stands.
        self.announce()
        with ThreadPoolExecutor(1, thread_name_prefix="vision") as worker:
            try:
                async with asyncio.TaskGroup() as tasks:
                    if self._camera is None:
                        tasks.create_task(self._feel(), name="feel")
                    else:
                        tasks.create_task(self._watch(worker, self._camera), name="watch")
                    tasks.create_task(self._blink(), name="blink")
                    tasks.create_task(self._serve_requests(), name="requests")
                    tasks.create_task(self._mind_fittings(), name="fittings")
            finally:
                self._fittings.close()
                if self._camera is not None:
                    self._camera.close()

    def standstill(self) -> str:
        """What has stood still for too long, as a sentence; "" if the table is alive."""
        still = asyncio.get_running_loop().time() - self._heard_at
        return "" if still < STANDSTILL_S else f"Nothing has been read of the table for {still:.0f} s."

    @property
    def status(self) -> str:
        """How the table does, in a line."""
        turns = len(self.referee.turns)
        absent = [
            device.detail
            for device in (self._camera_state, self._controller_state)
            if device and not device.ok
        ]
        return " ".join((f"{self._kit.title}, {turns} turns played.", *absent))

    def _heard(self) -> None:
        self._heard_at = asyncio.get_running_loop().time()

    # -- what comes in

    async def _watch(self, worker: ThreadPoolExecutor, camera: FrameSource) -> None:
        """Takes picture after picture; a camera that is gone is tried again until it is back.

        Raises CameraUnusable for one that cannot be opened to begin with and never will.
        """
        loop = asyncio.get_running_loop()
        is_open = was_open = False
        due = loop.time()
        while True:
            frame = None
            try:
                if not is_open:
                    await loop.run_in_executor(worker, camera.open)
                    is_open = was_open = True
                self._heard()
                frame = await loop.run_in_executor(worker, camera.read, FRAME_TIMEOUT_S)
                self._heard()
                reading = await loop.run_in_executor(worker, self._eyes.process, frame)
                if self.onlooker is not None:
                    self.onlooker(frame)
                self.take_reading(reading)
            except CameraAbsent as error:
                if isinstance(error, CameraUnusable) and not was_open:
                    raise
                # A driver that hangs takes its time to let go.
                await loop.run_in_executor(worker, camera.close)
                is_open = False
                self._camera_absent(words_of(error))
                await self._feel(RETRY_CAMERA_S)
                due = loop.time()
                continue
            except CompanionError:
                raise
            except Exception as error:  # noqa: BLE001  (top of the task: one picture does not end an evening)
                await loop.run_in_executor(worker, camera.close)
                is_open = False
                await self._stumble(worker, frame, error)
                due = loop.time()
                continue
            self._offer_picture(frame, reading)
            if self._ruling is not None:
                small, width = reduced(frame.image), frame.image.shape[1]
                jpeg = await loop.run_in_executor(worker, self._kit.annotate, small, reading, width)
                self.keep_still(jpeg)
            if self._recording is not None and self._recording.wants_picture():
                await loop.run_in_executor(worker, self._recording.keep_picture, frame.image)
                self._recording.pictured()
            # A frame is the largest thing there is: not one is kept while the next is taken.
            del frame
            # Latest frame wins: a late one is not made up for.
            due = max(due + self._until_next(reading), loop.time())
            await asyncio.sleep(due - loop.time())

    async def _stumble(self, worker: ThreadPoolExecutor, frame: Frame | None, error: Exception) -> None:
        """Nobody foresaw this picture: it is kept for a report, people are told, and sight tries again.

        Raises SightFailedError if that happens too often.
        """
        loop = asyncio.get_running_loop()
        why = f"{type(error).__name__}: {error}"
        log.error("The table cannot be read", exc_info=error)
        if frame is not None and self._recording is not None:
            await loop.run_in_executor(worker, self._recording.keep_picture, frame.image)
            self._recording.pictured()
        if self._stumbles.too_many(loop.time()):
            raise SightFailedError(say("table.sight_fails", why=why)) from error
        self._camera_absent(say("table.sight_stumbled", why=why))
        await self._feel(RETRY_CAMERA_S)

    def _until_next(self, reading: AnyReading) -> float:
        """Seconds from a picture to the next: less where it is wanted soon, after a rest or a gap."""
        was_late = reading.exposed_at - self._looked_at > LATE_FRAMES * self.frame_s
        self._looked_at = reading.exposed_at
        self._fresh_looks = self._kit.fresh_looks if reading.moving else max(self._fresh_looks - 1, 0)
        soon = was_late or (self._fresh_looks and not reading.moving)
        late, self.late_s = self.late_s, 0.0
        return self.frame_s / (2 if soon else 1) + late

    async def _feel(self, seconds: float = math.inf) -> None:
        """For so long there are only the switches to go by, where there are any and the game can."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while (now := loop.time()) < until:
            self._heard_at = now
            reading = self._kit.blind(now)
            feels = reading is not None and self._switches is not None
            changed, self._goes_by_switches = feels != self._goes_by_switches, feels
            if reading is not None and feels and not self.paused:
                # What was last seen of the table is not said again on the way.
                self._observe(reading)
                self.announce()
            elif changed:
                self.announce()
            await asyncio.sleep(min(self.frame_s, max(until - now, 0.0)))

    def take_reading(self, reading: AnyReading) -> None:
        """A new reading: the referee weighs it, lights and page follow."""
        notice = "" if self._camera is None else self._camera.notice
        self._goes_by_switches = False
        if not self._camera_state.ok or (reading.moving and self._looks_again < LOOKS_AGAIN):
            self._looks_again = 0
        if not reading.moving:
            self._looks_again = min(self._looks_again + 1, LOOKS_AGAIN)
        if not self._camera_state.ok or self._camera_state.detail != notice:
            self._camera_state = self._camera_state.model_copy(update={"ok": True, "detail": notice})
        if not reading.moving:
            self.reading = reading
        if not self.paused:
            self._observe(reading)
        self.announce()
        if not self.paused:
            places, look = self._kit.places_mm(self.referee), self._kit.scoreboard_look(reading)
            self._fittings.follow(places, look, asyncio.get_running_loop().time())

    def keep_still(self, jpeg: bytes) -> None:
        """The picture of the ruling that has just been made, if any. It is kept as long as its game is played."""
        if self._ruling is not None:
            self.hub.stills.keep(self._ruling, jpeg)
            self._ruling = None
            self.announce()

    def _offer_picture(self, frame: Frame, reading: AnyReading) -> None:
        """Now and then the page gets a picture, in the size it is shown in; seldom while nobody has the page open."""
        now = asyncio.get_running_loop().time()
        if now - self._pictured_at < (PICTURE_PERIOD_S if self.hub.readers else UNSEEN_PICTURE_S):
            return
        self._pictured_at = now
        width, small = frame.image.shape[1], reduced(frame.image)
        self.hub.publish_picture(lambda: self._kit.annotate(small, reading, width))

    def _observe(self, reading: AnyReading) -> None:
        try:
            self._catch_up()
            self.referee.observe(reading, self._switches)
            if self._stills_of is not self.referee:
                # Another game: nobody appeals against the last one's rulings.
                self.hub.stills.forget()
                self._stills_of = self.referee
            self._ruling = self._witness.look(reading, self._switches, self.referee) or self._ruling
            self.sitting.take_what_is_set_up()
        except DamagedJournalError:
            # Started anew the table sets the file aside and goes on with what can be read of it.
            raise
        except JournalError as error:
            # What cannot be written is not announced; the table shows why and the turn is tried again.
            if str(error) != self._journal_trouble:
                log.error("%s", error)
            self._journal_trouble = words_of(error)
            if self._recording is not None:
                self._recording.broken(str(error))
        else:
            if self._journal_trouble:
                log.warning("The journal can be written again.")
            self._journal_trouble = ""
            if self._recording is not None:
                self._recording.saw(reading, self._switches, self.referee.verdict)
        self._note_unwritten()

    def _catch_up(self) -> None:
        """What the disk did not take is tried again now and then."""
        now = asyncio.get_running_loop().time()
        if self._unwritten and now - self._written_at >= RETRY_DISK_S:
            self._written_at = now
            self._book.catch_up()

    def _note_unwritten(self) -> None:
        unwritten = self._book.trouble
        if unwritten and not self._unwritten:
            log.error("%s", unwritten)
        elif self._unwritten and not unwritten:
            log.warning("The journal can be written again; nothing is missing in it.")
            # A file that could not be opened before may hold a game that goes on.
            self.sitting.look_for_open_games()
        self._unwritten = unwritten

    def take_switches(self, closed: frozenset[str], distrusted: frozenset[str] = frozenset()) -> None:
        """The reeds changed. `distrusted`: those that are known to be of no use."""
        self._switches = Switches(closed, distrusted)

    def controller_state(self, state: DeviceView) -> None:
        """The controller came or went."""
        came = state.ok and not (self._controller_state is not None and self._controller_state.ok)
        self._controller_state = state
        if came:
            self._fittings.board_is_here()
        if not state.ok:
            self._switches = None
        elif self._lamps is not None and self._show.pixels:
            self._lamps.set_leds(self._show.pixels)
        self.announce()

    def motors_stopped(self, stopped: bool, *, by_button: bool) -> None:
        """The controller reports its emergency stop, pressed at its own button or as it was told."""
        self._fittings.board_says(stopped, by_button=by_button)
        self.announce()

    def _camera_absent(self, reason: str) -> None:
        self._camera_state = self._camera_state.model_copy(update={"ok": False, "detail": reason})
        self.announce()

    # -- what goes out

    @property
    def verdict(self) -> Verdict:
        """The verdict as it is shown: without a camera or a journal nothing can be judged."""
        seat = self.referee.verdict.seat
        if self.referee.verdict.kind is Kind.OVER:
            return self.referee.verdict
        if self.paused:
            return Verdict(Kind.HOLD, seat, say("table.paused_press"))
        if self._journal_trouble:
            return Verdict(Kind.HOLD, seat, self._journal_trouble)
        if not (self._camera_state.ok or self._goes_by_switches):
            return Verdict(Kind.HOLD, seat, self._camera_state.detail)
        unseen = self._looks_again < LOOKS_AGAIN and not self._goes_by_switches
        if self.referee.verdict.kind is Kind.ILLEGAL and unseen:
            # What lay wrong before the camera went may have been put right since.
            return Verdict(Kind.HOLD, seat, say("table.camera_back"))
        return self.referee.verdict

    def announce(self) -> None:
        """Lights first, then the page; only what changed is sent."""
        verdict = self.verdict
        if verdict != self._shown:
            self._shown = verdict
            if self._on_verdict is not None:
                self._on_verdict(verdict)
        scene = (
            self._kit.waiting(self.referee.players)
            if not (self._camera_state.ok or self._goes_by_switches) and verdict.kind is not Kind.OVER
            else self._kit.scene(verdict, self.referee.players)
        )
        now = asyncio.get_running_loop().time()
        self._fittings.tell(verdict, len(self.referee.turns), now)
        said = self._announcer.tell(verdict, len(self.referee.turns), self.referee.names)
        if said is not None:
            self._fittings.announce(said.text)
        self._light(self._show.show(self._fittings.dressed(scene), now))
        self._lights_due.set()
        devices = [self._camera_state]
        if self._controller_state is not None:
            devices.append(self._controller_state)
        if self._journal_trouble or self._unwritten:
            detail = self._journal_trouble or self._unwritten
            devices.append(DeviceView(name="journal", ok=False, detail=detail))
        devices += self._fittings.devices()
        # Most pictures show nothing new; then there is nothing to tell the page either.
        lying = None if self.reading is None else _timeless(self.referee.corrected(self.reading))
        notices = self._notices()
        views = self._fittings.views()
        turns = len(self.referee.turns)
        told = (
            self.referee,
            verdict,
            lying,
            tuple(devices),
            self.paused,
            turns,
            notices,
            self.sitting.offered,
            tuple(views.values()),
            self.hub.stills.marks,
        )
        if told == self._told:
            return
        self._told = told
        snapshot = self._kit.snapshot(self.referee, self.reading, devices, paused=self.paused)
        may_rule = self.referee.may_rule and verdict is self.referee.verdict
        updates = {
            "notices": notices,
            "may_rule": may_rule,
            "spoken": self._spoken(),
            "may_start": not self.referee.has_begun,
            "offer": self.sitting.offer,
            "stills": self.hub.stills.marks,
            **views,
        }
        snapshot = snapshot.model_copy(update=updates)
        if verdict is not self.referee.verdict:
            view = type(snapshot.verdict).of(verdict, len(self.referee.turns)) if snapshot.verdict else None
            snapshot = snapshot.model_copy(update={"verdict": view})
        self.hub.publish(snapshot)

    def _spoken(self) -> SpokenView | None:
        last = self._announcer.last
        return (
            None if last is None else SpokenView(key=f"{zlib.crc32(last.key.encode()):08x}", text=last.text)
        )

    def _notices(self) -> tuple[NoticeView, ...]:
        """What is found out of order with the table itself or its journal; each is logged once."""
        seen = () if self.reading is None else self.reading.findings
        findings = (*seen, *self.referee.notices, *self._book.findings)
        for finding in findings:
            if finding.key not in self._found:
                log.warning("%s %s", finding.text, finding.todo)
        self._found = frozenset(finding.key for finding in findings)
        return tuple(NoticeView.of(finding) for finding in findings)

    def _light(self, pixels: Pixels | None) -> None:
        if pixels is None:
            return
        self.hub.publish_lights(pixels)
        if self._lamps is not None:
            self._lamps.set_leds(pixels)

    async def _blink(self) -> None:
        """Keeps the rhythm of the lamps that blink."""
        loop = asyncio.get_running_loop()
        while True:
            self._lights_due.clear()
            due = self._show.due_at(loop.time())
            try:
                async with asyncio.timeout_at(due):
                    await self._lights_due.wait()
            except TimeoutError:
                self._light(self._show.tick(loop.time()))

    # -- what people ask for

    @property
    def referee(self) -> Referee:
        """The referee of the game that is played."""
        return self.sitting.referee

    @property
    def paused(self) -> bool:
        """Is nothing judged?"""
        return self.sitting.paused

    def new_game(
        self, players: int, names: tuple[str, ...] = (), ages: tuple[int, ...] | None = None
    ) -> None:
        """Begins another game; one that is open is set aside."""
        self.sitting.new_game(players, names, ages)
        self._record(NewGame(players, names, ages or ()), taken=True)
        self.announce()

    def serve(self, request: Request) -> None:
        """Carries out what somebody asks for, or says why not."""
        match request.command:
            case Stop() | Lights() | Sound() | PressButton() as command:
                outcome = self._fittings.serve(command, asyncio.get_running_loop().time())
                (request.accept if outcome.accepted else request.refuse)(outcome.text)
            case command:
                self.sitting.serve(request, self.verdict)
                self._record(command, taken=request.carried_out)
        self.announce()

    def answer(self, key: str) -> bool:
        """The people at a simulated table answer what is asked. False when it is asked no more, or refused."""
        try:
            taken = self.referee.answer(key)
        except Refused as refused:
            # As on the page: what lies there is no position to go on from, and stays as it is.
            log.info("%s", words_of(refused))
            taken = False
        self._record(Answer(key), taken=taken)
        if taken:
            self.announce()
        return taken

    def _record(self, command: object, *, taken: bool) -> None:
        if self._recording is not None:
            self._recording.asked(command, taken=taken, verdict=self.referee.verdict)

    async def _serve_requests(self) -> None:
        while True:
            self.serve(await self.hub.next_request())

    async def _mind_fittings(self) -> None:
        """Listens to the buttons and looks at the hour; what a button asks for goes the way of the page's requests."""
        loop = asyncio.get_running_loop()
        before: object = None
        while True:
            now = loop.time()
            for command in self._fittings.step(now):
                outcome: asyncio.Future[Outcome] = loop.create_future()
                self.serve(Request(command, outcome))
                self._fittings.answered(outcome.result(), now)
            shown = (self._fittings.views(), self._fittings.devices())
            if shown != before:
                before = shown
                self.announce()
            await asyncio.sleep(self._fittings.period_s)


def _timeless(reading: AnyReading) -> object:
    """What was read, without when."""
    return replace(reading, exposed_at=0.0) if is_dataclass(reading) else reading
