"""Camera pictures in kept layers, so that a frame costs only what has changed.

Ground (table top, frame markers, prints that lie still) → pieces at rest → light and blur → per frame the
pieces in the air, the hands and the sensor's noise, and those only where somebody looks at the frame. What lies
on the table is up to the table's own picture.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import Table as FrameTable
from companion.sensing.frames import STRIDE, Small
from companion.virtual.boxes import Box, bands, joined, touch
from companion.virtual.exposure import Air, Exposure, Veil, thin_box
from companion.virtual.faults import Fault
from companion.virtual.optics import Optics, bumped
from companion.virtual.packed import Packed
from companion.virtual.piece import Pose
from companion.virtual.scene import HandPose, Ring
from companion.virtual.sprites import Sprite, frame_marker, lay, to_grey, to_light
from companion.virtual.textures import TABLES, Image, table_top

Field = NDArray[np.float32]

# The light map is kept in bytes; this value means 1.
_LIGHT_ONE = 200.0
# Rows of the sheet of noise that lies over the picture again and again, and how far it is shifted at most.
_NOISE_ROWS = 128
_NOISE_SPARE = 64
_TABLE_PX_MM = 3.0
_TABLE_MM = (900.0, 560.0)
# A ground that was good for so many pictures will be for many more, and is packed. While the camera moves, each
# picture has another one.
_PACK_AFTER = 16
# A corner marker that was bumped, and by how much: mm towards the table's middle, degrees.
_PUSHED_CORNER = 1
_PUSHED = (-9.0, -6.0, 5.0)
# An arm that somebody has left lying over the table.
LINGERING = HandPose((20.0, 40.0, 50.0), (30.0, -340.0, 70.0), 1)


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture looks: table, light and lens. `defocus_px`: blur sigma; `noise`: sigma in levels.

    `gamma`: the camera's tone curve. With 1 pixels and blur mix grey values; with 2.2 they mix light, as in a
    camera, and white bleeds into black.
    """

    table: str = "oak"
    seed: int = 0
    defocus_px: float = 0.65
    noise: float = 2.4
    warmth: float = 0.05
    falloff: float = 0.30
    gamma: float = 1.0


class Body(Protocol):
    """A thing on the table, as far as a picture cares: where it is, and whether a hand moves it."""

    @property
    def pose(self) -> Pose: ...

    @property
    def held(self) -> bool: ...


B = TypeVar("B", bound=Body)


