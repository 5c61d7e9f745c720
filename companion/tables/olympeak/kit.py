"""The table of OlymPeak."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path

from companion.games.olympeak.box import Box, Table, seat_light
from companion.games.olympeak.deck_file import default_box
from companion.referee.evidence import Switches
from companion.referee.olympeak.ledger import states_of
from companion.referee.olympeak.referee import OlympeakReferee
from companion.referee.olympeak.scoreboard import ROUND
from companion.referee.unattended import own_journal
from companion.referee.verdict import Verdict
from companion.sensing.frames import Image
from companion.sensing.geometry import Camera
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.olympeak.sight import OlympeakSight
from companion.sensing.place import BoardPrint
from companion.signals.scenes import Scene, seat_scene_of, waiting
from companion.signals.scoreboard import Look as ScoreboardLook
from companion.tables.kit import Company
from companion.tables.olympeak.book import OlympeakBook
from companion.tables.olympeak.simulated import AXES, SimulatedOlympeak, facts_of
from companion.tables.olympeak.snapshot import olympeak_snapshot
from companion.tables.olympeak.testimony import testimony
from companion.web.models import DeviceView, Snapshot
from companion.web.overlay import annotate_olympeak


class OlympeakKit:
    """The parts of a table of OlymPeak."""

    name = "olympeak"
    title = "OlymPeak"
    fresh_looks = 4
    seats = (2, 3, 4, 5, 6)

    def __init__(self, box: Box | None = None) -> None:
        self._box = box or default_box()
        self._table = Table()

    def book(self, path: Path, wall_clock: Callable[[], float], *, unattended: bool = False) -> OlympeakBook:
        return OlympeakBook(own_journal(path, wall_clock, unattended=unattended), self._box)

    def eyes(self, camera: Camera | None = None, rings: BoardPrint | None = None) -> OlympeakSight:
        return OlympeakSight(camera, box=self._box)

    def blind(self, now: float) -> None:
        """Cards have no magnets: without a camera nothing is known of them."""

    def scene(self, verdict: Verdict, players: int) -> Scene:
        return seat_scene_of(verdict, players, _lights(players))

    def waiting(self, players: int) -> Scene:
        return waiting(players, _lights(players))

    def snapshot(
        self,
        referee: OlympeakReferee,
        reading: OlympeakReading | None,
        devices: Sequence[DeviceView],
        *,
        paused: bool,
    ) -> Snapshot:
        return olympeak_snapshot(referee, reading, devices, paused=paused)

    def annotate(self, image: Image, reading: OlympeakReading, width_px: int) -> bytes:
        return annotate_olympeak(image, reading, width_px)

    def evidence(
        self,
        looks: Sequence[OlympeakReading],
        switches: Switches | None,
        referee: OlympeakReferee,
        *,
        accepted: bool,
    ) -> tuple[str, ...]:
        return testimony(looks, referee, accepted=accepted)

    def places_mm(self, referee: OlympeakReferee) -> Mapping[int, float]:
        table, places = self._table, referee.targets
        return {
            axis: table.round_centre(places[name])[1]
            if name == ROUND
            else table.cube_centre(name, places[name])[1]
            for axis, name in enumerate(AXES)
            if name in places
        }

    def scoreboard_look(self, reading: OlympeakReading) -> ScoreboardLook:
        table = self._table
        covered = any(part == ROUND or part.startswith("cube ") for part in reading.hidden)
        seen = {
            AXES.index(cube.contender): table.cube_centre(cube.contender, cube.place)[1]
            + cube.offset * table.place_pitch_mm
            for cube in reading.cubes
        }
        if reading.round_marker is not None:
            seen[AXES.index(ROUND)] = table.round_centre(reading.round_marker)[1]
        clear = reading.frame == "ok" and not (reading.moving or covered)
        return ScoreboardLook(clear, seen)

    def simulate(self, company: Company) -> SimulatedOlympeak:
        return SimulatedOlympeak(self._box, company)

    def accepted(self, referee: OlympeakReferee) -> tuple[Hashable, ...]:
        return tuple(
            fact
            for unit in referee.turns
            for event, after in zip(unit.events, unit.states[1:], strict=True)
            for fact in facts_of(event, after)
        )

    def told(self, referee: OlympeakReferee) -> tuple[Hashable, ...]:
        state = referee.state
        opened = () if state is None else states_of(state, referee.announced)[1:]
        announced = (
            fact
            for event, after in zip(referee.announced, opened, strict=False)
            for fact in facts_of(event, after)
        )
        return (*self.accepted(referee), *announced)


def _lights(players: int) -> tuple[int, ...]:
    return tuple(seat_light(seat, players) for seat in range(players))
