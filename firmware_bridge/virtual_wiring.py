"""How a simulated board is wired and mounted: as the drawing has it, or as its owner really did it.

Everything is told by place, as people see it: a switch or a light by the space it lies under (numbered as in
`names`), a carriage by its lane (the four cubes', then the round marker's). The board itself only knows numbers on
its matrix, positions on its strip and axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .limits import LANES_UM, MATRIX_COLUMNS, MATRIX_ROWS, OVERSHOOT_UM
from .protocol import AXES, LEDS, REEDS, AxisFault
from .wire import Pixel

# A magnet that is too weak holds its switch for this share of the time.
WEAK_PERIOD_S = 0.37
WEAK_SHARE = 0.55
# A light that gets too little current shows this much of its colour.
WEAK_LIGHT = 0.2


@dataclass(frozen=True, slots=True)
class LaneWiring:
    """How one lane is mounted. `axis`: which driver its motor is plugged into.

    `turned`: the motor's plug is turned round, it runs the other way. `endstop_north`: the endstop is at the wrong
    end. `scale`: mm that the carriage goes for each that is asked. `off_um`: how far the endstop is from its place.
    `lost_um`: by how much the carriage falls behind on every trip.
    """

    axis: int
    turned: bool = False
    endstop_north: bool = False
    scale: float = 1.0
    off_um: int = 0
    lost_um: int = 0

    @property
    def finds_its_end(self) -> bool:
        """Does it run towards its endstop when it homes?"""
        return self.turned == self.endstop_north

    def carriage_um(self, motor_um: float, lane_um: tuple[int, int], trips: int = 0) -> int:
        """Where the carriage is, µm north of the lane's middle, when the board counts `motor_um`."""
        south, north = lane_um
        end, way = (north, -1) if self.turned else (south, 1)
        at = end + self.off_um + way * (self.scale * (motor_um - south) - self.lost_um * trips)
        return round(min(max(at, south - OVERSHOOT_UM), north + OVERSHOOT_UM))


@dataclass(frozen=True)
class Wiring:
    """One board's wiring; the defaults are the drawing's.

    `reeds`: by space, the switch's number on the matrix. `dead`, `stuck`, `weak`: the spaces of such switches.
    `doubled`: (space, other): a magnet on the space closes the switch of the other one, too. `no_diode`: spaces whose
    switch lacks its diode. `leds`: by place, the light's position on the strip. `channels`: which of the three
    colours sent shine as red, green and blue. `dark_leds`, `weak_leds`: places of such lights.
    """

    reeds: tuple[int, ...] = tuple(range(REEDS))
    dead: frozenset[int] = frozenset()
    stuck: frozenset[int] = frozenset()
    weak: frozenset[int] = frozenset()
    doubled: tuple[tuple[int, int], ...] = ()
    no_diode: frozenset[int] = frozenset()
    leds: tuple[int, ...] = tuple(range(LEDS))
    channels: tuple[int, int, int] = (0, 1, 2)
    dark_leds: frozenset[int] = frozenset()
    weak_leds: frozenset[int] = frozenset()
    lanes: tuple[LaneWiring, ...] = tuple(LaneWiring(axis) for axis in range(AXES))

    def __post_init__(self) -> None:
        for what, order in (("reeds", self.reeds), ("leds", self.leds), ("lanes", self._axes)):
            if sorted(order) != list(range(len(order))):
                raise ValueError(f"{what}: each number belongs to one place, and each place has one")

    @property
    def _axes(self) -> tuple[int, ...]:
        return tuple(lane.axis for lane in self.lanes)

    # The switches -----------------------------------------------------------------------------------------

    def seen(self, magnets: frozenset[int], now: float) -> frozenset[int]:
        """The numbers that the matrix sees closed at a time in seconds, with magnets on these spaces."""
        if not magnets and not self.stuck:
            return frozenset()
        closed = (magnets | {other for space, other in self.doubled if space in magnets}) - self.dead
        if now % WEAK_PERIOD_S > WEAK_SHARE * WEAK_PERIOD_S:
            closed -= self.weak
        numbers = frozenset(self.reeds[space] for space in closed | self.stuck)
        return numbers | self._ghosts(numbers)

    @cached_property
    def _backward(self) -> frozenset[int]:
        return frozenset(self.reeds[space] for space in self.no_diode)

    def _ghosts(self, closed: frozenset[int]) -> frozenset[int]:
        """Numbers that look closed because current finds a way back through a switch without a diode.

        Row by row is pulled low. Current comes down a column, through a closed switch into another row, up from there
        through a switch without a diode into a second column, and down through a closed switch of that.
        """
        seen = set(closed)
        for back in closed & self._backward:
            column, row = divmod(back, MATRIX_ROWS)
            if column >= MATRIX_COLUMNS:
                continue  # the summit's switch is not of the matrix
            same_row = [n for n in closed if n // MATRIX_ROWS < MATRIX_COLUMNS and n % MATRIX_ROWS == row]
            same_column = [n for n in closed if n // MATRIX_ROWS == column]
            seen |= {n // MATRIX_ROWS * MATRIX_ROWS + m % MATRIX_ROWS for n in same_row for m in same_column}
        return frozenset(seen)

    # The lights -------------------------------------------------------------------------------------------

    def lit(self, sent: Sequence[Pixel]) -> tuple[Pixel, ...]:
        """What shines at each place when these colours are sent down the strip."""
        return tuple(self._shines(place, sent[position]) for place, position in enumerate(self.leds))

    def _shines(self, place: int, pixel: Pixel) -> Pixel:
        if place in self.dark_leds:
            return (0, 0, 0)
        share = WEAK_LIGHT if place in self.weak_leds else 1.0
        red, green, blue = (round(share * pixel[channel]) for channel in self.channels)
        return (red, green, blue)

    # The lanes --------------------------------------------------------------------------------------------

    def endstops(self) -> dict[int, AxisFault]:
        """Axes that do not find their end because they run away from it."""
        return {lane.axis: AxisFault.ENDSTOP_MISSING for lane in self.lanes if not lane.finds_its_end}

    def carriages_um(self, motors: Sequence[tuple[float, int]]) -> tuple[int, ...]:
        """Where the carriage of each lane is, µm from its middle; `motors`: by axis, what the board counts, and trips."""
        return tuple(
            lane.carriage_um(motors[lane.axis][0], LANES_UM[number], motors[lane.axis][1])
            for number, lane in enumerate(self.lanes)
        )
