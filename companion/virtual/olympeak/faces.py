"""Made-up prints of an OlymPeak box: cards and their backs, tiles, the scoreboard. BGR, uint8, north up."""

from __future__ import annotations

import zlib
from functools import lru_cache

import cv2
import numpy as np

from companion.games.olympeak.box import CONTENDER_COLOURS, SCOREBOARD_IDS, Table
from companion.games.olympeak.cards import CONTENDERS, Card
from companion.lettering import lettered
from companion.virtual.textures import Image, marker_image, noise, packed

# Seven pixels to the millimetre: a module of a 16 mm marker is 16 pixels.
PX_MM = 7
_PAPER, _INK, _GOLD = (226, 236, 238), (52, 40, 34), (96, 164, 196)
_HEROES = {"blue": "ODYSSEUS", "green": "ATALANTA", "red": "ACHILLES", "white": "PERSEUS"}
_TONES = ((150, 92, 130), (88, 130, 78), (150, 120, 60), (84, 104, 150), (140, 140, 80), (110, 84, 84))
_FONT = cv2.FONT_HERSHEY_TRIPLEX

Tone = tuple[int, int, int]


def colour_of(contender: str) -> Tone:
    """The contender's printed colour, BGR."""
    red, green, blue = CONTENDER_COLOURS[contender]
    return (blue, green, red)