class Layers(Generic[B]):
    """The picture of one table in layers. A kind of table says what its ground and its pieces look like.

    `frame`: where the corner markers of the table lie. The picture's size comes from the camera's optics.
    """

    def __init__(self, look: Look | None, frame: FrameTable) -> None:
        self.look = look or Look()
        self.frame = frame
        self._rng = np.random.default_rng(self.look.seed)
        self._optics: Optics | None = None
        self._lit: Image = np.zeros((1, 1, 3), np.uint8)
        # Every STRIDE-th pixel of it.
        self._thin: Image = self._lit
        self._noise: Image = self._lit
        # Only what changes is drawn anew on it.
        self._ground = Packed(self._lit)
        self._ground_age = 0
        self._held: dict[str, tuple[B, Sprite]] = {}
        self._last: Callable[[], Exposure | None] = lambda: None
        self._level = 1.0
        self._sprites: dict[str, tuple[B, Sprite]] = {}
        self._bias = 0
        self._dim = False
        self._pushed = False

    # ---- what a kind of table has to say

    def _lay_ground(self, ground: Image, optics: Optics) -> None:
        """Draw what never moves onto `ground`, a whole picture of the bare table: the camera is new."""

    def _freshen_ground(self, optics: Optics) -> list[Box]:
        """Redraw what has moved of the ground since the last picture; where it is to be developed anew."""
        return []

    def _sprite(self, piece: B, optics: Optics, ground_z: float) -> Sprite:
        """A piece as it lies or hangs; `ground_z`: height in mm of what its shadow falls on."""
        raise NotImplementedError

    def _lay_pieces(self, patch: Image, origin: tuple[int, int], lying: list[tuple[B, Sprite]]) -> None:
        """Draw pieces at rest onto a patch of the ground, the lowest first."""
        raise NotImplementedError

    # ---- the whole picture

    def _expose(
        self,
        optics: Optics,
        faults: frozenset[Fault],
        pieces: Mapping[str, B],
        hands: Sequence[HandPose],
    ) -> Exposure:
        """The picture of this moment, to be developed where somebody looks."""
        before = self._last()
        if before is not None:
            # Somebody has kept it; from now on the table may look otherwise.
            before.developed()
        if Fault.CAMERA_BUMPED in faults:
            optics = bumped(optics, (6.0, -4.0), 0.8)
        anew = self._look_through(optics, Fault.LIGHTS_OUT in faults, Fault.FRAME_MARKER_BUMPED in faults)
        dirty = [(0, 0, *optics.size)] if anew else self._freshen_ground(optics)
        self._ground_age += 1
        if self._ground_age == _PACK_AFTER:
            self._ground.pack()
        for box in joined([*dirty, *self._settle(optics, pieces)]):
            self._develop(box)
        dx, dy = (int(v) for v in self._rng.integers(0, 64, 2))
        air = self._in_the_air(optics, faults, pieces, hands)
        exposure = Exposure(
            optics.size,
            lambda: self._whole(air, optics, (dx, dy)),
            lambda: self._glimpse(air, optics, (dx, dy)),
        )
        self._last = weakref.ref(exposure)
        return exposure

    def _whole(self, air: Air, optics: Optics, grain: tuple[int, int]) -> Image:
        frame = np.empty_like(self._lit)
        self._film(frame, (0, 0, *optics.size), self._lit, grain)
        for box, patch in air.over(self._lit, optics):
            self._film(frame, box, patch, grain)
        return frame

    def _glimpse(self, air: Air, optics: Optics, grain: tuple[int, int]) -> Small:
        """The green of every STRIDE-th pixel of what `_whole` draws."""
        green = np.ascontiguousarray(self._thin[:, :, 1])
        for (left, top, right, bottom), patch in air.over(self._thin, optics, STRIDE):
            green[top:bottom, left:right] = patch[:, :, 1]
        rows = _NOISE_ROWS // STRIDE
        for sheet in range(-(-green.shape[0] // rows)):
            x, y = _lie_of(grain, sheet)
            part = green[sheet * rows : (sheet + 1) * rows]
            noise = self._noise[y : y + _NOISE_ROWS : STRIDE, x : x + optics.size[0] : STRIDE, 1]
            cv2.add(part, np.ascontiguousarray(noise[: len(part)]), dst=part)
        return green

    def _film(self, frame: Image, box: Box, patch: Image, grain: tuple[int, int]) -> None:
        """Put a patch into `box` of the frame with the sensor's noise; `grain`: where on the sheet of it, 0…63."""
        left, top, right, bottom = box
        for sheet in range(top // _NOISE_ROWS, -(-bottom // _NOISE_ROWS)):
            start = sheet * _NOISE_ROWS
            first, end = max(top, start), min(bottom, start + _NOISE_ROWS)
            x, y = _lie_of(grain, sheet)
            noise = self._noise[y + first - start : y + end - start, x + left : x + right]
            cv2.add(patch[first - top : end - top], noise, dst=frame[first:end, left:right])

    def _look_through(self, optics: Optics, dim: bool, pushed: bool) -> bool:
        """Take in a camera, a light or corner markers that have changed; True if all is to be developed anew."""
        moved = not _same_optics(optics, self._optics) or pushed != self._pushed
        if not moved and dim == self._dim:
            return False
        self._dim, self._pushed = dim, pushed
        self._level = 0.42 if dim else 1.0
        self._noise = self._noise_sheet(optics, self.look.noise * (2.2 if dim else 1.0))
        if moved:
            self._optics = optics
            self._sprites.clear()
            self._held.clear()
            self._new_ground(optics)
            self._lit = np.empty((optics.size[1], optics.size[0], 3), np.uint8)
            self._thin = np.empty_like(self._lit[::STRIDE, ::STRIDE])
        return True

    # ---- what seldom changes

    def _new_ground(self, optics: Optics) -> None:
        ground = self._table_picture(optics, (0, 0, *optics.size))
        self._lay_ground(ground, optics)
        self._ground = Packed(ground)
        self._ground_age = 0

    def _table_picture(self, optics: Optics, box: Box) -> Image:
        """The bare table with its corner markers, in `box`."""
        left, top, right, bottom = box
        wood = table_top(self.look.table, self.look.seed, *_TABLE_MM, _TABLE_PX_MM)
        picture: Image = np.empty((bottom - top, right - left, 3), np.uint8)
        for band in bands(box):
            map_x, map_y = self._print_maps(optics, band, 0.0, Ring(), wood.shape, _TABLE_PX_MM)
            picture[band[1] - top : band[3] - top] = cv2.remap(
                wood, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
            )
        for number, (marker, x, y) in enumerate(self.frame.frame_centres_mm):
            lie = _PUSHED if self._pushed and number == _PUSHED_CORNER else (0.0, 0.0, 0.0)
            place = (x + lie[0], y + lie[1], lie[2])
            sprite = frame_marker(marker, place, optics, self.frame, self.look.gamma)
            lay(picture, (left, top), sprite, shadow=True)
            lay(picture, (left, top), sprite, shadow=False)
        return picture

    def _plane(self, optics: Optics, box: Box, z_mm: float) -> tuple[Field, Field]:
        """World x and y, float32, of the plane at `z_mm` behind every pixel of `box`."""
        slopes = optics.ray_slopes(box)
        drop = np.float32(z_mm - optics.centre_mm[2])
        x = slopes[:, :, 0] * drop + np.float32(optics.centre_mm[0])
        y = slopes[:, :, 1] * drop + np.float32(optics.centre_mm[1])
        return x, y

    def _print_maps(
        self, optics: Optics, box: Box, z_mm: float, ring: Ring, shape: tuple[int, ...], px_mm: float
    ) -> tuple[Field, Field]:
        """Maps for cv2.remap into a print centred on the board, at height `z_mm`, lying as `ring` does."""
        x, y = self._plane(optics, box, z_mm)
        c, s = math.cos(math.radians(ring.rotation_deg)), math.sin(math.radians(ring.rotation_deg))
        x, y = x - np.float32(ring.shift_mm[0]), y - np.float32(ring.shift_mm[1])
        px, py = np.float32(c) * x + np.float32(s) * y, np.float32(-s) * x + np.float32(c) * y
        return (
            px * np.float32(px_mm) + np.float32((shape[1] - 1) / 2),
            np.float32((shape[0] - 1) / 2) - py * np.float32(px_mm),
        )

    def _light(self, optics: Optics, box: Box) -> Image:
        """Lamp, falloff, vignetting and white balance in `box` as one multiplier, _LIGHT_ONE meaning 1."""
        width, height = optics.size
        x, y = self._plane(optics, box, 10.0)
        rng = np.random.default_rng((self.look.seed, 7))
        lamp = np.array([rng.uniform(-260, 260), rng.uniform(150, 420), rng.uniform(650, 900)])
        away = ((x - lamp[0]) ** 2 + (y - lamp[1]) ** 2 + lamp[2] ** 2) / lamp[2] ** 2
        light = 1.06 - self.look.falloff * (1 - 1 / away)
        u = (np.arange(box[0], box[2], dtype=np.float32) - width / 2) / width
        v = (np.arange(box[1], box[3], dtype=np.float32) - height / 2) / width
        vignette = 1 - 0.55 * (u[None, :] ** 2 + v[:, None] ** 2)
        total = (light * vignette * self._level).astype(np.float32)
        warm = self.look.warmth * rng.uniform(0.3, 1.0)
        balance = np.array([1 - warm, 1.0, 1 + warm * 0.6], dtype=np.float32)
        light_bytes: Image = np.clip(total[:, :, None] * balance * _LIGHT_ONE, 0, 255).astype(np.uint8)
        return light_bytes

    def _noise_sheet(self, optics: Optics, sigma: float) -> Image:
        """Sensor noise for a part of the picture, with some pixels to spare each way; its mean is taken off
        the developed picture."""
        rows, columns = _NOISE_ROWS + _NOISE_SPARE, optics.size[0] + _NOISE_SPARE
        rng = np.random.default_rng((self.look.seed, 11))
        self._bias = math.ceil(3 * sigma)
        sheet: Image = np.empty((rows, columns, 3), np.uint8)
        for _, top, _, bottom in bands((0, 0, columns, rows)):
            grain = rng.standard_normal((bottom - top, columns, 3), dtype=np.float32)
            sheet[top:bottom] = np.clip(grain * np.float32(sigma) + np.float32(self._bias), 0, 255)
        return sheet

    # ---- what changes when a piece comes to rest

    def _settle(self, optics: Optics, pieces: Mapping[str, B]) -> list[Box]:
        """Take in which pieces are at rest, and how; where something changed, to be developed anew."""
        dirty: list[Box] = []
        resting = {name: piece for name, piece in pieces.items() if not piece.held}
        for name in [name for name in self._sprites if name not in resting]:
            dirty.append(self._sprites.pop(name)[1].box)
        for name, piece in resting.items():
            known = self._sprites.get(name)
            if known is not None and known[0] == piece:
                continue
            sprite = self._sprite(piece, optics, piece.pose.z)
            if known is not None:
                dirty.append(known[1].box)
            dirty.append(sprite.box)
            self._sprites[name] = (piece, sprite)
        return dirty

    def _develop(self, box: Box) -> None:
        """Draw the pieces that reach into `box` onto the ground, light it, blur it."""
        if self._optics is None:
            return
        width, height = self._optics.size
        inner = (max(0, box[0]), max(0, box[1]), min(width, box[2]), min(height, box[3]))
        if inner[0] >= inner[2] or inner[1] >= inner[3]:
            return  # a piece just outside the picture
        for band in bands(inner):
            self._develop_band(self._optics, band)

    def _develop_band(self, optics: Optics, inner: Box) -> None:
        width, height = optics.size
        pad = 4
        left, top = max(0, inner[0] - pad), max(0, inner[1] - pad)
        right, bottom = min(width, inner[2] + pad), min(height, inner[3] + pad)
        patch = self._ground.cut((left, top, right, bottom))
        reaching = [
            entry for entry in self._sprites.values() if touch(entry[1].box, (left, top, right, bottom))
        ]
        self._lay_pieces(patch, (left, top), reaching)
        patch = self._exposed(patch, self._light(optics, (left, top, right, bottom)))
        self._lit[inner[1] : inner[3], inner[0] : inner[2]] = patch[
            inner[1] - top : inner[3] - top, inner[0] - left : inner[2] - left
        ]
        x0, y0, x1, y1 = thin_box(inner, STRIDE)
        self._thin[y0:y1, x0:x1] = self._lit[y0 * STRIDE : inner[3] : STRIDE, x0 * STRIDE : inner[2] : STRIDE]

    def _exposed(self, patch: Image, light: Image) -> Image:
        """Light, lens blur and the noise's mean taken off."""
        shown = np.asarray(cv2.multiply(patch, light, scale=1 / _LIGHT_ONE), dtype=np.uint8)
        if self.look.gamma == 1.0:
            shown = np.asarray(cv2.GaussianBlur(shown, (0, 0), self.look.defocus_px), dtype=np.uint8)
        else:
            glow = cv2.GaussianBlur(to_light(shown, self.look.gamma), (0, 0), self.look.defocus_px)
            shown = to_grey(np.asarray(glow, dtype=np.float32), self.look.gamma)
        return np.asarray(cv2.subtract(shown, np.full(4, self._bias, np.float64)), dtype=np.uint8)

    # ---- what moves

    def _in_the_air(
        self,
        optics: Optics,
        faults: frozenset[Fault],
        pieces: Mapping[str, B],
        hands: Sequence[HandPose],
    ) -> Air:
        """Where pieces are carried, hands reach in or glare burns."""
        held = sorted((item for item in pieces.items() if item[1].held), key=lambda item: item[1].pose.z)
        sprites = {name: (p, self._held_sprite(name, p, optics)) for name, p in held if _in_view(p, optics)}
        self._held = sprites
        lingering = [LINGERING] if Fault.HAND_LINGERS in faults else []
        return Air(
            self._shining(optics),
            [sprite for _, sprite in sprites.values()],
            self._disturbances(optics, faults),
            [*lingering, *hands],
        )

    def _held_sprite(self, name: str, piece: B, optics: Optics) -> Sprite:
        known = self._held.get(name)
        return known[1] if known is not None and known[0] == piece else self._sprite(piece, optics, 0.0)

    def _shining(self, optics: Optics) -> list[Veil]:
        """What shines from the table, below everything that is held over it."""
        return []

    def _disturbances(self, optics: Optics, faults: frozenset[Fault]) -> list[Veil]:
        """What lies over the picture, as hands do."""
        found: list[Veil] = []
        if Fault.FRAME_MARKER_COVERED in faults:
            _, x, y = self.frame.frame_centres_mm[0]
            found.append(_disc(optics, (x + 6, y - 5, 4.0), 38.0, (150, 120, 70), 1.0, 1.5))
        if Fault.GLARE in faults:
            found.append(_disc(optics, (40.0, 95.0, 10.0), 46.0, (255, 255, 255), 1.0, 16.0))
        return found


def _disc(
    optics: Optics,
    centre: tuple[float, float, float],
    radius: float,
    tone: tuple[int, int, int],
    share: float,
    soft: float,
) -> Veil:
    """A round patch over the picture (a mug, a burnt-out reflection) with a soft edge of `soft` mm."""
    (u, v), (w, _) = optics.project([centre, (centre[0] + radius, centre[1], centre[2])])
    size = abs(w - u)
    reach = int(size * (1 + 2 * soft / radius)) + 3
    left, top = int(u) - reach, int(v) - reach
    ys, xs = np.mgrid[0 : 2 * reach + 1, 0 : 2 * reach + 1].astype(np.float32)
    away = (size - np.hypot(xs + left - np.float32(u), ys + top - np.float32(v))) / (soft * size / radius)
    opacity = np.clip(away + 0.5, 0, 1).astype(np.float32) * np.float32(share)
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + opacity.shape[1], optics.size[0]), min(top + opacity.shape[0], optics.size[1])
    cut = opacity[y0 - top : y1 - top, x0 - left : x1 - left, None]
    veil: Image = np.rint(cut * np.array([*tone, 255], np.float32)).astype(np.uint8)
    return (x0, y0, x1, y1), veil


def _lie_of(grain: tuple[int, int], sheet: int) -> tuple[int, int]:
    """By how much the sheet of noise is shifted: it lies elsewhere in each part of the picture."""
    return (grain[0] + 23 * sheet) % _NOISE_SPARE, (grain[1] + 41 * sheet) % _NOISE_SPARE


def _in_view(piece: Body, optics: Optics) -> bool:
    pose = piece.pose
    if pose.z > 300:
        return False
    (u, v) = optics.project([(pose.x, pose.y, pose.z)])[0]
    return bool(-200 < u < optics.size[0] + 200 and -200 < v < optics.size[1] + 200)


def _same_optics(new: Optics, old: Optics | None) -> bool:
    if old is None or new.size != old.size:
        return False
    parts = ("matrix", "distortion", "rotation", "translation")
    return new is old or all(np.array_equal(getattr(new, p), getattr(old, p)) for p in parts)


def random_look(rng: np.random.Generator, gamma: float = 1.0) -> Look:
    """A look drawn at random: table top, light, focus and noise within what living rooms offer."""
    return Look(
        table=str(rng.choice(TABLES)),
        seed=int(rng.integers(1 << 30)),
        defocus_px=float(rng.uniform(0.55, 0.85)),
        noise=float(rng.uniform(1.6, 3.2)),
        warmth=float(rng.uniform(0.0, 0.12)),
        falloff=float(rng.uniform(0.15, 0.45)),
        gamma=gamma,
    )
