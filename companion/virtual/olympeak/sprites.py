"""The things of the OlymPeak table as the camera sees them: printed plates, cubes, discs, piles, a phone."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from companion.games.olympeak.box import Box, Table
from companion.virtual.olympeak import faces
from companion.virtual.olympeak.things import CARD_MM, Thing, marker_measures, size_mm
from companion.virtual.optics import Optics
from companion.virtual.sprites import SHADOW_SLOPE, Pad, Sprite, shadow_of
from companion.virtual.textures import Image

Floats = NDArray[np.float64]
Tone = tuple[float, float, float]

_CORNER_MM = {"card": 3.0, "contender": 3.0, "stack": 3.0, "player_card": 3.0, "tile": 1.5, "phone": 9.0}
_EDGE: dict[str, Tone] = {
    "tile": (60, 80, 96),
    "player_card": (150, 160, 164),
    "phone": (26, 24, 24),
    "round": (150, 156, 160),
}


def draw(thing: Thing, optics: Optics, table: Table, box: Box, ground_z: float, gamma: float = 1.0) -> Sprite:
    """The thing as it lies or hangs; `ground_z`: height in mm of what its shadow falls on.

    `gamma`: the tone curve of the camera (`Look`).
    """
    if thing.kind == "stack":
        return _stack(thing, optics, table, gamma)
    wide, long, thick = size_mm(thing.kind, table)
    bent = _CORNER_MM.get(thing.kind, 0.3)
    rim = _circle(wide / 2) if thing.kind == "round" else _rounded(wide, long, bent)
    frame = thing.pose.frame()
    foot = np.array([thing.pose.x, thing.pose.y, thing.pose.z])
    low_mm = foot + np.column_stack([rim, np.zeros(len(rim))]) @ frame.T
    top_mm = foot + np.column_stack([rim, np.full(len(rim), thick)]) @ frame.T
    low, top = optics.project(low_mm), optics.project(top_mm)
    shade = _shadow(top_mm, optics, ground_z, thing.held)
    # Large prints are fine enough at twice the picture's size.
    pad = Pad(np.concatenate([low, top]), 2, gamma, 2 if long > 50 else 3)
    _sides(pad, thing, low, top)
    _face(pad, thing, optics, table, box, top)
    strength, soft = (0.4, 6.0) if thing.held else (0.45, 1.6)
    return pad.done(shadow_of([shade], strength, soft))


def _shadow(top_mm: Floats, optics: Optics, ground_z: float, held: bool) -> Floats:
    drop = top_mm[:, 2] - ground_z if held else np.full(len(top_mm), max(1.6, float(np.ptp(top_mm[:, 2]))))
    if not held:
        drop = np.maximum(drop, top_mm[:, 2] - ground_z)
    fallen = top_mm.copy()
    fallen[:, :2] += drop[:, None] * np.array(SHADOW_SLOPE)
    fallen[:, 2] = ground_z
    return optics.project(fallen)


def _sides(pad: Pad, thing: Thing, low: Floats, top: Floats) -> None:
    """The edge of a plate that is thick enough to show one: the sides that face the camera."""
    if thing.kind in ("card", "contender"):
        return
    tone = _EDGE.get(thing.kind)
    if thing.kind == "cube":
        blue, green, red = faces.colour_of(thing.what)
        tone = (blue * 0.8, green * 0.8, red * 0.8)
    if tone is None:
        return
    pad.polygon(low, tuple(v * 0.6 for v in tone))
    for n in range(len(low)):
        m = (n + 1) % len(low)
        edge, down = top[m] - top[n], low[n] - top[n]
        if edge[0] * down[1] - edge[1] * down[0] <= 0:
            continue
        light = 0.75 + 0.25 * edge[0] / (math.hypot(*edge) or 1.0)
        pad.polygon(np.array([low[n], low[m], top[m], top[n]]), tuple(v * light for v in tone))
    pad.polygon(top, tone)


def _face(pad: Pad, thing: Thing, optics: Optics, table: Table, box: Box, outline: Floats) -> None:
    """Stick the print on: by its marker's corners where it has one, so that those lie exactly."""
    if thing.kind == "phone":
        middle = outline.mean(axis=0)
        pad.polygon(middle + (outline - middle) * 0.93, (44, 30, 22))
        return
    face = face_of(thing, table, box)
    wide, long, thick = size_mm(thing.kind, table)
    scale = face.shape[1] / wide
    if thing.print_id is not None:
        (x, y), side, _ = marker_measures(thing.kind, table)
        half = side / 2
    else:
        x, y, half = 0.0, 0.0, min(wide, long) / 2
    flat = np.array([[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]])
    corners = np.column_stack([flat[:, 0] + wide / 2, long / 2 - flat[:, 1]]) * scale - 0.5
    foot = np.array([thing.pose.x, thing.pose.y, thing.pose.z])
    world = foot + np.column_stack([flat, np.full(4, thick)]) @ thing.pose.frame().T
    pad.print(face, corners, optics.project(world), outline)


