"""The camera picture of an OlymPeak table: the scoreboard is its ground, cards lie in layers."""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.games.above.box import Table as FrameTable
from companion.games.olympeak.box import Box, Table
from companion.virtual.exposure import Exposure
from companion.virtual.layers import Layers, Look
from companion.virtual.olympeak.faces import PX_MM, scoreboard
from companion.virtual.olympeak.scene import CardScene, Shot
from companion.virtual.olympeak.sprites import draw
from companion.virtual.olympeak.things import Thing
from companion.virtual.optics import Optics
from companion.virtual.scene import Ring
from companion.virtual.sprites import Sprite, lay
from companion.virtual.textures import Image

# The tone curve of cameras.
CAMERA_GAMMA = 2.2


class CardPicture(Layers[Thing]):
    """Draws shots of one OlymPeak table; the box says what the cards show."""

    def __init__(self, box: Box, look: Look | None = None, table: Table | None = None) -> None:
        super().__init__(look or Look(gamma=CAMERA_GAMMA), FrameTable())
        self.table = table or Table()
        self.box = box

    @classmethod
    def of(cls, scene: CardScene, look: Look | None = None) -> CardPicture:
        """The picture for a scene's own box and measures."""
        return cls(scene.box, look, scene.table)

    def draw(self, shot: Shot) -> Image:
        """The picture of this moment, (h, w, 3) uint8 BGR."""
        return self.expose(shot).developed()

    def expose(self, shot: Shot) -> Exposure:
        """The picture of this moment, to be developed when somebody looks at it."""
        return self._expose(shot.optics, shot.faults, shot.things, shot.hands)

    def _lay_ground(self, ground: Image, optics: Optics) -> None:
        """The scoreboard never moves: it is printed on the ground at its height, with a narrow shadow."""
        table = self.table
        (west, east), (south, north) = table.scoreboard_x_mm, table.scoreboard_y_mm
        z = table.scoreboard_thick_mm
        rim = [(x, y, z) for x in (west - 6, east + 6) for y in (south - 6, 0.0, north + 6)]
        pixels = optics.project(rim)
        left, top = np.maximum(np.floor(pixels.min(axis=0)), 0).astype(int)
        right, bottom = np.minimum(np.ceil(pixels.max(axis=0)), optics.size).astype(int)
        box = (int(left), int(top), int(right), int(bottom))
        art = scoreboard(table)
        lie = Ring(0.0, ((west + east) / 2, (south + north) / 2))
        map_x, map_y = self._print_maps(optics, box, z, lie, art.shape, PX_MM)
        print_ = cv2.remap(art, map_x, map_y, cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        # Distance in mm from the board's edge, negative on the board.
        beyond = np.maximum(
            np.abs(map_x - np.float32((art.shape[1] - 1) / 2)) - np.float32(art.shape[1] / 2),
            np.abs(map_y - np.float32((art.shape[0] - 1) / 2)) - np.float32(art.shape[0] / 2),
        ) / np.float32(PX_MM)
        target = ground[box[1] : box[3], box[0] : box[2]]
        shade = 1 - np.float32(0.5) * np.exp(-np.maximum(beyond, 0) / np.float32(1.6))
        cover = np.clip(np.float32(0.5) - beyond * np.float32(optics.scale_at(z)), 0, 1)[:, :, None]
        mixed = target * (shade[:, :, None] * (1 - cover)) + print_ * cover
        target[:] = np.clip(mixed, 0, 255).astype(np.uint8)

    def _sprite(self, piece: Thing, optics: Optics, ground_z: float) -> Sprite:
        return draw(piece, optics, self.table, self.box, ground_z, self.look.gamma)

    def _lay_pieces(self, patch: Image, origin: tuple[int, int], lying: list[tuple[Thing, Sprite]]) -> None:
        if self._optics is None:
            return
        x, y, _ = self._optics.centre_mm
        flat = [entry for entry in lying if entry[0].kind != "cube"]
        for _, sprite in sorted(flat, key=lambda entry: (entry[0].layer, entry[0].pose.z, entry[0].name)):
            lay(patch, origin, sprite, shadow=True)
            lay(patch, origin, sprite, shadow=False)
        # Cubes are tall: a near one stands before a far one.
        cubes = [entry for entry in lying if entry[0].kind == "cube"]
        cubes.sort(key=lambda entry: -math.hypot(entry[0].pose.x - x, entry[0].pose.y - y))
        for shadow in (True, False):
            for _, sprite in cubes:
                lay(patch, origin, sprite, shadow=shadow)
