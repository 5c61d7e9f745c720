"""What goes wrong during a soak, by name: frames dropped, ids misread, hands that linger, switches that are broken."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, TOKENS
from companion.games.olympeak.cards import CONTENDERS
from companion.games.olympeak.deck_file import default_box
from companion.sensing.frames import Frame
from companion.sensing.olympeak.reading import OlympeakReading, TilesSighting
from companion.sensing.reading import CardSighting, Reading
from companion.service import TableService
from companion.simulation import Simulation
from companion.soak.plan import SoakPlan, Stage
from companion.soak.report import SoakReport
from companion.tables.kit import Eyes
from companion.virtual.faults import Fault

# Of all prints in a look so many are read as another one, each look anew.
MISREAD_SHARE = 0.02
# Now and then the camera delivers nothing for so many frames.
DROPPED_FRAMES = (1, 8)
DROP_EVERY_S = (2.0, 6.0)
# Now and then an arm lies over the board for so long.
LINGER_S = (1.0, 4.0)
LINGER_EVERY_S = (20.0, 60.0)
# So many switches of each kind are broken from the start.
BROKEN = {Fault.REED_OPEN: 2, Fault.REED_STUCK: 1, Fault.REED_WEAK: 1}

S = TypeVar("S")


class Faults:
    """Everything that goes wrong in one game; counted in the report by name. `on_arm_gone`: a lingering arm has left."""

    def __init__(
        self,
        plan: SoakPlan,
        simulation: Simulation,
        report: SoakReport,
        on_arm_gone: Callable[[], None] = lambda: None,
    ) -> None:
        self._on_arm_gone = on_arm_gone
        # Does a lingering arm lie over the board?
        self.arm_lies = False
        # The spaces whose switch is broken.
        self.broken_reeds: set[str] = set()
        self._rng = random.Random(f"faults {plan.seed}")
        self._plan = plan
        self._simulation = simulation
        self._report = report
        if plan.stage is not Stage.CAMERA:
            self._break_reeds()

    def _break_reeds(self) -> None:
        # A switch under the set-up of a table that has no camera is found out before the game and mended.
        spaces = [space for space in SPACES if space != "top"]
        self._rng.shuffle(spaces)
        for fault, count in BROKEN.items():
            for _ in range(count):
                space = spaces.pop()
                if self._simulation.table.break_reed(space, fault):
                    self.broken_reeds.add(space)
                    self._report.faults[fault.value] += 1

    def misread(self, eyes: Eyes) -> Eyes:
        """The eyes, which now and then take one print for another."""
        return Misreading(eyes, self._rng, self._report)

    async def run(self, table: TableService) -> None:
        """Lets things go wrong until it is cancelled."""
        if self._plan.stage is Stage.REEDS:
            return
        await asyncio.gather(self._drop_frames(table), self._linger())

    async def _drop_frames(self, table: TableService) -> None:
        usual = table.frame_s
        while True:
            await asyncio.sleep(self._rng.uniform(*DROP_EVERY_S))
            missing = self._rng.randint(*DROPPED_FRAMES)
            self._report.faults["frames_dropped"] += missing
            table.late_s = usual * missing

    async def _linger(self) -> None:
        while True:
            await asyncio.sleep(self._rng.uniform(*LINGER_EVERY_S))
            self._report.faults[Fault.HAND_LINGERS.value] += 1
            self._simulation.table.set_fault(Fault.HAND_LINGERS, True)
            self.arm_lies = True
            await asyncio.sleep(self._rng.uniform(*LINGER_S))
            self._simulation.table.set_fault(Fault.HAND_LINGERS, False)
            self.arm_lies = False
            self._on_arm_gone()


class Misreading:
    """Eyes that take a share of the prints in each settled look for others of their kind."""

    def __init__(self, eyes: Eyes, rng: random.Random, report: SoakReport) -> None:
        self._eyes = eyes
        self._rng = rng
        self._report = report

    def process(self, frame: Frame) -> Any:
        """The reading of a frame, with its misread prints."""
        reading = self._eyes.process(frame)
        if reading.moving or reading.frame != "ok":
            return reading
        if isinstance(reading, Reading):
            return self._above(reading)
        assert isinstance(reading, OlympeakReading)
        return self._olympeak(reading)

    def _above(self, read: Reading) -> Reading:
        return replace(
            read,
            minis=self._changed(read.minis, "deity", DEITIES),
            tokens=self._changed(read.tokens, "token", TOKENS),
            cards=tuple(self._card(card) for card in read.cards),
        )

    def _card(self, card: CardSighting) -> CardSighting:
        if not self._is_misread():
            return card
        if self._rng.random() < 0.5:
            return replace(card, powered=not card.powered)
        return replace(card, deity=self._rng.choice(DEITIES))

    def _olympeak(self, read: OlympeakReading) -> OlympeakReading:
        cards = sorted(default_box().card_ids)
        top = read.discard_top
        return replace(
            read,
            columns=self._changed(read.columns, "card", cards),
            reveal=tuple(
                one if one.card is None else self._changed((one,), "card", cards)[0] for one in read.reveal
            ),
            stray=self._changed(read.stray, "card", cards),
            discard_top=self._rng.choice(cards) if top is not None and self._is_misread() else top,
            cubes=self._changed(read.cubes, "contender", CONTENDERS),
            tiles=tuple(self._tiles(each) for each in read.tiles),
        )

    def _tiles(self, seen: TilesSighting) -> TilesSighting:
        for side in ("first", "second"):
            if getattr(seen, side) is not None:
                seen = self._changed((seen,), side, CONTENDERS)[0]
        return seen

    def _changed(self, seen: tuple[S, ...], name: str, others: Sequence[str]) -> tuple[S, ...]:
        return tuple(
            replace(one, **{name: self._rng.choice(others)}) if self._is_misread() else one  # type: ignore[type-var]
            for one in seen
        )

    def _is_misread(self) -> bool:
        if self._rng.random() >= MISREAD_SHARE:
            return False
        self._report.faults["ids_misread"] += 1
        return True
