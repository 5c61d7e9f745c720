"""People at the simulated table, led by seat lights, before a camera that reads everything or misses some."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from companion.games.olympeak.box import seat_light
from companion.games.olympeak.simulation import Step
from companion.referee.olympeak.referee import OlympeakReferee
from companion.referee.verdict import Kind
from companion.sensing.olympeak.reading import (
    ColumnCard,
    Corners,
    CubeSighting,
    OlympeakReading,
    RevealCard,
    TilesSighting,
)
from companion.sensing.olympeak.rows import row_slots
from companion.signals.scenes import SeatSign, seat_scene_of
from companion.virtual.faults import Fault
from companion.virtual.olympeak.columns import contender_at
from companion.virtual.olympeak.habits import CardHabit
from companion.virtual.olympeak.match import CardMatch
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.things import LAYER_ZONE, Thing
from companion.virtual.olympeak.truth import zone_at
from tests.referee.olympeak.tabletop import Notes

LOOK_S = 1 / 15
ANSWER_S = 5.0


def read(scene: CardScene, players: int, at: float, *, moving: bool) -> OlympeakReading:
    """What lies on the simulated table, as perfect sight would read it."""
    table = scene.table

    def print_of(thing: Thing) -> Corners:
        seen = scene.optics.project(thing.marker_corners(table))
        return tuple((float(u), float(v)) for u, v in seen)

    row = sorted((thing.pose.x, thing.what) for thing in scene.things("contender"))
    top = sum(thing.pose.y for thing in scene.things("contender")) / len(row)
    cards = [(thing, contender_at(scene, thing.pose.x) or "") for thing in scene.column_cards()]
    slots = row_slots([(contender, thing.pose.y) for thing, contender in cards], top)
    slot_of = {index: slot.row for slot in slots for index in slot.members}
    zones = []
    discard_top = None
    for thing in scene.things("card"):
        seat = zone_at(scene, thing.pose.x, thing.pose.y, players)
        where = (thing.pose.x, thing.pose.y, 0.0)
        if thing.layer == LAYER_ZONE and not thing.held and seat is not None:
            zones.append(RevealCard(seat, thing.what if thing.face_up else None, where, print_of(thing)))
        elif thing.layer < 0 and thing.face_up and not thing.held:
            discard_top = thing.what
    cubes = [(cube.what, table.cube_place(cube.pose.y)) for cube in scene.things("cube") if not cube.held]
    marker = [disc.pose.y for disc in scene.things("round") if not disc.held]
    tiles: dict[int, dict[str, str]] = defaultdict(dict)
    for tile in scene.things("tile"):
        if tile.face_up and not tile.held:
            _, seat_text, side = tile.name.split()
            tiles[int(seat_text)][side] = tile.what
    return OlympeakReading(
        at,
        moving=moving,
        contenders=tuple(what for _, what in row),
        columns=tuple(
            ColumnCard(
                contender,
                slot_of[index],
                thing.what,
                0.99,
                (thing.pose.x, thing.pose.y, 0.0),
                print_of(thing),
            )
            for index, (thing, contender) in enumerate(cards)
            if contender
        ),
        reveal=tuple(zones),
        discard_top=discard_top,
        cubes=tuple(CubeSighting(c, round(p), p - round(p), (0.0, 0.0, 0.0)) for c, p in cubes),
        round_marker=min((1, 2, 3), key=lambda n: abs(table.round_centre(n)[1] - marker[0]))
        if marker
        else None,
        tiles=tuple(
            TilesSighting(seat, pair.get("first"), pair.get("second")) for seat, pair in tiles.items()
        ),
    )


def missing_some(reading: OlympeakReading, rng: random.Random) -> OlympeakReading:
    """The same look with a card missed now and then, and a part of the table covered now and then."""
    hidden = set()
    if rng.random() < 0.1:
        hidden.add(f"column {rng.choice(reading.contenders)}")
    if rng.random() < 0.1:
        hidden.add(f"reveal {rng.randrange(6)}")
    return replace(
        reading,
        columns=tuple(
            card
            for card in reading.columns
            if rng.random() > 0.01 and f"column {card.contender}" not in hidden
        ),
        reveal=tuple(
            card for card in reading.reveal if rng.random() > 0.02 and f"reveal {card.seat}" not in hidden
        ),
        hidden=frozenset(hidden),
    )


class Lights:
    """The seat lights as the players see them."""

    def __init__(self) -> None:
        self.signs: dict[int, SeatSign] = {}

    def seat_lit(self, seat: int) -> bool:
        return self.signs.get(seat) in (SeatSign.TURN, SeatSign.LAST_CALL, SeatSign.WINNER)

    def seat_amber(self, seat: int) -> bool:
        return self.signs.get(seat) is SeatSign.ASKED

    def seat_red(self, seat: int) -> bool:
        return self.signs.get(seat) is SeatSign.WRONG


class LedGame:
    """One game to its end.

    `false`: refusals while nothing lay wrong; `questions`: what was asked in doubt. `steps`: what people really did.
    """

    def __init__(
        self,
        players: int,
        seed: int,
        *,
        illegal: float = 0.15,
        misses: bool = False,
        habits: Mapping[CardHabit, float] | None = None,
    ) -> None:
        self.players = players
        self.misses = misses
        self.rng = random.Random(seed)
        self.steps: list[Step] = []
        self.lights = Lights()
        self.match = CardMatch(
            CardScene(self.rng),
            players,
            self.lights,
            rng=self.rng,
            illegal=illegal,
            habits=habits,
            on_event=lambda step, when: self.steps.append(step),
        )
        setup = self.match.state.setup
        self.notes = Notes()
        self.referee = OlympeakReferee(
            [player.name for player in setup.players],
            self.notes,
            ages=[player.age_order for player in setup.players],
        )
        self.false: list[str] = []
        self.questions: list[str] = []
        self.noise = random.Random(seed)

    def play(self, limit_s: float = 3600.0, turns: int | None = None) -> None:
        """Plays to the end, or so many turns."""
        seat_lights = tuple(seat_light(seat, self.players) for seat in range(self.players))
        now, asked_since = 0.0, 0.0
        while not self.match.finished and now < limit_s and (turns is None or self.match.tally.turns < turns):
            now += LOOK_S
            self.match.step(now)
            moving = not self.match.hands_away
            reading = read(self.match.scene, self.players, now, moving=moving)
            if Fault.FRAME_BLACK in self.match.scene.faults:
                reading = OlympeakReading(now, frame="the picture is black")
            if self.misses:
                reading = missing_some(reading, self.noise)
            before = self.referee.verdict.kind
            verdict = self.referee.observe(reading)
            self.lights.signs = dict(seat_scene_of(verdict, self.players, seat_lights).seats)
            accused = verdict.kind is Kind.ILLEGAL and before is not Kind.ILLEGAL
            if accused and not self.match.showing_illegal:
                self.false.append(verdict.text)
            if verdict.kind is Kind.QUESTION and not verdict.by_rules and verdict.text not in self.questions:
                self.questions.append(verdict.text)
            if not verdict.choices or moving or self.match.showing_illegal:
                asked_since = now
            elif now - asked_since > ANSWER_S:
                key = self.match.answer(verdict.choices)
                if key is not None:
                    self.referee.answer(key)
                asked_since = now
