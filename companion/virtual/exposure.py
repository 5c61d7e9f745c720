"""What hangs over the table at one moment, and the film it is taken on: developed only where somebody looks.

Most frames of a live table are only glanced at, one pixel in sixteen of them: the rest of those is never drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.sensing.frames import Small, thinned
from companion.virtual import hands as hand_pictures
from companion.virtual.boxes import Box, joined, touch
from companion.virtual.optics import Optics
from companion.virtual.snapshot import HandPose
from companion.virtual.sprites import Shade, Sprite, lay
from companion.virtual.textures import Image

# A box, and (h, w, 4) colour times opacity with opacity, to be laid over what is there.
Veil = tuple[Box, Image]


@dataclass(frozen=True, eq=False, slots=True)
class Air:
    """What is over the table, the lowest first: what shines from it, what is held, what veils the picture, hands."""

    shining: Sequence[Veil] = ()
    held: Sequence[Sprite] = ()
    veils: Sequence[Veil] = ()
    hands: Sequence[HandPose] = ()

    def over(self, lit: Image, optics: Optics, step: int = 1) -> list[Veil]:
        """The patches of a picture `lit` that look otherwise with all this over it; their boxes and colours (h, w, 3).

        With a `step`, `lit` is every so many pixels of the picture, and so are the patches.
        """
        height, width = lit.shape[:2]
        shining, held, veils = self.shining, self.held, list(self.veils)
        if step > 1:
            shining, veils = (
                [_thin_veil(veil, step) for veil in shining],
                [_thin_veil(v, step) for v in veils],
            )
            held = [_thin_sprite(sprite, step) for sprite in held]
        for hand in self.hands:
            veils += hand_pictures.place(hand, optics, step)
        boxes = [sprite.box for sprite in held] + [where for where, _ in (*shining, *veils)]
        patches = []
        for box in joined([b for b in boxes if touch(b, (0, 0, width, height))]):
            left, top, right, bottom = max(0, box[0]), max(0, box[1]), min(width, box[2]), min(height, box[3])
            patch = lit[top:bottom, left:right].copy()
            for where, veil in shining:
                if touch(where, box):
                    blend(patch, (left, top), where, veil)
            for sprite in held:
                if touch(sprite.box, box):
                    lay(patch, (left, top), sprite, shadow=True)
                    lay(patch, (left, top), sprite, shadow=False)
            for where, veil in veils:
                if touch(where, box):
                    blend(patch, (left, top), where, veil)
            patches.append(((left, top, right, bottom), patch))
        return patches


def blend(patch: Image, origin: tuple[int, int], where: Box, veil: Image) -> None:
    """Lay colour times opacity, with its opacity, over what is below; `origin`: of the patch in the picture."""
    x0, y0 = max(where[0], origin[0]), max(where[1], origin[1])
    x1, y1 = min(where[2], origin[0] + patch.shape[1]), min(where[3], origin[1] + patch.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    target = patch[y0 - origin[1] : y1 - origin[1], x0 - origin[0] : x1 - origin[0]]
    over = veil[y0 - where[1] : y1 - where[1], x0 - where[0] : x1 - where[0]]
    through = cv2.cvtColor(255 - over[:, :, 3], cv2.COLOR_GRAY2BGR)
    below = cv2.multiply(np.ascontiguousarray(target), through, scale=1 / 255)
    target[:] = cv2.add(below, cv2.cvtColor(np.ascontiguousarray(over), cv2.COLOR_BGRA2BGR))


def thin_box(box: Box, step: int) -> Box:
    """The box of every `step`-th pixel within a box."""
    left, top, right, bottom = (-(-edge // step) for edge in box)
    return (left, top, right, bottom)


def _thin_veil(veil: Veil, step: int) -> Veil:
    (left, top, _, _), picture = veil
    return thin_box(veil[0], step), _thinner(picture, left, top, step)


def _thin_sprite(sprite: Sprite, step: int) -> Sprite:
    shade = sprite.shadow
    if shade is not None:
        at = (-(-shade.left // step), -(-shade.top // step))
        shade = Shade(*at, _thinner(shade.share, shade.left, shade.top, step))
    colour, through = (
        _thinner(part, sprite.left, sprite.top, step) for part in (sprite.colour, sprite.through)
    )
    return Sprite(-(-sprite.left // step), -(-sprite.top // step), colour, through, shade)


def _thinner(part: Image, left: int, top: int, step: int) -> Image:
    """Every `step`-th pixel of the picture, of the part of it that lies at (left, top)."""
    return np.ascontiguousarray(part[-top % step :: step, -left % step :: step])


@dataclass(eq=False, slots=True, weakref_slot=True)
class Exposure:
    """A picture of `size` (w, h) that was taken, as a `companion.sensing.frames.Film`.

    `whole` and `glimpse` draw it as the table was; they may be asked until the table changes, and not twice.
    """

    size: tuple[int, int]
    whole: Callable[[], Image] | None
    glimpse: Callable[[], Small] | None
    _image: Image | None = field(default=None, init=False)
    _thin: Small | None = field(default=None, init=False)

    def developed(self) -> Image:
        """The whole picture, (h, w, 3) uint8 BGR."""
        if self._image is None:
            assert self.whole is not None
            self._image = self.whole()
            self.whole = self.glimpse = None
        return self._image

    def thinned(self) -> Small:
        """The green of every STRIDE-th pixel."""
        if self._thin is None:
            self._thin = self.glimpse() if self.glimpse is not None else thinned(self.developed())
        return self._thin
