"""A calibration session: leads through steps one after the other, keeps what is good, and can go back.

It draws nothing itself. What there is to see is one frozen `View`; whoever shows it presses the keys it offers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from calibration.bench import Bench
from calibration.course import Course, Standing, Station, share_done
from calibration.evidence import Evidence
from calibration.form import answered
from calibration.gate import Finding
from calibration.step import Advice, Outcome, Step
from companion.errors import CompanionError
from companion.sensing.frames import Frame

# Without anybody to ask, a step that was not good enough is tried once more.
UNATTENDED_TRIES = 2


class Key(Enum):
    """What a person can press."""

    GO = "go"
    KEEP = "keep"
    AGAIN = "again"
    ENOUGH = "enough"
    BACK = "back"
    SKIP = "skip"
    QUIT = "quit"


class Phase(Enum):
    """Where a step is."""

    INTRO = "intro"
    MEASURING = "measuring"
    JUDGED = "judged"
    ENDED = "ended"


WORDS = {
    Key.GO: "begin",
    Key.KEEP: "keep it",
    Key.AGAIN: "again",
    Key.ENOUGH: "that is enough",
    Key.BACK: "one step back",
    Key.SKIP: "skip",
    Key.QUIT: "stop here",
}


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """What there is to see. `keys`: what may be pressed, the likeliest first."""

    phase: Phase
    name: str = ""
    title: str = ""
    number: int = 0
    count: int = 0
    instructions: str = ""
    advice: Advice | None = None
    outcome: Outcome | None = None
    trouble: str = ""
    kept: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()
    simulated: bool = False
    course: tuple[Station, ...] = ()

    @property
    def whole(self) -> float:
        """How much of the whole course is done, 0 to 1."""
        measured = self.phase is Phase.JUDGED and self.outcome is not None
        share = None if self.advice is None else self.advice.share
        return share_done(self.course, 1.0 if measured else share or 0.0)

    @property
    def ending(self) -> str:
        """What it all came to, in a sentence; empty before the end."""
        if self.phase is not Phase.ENDED:
            return ""
        if self.kept:
            return f"Kept: {', '.join(self.kept)}."
        standings = {station.standing for station in self.course}
        if standings == {Standing.NOT_FITTED}:
            return "Nothing is fitted that could be measured."
        if Standing.OPEN in standings or Standing.DONE not in standings:
            return "Nothing was kept."
        return "Everything was measured already."

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the step was judged by, once it was."""
        return () if self.outcome is None else self.outcome.findings