def _card_face(card: Card, marker: int, table: Table) -> Image:
    """The face of a progress or order card with its marker near the top left corner."""
    rng = np.random.default_rng(zlib.crc32(card.id.encode()))
    art = _sheet(table.card_mm, _TONES[int(rng.integers(len(_TONES)))], rng)
    right = art.shape[1] - 9 * PX_MM
    if card.is_order:
        badge = np.array([[-36, 31], [36, 31], [36, 125], [0, 151], [-36, 125]]) + np.array([right, 0])
        cv2.fillConvexPoly(art, badge.astype(np.int32), (110, 40, 70), cv2.LINE_AA)
        _write(art, "!", (right, 15 * PX_MM), 1.7, _PAPER)
        _write(art, card.kind.value.upper(), (art.shape[1] - 20 * PX_MM, 24 * PX_MM), 1.1, _PAPER, _INK)
    else:
        tone = (52, 44, 120) if card.value < 0 else (90, 60, 40)
        cv2.circle(art, (right, 11 * PX_MM), 40, _PAPER, -1, cv2.LINE_AA)
        cv2.circle(art, (right, 11 * PX_MM), 36, tone, -1, cv2.LINE_AA)
        _write(art, f"{card.value:+d}" if card.value else "0", (right, 11 * PX_MM), 1.3, _PAPER)
        _hydra(art, (34 * PX_MM, 10 * PX_MM), card.heads)
        for n, sign in enumerate(card.signs):
            centre = (29 * PX_MM + n * 48, 20 * PX_MM)
            cv2.circle(art, centre, 20, _PAPER, -1, cv2.LINE_AA)
            cv2.circle(art, centre, 16, colour_of(sign), -1, cv2.LINE_AA)
    if card.star:
        _star(art, (art.shape[1] - 4 * PX_MM, 4 * PX_MM), 16, (70, 190, 235))
    _write(art, card.id, (art.shape[1] // 2, art.shape[0] - 5 * PX_MM), 0.8, _PAPER, _INK)
    _stick(art, marker, (table.card_marker_inset_mm, table.card_marker_inset_mm), table.card_marker_mm)
    return art


# More than lie open at once at the end of a round of six: with fewer each picture from elsewhere makes all of them anew.
card_face = packed(_card_face, 48, exact=True)


def _contender_face(contender: str, rounds: int, marker: int, table: Table) -> Image:
    """A contender card: its colour, its hero, the number of rounds in the top right corner."""
    rng = np.random.default_rng(marker)
    art = _sheet(table.card_mm, colour_of(contender), rng)
    right = art.shape[1] - 10 * PX_MM
    cv2.circle(art, (right, 12 * PX_MM), 42, _INK, -1, cv2.LINE_AA)
    cv2.circle(art, (right, 12 * PX_MM), 38, _PAPER, -1, cv2.LINE_AA)
    _write(art, str(rounds), (right, 12 * PX_MM), 1.7, (40, 50, 150))
    _write(art, _HEROES[contender], (art.shape[1] - 20 * PX_MM, 23 * PX_MM), 0.9, _PAPER, _INK)
    middle = (art.shape[1] // 2, 58 * PX_MM)
    cv2.circle(art, middle, 80, (168, 200, 236), -1, cv2.LINE_AA)
    cv2.ellipse(art, (middle[0], middle[1] - 12), (90, 76), 0, 180, 360, colour_of(contender), -1)
    for side in (-30, 30):
        cv2.circle(art, (middle[0] + side, middle[1] + 10), 8, _INK, -1, cv2.LINE_AA)
    _stick(art, marker, (table.card_marker_inset_mm, table.card_marker_inset_mm), table.card_marker_mm)
    return art


contender_face = packed(_contender_face, 8, exact=True)


@lru_cache(maxsize=2)
def card_back(table: Table) -> Image:
    """The back that all progress and order cards share: no marker, nothing that tells one from another."""
    wide, high = (round(side * PX_MM) for side in table.card_mm)
    art: Image = np.full((high, wide, 3), _PAPER, np.uint8)
    cv2.rectangle(art, (14, 14), (wide - 15, high - 15), (44, 26, 58), -1)
    cv2.rectangle(art, (30, 30), (wide - 31, high - 31), _GOLD, 4)
    for x in range(52, wide - 40, 26):
        for y in range(52, high - 40, 26):
            cv2.circle(art, (x, y), 4, (70, 90, 150), -1, cv2.LINE_AA)
    middle = (wide // 2, high // 2)
    cv2.circle(art, middle, 120, _GOLD, 6, cv2.LINE_AA)
    cv2.circle(art, middle, 112, (96, 54, 40), -1, cv2.LINE_AA)
    peak = np.array([[-86, 56], [0, -86], [86, 56]]) + middle
    cv2.fillConvexPoly(art, peak.astype(np.int32), (214, 220, 224), cv2.LINE_AA)
    _write(art, "OLYMPEAK", (middle[0], middle[1] + 34), 1.0, (40, 40, 60))
    return art


@lru_cache(maxsize=8)
def player_card_face(seat: int, marker: int, table: Table) -> Image:
    """A player card, landscape: FIRST and SECOND and the marker between them at the top."""
    rng = np.random.default_rng(marker)
    art = _sheet(table.player_card_mm, _TONES[seat % len(_TONES)], rng, panel=False)
    middle = art.shape[1] // 2
    for text, dx in (("FIRST", table.tile_offsets_mm[0][0]), ("SECOND", table.tile_offsets_mm[1][0])):
        _write(art, text, (middle + round(dx * PX_MM), 17 * PX_MM), 1.1, _PAPER, _INK)
        centre = (middle + round(dx * PX_MM), round((30 - table.tile_offsets_mm[0][1]) * PX_MM))
        cv2.rectangle(art, (centre[0] - 110, centre[1] - 110), (centre[0] + 110, centre[1] + 110), _INK, 3)
    _stick(art, marker, (table.player_card_mm[0] / 2, 12.0), table.card_marker_mm)
    return art


@lru_cache(maxsize=8)
def tile_face(contender: str, marker: int, table: Table) -> Image:
    """A contender tile turned up."""
    size = round(table.tile_mm * PX_MM)
    art: Image = np.full((size, size, 3), colour_of(contender), np.uint8)
    cv2.rectangle(art, (6, 6), (size - 7, size - 7), tuple(v // 2 for v in colour_of(contender)), 6)
    _stick(art, marker, (table.tile_mm / 2, table.tile_mm / 2), table.tile_marker_mm)
    return art


@lru_cache(maxsize=2)
def tile_back(table: Table) -> Image:
    """A contender tile face down: all look alike."""
    size = round(table.tile_mm * PX_MM)
    art: Image = np.full((size, size, 3), (66, 84, 112), np.uint8)
    cv2.rectangle(art, (6, 6), (size - 7, size - 7), (36, 50, 72), 6)
    _write(art, "?", (size // 2, size // 2), 3.2, (170, 196, 214))
    return art


@lru_cache(maxsize=8)
def small_face(marker: int, side_mm: float, marker_mm: float) -> Image:
    """A marker on white paper: the top of a cube, the round marker's disc."""
    size = round(side_mm * PX_MM * 2)
    art: Image = np.full((size, size, 3), _PAPER, np.uint8)
    _stick(art, marker, (side_mm / 2, side_mm / 2), marker_mm, PX_MM * 2)
    return art


def _scoreboard(table: Table) -> Image:
    """The scoreboard's print, PX_MM pixels to the millimetre: lanes, places, corner markers."""
    px = PX_MM
    (west, east), (south, north) = table.scoreboard_x_mm, table.scoreboard_y_mm
    wide, high = round((east - west) * px), round((north - south) * px)
    rng = np.random.default_rng(35)
    rise = np.linspace(0, 1, high, dtype=np.float32)[:, None, None]
    image = np.array((196, 160, 110), np.float32) * (1 - rise) + np.array((70, 110, 60), np.float32) * rise
    image = image * (1 + 0.16 * noise(rng, high, wide, (90, 60), 4)[:, :, None])
    art: Image = np.clip(np.broadcast_to(image, (high, wide, 3)), 0, 255).astype(np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        return round((x - west) * px), round((north - y) * px)

    half = table.place_pitch_mm / 2 - 0.5
    lanes = dict(table.lanes_x_mm)
    # A dark path on which the squares of the lanes lie side by side.
    ends = (
        table.place_pitch_mm * (-5.6 - table.middle_place),
        table.place_pitch_mm * (35.6 - table.middle_place),
    )
    path = at(min(lanes.values()) - 7, ends[1]), at(max(lanes.values()) + 7, ends[0])
    cv2.rectangle(art, *path, (58, 66, 52), -1)
    for place in range(-5, 36):
        y = table.place_pitch_mm * (place - table.middle_place)
        for contender in CONTENDERS:
            x, (blue, green, red) = lanes[contender], colour_of(contender)
            shade = 0.78 if place % 5 else 0.96
            tone = (blue * shade, green * shade, red * shade)
            cv2.rectangle(art, at(x - 6, y + half), at(x + 6, y - half), tone, -1)
            cv2.rectangle(art, at(x - 6, y + half), at(x + 6, y - half), _INK, 2)
        for x in (min(lanes.values()) - 11.5, max(lanes.values()) + 11.5):
            if place % 5 == 0 and -5 < place < 35:
                cv2.rectangle(art, at(x - 4.5, y + 3.5), at(x + 4.5, y - 3.5), _PAPER, -1)
            if -5 < place < 35:
                tone = _INK if place % 5 == 0 else _PAPER
                _write(art, str(place), at(x, y), 0.62 if place % 5 == 0 else 0.45, tone)
    _write(art, "OLYMPUS", at((west + east) / 2, 190), 1.2, _PAPER, _INK)
    _write(art, "STYX", at((west + east) / 2, -190), 1.2, _PAPER, _INK)
    cv2.rectangle(art, (2, 2), (wide - 3, high - 3), (50, 70, 80), 4)
    for marker, x, y in table.scoreboard_corners_mm:
        if marker in SCOREBOARD_IDS:
            _stick(art, marker, (x - west, north - y), table.scoreboard_marker_mm)
    return art


scoreboard = packed(_scoreboard, 2, exact=True)


def _sheet(
    size_mm: tuple[float, float], tone: Tone, rng: np.random.Generator, *, panel: bool = True
) -> Image:
    """A card with a pale border, a mottled ground, and a landscape in its lower part."""
    wide, high = (round(side * PX_MM) for side in size_mm)
    lumps = np.clip(0.5 + 0.5 * noise(rng, high, wide, (90, 90), 4), 0, 1)[:, :, None]
    image = np.array(tone, np.float32) * (0.72 + 0.5 * lumps)
    art: Image = np.clip(image, 0, 235).astype(np.uint8)
    if panel:
        _landscape(art[27 * PX_MM : high - 3 * PX_MM, 4 * PX_MM : wide - 4 * PX_MM], tone, rng)
        cv2.rectangle(art, (4 * PX_MM, 27 * PX_MM), (wide - 4 * PX_MM, high - 3 * PX_MM), _INK, 3)
    border = round(1.6 * PX_MM)
    cv2.rectangle(art, (0, 0), (wide - 1, high - 1), _PAPER, border * 2)
    return art


def _landscape(art: Image, tone: Tone, rng: np.random.Generator) -> None:
    high, wide = art.shape[:2]
    sky = np.linspace(0.65, 1.35, high, dtype=np.float32)[:, None, None] * np.array(tone, np.float32)
    art[:] = np.clip(np.broadcast_to(sky, art.shape), 0, 245).astype(np.uint8)
    for layer in range(4):
        base = high * (0.35 + 0.16 * layer)
        shade = tuple(int(v * (0.95 - 0.2 * layer)) for v in tone)
        xs = np.linspace(0, wide, 9)
        ridge = [(float(x), base + float(rng.uniform(-42, 42))) for x in xs]
        points = np.array([*ridge, (wide, high), (0, high)], dtype=np.int32)
        cv2.fillPoly(art, [points], shade, cv2.LINE_AA)
    for _ in range(14):
        x, y = int(rng.integers(10, wide - 30)), int(rng.integers(high // 3, high - 30))
        colour = tuple(int(v) for v in rng.integers(30, 235, 3))
        if rng.random() < 0.5:
            for k in range(4):
                cv2.rectangle(art, (x + 8 * k, y), (x + 8 * k + 4, y + 26), (220, 224, 228), -1)
        else:
            cv2.circle(art, (x, y), int(rng.integers(6, 14)), colour, -1, cv2.LINE_AA)


def _hydra(art: Image, centre: tuple[int, int], heads: int) -> None:
    x, y = centre
    cv2.ellipse(art, (x, y + 24), (30, 14), 0, 0, 360, (60, 110, 60), -1, cv2.LINE_AA)
    for n in range(heads):
        tip = (x + round((n - (heads - 1) / 2) * 26), y - 26)
        cv2.line(art, (x, y + 18), tip, (50, 120, 50), 7, cv2.LINE_AA)
        cv2.circle(art, tip, 9, (70, 160, 80), -1, cv2.LINE_AA)


def _star(art: Image, centre: tuple[int, int], size: int, colour: Tone) -> None:
    angles = np.arange(10) * np.pi / 5 - np.pi / 2
    reach = np.where(np.arange(10) % 2 == 0, size, size * 0.45)
    points = np.stack([np.cos(angles) * reach, np.sin(angles) * reach], axis=1) + np.array(centre)
    cv2.fillPoly(art, [points.astype(np.int32)], colour, cv2.LINE_AA)


@lettered
def _write(
    art: Image, text: str, centre: tuple[int, int], scale: float, colour: Tone, edge: Tone | None = None
) -> None:
    (wide, high), _ = cv2.getTextSize(text, _FONT, scale, 2)
    foot = (centre[0] - wide // 2, centre[1] + high // 2)
    if edge is not None:
        cv2.putText(art, text, foot, _FONT, scale, edge, 6, cv2.LINE_AA)
    cv2.putText(art, text, foot, _FONT, scale, colour, 2, cv2.LINE_AA)


def _stick(
    art: Image, marker: int, centre_mm: tuple[float, float], side_mm: float, px_mm: int = PX_MM
) -> None:
    """Print a marker with a white border of one module; `centre_mm` from the left and the top edge."""
    sheet = marker_image(marker, round(side_mm * px_mm / 7))
    whole = sheet.shape[0]
    left, top = (round(at * px_mm - whole / 2) for at in centre_mm)
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + whole, art.shape[1]), min(top + whole, art.shape[0])
    art[y0:y1, x0:x1] = sheet[y0 - top : y1 - top, x0 - left : x1 - left, None]
