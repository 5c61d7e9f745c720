"""One game of a soak: people, table, service and clock, and the count of what happened."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from companion.referee.objection import OBJECT, asks_what_counts
from companion.referee.verdict import Kind, Verdict
from companion.sensing.frames import FrameSource
from companion.sensing.reading import Reading
from companion.service import TableService
from companion.signals.lights import Pixels, render
from companion.simulation import Board, BoardFactory, Simulation
from companion.soak.align import aligned
from companion.soak.faults import Faults
from companion.soak.gaps import Gaps
from companion.soak.illegal_acts import AskedBack, asks_to_turn_back, asks_what_it_was, that_count
from companion.soak.lockstep import Lockstep, until_ready
from companion.soak.plan import SoakPlan, Stage, StageError
from companion.soak.report import SoakReport
from companion.tables.kit import Book, Eyes, Kit
from companion.virtual.loop import VirtualTimeLoop, Work
from companion.virtual.picture import random_look
from companion.virtual.tally import REOPENED_S
from companion.web.hub import Hub
from companion.wiring import fit, join
from firmware_bridge.controller import Controller
from firmware_bridge.link import LinkTiming
from firmware_bridge.virtual_controller import VirtualController

CONNECT_S = 10.0
FRAMES_PER_S = 15.0
# A game that is not over after this much table time has got stuck in a way nobody noticed.
GAME_LIMIT_S = 3600.0
# People answer what they are asked after so long; they would begin to straighten pieces a second later.
ANSWER_AFTER_S = 3.0


def watch_by_sight(kit: Kit, simulation: Simulation) -> tuple[FrameSource, Eyes]:
    """The simulated camera and the sight that reads its pictures."""
    return simulation.table.camera, kit.eyes()


Watch = Callable[[Kit, Simulation], tuple[FrameSource, Eyes]]
# What else goes on at a table, until it is cancelled.
Beside = Callable[[TableService, Simulation, Book, Controller], Coroutine[Any, Any, None]]


def soak_game(
    kit: Kit,
    plan: SoakPlan,
    report: SoakReport,
    *,
    watch: Watch = watch_by_sight,
    board: BoardFactory | None = None,
    journal: Path | None = None,
    progress: Callable[[int], None] | None = None,
    wall_clock: Callable[[], float] = time.time,
    beside: Beside | None = None,
    frames_per_s: float = FRAMES_PER_S,
    timing: LinkTiming | None = None,
    threads: bool = False,
) -> None:
    """Plays one game to its end, or `plan.turns` turns of it, and adds what happened to `report`.

    `beside`: what else goes on meanwhile. `timing`: of the link to the controller. `threads`: pictures are read in a
    thread of their own. Tasks that are left behind are named in the report.

    `board`: what makes the table's controller; it has its own time, and what reaches the table at the same moment does
    so in this order or that. None: a simulated one in lockstep with its link, and every run of a plan is the same, event
    by event. `journal`: the file to keep the game in, and to go on from if it
    holds an open one; None: a new one that is thrown away. Raises StageError for a game that cannot be told by
    what is fitted.
    """
    if plan.stage is Stage.REEDS and kit.blind(0.0) is None:
        raise StageError(
            f"{kit.title} cannot be followed by reeds alone: its cards have no magnets. "
            "Play it with a camera: --stage camera (or both)."
        )
    with tempfile.TemporaryDirectory(prefix="olympus-soak-") as folder:
        book = kit.book(journal or Path(folder) / "journal.db", wall_clock)
        loop = VirtualTimeLoop(time.monotonic, work=Work.AWAITED if threads else Work.HERE)
        try:
            game = _Game(
                kit,
                plan,
                report,
                watch,
                board,
                book,
                progress,
                loop,
                beside,
                frames_per_s,
                timing,
                wall_clock,
            )
            loop.run_until_complete(game.run())
            report.games += 1
            report.tasks_left += sorted(task.get_name() for task in asyncio.all_tasks(loop))
        finally:
            loop.clear_holds()
            loop.close()
            book.close()


class _Game:
    def __init__(
        self,
        kit: Kit,
        plan: SoakPlan,
        report: SoakReport,
        watch: Watch,
        board: BoardFactory | None,
        book: Book,
        progress: Callable[[int], None] | None,
        loop: VirtualTimeLoop,
        beside: Beside | None,
        frames_per_s: float,
        timing: LinkTiming | None,
        wall_clock: Callable[[], float],
    ) -> None:
        self.timing = timing or LinkTiming()
        self.wall_clock = wall_clock
        self.lockstep = None if board else Lockstep(loop)
        self.plan = plan
        self.report = report
        self.loop = loop
        self.progress = progress
        self.watch = watch
        self.beside = beside
        self.frames_per_s = frames_per_s
        self.book = book
        self.referee = book.resume() or book.referee(plan.players, ())
        self.kit = kit
        # A resumed game: what the people do from now on is compared with what is accepted from now on.
        self.known_before = kit.accepted(self.referee)
        self.simulation = Simulation(
            kit,
            plan.players,
            plan.seed,
            loop.time,
            referee=self.referee,
            illegal=plan.illegal,
            sloppy=plan.sloppy,
            sighted=plan.stage is not Stage.REEDS,
            motors=plan.motors,
            pace=plan.pace,
            board=board or self._simulated_board,
            look=random_look(np.random.default_rng(plan.seed)),
        )
        self.played: list[Hashable] = []
        self.simulation.table.on_played = self._happened
        self._answer_due: float | None = None
        self._said_at: float | None = None
        self._faults: Faults | None = None
        self._arm_gone_at = 0.0
        self._choices_since: float | None = None
        self._question: str = ""
        self._refused: Verdict | None = None
        # Has what is refused now been counted as a false alarm? How many the people have seen.
        self._is_false_alarm = False
        self._alarms_seen = 0
        self._asked_back = AskedBack(lambda since, until: self.gaps.hid(since, until, loop.time()))
        # When the last turn that is wanted was complete.
        self._over_at: float | None = None
        self._lamps: Pixels | None = None

    async def run(self) -> None:
        simulation, loop = self.simulation, self.loop
        async with self._connected() as controller:
            camera, eyes = self.watch(self.kit, simulation)
            self.gaps = Gaps(eyes, 1.0 / self.frames_per_s, lambda: simulation.table.faults)
            simulation.people.tally.looked_on = self.gaps.seen
            faults = Faults(self.plan, simulation, self.report, self._arm_gone) if self.plan.faults else None
            self._faults = faults
            simulation.people.tally.out_of_sight = self._out_of_sight
            self.table = TableService(
                self.kit,
                self.referee,
                None if self.plan.stage is Stage.REEDS else camera,
                self.gaps if faults is None else faults.misread(self.gaps),
                controller,
                Hub(clock=loop.time),
                frames_per_s=self.frames_per_s,
                book=self.book,
                on_verdict=self._on_verdict,
                wall_clock=self.wall_clock,
                fittings=fit(controller, motors=self.plan.motors, simulated=True),
            )
            controller.on_led_sent(self._led_sent)
            join(controller, self.table, simulated=True, reeds=self.plan.stage is not Stage.CAMERA)
            tasks = [
                loop.create_task(self.table.run(), name="table"),
                loop.create_task(simulation.run(), name="players"),
            ]
            if self.beside is not None:
                everything_else = self.beside(self.table, simulation, self.book, controller)
                tasks.append(loop.create_task(everything_else, name="beside"))
            if faults is not None:
                tasks.append(loop.create_task(faults.run(self.table), name="faults"))
            try:
                await self._until_over(tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        self._settle()

    def _simulated_board(self, now: Callable[[], float], *, seed: int) -> Board:
        assert self.lockstep is not None
        return VirtualController(now, seed=seed, timing=self.timing.session, wire_clock=self.lockstep.clock)

    @contextlib.asynccontextmanager
    async def _connected(self) -> AsyncIterator[Controller]:
        """The link to the board, which has been found."""
        board, loop = self.simulation.controller, self.loop
        # Chance decides as little between two runs as time does.
        nonces = itertools.count(1)
        controller = Controller(
            board.path,
            clock=loop.time,
            wire_clock=board.wire_clock,
            timing=self.timing,
            nonces=lambda: next(nonces),
        )
        if self.lockstep is None:
            with board, controller:
                loop.add_hold("the controller link", lambda: not controller.idle)
                loop.add_hold("the simulated controller", lambda: not board.idle)
                await loop.run_in_executor(None, controller.wait_ready, CONNECT_S)
                yield controller
                loop.clear_holds()
            return
        assert isinstance(board, VirtualController)
        try:
            self.lockstep.begin(controller, board)
            await until_ready(controller, CONNECT_S)
            yield controller
        finally:
            self.lockstep.end()
            controller.close()
            board.close()

    async def _until_over(self, tasks: list[asyncio.Task[None]]) -> None:
        people = self.simulation.people
        while not people.finished and not self._has_enough():
            for task in tasks:
                if task.done():
                    task.result()
            if self.lockstep is not None:
                self.lockstep.check()
            if self.loop.time() > GAME_LIMIT_S:
                self.report.stuck += 1
                self._incident("the game did not end")
                return
            self._note_illegal()
            self._note_alarm()
            self._press_buttons()
            await asyncio.sleep(0.25)
        # The players have seen the light of victory; let the page and the journal have their moment too.
        await asyncio.sleep(1.0)

    def _has_enough(self) -> bool:
        """Have all the turns that are wanted been played?"""
        return self.plan.turns is not None and self.simulation.people.tally.turns >= self.plan.turns

    def _out_of_sight(self) -> frozenset[str]:
        """The spaces that caps hide from the camera, or where nothing is read beside one, and whose switch, if there is
        one, is broken.
        """
        reading = self.gaps.reading
        if not isinstance(reading, Reading):
            return frozenset()
        beside_caps = reading.partly_hidden - {token.space for token in reading.tokens}
        behind_caps = (reading.hidden | beside_caps) - reading.under_hand
        if self.plan.stage is Stage.CAMERA:
            return behind_caps
        return behind_caps & self._faults.broken_reeds if self._faults is not None else frozenset()

    def _note_illegal(self) -> None:
        """Is what lies there against the rules asked back?"""
        people = self.simulation.people
        if people.showing_illegal:
            self._asked_back.look(people.tally.illegal_acts[-1], self.table.referee.verdict)
        for act in people.tally.reopened[-1:]:
            if self.loop.time() - act.done_at < REOPENED_S:
                verdict, any_card = self.table.referee.verdict, self.plan.players == 4
                act.caught = act.caught or asks_to_turn_back(verdict, act, any_card=any_card)

    def _note_alarm(self) -> None:
        """Does red light stay although all that was wrong has been put right, and can be seen to be?

        What was said rightly at first is no new verdict.
        """
        verdict, seen = self.table.referee.verdict, self.simulation.people.tally.false_alarms
        is_new, self._alarms_seen = seen > self._alarms_seen, seen
        if is_new and verdict.kind is Kind.ILLEGAL and not self._is_false_alarm:
            self._is_false_alarm = True
            self.report.false_alarms += 1
            self._incident(f"still refused: {verdict.text}")

    def _press_buttons(self) -> None:
        """The players answer what the table asks once they have waited for a light in vain."""
        verdict, people = self.table.referee.verdict, self.simulation.people
        waiting = people.hands_away and verdict.choices and verdict.kind is not Kind.COMPLETE
        # Where only people's word tells what was played, they look up on the page what was taken for it.
        by_word = self.plan.stage is Stage.REEDS
        shows = people.showing_illegal and not asks_what_it_was(verdict, people.tally.illegal_acts[-1])
        # Whoever shows what is against the rules answers if they are asked what was played before it, and no more.
        may_answer = by_word and verdict.kind is Kind.QUESTION and len(self._accepted()) < len(self.played)
        if not waiting or (shows and not may_answer):
            self._choices_since = None
            return
        if self._choices_since is None:
            self._choices_since = self.loop.time()
        elif self.loop.time() - self._choices_since > ANSWER_AFTER_S:
            told = len(self._accepted()) if by_word else None
            key = self.simulation.answer(verdict.choices, verdict.seat, told)
            if key is not None:
                if key.startswith(OBJECT):
                    # People say nothing untrue: the table was wrong, and only they lead the game on.
                    self.report.overruled += 1
                    self._incident(f"overruled: {verdict.kind.value}: {verdict.text}")
                elif asks_what_counts(verdict):
                    pass  # the second half of the same objection
                elif verdict.by_rules:
                    self.report.asked_by_rules += 1
                elif verdict.kind is not Kind.QUESTION:
                    self._doubted(f"{verdict.text} (answered {key})")
                # From now on the table knows what only a player could tell it.
                if self._answer_due is not None:
                    self._answer_due = self.loop.time()
                self.table.answer(key)
            self._choices_since = None

    def _doubted(self, text: str) -> None:
        """The referee has asked because it is in doubt."""
        self.report.questions += 1
        self.report.doubts.append(f"seed {self.plan.seed}, {self.loop.time():.1f} s: {text}")

    # -- measuring

    def _happened(self, fact: Hashable, when: float | None) -> None:
        """The people have done something, and the last hand has left the picture this very moment.

        `when` None: there was no such moment, since it went over into what came next.
        """
        self.played.append(fact)
        if self._over_at is None and self._has_enough():
            self._over_at = self.loop.time()
        if when is None:
            self._answer_due = None
        elif self._is_told():
            # The last finger left the picture a moment before the player sat back.
            self.report.latencies_s.append(0.0)
            self.report.latencies_with_gaps_s.append(0.0)
        else:
            self._answer_due = when
        if self.progress is not None:
            self.progress(self.simulation.people.tally.turns)

    def _arm_gone(self) -> None:
        """The last hand was not a player's: from now on everything can be seen."""
        self._arm_gone_at = self.loop.time()
        if self._answer_due is not None and self._said_at is None:
            self._answer_due = self._arm_gone_at

    def _accepted(self) -> Sequence[Hashable]:
        """What the table has taken for played in this game."""
        return self.kit.accepted(self.table.referee)[len(self.known_before) :]

    def _is_told(self) -> bool:
        """Do the lights already go by all that has been played?"""
        told = self.kit.told(self.table.referee)[len(self.known_before) :]
        return aligned(told, self.played).reached >= len(self.played)

    def _on_verdict(self, verdict: Verdict) -> None:
        people = self.simulation.people
        scene = self.kit.scene(verdict, self.plan.players)
        # A lamp that will wink now and then begins lit: one that was lit already is told nothing at first.
        lamps = render(scene, 0.0)
        lit_already, self._lamps = lamps == self._lamps, lamps
        question = verdict.text if verdict.kind is Kind.QUESTION and not verdict.by_rules else ""
        if question and not self._question:
            self._doubted(question)
        self._question = question
        # The same refusal with a way out, or without one, is none anew.
        refused = replace(verdict, text="", choices=()) if verdict.kind is Kind.ILLEGAL else None
        is_anew, self._refused = refused != self._refused, refused
        if refused is not None:
            if not is_anew:
                return
            self._is_false_alarm = not people.showing_illegal
            if people.showing_illegal:
                if people.hands_away:
                    self._answer_due = max(people.last_hand_left_at or 0.0, self._arm_gone_at)
                self._said_at = self.loop.time()
            else:
                self.report.false_alarms += 1
                self._incident(f"false alarm: {verdict.text}")
        elif self._answer_due is not None and self._is_told():
            if people.hands_away and people.last_hand_left_at is not None:
                # Hands that have been there again in between (cubes, draws) had to leave first, and one that came up
                # with its cards as the last one left had to come to rest.
                rested = people.held_still_at(self._answer_due)
                self._answer_due = max(self._answer_due, people.last_hand_left_at, rested or 0.0)
            self._said_at = self.loop.time()
            if lit_already:
                # Two turns at once: the seat whose light is on is to move again, and no lamp need be told anything new.
                self._led_sent((), self._said_at)

    def _led_sent(self, pixels: object, at: float) -> None:
        if self._said_at is None or self._answer_due is None or at < self._said_at:
            return
        if self._faults is not None and self._faults.arm_lies:
            # Said before the last hand has left: one that is not a player's lies there still.
            self._answer_due = at
        with_gaps = max(0.0, at - self._answer_due)
        latency = max(0.0, with_gaps - self.gaps.within(self._answer_due, at))
        self.report.latencies_with_gaps_s.append(with_gaps)
        self.report.latencies_s.append(latency)
        if self._refused is not None:
            self.report.refusal_latencies_s.append(latency)
        self._said_at = self._answer_due = None

    def _settle(self) -> None:
        """Compares what was accepted with what was played."""
        tally, report = self.simulation.people.tally, self.report
        report.turns += tally.turns
        acts = that_count(tally.illegal_acts, self._over_at)
        put_back, doubtful = self._asked_back.count(acts), self._asked_back.count_doubtful(acts)
        report.illegal_shown += len(acts)
        report.illegal_caught += tally.illegal_caught
        report.illegal_put_back += put_back
        report.illegal_doubtful += doubtful
        report.illegal_unfelt += tally.illegal_unfelt
        reopened = that_count(tally.reopened, self._over_at)
        report.reopened += len(reopened)
        report.reopened_asked += sum(act.caught for act in reopened)
        report.asked += tally.asked
        report.stuck += tally.stuck
        report.habits.update(tally.habits)
        referee = self.table.referee
        accepted = self._accepted()
        wrong = aligned(accepted, self.played).wrong
        if wrong is not None:
            report.wrong_accepted += 1
            self._incident(f"fact {wrong[0] + 1}: accepted {accepted[wrong[0]]}, played {wrong[1]}")
        if tally.stuck:
            verdict = referee.verdict
            self._incident(f"stuck: {verdict.kind.value}: {verdict.text} {verdict.todo}")
        elif tally.illegal_caught + put_back + doubtful < len(acts):
            self._incident("an illegal move was not caught")
        elif not all(act.caught for act in reopened):
            self._incident("cards of who had just recovered were turned, and not asked back")

    def _incident(self, text: str) -> None:
        self.report.incidents.append(f"seed {self.plan.seed}, {self.loop.time():.1f} s: {text}")
