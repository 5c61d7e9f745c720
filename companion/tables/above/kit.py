"""The table of Above."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path

from companion.games.above.box import Table
from companion.games.above.cards import SETUP_CARDS, SetupCard
from companion.referee.evidence import Switches
from companion.referee.referee import Referee
from companion.referee.unattended import own_journal
from companion.referee.verdict import Verdict
from companion.sensing.frames import Image
from companion.sensing.geometry import Camera
from companion.sensing.place import BoardPrint
from companion.sensing.reading import Reading
from companion.sensing.sight import Sight
from companion.signals.scenes import Scene, scene_of, waiting
from companion.signals.scoreboard import Look as ScoreboardLook
from companion.tables.above.book import AboveBook
from companion.tables.above.simulated import SimulatedAbove
from companion.tables.above.snapshot import snapshot_of
from companion.tables.above.testimony import testimony
from companion.tables.kit import Company, Unseen
from companion.web.models import DeviceView, Snapshot
from companion.web.overlay import annotate


class AboveKit:
    """The parts of a table of Above. `cards`: what is printed on the owner's cards for the set-up."""

    name = "above"
    title = "Above"
    # A look may be unclear, or two, before three agree on a print.
    fresh_looks = 8
    seats = (2, 4)

    def __init__(self, table: Table | None = None, cards: tuple[SetupCard, ...] = SETUP_CARDS) -> None:
        self._table = table or Table()
        self._cards = cards

    def book(self, path: Path, wall_clock: Callable[[], float], *, unattended: bool = False) -> AboveBook:
        return AboveBook(own_journal(path, wall_clock, unattended=unattended), self._cards)

    def eyes(self, camera: Camera | None = None, rings: BoardPrint | None = None) -> Sight:
        return Sight(camera, self._table, rings)

    def blind(self, now: float) -> Reading:
        return Reading(now, blind=True)

    def scene(self, verdict: Verdict, players: int) -> Scene:
        return scene_of(verdict, players)

    def waiting(self, players: int) -> Scene:
        return waiting(players)

    def snapshot(
        self, referee: Referee, reading: Reading | None, devices: Sequence[DeviceView], *, paused: bool
    ) -> Snapshot:
        return snapshot_of(referee, reading, devices, self._table, paused=paused)

    def annotate(self, image: Image, reading: Reading, width_px: int) -> bytes:
        return annotate(image, reading, self._table, width_px)

    def evidence(
        self, looks: Sequence[Reading], switches: Switches | None, referee: Referee, *, accepted: bool
    ) -> tuple[str, ...]:
        return testimony(looks, switches, referee, accepted=accepted)

    def places_mm(self, referee: Referee) -> Mapping[int, float]:
        return {}

    def scoreboard_look(self, reading: Reading) -> ScoreboardLook:
        return ScoreboardLook(clear=not reading.moving)

    def simulate(self, company: Company) -> SimulatedAbove:
        return SimulatedAbove(self._table, company)

    def accepted(self, referee: Referee) -> tuple[Hashable, ...]:
        return tuple(turn.after if turn.actions else Unseen(turn.after) for turn in referee.turns)

    def told(self, referee: Referee) -> tuple[Hashable, ...]:
        over, ahead = referee.may_be_over, referee.taken_to_be
        if ahead is not None:
            return (*self.accepted(referee), Unseen(ahead))
        return self.accepted(referee) if over is None else (*self.accepted(referee), over)
