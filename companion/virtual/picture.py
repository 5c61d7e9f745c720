"""The camera picture of a table of Above: the mountain's rings are its ground, each at its true height."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import Table
from companion.virtual.boxes import Box, bands, common, hull, within
from companion.virtual.exposure import Exposure
from companion.virtual.layers import Layers, Look, random_look
from companion.virtual.optics import Optics
from companion.virtual.piece import Piece
from companion.virtual.scene import Ring, Snapshot
from companion.virtual.sprites import Sprite, draw, lay
from companion.virtual.textures import RING_PX_MM, Image, ring_print

__all__ = ["Look", "Picture", "random_look"]


def _beside(box: Box, shape: NDArray[np.float64]) -> list[Box]:
    """The parts of a box to the left and right of what a convex shape (n, 2), closed, takes up of all its rows."""
    left, top, right, bottom = box
    if not len(shape) or shape[:, 1].min() > top or shape[:, 1].max() < bottom - 1:
        return [box]
    first, last = left, right
    for row in (top, bottom - 1):
        (x0, y0), (x1, y1) = shape[:-1].T, shape[1:].T
        crossed = (y0 <= row) != (y1 <= row)
        at = x0[crossed] + (row - y0[crossed]) / (y1 - y0)[crossed] * (x1 - x0)[crossed]
        first, last = max(first, math.ceil(at.min())), min(last, math.floor(at.max()))
    if first >= last:
        return [box]
    return [part for part in ((left, top, first, bottom), (last, top, right, bottom)) if part[0] < part[2]]


class Picture(Layers[Piece]):
    """Draws snapshots of one table. `size` in pixels comes from the camera's optics."""

    def __init__(self, look: Look | None = None, table: Table | None = None) -> None:
        self.table = table or Table()
        super().__init__(look, self.table)
        self._rings: tuple[Ring, ...] = ()
        self._rings_now: tuple[Ring, ...] = ()

    def draw(self, scene: Snapshot) -> Image:
        """The picture of this moment, (h, w, 3) uint8 BGR."""
        return self.expose(scene).developed()

    def expose(self, scene: Snapshot) -> Exposure:
        """The picture of this moment, to be developed when somebody looks at it."""
        self._rings_now = scene.rings
        return self._expose(scene.optics, scene.faults, scene.pieces, scene.hands)

    # ---- the ground

    def _lay_ground(self, ground: Image, optics: Optics) -> None:
        self._rings = self._rings_now
        for ring, lie in enumerate(self._rings, 1):
            self._draw_ring(ground, (0, 0), optics, ring, lie, self._ring_box(optics, ring, lie))

    def _freshen_ground(self, optics: Optics) -> list[Box]:
        before, self._rings = self._rings, self._rings_now
        if len(before) != len(self._rings):
            # A ring was laid or lifted.
            self._new_ground(optics)
            return [(0, 0, *optics.size)]
        boxes = [
            self._ring_box(optics, ring, lie)
            for ring, lies in enumerate(zip(before, self._rings, strict=True), 1)
            if lies[0] != lies[1]
            for lie in lies
        ]
        if not boxes:
            return []
        # The rings lie within one another.
        box = hull(boxes)
        patch = self._table_picture(optics, box)
        for ring, lie in enumerate(self._rings, 1):
            part = common(box, self._ring_box(optics, ring, lie))
            self._draw_ring(patch, box[:2], optics, ring, lie, part)
        self._ground.put(box[:2], patch)
        return [box]

    def _ring_radius(self, ring: int) -> float:
        board = self.table.board
        return board.summit_radius_mm if ring > board.rings else board.ring_radii(ring)[1]

    def _ring_box(self, optics: Optics, ring: int, lie: Ring) -> Box:
        """The part of the picture that a ring's disc and the shadow of its edge take up."""
        reach, z = self._ring_radius(ring) + 12, self.table.board.ring_z(ring)
        around = [(math.cos(a) * reach, math.sin(a) * reach) for a in np.linspace(0, 6.28, 24)]
        pixels = optics.project([(*lie.to_world(*p), z) for p in around])
        left, top = np.maximum(np.floor(pixels.min(axis=0)), 0).astype(int)
        right, bottom = np.minimum(np.ceil(pixels.max(axis=0)), optics.size).astype(int)
        return (int(left), int(top), int(right), int(bottom))

    def _draw_ring(
        self, canvas: Image, origin: tuple[int, int], optics: Optics, ring: int, lie: Ring, box: Box
    ) -> None:
        """One ring's disc with its print, within `box`; its edge casts a narrow shadow on what lies below.

        `origin`: the pixel of the picture that is the canvas's top left.
        """
        if box[0] >= box[2] or box[1] >= box[3]:
            return
        art = ring_print(self.table.board, ring, self.look.seed)
        above = self._inside(optics, ring + 1) if ring < len(self._rings) else np.empty((0, 2))
        for band in bands(box):
            for part in _beside(band, above):
                self._draw_ring_band(within(canvas, origin, part), optics, ring, lie, part, art)

    def _inside(self, optics: Optics, ring: int) -> NDArray[np.float64]:
        """Points (n, 2) of the picture just within the rim of a ring's disc, which hides what is below."""
        reach, z, lie = self._ring_radius(ring) - 2, self.table.board.ring_z(ring), self._rings[ring - 1]
        around = [(math.cos(a) * reach, math.sin(a) * reach) for a in np.linspace(0, math.tau, 48)]
        return optics.project([(*lie.to_world(*p), z) for p in around])

    def _draw_ring_band(
        self, target: Image, optics: Optics, ring: int, lie: Ring, box: Box, art: Image
    ) -> None:
        radius, z = self._ring_radius(ring), self.table.board.ring_z(ring)
        scale = optics.scale_at(z)
        map_x, map_y = self._print_maps(optics, box, z, lie, art.shape, RING_PX_MM)
        print_ = cv2.remap(art, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        middle_x, middle_y = (art.shape[1] - 1) / 2, (art.shape[0] - 1) / 2
        away = np.hypot(map_x - np.float32(middle_x), map_y - np.float32(middle_y)) / np.float32(RING_PX_MM)
        beyond = away - np.float32(radius)
        # The shadow is wider on the side away from the light.
        turn = math.radians(lie.rotation_deg)
        towards = (0.35 * (map_x - middle_x) + 0.6 * (map_y - middle_y)) / np.maximum(away * RING_PX_MM, 1)
        towards = towards * np.float32(math.cos(turn))
        width = np.maximum(np.float32(0.9), np.float32(2.0) + np.float32(2.6) * towards)
        shade = 1 - np.float32(0.55) * np.exp(-np.maximum(beyond, 0) / width)
        cover = np.clip(np.float32(0.5) - beyond * np.float32(scale), 0, 1)[:, :, None]
        mixed = target * (shade[:, :, None] * (1 - cover)) + print_ * cover
        target[:] = np.clip(mixed, 0, 255).astype(np.uint8)

    # ---- the pieces

    def _sprite(self, piece: Piece, optics: Optics, ground_z: float) -> Sprite:
        return draw(piece, optics, self.table, ground_z)

    def _lay_pieces(self, patch: Image, origin: tuple[int, int], lying: list[tuple[Piece, Sprite]]) -> None:
        if self._optics is None:
            return
        centre = self._optics.centre_mm
        flat = sorted((e for e in lying if e[0].kind != "mini"), key=lambda e: e[0].pose.z)
        tall = sorted(
            (e for e in lying if e[0].kind == "mini"),
            key=lambda e: -math.hypot(e[0].pose.x - centre[0], e[0].pose.y - centre[1]),
        )
        for _, sprite in flat:
            lay(patch, origin, sprite, shadow=True)
            lay(patch, origin, sprite, shadow=False)
        for _, sprite in tall:
            lay(patch, origin, sprite, shadow=True)
        for _, sprite in tall:
            lay(patch, origin, sprite, shadow=False)
