"""Lights: a scene as the colours of the LED strip at one moment.

Every meaning has a colour and, for those who do not see it, a rhythm of its own (`rhythms`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.above.box import Board, led_index, seat_led_index
from companion.referee.verdict import Mark
from companion.signals.rhythms import Rhythm
from companion.signals.scenes import Motion, Scene, SeatSign

Colour = tuple[int, int, int]
Pixels = tuple[Colour, ...]

DARK: Colour = (0, 0, 0)
SEAT_LIGHTS = 8
# A WS2812B draws about 20 mA for each of its three colours at full value, and 1 mA when dark.
CHANNEL_MA = 20.0
IDLE_MA = 1.0
BUDGET_MA = 1500.0


@dataclass(frozen=True, slots=True)
class Lamp:
    """How something is shown: its colour (0 to 255 each of red, green, blue) and its rhythm."""

    colour: Colour
    rhythm: Rhythm


AMBER: Colour = (180, 90, 0)
GOLD: Colour = (220, 160, 40)
WHITE: Colour = (160, 160, 160)

MARK_LAMPS: dict[Mark, Lamp] = {
    Mark.MOVED: Lamp((45, 45, 45), Rhythm.FLASH),
    Mark.TARGET: Lamp((0, 150, 20), Rhythm.STEADY),
    Mark.WRONG: Lamp((220, 0, 0), Rhythm.FAST),
    Mark.RETURN: Lamp((70, 90, 200), Rhythm.DOUBLE),
    Mark.REMOVE: Lamp(AMBER, Rhythm.SLOW),
    Mark.MISSING: Lamp(AMBER, Rhythm.OCCULTING),
    Mark.WINNER: Lamp(GOLD, Rhythm.FANFARE),
}
SEAT_LAMPS: dict[SeatSign, Lamp] = {
    SeatSign.TURN: Lamp(WHITE, Rhythm.STEADY),
    SeatSign.LAST_CALL: Lamp(WHITE, Rhythm.OCCULTING),
    SeatSign.WRONG: Lamp((220, 0, 0), Rhythm.FAST),
    SeatSign.ASKED: Lamp(AMBER, Rhythm.SLOW),
    SeatSign.IDLE: Lamp((30, 30, 30), Rhythm.FLASH),
    SeatSign.WINNER: Lamp(GOLD, Rhythm.FANFARE),
    SeatSign.STOPPED: Lamp((220, 0, 0), Rhythm.TRIPLE),
}

# Victory: a golden ray with a fading tail walks clockwise round the mountain, a column every step.
RUN_STEP_MS = 120
# The light test: slow enough to see which light it is, the whole strip in half a minute.
WALK_STEP_MS = 300
RUN_TAIL: tuple[float, ...] = (1.0, 0.5, 0.25, 0.1)


def render(
    scene: Scene, since_s: float, *, board: Board | None = None, budget_ma: float = BUDGET_MA
) -> Pixels:
    """The colour of every LED, in the order of the strip, `since_s` seconds after `scene` began.

    A scene that would draw more than `budget_ma` is dimmed as a whole, and by the same factor during all of
    its rhythm, so that no lamp flickers because another one blinks.
    """
    board = board or Board()
    ms = _milliseconds(since_s)
    full = [DARK] * (board.rings * board.columns + 1 + SEAT_LIGHTS)
    lit = full.copy()
    for index, colour in _running(scene, ms, board):
        full[index] = lit[index] = colour
    for index, lamp in _lamps(scene, board):
        full[index] = lamp.colour
        lit[index] = lamp.colour if lamp.rhythm.lit(ms) else DARK
    factor = _dimming(full, budget_ma)
    if factor < 1.0:
        lit = [(int(r * factor), int(g * factor), int(b * factor)) for r, g, b in lit]
    return tuple(lit)


def next_change(scene: Scene, since_s: float) -> float | None:
    """When the picture of `scene` changes next, in seconds after it began; None when it stands still."""
    ms = _milliseconds(since_s)
    rhythms = {MARK_LAMPS[mark].rhythm for _, mark in scene.marks}
    rhythms |= {SEAT_LAMPS[sign].rhythm for _, sign in scene.seats}
    edges = [edge for rhythm in rhythms if (edge := rhythm.next_edge(ms)) is not None]
    if scene.motion in _STEPS_MS:
        step = _STEPS_MS[scene.motion]
        edges.append((ms // step + 1) * step)
    return min(edges) / 1000 if edges else None


def current_ma(pixels: Pixels) -> float:
    """What the strip draws, in mA, while it shows `pixels`."""
    return sum(sum(pixel) for pixel in pixels) / 255 * CHANNEL_MA + IDLE_MA * len(pixels)


class LightShow:
    """The strip as it stands: keeps the running scene's beginning and tells when there is news to send."""

    def __init__(self, *, board: Board | None = None, budget_ma: float = BUDGET_MA) -> None:
        self._board = board or Board()
        self._budget_ma = budget_ma
        self._scene: Scene | None = None
        self._began_s = 0.0
        self._pixels: Pixels = ()

    @property
    def pixels(self) -> Pixels:
        """What the strip shows; empty before the first scene."""
        return self._pixels

    def show(self, scene: Scene, now_s: float) -> Pixels | None:
        """Show `scene` from now on, unless it is on already. The new colours, None when nothing changed."""
        if scene != self._scene:
            self._scene, self._began_s = scene, now_s
        return self.tick(now_s)

    def tick(self, now_s: float) -> Pixels | None:
        """The colours of the running scene at `now_s` if they differ from what was last given out."""
        if self._scene is None:
            return None
        pixels = render(self._scene, now_s - self._began_s, board=self._board, budget_ma=self._budget_ma)
        if pixels == self._pixels:
            return None
        self._pixels = pixels
        return pixels

    def due_at(self, now_s: float) -> float | None:
        """When to call `tick` next, on the same clock as `now_s`; None while the scene stands still."""
        if self._scene is None:
            return None
        change = next_change(self._scene, now_s - self._began_s)
        return None if change is None else self._began_s + change


