"""A large picture that is kept packed once it stays, without loss, and of which parts are looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

import cv2
import numpy as np

from companion.virtual.boxes import Box, common, within
from companion.virtual.textures import Image

TILE_PX = (128, 96)
# Neighbours are looked at one after the other: the latest tiles lie ready, enough for a row of a picture.
READY = 24
# Of grainy pictures nothing repeats: to look for it takes time, and gains nothing.
_QUICKLY = (
    cv2.IMWRITE_PNG_COMPRESSION,
    1,
    cv2.IMWRITE_PNG_STRATEGY,
    cv2.IMWRITE_PNG_STRATEGY_HUFFMAN_ONLY,
)


class Packed:
    """A picture (h, w, 3) uint8, from `pack` on in tiles, each as a PNG file: less than half as large.

    The picture is taken over: nobody else may draw on it.
    """

    def __init__(self, picture: Image) -> None:
        self._size = (picture.shape[1], picture.shape[0])
        # As it was given, until it is packed.
        self._loose: Image | None = picture
        self._files: dict[Box, Image] = {}
        self._ready: OrderedDict[Box, Image] = OrderedDict()

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        packed = sum(part.nbytes for parts in (self._files, self._ready) for part in parts.values())
        return packed if self._loose is None else self._loose.nbytes

    def pack(self) -> None:
        """Take less room from now on. Takes as long as some pictures: for one that will be there for long."""
        picture, self._loose = self._loose, None
        if picture is not None:
            self.put((0, 0), picture)

    def cut(self, box: Box) -> Image:
        """A copy of what lies in `box`, which must be in the picture."""
        if self._loose is not None:
            return within(self._loose, (0, 0), box).copy()
        part: Image = np.empty((box[3] - box[1], box[2] - box[0], 3), np.uint8)
        for tile in self._tiles(box):
            shared = common(tile, box)
            within(part, box[:2], shared)[:] = within(self._unpacked(tile), tile[:2], shared)
        return part

    def put(self, origin: tuple[int, int], part: Image) -> None:
        """Let `part` lie with its top left pixel at `origin`, all of it in the picture."""
        box = (*origin, origin[0] + part.shape[1], origin[1] + part.shape[0])
        if self._loose is not None:
            within(self._loose, (0, 0), box)[:] = part
            return
        for tile in self._tiles(box):
            shared = common(tile, box)
            if shared == tile:
                now = np.ascontiguousarray(within(part, origin, tile))
            else:
                now = self._unpacked(tile).copy()
                within(now, tile[:2], shared)[:] = within(part, origin, shared)
            _, file = cv2.imencode(".png", now, _QUICKLY)
            self._files[tile] = np.asarray(file, dtype=np.uint8)
            self._ready.pop(tile, None)

    def _tiles(self, box: Box) -> Iterator[Box]:
        """The tiles that reach into `box`."""
        (wide, high), (width, height) = TILE_PX, self._size
        for top in range(box[1] // high * high, box[3], high):
            for left in range(box[0] // wide * wide, box[2], wide):
                yield (left, top, min(left + wide, width), min(top + high, height))

    def _unpacked(self, tile: Box) -> Image:
        picture = self._ready.get(tile)
        if picture is None:
            picture = np.asarray(cv2.imdecode(self._files[tile], cv2.IMREAD_COLOR), dtype=np.uint8)
            self._ready[tile] = picture
            if len(self._ready) > READY:
                self._ready.popitem(last=False)
        return picture
