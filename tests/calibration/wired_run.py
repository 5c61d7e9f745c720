"""One step at a simulated table with its controller, in virtual time, as fast as it can be computed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from calibration.bench import Bench
from calibration.profile import TableProfile
from calibration.session import Phase, Session, View
from calibration.simulated import SimulatedTable
from calibration.step import Advice, Outcome, Step
from companion.sensing.frames import Frame
from companion.virtual.scene import Ring
from firmware_bridge.virtual_wiring import Wiring

FLAT = (Ring(),) * 7


class HasRun(Protocol):
    """Somebody who has to know of the run before it begins."""

    run: WiredRun | None


class WiredRun:
    """`complete`: the step was kept. `prepare` changes the table before it begins; `camera`: is one fitted?"""

    def __init__(
        self,
        step: Step,
        wiring: Wiring | None = None,
        *,
        seed: int = 1,
        rings: tuple[Ring, ...] = FLAT,
        size: tuple[int, int] = (1152, 648),
        fps: float = 5.0,
        profile: TableProfile | None = None,
        camera: bool = True,
        prepare: Callable[[SimulatedTable], None] = lambda table: None,
        begin: HasRun | None = None,
        limit_s: float = 400.0,
    ) -> None:
        self.clock = 0.0
        self.views: list[View] = []
        self.profile = profile or TableProfile()
        self.table = SimulatedTable(seed, lambda: self.clock, self._wait, size, built=True, wiring=wiring)
        self.table.camera.fps = fps
        self.table.scene.build(rings)
        self._limit_s = limit_s
        prepare(self.table)
        if begin is not None:
            begin.run = self

        async def play() -> bool:
            with self.table.wires.switched_on() as controller:

                def bench(listen: Callable[[Advice, Frame | None], None]) -> Bench:
                    return Bench(
                        self.profile,
                        camera=self.table.camera if camera else None,
                        controller=controller,
                        listen=listen,
                        obey=self.table.obey,
                        clock=lambda: self.clock,
                        sleep=self._sleep,
                    )

                session = Session([step], bench, show=self._show, save=self._save, unattended=True)
                return await session.run()

        self.complete = asyncio.run(play())

    @property
    def outcome(self) -> Outcome:
        """What the step came to at last."""
        return next(
            view.outcome for view in reversed(self.views) if view.phase is Phase.JUDGED and view.outcome
        )

    @property
    def findings(self) -> dict[str, str]:
        """What was judged not good: what it is, with the advice."""
        return {finding.what: finding.advice for finding in self.outcome.findings if not finding.good}

    @property
    def trouble(self) -> str:
        """Why the step could not go on."""
        return next((view.trouble for view in reversed(self.views) if view.trouble), "")

    def said(self, words: str) -> bool:
        """Was that among what people were told to do?"""
        return any(view.advice is not None and words in view.advice.text for view in self.views)

    def _wait(self, seconds: float) -> None:
        self.clock += seconds

    async def _sleep(self, seconds: float) -> None:
        self.clock += seconds
        self.table.go_on(self.clock)
        await asyncio.sleep(0)

    def _show(self, view: View, frame: Frame | None) -> None:
        self.views.append(view)
        if self.clock > self._limit_s:
            raise AssertionError(f"no end after {self._limit_s} s: {view.advice and view.advice.text}")

    def _save(self, bench: Bench) -> None:
        self.profile = bench.profile