class Session:
    """Runs steps on a bench. `show` gets every view, with the picture that belongs to it; `save` the profile,
    `file_away` a kept step's pictures.

    `unattended`: nobody is asked, what is good is kept. Of a `Course` only the steps that are due are led through; one
    step back leads to any of them.
    """

    def __init__(
        self,
        steps: Sequence[Step] | Course,
        bench: Callable[[Callable[[Advice, Frame | None], None]], Bench],
        *,
        show: Callable[[View, Frame | None], None],
        save: Callable[[Bench], None],
        file_away: Callable[[str, Sequence[Evidence]], None] = lambda step, pictures: None,
        unattended: bool = False,
    ) -> None:
        self._course = steps if isinstance(steps, Course) else Course(steps)
        self._steps = self._course.steps
        self._now: int | None = None
        self._bench = bench(self._advised)
        self._bench.unattended = unattended
        self._show_view = show
        self._save = save
        self._file_away = file_away
        self._unattended = unattended
        self._pressed: asyncio.Queue[Key] = asyncio.Queue()
        self._kept: dict[str, Outcome] = {}
        self._view = View(Phase.INTRO, count=len(self._steps), simulated=self._bench.simulated)

    @property
    def kept(self) -> dict[str, Outcome]:
        """What was kept, by step."""
        return dict(self._kept)

    def press(self, key: Key) -> bool:
        """Somebody presses a key; False if it is not offered now."""
        if key not in self._view.keys:
            return False
        self._pressed.put_nowait(key)
        return True

    def answer(self, number: int, values: Mapping[str, str] | None) -> bool:
        """Somebody answers the form with this number, or puts it aside; False if it is not shown any more."""
        form = None if self._view.advice is None else self._view.advice.form
        if form is None or form.number != number or self._view.phase is not Phase.MEASURING:
            return False
        self._bench.answers.put_nowait((number, None if values is None else answered(form, values)))
        return True

    async def run(self) -> bool:
        """Lead through all steps. True: every one was kept or skipped by a person."""
        try:
            return await self._run()
        finally:
            await self._bench.close()

    async def _run(self) -> bool:
        number, tries = self._course.next(-1, self._bench.profile), 0
        while number < len(self._steps):
            step = self._steps[number]
            self._now = number
            key = await self._step(step, number)
            tries += 1
            if key is Key.QUIT or (key is Key.AGAIN and self._unattended and tries >= UNATTENDED_TRIES):
                self._now = None
                self._show(View(Phase.ENDED, trouble=self._view.trouble, outcome=self._view.outcome))
                return False
            if key is Key.AGAIN:
                continue
            tries = 0
            number = number - 1 if key is Key.BACK else self._course.next(number, self._bench.profile)
        self._now = None
        self._show(View(Phase.ENDED))
        return True

    async def _step(self, step: Step, number: int) -> Key:
        """One step; the key that ended it. KEEP: it was kept."""
        at = step.measured_at(self._bench.profile)
        before = "" if at is None else f" (Measured on {at:%Y-%m-%d at %H:%M}; skip keeps that.)"
        view = View(
            Phase.INTRO, step.name, step.title, number + 1, len(self._steps), step.instructions + before
        )
        back = (Key.BACK,) if number else ()
        missing = step.needs - self._bench.parts
        if missing:
            names = " and no ".join(sorted(part.value for part in missing))
            trouble = f"This table has no {names}: this is left out."
            return await self._ask(replace(view, trouble=trouble, instructions=""), Key.SKIP, *back, Key.QUIT)
        key = await self._ask(view, Key.GO, *back, Key.SKIP, Key.QUIT)
        if key is not Key.GO:
            return key
        outcome = await self._measure(step, replace(view, phase=Phase.MEASURING), back)
        if isinstance(outcome, Key):
            return outcome
        judged = replace(view, phase=Phase.JUDGED)
        if isinstance(outcome, str):
            return await self._ask(replace(judged, trouble=outcome), Key.AGAIN, *back, Key.SKIP, Key.QUIT)
        judged = replace(judged, outcome=outcome)
        if not outcome.passed:
            return await self._ask(judged, Key.AGAIN, *back, Key.SKIP, Key.QUIT)
        key = await self._ask(judged, Key.KEEP, Key.AGAIN, *back, Key.SKIP, Key.QUIT)
        if key is Key.KEEP:
            profile = outcome.keep(self._bench.profile)
            if profile is not self._bench.profile:
                self._bench.profile = profile
                self._save(self._bench)
                self._file_away(step.name, outcome.pictures)
            self._kept[step.name] = outcome
            self._course.kept(step.name)
        return key

    async def _measure(self, step: Step, view: View, back: tuple[Key, ...]) -> Outcome | Key | str:
        """What a step measured; the key that broke it off; or why it failed."""
        self._bench.enough.clear()
        self._show(
            replace(view, keys=() if self._unattended else (Key.ENOUGH, Key.AGAIN, *back, Key.SKIP, Key.QUIT))
        )
        measuring = asyncio.create_task(step.measure(self._bench), name=f"measure {step.name}")
        try:
            while True:
                pressing = asyncio.create_task(self._pressed.get(), name="key")
                try:
                    await asyncio.wait({measuring, pressing}, return_when=asyncio.FIRST_COMPLETED)
                    if measuring.done():
                        return measuring.result()
                    key = pressing.result()
                finally:
                    pressing.cancel()
                if key is not Key.ENOUGH:
                    return key
                self._bench.enough.set()
        except CompanionError as error:
            return str(error)
        finally:
            measuring.cancel()
            await asyncio.wait({measuring})

    async def _ask(self, view: View, *keys: Key) -> Key:
        """Show a view and wait for one of its keys; unattended, the first is taken."""
        if self._unattended:
            self._show(view)
            return keys[0]
        self._show(replace(view, keys=keys))
        return await self._pressed.get()

    def _show(self, view: View, frame: Frame | None = None) -> None:
        # A key pressed for what was shown before is not meant for this.
        while not self._pressed.empty():
            self._pressed.get_nowait()
        bench = self._bench
        self._view = replace(
            view,
            simulated=bench.simulated,
            kept=tuple(self._kept),
            course=self._course.stations(self._now, bench.profile, bench.parts, self._kept),
        )
        self._show_view(self._view, frame)

    def _advised(self, advice: Advice, frame: Frame | None) -> None:
        self._view = replace(self._view, advice=advice)
        self._show_view(self._view, frame)