def _milliseconds(since_s: float) -> int:
    # Rounded, not cut: a moment that next_change named must fall on its edge whatever the clock's offset.
    return max(0, round(since_s * 1000))


def _lamps(scene: Scene, board: Board) -> Iterator[tuple[int, Lamp]]:
    for space, mark in scene.marks:
        yield led_index(space, board), MARK_LAMPS[mark]
    for seat, sign in scene.seats:
        if scene.seat_lights:
            index = led_index("top", board) + 1 + scene.seat_lights[seat]
        else:
            index = seat_led_index(seat, scene.players, board)
        yield index, SEAT_LAMPS[sign]


_STEPS_MS = {Motion.RAY: RUN_STEP_MS, Motion.WALK: WALK_STEP_MS}


def _running(scene: Scene, ms: int, board: Board) -> Iterator[tuple[int, Colour]]:
    match scene.motion:
        case Motion.RAY:
            head = ms // RUN_STEP_MS
            for behind, strength in enumerate(RUN_TAIL):
                column = (head - behind) % board.columns
                red, green, blue = (int(value * strength) for value in GOLD)
                for ring in range(board.rings):
                    yield column * board.rings + ring, (red, green, blue)
        case Motion.WALK:
            yield ms // WALK_STEP_MS % (board.rings * board.columns + 1 + SEAT_LIGHTS), WHITE
        case Motion.NONE:
            return


def _dimming(full: list[Colour], budget_ma: float) -> float:
    idle = IDLE_MA * len(full)
    draw = current_ma(tuple(full)) - idle
    return 1.0 if draw <= 0 else max(0.0, min(1.0, (budget_ma - idle) / draw))