def face_of(thing: Thing, table: Table, box: Box) -> Image:
    """The print that shows, `PX_MM` pixels to the millimetre (twice that on cubes and discs)."""
    marker = thing.print_id or 0
    if thing.kind == "card":
        return (
            faces.card_face(box.deck[thing.what], marker, table) if thing.face_up else faces.card_back(table)
        )
    if thing.kind == "contender":
        return faces.contender_face(thing.what, box.printed_rounds[thing.what], marker, table)
    if thing.kind == "player_card":
        return faces.player_card_face(int(thing.what), marker, table)
    if thing.kind == "tile":
        return faces.tile_face(thing.what, marker, table) if thing.face_up else faces.tile_back(table)
    side = table.cube_mm if thing.kind == "cube" else table.round_marker_diameter_mm
    return faces.small_face(marker, side, marker_measures(thing.kind, table)[1])


def _stack(thing: Thing, optics: Optics, table: Table, gamma: float) -> Sprite:
    """The cards of a pile: their edges, none quite over the other; a face-down pile shows a back on top."""
    wide, long = table.card_mm
    rim = _rounded(wide, long, 3.0)
    rng = np.random.default_rng(thing.count)
    frame = thing.pose.frame()[:2, :2]
    levels = np.unique(np.linspace(1, thing.count, min(thing.count, 12)).astype(int))
    outlines = []
    for level in levels:
        off = rng.uniform(-2.2, 2.2, 2) if level < thing.count else np.zeros(2)
        flat = rim @ frame.T + (thing.pose.x, thing.pose.y) + off
        outlines.append(
            optics.project(np.column_stack([flat, np.full(len(flat), thing.pose.z + level * CARD_MM)]))
        )
    height = thing.count * CARD_MM
    shade = outlines[-1] + np.array([SHADOW_SLOPE[0], -SHADOW_SLOPE[1]]) * (3 + 2.9 * height)
    pad = Pad(np.concatenate(outlines), 2, gamma, 2)
    for n, outline in enumerate(outlines):
        tone = (190, 198, 202) if n % 2 else (168, 176, 182)
        pad.polygon(outline, tone)
    if not thing.face_up:
        flat = np.array([[-wide, long], [wide, long], [wide, -long], [-wide, -long]]) / 2
        back = faces.card_back(table)
        corners = np.column_stack([flat[:, 0] + wide / 2, long / 2 - flat[:, 1]]) * faces.PX_MM - 0.5
        world = flat @ frame.T + (thing.pose.x, thing.pose.y)
        world = np.column_stack([world, np.full(4, thing.pose.z + height)])
        pad.print(back, corners, optics.project(world), outlines[-1])
    return pad.done(shadow_of([shade], 0.45, 2.0))


def _rounded(wide: float, long: float, bent: float) -> Floats:
    """Outline (n, 2) of a rectangle with rounded corners, counter-clockwise about its middle, in mm."""
    rim = []
    for sx, sy, start in ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)):
        for angle in (start, start + 30, start + 60, start + 90):
            c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            rim.append((sx * (wide / 2 - bent) + bent * c, sy * (long / 2 - bent) + bent * s))
    return np.array(rim)


def _circle(radius: float) -> Floats:
    angles = np.linspace(0, math.tau, 28, endpoint=False)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius
