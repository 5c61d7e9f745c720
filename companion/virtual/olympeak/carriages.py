"""The magnets under the scoreboard: what stands over a carriage goes where it goes."""

from __future__ import annotations

from collections.abc import Mapping

from companion.virtual.olympeak import layout
from companion.virtual.olympeak.scene import CardScene

# So far from its middle a magnet still takes hold of a cube or of the round marker.
GRIP_MM = 7.0


class Carriages:
    """Moves the cubes with the carriages that pass beneath them; a cube that was pushed away stays where it is."""

    def __init__(self, scene: CardScene) -> None:
        self._scene = scene
        self._were: dict[str, float] = {}

    def follow(self, lanes: Mapping[str, float]) -> None:
        """The carriages stand at `lanes` now: cubes by place (-5…35), the marker (`round`) by round."""
        for name, place in lanes.items():
            thing = "round" if name == "round" else f"cube {name}"
            before = self._were.get(name, place)
            self._were[name] = place
            if not self._scene.has(thing) or self._scene.thing(thing).held:
                continue
            grip = GRIP_MM / self._pitch_mm(name)
            stands = self._stands(name, thing)
            if min(before, place) - grip <= stands <= max(before, place) + grip and before != place:
                if name == "round":
                    layout.set_round(self._scene, place, sloppy=False)
                else:
                    layout.set_cube(self._scene, name, place, sloppy=False)

    def _pitch_mm(self, name: str) -> float:
        table = self._scene.table
        return table.rounds_y_mm[1] - table.rounds_y_mm[0] if name == "round" else table.place_pitch_mm

    def _stands(self, name: str, thing: str) -> float:
        y = self._scene.thing(thing).pose.y
        if name == "round":
            return 1 + (y - self._scene.table.rounds_y_mm[0]) / self._pitch_mm(name)
        return self._scene.table.cube_place(y)
